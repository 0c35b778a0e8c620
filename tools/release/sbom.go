package main

import (
	"debug/buildinfo"
	"os"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOMs writes a software bill of materials for each binary, in CycloneDX's format. It is
// made of what the linker wrote into the binary, and so has exactly the modules that are in it.
func (r *release) writeSBOMs() error {
	for _, b := range r.binaries {
		info, err := buildinfo.ReadFile(b.path)
		if err != nil {
			return err
		}
		f, err := os.Create(b.path + ".cdx.json")
		if err != nil {
			return err
		}
		bom := r.sbom(info)
		if err := cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
			_ = f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) sbom(info *buildinfo.BuildInfo) *cyclonedx.BOM {
	bom := cyclonedx.NewBOM()
	usher := component(cyclonedx.ComponentTypeApplication, "usher", r.version)
	usher.Licenses = &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}}
	usher.Properties = &[]cyclonedx.Property{{Name: "commit", Value: r.commit}}
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &usher}
	components := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component(cyclonedx.ComponentTypeLibrary, m.Path, m.Version)
		c.Properties = &[]cyclonedx.Property{{Name: "go.sum", Value: m.Sum}} // not a hash of a file, so not among the hashes
		components = append(components, c)
	}
	bom.Components = &components
	refs := make([]string, 0, len(components))
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}
	// The binary tells which modules are in it, not which of them needs which.
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: usher.BOMRef, Dependencies: &refs}}
	return bom
}

func component(kind cyclonedx.ComponentType, name, version string) cyclonedx.Component {
	url := "pkg:golang/" + name + "@" + version
	return cyclonedx.Component{Type: kind, BOMRef: url, Name: name, Version: version, PackageURL: url}
}
