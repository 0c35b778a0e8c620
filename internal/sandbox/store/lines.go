package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Lines is a file of lines, each written by one write. A killed process leaves at most its
// last line incomplete, which OpenLines removes. The file is synced only by Close, so a power
// failure may lose the last seconds, which is acceptable for a sandbox.
type Lines struct {
	path string
	file *os.File // nil: closed
	size int64
}

// errClosed is the error of an append to a closed file.
var errClosed = errors.New("the sandbox is closed")

// OpenLines opens or creates a file. It calls read for each complete line, with the number of
// bytes up to its end and the size of the file.
func OpenLines(path string, read func(line []byte, end, size int64) error) (*Lines, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's
	if err != nil {
		return nil, err
	}
	l := &Lines{path: path, file: file}
	if err := l.load(read); err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), file.Close())
	}
	return l, nil
}

func (l *Lines) load(read func(line []byte, end, size int64) error) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(l.file, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return l.cut(l.size)
		}
		if err != nil {
			return err
		}
		end := l.size + int64(len(line))
		if err := read(bytes.TrimSuffix(line, []byte("\n")), end, info.Size()); err != nil {
			return fmt.Errorf("line at byte %d: %w", l.size, err)
		}
		l.size = end
	}
}

// cut removes everything after the first size bytes.
func (l *Lines) cut(size int64) error {
	_, err := l.file.Seek(size, io.SeekStart)
	err = errors.Join(err, l.file.Truncate(size))
	if err == nil {
		l.size = size
	}
	return err
}

// Append writes a line. It removes a line that it could not write completely, so that the
// next one does not follow an incomplete one.
func (l *Lines) Append(line []byte) error {
	if l.file == nil {
		return errClosed
	}
	n, err := l.file.Write(append(line, '\n'))
	if err != nil {
		return errors.Join(err, l.cut(l.size))
	}
	l.size += int64(n)
	return nil
}

// replace replaces the file by one with the lines that write appends to it. If it fails, the
// file is not changed.
func (l *Lines) replace(write func(to *Lines) error) error {
	if l.file == nil {
		return errClosed
	}
	temporary := l.path + ".new"
	file, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // beside the file
	if err != nil {
		return err
	}
	next := &Lines{path: l.path, file: file}
	err = write(next)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(temporary, l.path)
	}
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(temporary))
	}
	old := l.file
	*l = *next
	return errors.Join(old.Close(), syncDirectory(filepath.Dir(l.path)))
}

func syncDirectory(path string) error {
	directory, err := os.Open(path) //nolint:gosec // the file's directory
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}

// Close syncs the file and closes it.
func (l *Lines) Close() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(l.file.Sync(), l.file.Close())
	l.file = nil
	return err
}
