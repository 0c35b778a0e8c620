package store

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
)

// crowded reports whether most of the log is probably outdated.
func (l *stateLog) crowded() bool { return l.size > max(crowdedMin, 4*l.base) }

// rewrite replaces the log by the changes that snapshot yields. It writes a new file, which
// it renames when it is complete.
func (l *stateLog) rewrite(snapshot func(yield func(Change) error) error) error {
	l.base = l.size // so that a failed rewrite is repeated only after the log has grown much further
	temporary := l.path + ".new"
	file, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // beside the log
	if err != nil {
		return err
	}
	size, err := writeSnapshot(file, snapshot)
	if err == nil {
		err = os.Rename(temporary, l.path)
	}
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(temporary))
	}
	old := l.file
	l.file, l.size, l.base = file, size, size
	return errors.Join(old.Close(), syncDirectory(filepath.Dir(l.path)))
}

func writeSnapshot(file *os.File, snapshot func(yield func(Change) error) error) (int64, error) {
	w := bufio.NewWriterSize(file, 1<<20)
	size, err := w.WriteString(logMagic)
	if err != nil {
		return 0, err
	}
	total := int64(size)
	err = snapshot(func(c Change) error {
		n, err := w.Write(record([]Change{c}, c.digests))
		total += int64(n)
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return total, file.Sync()
}

func syncDirectory(path string) error {
	directory, err := os.Open(path) //nolint:gosec // the log's directory
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}
