package document

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

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

func isDocument(entry fs.DirEntry) bool {
	name := entry.Name()
	return !entry.IsDir() && !strings.HasPrefix(name, ".") && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"))
}
