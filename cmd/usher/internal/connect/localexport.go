package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// LocateExport sets a source's URL to a file that a command was given, and returns access to
// it: a local file may be read from its own folder, a URL only from the configured locations.
func LocateExport(cmd *cobra.Command, source *usher.Source, file string) (*places.Access, exports.Options, error) {
	path, local := LocalPath(file)
	if !local {
		source.URL = file
		c, err := config.Load(cmd, os.LookupEnv)
		if err != nil {
			return nil, exports.Options{}, err
		}
		access, err := OpenPlaces(c)
		return access, ExportOptions(c), err
	}
	path, err := RealFile(path)
	if err != nil {
		return nil, exports.Options{}, err
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder, path = path, strings.TrimSuffix(path, "/")+"/" // all files of the folder
	}
	source.URL = (&url.URL{Scheme: "file", Path: path}).String()
	allowed, err := places.Allow([]string{folder})
	return places.New(places.Options{Allowed: allowed}), exports.Options{}, err
}

// RealFile returns the absolute path of a file with links resolved, because access is
// checked on resolved paths.
func RealFile(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", file, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && hashing.IsDeviceID(file):
		return "", command.Usagef("FILE looks like a device id, and there is no file of that name: use 'usher hash --explain ID' for one id")
	case err != nil:
		return "", command.FileError(path, err)
	case !info.Mode().IsRegular() && !info.IsDir():
		return "", fmt.Errorf("%s is not a regular file: an export is read more than once, so write it to a file first", path)
	}
	return filepath.EvalSymlinks(path)
}
