package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("o", "dist", "folder for the release; it must be empty or missing")
	commit := flag.String("commit", "HEAD", "commit to build")
	version := flag.String("version", "", "version (default: the commit's tag, or a version made of its time)")
	flag.Parse()
	if err := build(*out, *commit, *version); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is what the steps share.
type release struct {
	source   // the commit
	out      string
	texts    texts
	binaries []binary
}

func build(out, commit, version string) error {
	if found, _ := os.ReadDir(out); len(found) > 0 {
		return fmt.Errorf("folder %s is not empty: remove it", out)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "usher-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a temporary folder
	src, err := checkOut(folder, commit, version)
	if err != nil {
		return err
	}
	r := &release{source: src, out: out}
	for _, step := range []struct {
		name string
		run  func() error
	}{
		{"notes", r.writeNotes}, // first, because it is fast and may find that the changelog lacks the version
		{"binaries", r.buildBinaries},
		{"texts", r.readTexts},
		{"archives", r.writeArchives},
		{"packages", r.writePackages},
		{"image", r.writeImage},
		{"bills of materials", r.writeSBOMs},
		{"checksums", r.writeChecksums},
	} {
		fmt.Fprintf(os.Stderr, "release: %s: %s\n", r.version, step.name)
		if err := step.run(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// path returns the path of a file of the release.
func (r *release) path(format string, args ...any) string {
	return filepath.Join(r.out, "usher_"+r.version+fmt.Sprintf(format, args...))
}

// writeChecksums writes SHA256SUMS for sha256sum --check.
func (r *release) writeChecksums() error {
	files, err := os.ReadDir(r.out) // sorted by name
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(r.out, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), f.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
