package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nonroot is the user of the image.
const nonroot = 65532

// imageConfig is the configuration of the image, as in deploy/Dockerfile, which a test compares.
func imageConfig() map[string]any {
	return map[string]any{
		"User":         fmt.Sprintf("%d:%d", nonroot, nonroot),
		"ExposedPorts": map[string]any{"8470/tcp": map[string]any{}},
		"Env": []string{
			"PATH=/usr/local/bin",
			"ZONEINFO=/usr/share/zoneinfo.zip",
			"USHER_CONSOLE_LISTEN=0.0.0.0:8470", "USHER_LOG_FORMAT=json",
		},
		"Entrypoint": []string{"/usr/local/bin/usher"},
		"Cmd":        []string{"run"},
		"WorkingDir": "/etc/usher",
		"StopSignal": "SIGTERM",
	}
}

// writeImage writes an OCI image for each architecture of Linux, in one archive.
func (r *release) writeImage() error {
	l := newLayout()
	var images []descriptor
	for _, b := range r.linux() {
		files, err := r.imageFiles(b)
		if err != nil {
			return err
		}
		image, err := l.addImage(b.arch, r, files)
		if err != nil {
			return err
		}
		images = append(images, image)
	}
	l.addIndex(images, r.version)
	var archive bytes.Buffer
	if err := writeTar(&archive, r.time, l.entries()); err != nil {
		return err
	}
	return os.WriteFile(r.path("_oci.tar"), archive.Bytes(), 0o644)
}

// imageFiles returns the files of an image that has nothing but usher and what it reads.
func (r *release) imageFiles(b binary) ([]entry, error) {
	program, err := os.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	goroot, err := output(r.folder, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	zones, err := os.ReadFile(filepath.Join(goroot, "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, folder := range []string{"etc/", "etc/ssl/", "etc/ssl/certs/", "etc/usher/", "usr/", "usr/local/", "usr/local/bin/", "usr/share/", "usr/share/doc/", "usr/share/doc/usher/"} {
		all = append(all, entry{name: folder, mode: 0o755})
	}
	return append(
		all,
		entry{name: "tmp/", mode: 0o1777},
		entry{name: "ledger/", mode: 0o755, owner: nonroot}, // a new volume here belongs to the user of the image
		entry{name: "etc/passwd", data: fmt.Appendf(nil, "nonroot:x:%d:%d:nonroot:/:/sbin/nologin\n", nonroot, nonroot), mode: 0o644},
		entry{name: "etc/ssl/certs/ca-certificates.crt", data: authorities(), mode: 0o644},
		entry{name: "usr/share/zoneinfo.zip", data: zones, mode: 0o644},
		entry{name: "usr/share/doc/usher/LICENSE", data: r.texts.licence, mode: 0o644},
		entry{name: "usr/share/doc/usher/THIRD-PARTY-LICENSES", data: r.texts.notices, mode: 0o644},
		entry{name: "usr/local/bin/usher", data: program, mode: 0o755},
	), nil
}

// authorities returns Mozilla's certificate authorities, of the version in go.mod.
func authorities() []byte {
	var all bytes.Buffer
	for root := range bundle.Roots() {
		_ = pem.Encode(&all, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes everything
	}
	return all.Bytes()
}
