package main

import (
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// texts are the files beside the binary.
type texts struct {
	man, completeBash, completeZsh, completeFish []byte
	config, unit, changelog, licence, notices    []byte
}

// sysusers declares the unit's user. systemd would otherwise make one up at each start, and no
// file could belong to it.
const sysusers = "u usher - \"usher, loads device id audiences\" /var/lib/usher\n"

func (r *release) readTexts() error {
	host := r.host()
	if host == "" {
		return errors.New("this machine runs none of the binaries: build on linux or darwin, amd64 or arm64")
	}
	complete := func(shell string) func() ([]byte, error) {
		return func() ([]byte, error) {
			s, err := output("", host, "completion", shell)
			return []byte(s + "\n"), err
		}
	}
	file := func(name string) func() ([]byte, error) { return func() ([]byte, error) { return r.read(name) } }
	for _, t := range []struct {
		to   *[]byte
		from func() ([]byte, error)
	}{
		{&r.texts.man, file("docs/reference/usher.1")},
		{&r.texts.completeBash, complete("bash")},
		{&r.texts.completeZsh, complete("zsh")},
		{&r.texts.completeFish, complete("fish")},
		{&r.texts.config, file("deploy/usher.yaml")},
		{&r.texts.unit, file("deploy/usher.service")},
		{&r.texts.changelog, file("CHANGELOG.md")},
		{&r.texts.licence, file("LICENSE")},
		{&r.texts.notices, r.notices},
	} {
		data, err := t.from()
		if err != nil {
			return err
		}
		*t.to = data
	}
	// Packages install below /usr; /usr/local belongs to the administrator.
	r.texts.unit = bytes.ReplaceAll(r.texts.unit, []byte("/usr/local/bin/usher"), []byte("/usr/bin/usher"))
	return nil
}

var licenceFile = regexp.MustCompile(`(?i)^((un)?licen[sc]e|copying|notice|patents)`)

// notices returns the licences of Go and of every module that is in a binary, which these
// licences require.
func (r *release) notices() ([]byte, error) {
	folders, err := r.moduleFolders()
	if err != nil {
		return nil, err
	}
	goroot, err := output(r.folder, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := map[string]string{"Go": goroot}
	for _, b := range r.binaries {
		info, err := buildinfo.ReadFile(b.path)
		if err != nil {
			return nil, err
		}
		for _, m := range info.Deps {
			modules[m.Path] = folders[m.Path]
		}
	}
	var all bytes.Buffer
	for _, name := range sortedKeys(modules) {
		if err := appendLicences(&all, name, modules[name]); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

func (r *release) moduleFolders() (map[string]string, error) {
	list, err := output(r.folder, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{}
	for line := range strings.Lines(list) {
		path, folder, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		folders[path] = folder
	}
	return folders, nil
}

func appendLicences(to *bytes.Buffer, module, folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("licence of %s: %w", module, err)
	}
	found := false
	for _, f := range files {
		if f.IsDir() || !licenceFile.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "==== %s: %s\n\n%s\n\n", module, f.Name(), bytes.TrimSpace(text))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s", module, folder)
	}
	return nil
}

// zipped returns data as gzip, which holds no time.
func zipped(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(data) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
