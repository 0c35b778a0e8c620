// Bundles the console's page: static/app.js with all that it imports becomes app.js and
// app.css, without blanks and long names, beside index.html, the icon and the licences of
// what others have written.
//
// The files are stored in the repository, so that usher builds without this module. app.js
// begins with a digest of the sources, by which a test of the console notices that they have
// changed.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	log.SetFlags(0)
	from := flag.String("from", "", "folder of the sources")
	to := flag.String("to", "", "folder of the bundle")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		log.Fatalf("bundle the console: %v", err)
	}
}

func run(from, to string) error {
	digest, err := digestOf(from)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(from, "app.js")}, Outdir: to, Write: true, Bundle: true,
		Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Banner:    map[string]string{"js": "/* Generated from " + digest + "; see licenses.txt. */"},
		LineLimit: 160, LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	return copyTexts(from, to)
}

// copyTexts copies the page and its icon, and writes the licences of the packages in vendor into
// one file.
func copyTexts(from, to string) error {
	sources, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer func() { _ = sources.Close() }() // it was only read
	bundle, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { _ = bundle.Close() }() // each file was closed with its own error
	for _, name := range []string{"index.html", "icon.svg"} {
		data, err := sources.ReadFile(name)
		if err != nil {
			return err
		}
		if err := bundle.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	names, err := fs.Glob(sources.FS(), "vendor/LICENSE.*")
	if err != nil {
		return err
	}
	var texts strings.Builder
	for _, name := range names {
		data, err := sources.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&texts, "%s\n\n%s\n\n", strings.TrimPrefix(path.Ext(name), "."), strings.TrimSpace(string(data)))
	}
	return bundle.WriteFile("licenses.txt", []byte(texts.String()), 0o644)
}

// digestOf returns the SHA-256 of the names and contents of all files below a folder, in the
// order of their names. TestBundle of the console computes it, too.
func digestOf(folder string) (string, error) {
	hash := sha256.New()
	files := os.DirFS(folder)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
		return err
	})
	return fmt.Sprintf("%x", hash.Sum(nil)), err
}
