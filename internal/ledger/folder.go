package ledger

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// besides is the end of the names of files that gocloud keeps beside others. They are no files of a ledger.
const besides = ".attrs"

// listFolder is list for a folder. gocloud leaves out directories that it cannot read, such as while too many
// files are open. Here that is an error, because a ledger without some of its files is a wrong one. A directory that
// does not exist has no files, and a file that is removed meanwhile is left out. The names of the files of a ledger
// have nothing that gocloud escapes.
func (s *Store) listFolder(prefix string, visit func(*listed) error) error {
	return s.listBelow(prefix[:strings.LastIndexByte(prefix, '/')+1], prefix, visit)
}

// listBelow calls visit with the files in a directory, whose name is empty or ends with a slash, and below it.
func (s *Store) listBelow(directory, prefix string, visit func(*listed) error) error {
	entries, err := os.ReadDir(s.folder + "/" + directory)
	if err != nil {
		return listError(prefix, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(entryName(a), entryName(b)) })
	for _, entry := range entries {
		name := directory + entryName(entry)
		switch {
		case !strings.HasPrefix(name, prefix), strings.HasSuffix(name, besides):
		case entry.IsDir():
			err = s.listBelow(name, prefix, visit)
		default:
			err = visitFile(name, prefix, entry, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entryName returns the name of a file, or that of a directory with the slash that the names of its files have.
func entryName(entry fs.DirEntry) string {
	if entry.IsDir() {
		return entry.Name() + "/"
	}
	return entry.Name()
}

func visitFile(name, prefix string, entry fs.DirEntry, visit func(*listed) error) error {
	info, err := entry.Info()
	if err != nil {
		return listError(prefix, err)
	}
	return visit(&listed{Key: name, ModTime: info.ModTime(), Size: info.Size()})
}

func listError(prefix string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return storeError("list ledger files", prefix, err)
}
