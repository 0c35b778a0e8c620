package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// layout collects the files of an OCI image layout:
// https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md
type layout map[string][]byte

// descriptor names a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

func newLayout() layout {
	return layout{"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`)}
}

func digest(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

func (l layout) addBlob(kind string, data []byte) descriptor {
	d := descriptor{MediaType: "application/vnd.oci.image." + kind, Digest: digest(data), Size: len(data)}
	l["blobs/sha256/"+d.Digest[len("sha256:"):]] = data
	return d
}

func (l layout) addJSON(kind string, v any) descriptor {
	data, err := json.Marshal(v) // sorts the keys of maps
	if err != nil {
		panic(err) // v has only maps, slices and strings
	}
	return l.addBlob(kind, data)
}

// addImage adds an image of one layer with these files.
func (l layout) addImage(arch string, r *release, files []entry) (descriptor, error) {
	var plain, packed bytes.Buffer
	if err := writeTar(&plain, r.time, files); err != nil {
		return descriptor{}, err
	}
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(plain.Bytes()) // a buffer takes everything
	_ = w.Close()
	created := r.time.Format(time.RFC3339)
	config := l.addJSON("config.v1+json", map[string]any{
		"created": created, "architecture": arch, "os": "linux", "config": imageConfig(),
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{digest(plain.Bytes())}},
		"history": []any{map[string]any{"created": created, "created_by": "usher/tools/release"}},
	})
	image := l.addJSON("manifest.v1+json", map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": config, "layers": []descriptor{l.addBlob("layer.v1.tar+gzip", packed.Bytes())},
		"annotations": map[string]string{
			"org.opencontainers.image.title": "usher", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.created": created,
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	})
	image.Platform = map[string]string{"os": "linux", "architecture": arch}
	return image, nil
}

// addIndex makes the images one image for several architectures, with a tag.
func (l layout) addIndex(images []descriptor, tag string) {
	index := func(of []descriptor) map[string]any {
		return map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": of}
	}
	all := l.addJSON("index.v1+json", index(images))
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": tag}
	data, err := json.Marshal(index([]descriptor{all}))
	if err != nil {
		panic(err) // as in addJSON
	}
	l["index.json"] = data
}

func (l layout) entries() []entry {
	all := []entry{{name: "blobs/", mode: 0o755}, {name: "blobs/sha256/", mode: 0o755}}
	for _, name := range sortedKeys(l) {
		all = append(all, entry{name: name, data: l[name], mode: 0o644})
	}
	return all
}
