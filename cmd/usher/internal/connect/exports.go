package connect

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
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
	"usher/internal/exports/places/cloud"
)

// OpenPlaces opens the places that exports may be read from. The caller closes it.
func OpenPlaces(c config.Config) (*places.Access, error) {
	allowed, err := places.Allow(c.Strings("sources.allow"))
	if err != nil {
		return nil, fmt.Errorf("read sources.allow: %w", err)
	}
	private, err := places.ParseAddresses(c.Strings("sources.private_addresses"))
	if err != nil {
		return nil, fmt.Errorf("read sources.private_addresses: %w", err)
	}
	roots, err := currentRoots(c.String("sources.https_ca"))
	if err != nil {
		return nil, fmt.Errorf("read sources.https_ca: %w", err)
	}
	buckets, err := openBuckets(c)
	if err != nil {
		return nil, err
	}
	return places.New(places.Options{Allowed: allowed, Buckets: buckets, Roots: roots, Private: private, MinRate: c.Int64("sources.min_rate")}), nil
}

func openBuckets(c config.Config) (*places.Buckets, error) {
	buckets, err := places.NewBuckets(c.Strings("sources.buckets"), cloud.Versions{})
	if err != nil {
		return nil, fmt.Errorf("read sources.buckets: %w", err)
	}
	return buckets, nil
}

// OpenFolder opens one folder of a disk or a bucket, whatever sources.allow says: a person writes
// there. The caller closes it.
func OpenFolder(c config.Config, folder places.Location) (*places.Access, error) {
	buckets, err := openBuckets(c)
	if err != nil {
		return nil, err
	}
	return places.New(places.Options{Allowed: places.AllowFolder(folder), Buckets: buckets}), nil
}

// ExportOptions returns the configured limits for reading exports.
func ExportOptions(c config.Config) exports.Options {
	return exports.Options{MaxLine: c.Int("sources.max_line"), PartBytes: c.Int64("sources.part_bytes")}
}

// loadRoots returns the system's certificate authorities and those of a PEM file. If path
// is empty, it returns nil, which means the system's.
func loadRoots(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	pem, err := ReadSecret(path)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate in PEM", path)
	}
	return roots, nil
}

// LocalPath returns the path of a place, and whether the place is on this machine.
func LocalPath(place string) (path string, local bool) {
	if !strings.Contains(place, "://") {
		return place, true
	}
	u, err := url.Parse(place)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return u.Path, true
}

// ShownPlace returns a place as people see it on another machine: a folder with its whole path, a URL
// without its parameters, which may be secrets.
func ShownPlace(place string) string {
	shown, _, _ := strings.Cut(place, "?")
	if shown == "" || strings.Contains(shown, "://") {
		return shown
	}
	if path, err := filepath.Abs(shown); err == nil {
		return path
	}
	return shown
}

// DescribePlace says whether a local place is a file or a folder, or why it cannot be read.
func DescribePlace(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%w: create it, or let this user read it", err)
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "a file that can be read", nil
	}
	if _, err := f.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%w: let this user read it", err)
	}
	return "a folder that can be read", nil
}

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
