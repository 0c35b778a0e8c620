package document

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Reloaded are the files in places, each with what was read of it last. Only one goroutine may
// use it at a time.
type Reloaded[T any] struct {
	// IsOutdated reports whether something else changed that was read with a file; nil: nothing is.
	IsOutdated func(content *T) bool

	places []string
	read   func(path string, last *T)
	files  map[string]*version[T] // by path
}

// version is a file when it was read last.
type version[T any] struct {
	size     int64
	modified time.Time
	content  T
}

// NewReloaded returns the files in places; see Paths. It reads none before Refresh, which calls
// read with the content of the last version, or with a zero one of a new file.
func NewReloaded[T any](places []string, read func(path string, last *T)) *Reloaded[T] {
	return &Reloaded[T]{places: places, read: read, files: map[string]*version[T]{}}
}

// Refresh reads files that are new, changed or outdated, and forgets those that no longer exist.
func (r *Reloaded[T]) Refresh() error {
	paths, err := Paths(r.places)
	if err != nil {
		return err
	}
	files := map[string]*version[T]{}
	defer func() { r.files = files }()
	for _, path := range paths {
		if file := r.files[path]; file != nil {
			files[path] = file
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		file := files[path]
		if file != nil && file.size == info.Size() && file.modified.Equal(info.ModTime()) && (r.IsOutdated == nil || !r.IsOutdated(&file.content)) {
			continue
		}
		if file == nil {
			file = &version[T]{}
			files[path] = file
		}
		file.size, file.modified = info.Size(), info.ModTime()
		r.read(path, &file.content)
	}
	return nil
}

// All returns the files and their contents, sorted by path.
func (r *Reloaded[T]) All() iter.Seq2[string, *T] {
	return func(yield func(string, *T) bool) {
		for _, path := range Sorted(r.files) {
			if !yield(path, &r.files[path].content) {
				return
			}
		}
	}
}

// Paths returns the paths of the files in places, which are files, or folders with *.yaml and
// *.yml, sorted and each once. Hidden files of folders are left out, because editors and
// mounted configuration create such files.
func Paths(places []string) ([]string, error) {
	var paths []string
	for _, place := range places {
		info, err := os.Stat(place)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			paths = append(paths, place)
			continue
		}
		entries, err := os.ReadDir(place)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if isDocument(entry) {
				paths = append(paths, filepath.Join(place, entry.Name()))
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// Digest returns a digest of texts, in whatever order they are.
func Digest(texts ...string) string {
	digest := sha256.New()
	for _, text := range slices.Sorted(slices.Values(texts)) {
		fmt.Fprintf(digest, "%d %s", len(text), text)
	}
	return hex.EncodeToString(digest.Sum(nil)[:8])
}

func isDocument(entry fs.DirEntry) bool {
	name := entry.Name()
	return !entry.IsDir() && !strings.HasPrefix(name, ".") && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"))
}
