package inspect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
)

// toStdout is the value of --rejects that means stdout.
const toStdout = "-"

// rejects is where --rejects writes the dropped rows.
type rejects struct {
	io.Writer // nil: nowhere

	file *os.File // nil: stdout or nowhere
	made bool     // this inspection created the file
}

// openRejects opens the file that --rejects names. It creates the file and does not
// overwrite an existing one, except for a pipe or a device.
func (i *inspector) openRejects(cmd *cobra.Command, export string) (*rejects, error) {
	switch {
	case i.rejects == "":
		return &rejects{}, nil
	case i.rejects == toStdout && i.json:
		return nil, command.Usagef("--rejects - and --json exclude each other: both write to stdout")
	case i.rejects == toStdout:
		return &rejects{Writer: cmd.OutOrStdout()}, nil
	case within(i.rejects, export):
		return nil, command.Usagef("--rejects names a file in the folder of the export, which jobs would read as a part of it: choose another folder")
	}
	flags := os.O_WRONLY
	info, err := os.Stat(i.rejects)
	made := err != nil
	if made || info.Mode().IsRegular() || info.IsDir() {
		flags |= os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(i.rejects, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, command.Usagef("--rejects: %s exists and is not overwritten: remove it or choose another name", i.rejects)
	}
	if err != nil {
		return nil, fmt.Errorf("create the file of --rejects: %w", err)
	}
	return &rejects{Writer: f, file: f, made: made}, nil
}

// within reports whether file is in the folder that is inspected.
func within(file, export string) bool {
	path, local := connect.LocalPath(export)
	if !local {
		return false
	}
	folder, err := connect.RealFile(path)
	if err != nil {
		return false // inspecting it returns the error
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return false // creating the file returns the error
	}
	dir, err = filepath.Abs(dir)
	return err == nil && dir == folder
}

// close closes the file. If the inspection has failed, it removes the file, which has
// only some of the rows.
func (r *rejects) close(failed error) error {
	if r.file == nil {
		return failed
	}
	err := r.file.Close()
	if failed != nil && r.made {
		return errors.Join(failed, os.Remove(r.file.Name()))
	}
	if failed == nil && err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return failed
}
