package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"time"
)

// entry is a file or, if its name ends in /, a folder of an archive or an image.
type entry struct {
	name  string
	data  []byte
	mode  int64
	owner int
}

// writeArchives writes an archive for each platform, for those who use no packages.
func (r *release) writeArchives() error {
	for _, b := range r.binaries {
		program, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		folder := "usher_" + r.version + "/"
		entries := []entry{
			{name: folder, mode: 0o755},
			{name: folder + "usher", data: program, mode: 0o755},
			{name: folder + "usher.1", data: r.texts.man, mode: 0o644},
			{name: folder + "usher.yaml", data: r.texts.config, mode: 0o644},
			{name: folder + "completions/", mode: 0o755},
			{name: folder + "completions/usher.bash", data: r.texts.completeBash, mode: 0o644},
			{name: folder + "completions/_usher", data: r.texts.completeZsh, mode: 0o644},
			{name: folder + "completions/usher.fish", data: r.texts.completeFish, mode: 0o644},
			{name: folder + "CHANGELOG.md", data: r.texts.changelog, mode: 0o644},
			{name: folder + "LICENSE", data: r.texts.licence, mode: 0o644},
			{name: folder + "THIRD-PARTY-LICENSES", data: r.texts.notices, mode: 0o644},
		}
		if b.os == "linux" {
			unit, err := r.read("deploy/usher.service")
			if err != nil {
				return err
			}
			entries = append(entries, entry{name: folder + "usher.service", data: unit, mode: 0o644})
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if err := writeTar(w, r.time, entries); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := os.WriteFile(b.path+".tar.gz", packed.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeTar(w io.Writer, modified time.Time, entries []entry) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.data)), ModTime: modified, Uid: e.owner, Gid: e.owner, Format: tar.FormatPAX, Typeflag: tar.TypeReg}
		if e.name[len(e.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(e.data); err != nil {
			return err
		}
	}
	return t.Close()
}
