package places

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
)

// Version identifies the state of an export at l: it depends on the names, sizes and ETags
// of its files, or the modification times of local files, but not on their order. It consists
// of letters that are not hexadecimal digits, so that it cannot look like a device id.
func (l Location) Version(files []usher.File) string {
	sum := sha256.New()
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b usher.File) int { return cmp.Compare(a.Name, b.Name) }) {
		fmt.Fprintf(sum, "%q %d %q\n", f.Name, f.Size, l.etag(f.Stamp))
	}
	return strings.Map(func(digit rune) rune {
		if digit <= '9' {
			return digit - '0' + 'g'
		}
		return digit - 'a' + 'q'
	}, hex.EncodeToString(sum.Sum(nil)[:12]))
}

// etag returns the part of a stamp that is the same on all machines: that of a local file
// without its inode.
func (l Location) etag(stamp string) string {
	if l.scheme != "file" {
		return stamp
	}
	return stamp[:max(strings.LastIndexByte(stamp, '-'), 0)]
}

// modified returns the modification time in the stamp of a local file.
func modified(stamp string) time.Time {
	parts := strings.Split(stamp, "-")
	if len(parts) != 3 {
		return time.Time{}
	}
	nanoseconds, err := strconv.ParseInt(parts[1], 36, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds)
}

// Unchanged returns an error if an export is not the version that a source asks for.
func (l Location) Unchanged(src *usher.Source, files ...usher.File) error {
	if src.Version == "" || l.Version(files) == src.Version {
		return nil
	}
	return OriginOf(src).Broken("nothing: the feed submits a job for the version that is there now; keep the files of an export unchanged until its job has ended",
		"it is another version than the one that the feed has seen")
}

// Parse returns the location that a URL or an absolute path names. Its errors contain no part
// of the text.
func Parse(text string) (Location, error) { return parseLocation(text) }

// URL returns a URL by which a job names l.
func (l Location) URL() string {
	name := strings.TrimSuffix(l.path, "/")
	if l.glob != nil {
		words := make([]string, len(l.glob))
		for i, word := range l.glob {
			words[i] = l.escape(word)
		}
		return l.root() + l.escape(name) + "/" + strings.Join(words, "*")
	}
	if l.scheme == "https" && l.request != "" {
		return l.request
	}
	if l.folder {
		name += "/"
	}
	return l.root() + l.escape(name)
}

// root returns what comes before the path in a URL. Local paths are written as they are,
// unless they have a character that has a meaning in URLs.
func (l Location) root() string {
	if l.scheme == "file" {
		if l.isPlain() {
			return ""
		}
		return "file://"
	}
	return l.scheme + "://" + l.host
}

func (l Location) isPlain() bool {
	return l.scheme == "file" && !strings.ContainsAny(l.path+strings.Join(l.glob, ""), "*?#%")
}

// escape escapes a part of the path.
func (l Location) escape(part string) string {
	if l.isPlain() {
		return part
	}
	return strings.ReplaceAll((&url.URL{Path: part}).EscapedPath(), "*", "%2A")
}

// Folder returns l as a folder: all files in it. A location with a * stays as it is.
func (l Location) Folder() Location {
	l.folder = true
	return l
}

// Dir returns the folder that the files of l are in.
func (l Location) Dir() Location {
	if l.IsFolder() {
		return l
	}
	l.path, l.folder = path.Dir(l.path), true
	return l
}

// InFolder reports whether l lies directly in a folder or is that folder.
func (l Location) InFolder(folder Location) bool {
	at := strings.TrimSuffix(l.path, "/")
	if l.glob == nil && !l.folder {
		at = at[:max(strings.LastIndexByte(at, '/'), 0)]
	}
	return l.scheme == folder.scheme && l.host == folder.host && at == strings.TrimSuffix(folder.path, "/")
}

// IsGlob reports whether l names files by a pattern.
func (l Location) IsGlob() bool { return l.glob != nil }

// Scheme returns the scheme of l's URL: file, https, s3, gs or azblob.
func (l Location) Scheme() string { return l.scheme }

// Name returns the last segment of the path.
func (l Location) Name() string { return l.name() }

// Covers reports whether a location lies in one of the places by its name. Symlinks may lead
// out of them all the same.
func (a *Allowed) Covers(at Location) bool {
	if at.scheme != "file" {
		return slices.ContainsFunc(a.remote, at.within)
	}
	return slices.ContainsFunc(a.paths, func(place string) bool {
		_, ok := below(place, at.path)
		return ok
	})
}

// IsEmpty reports whether there are no places.
func (a *Allowed) IsEmpty() bool { return len(a.paths)+len(a.remote) == 0 }

// Found is what Watch has found in a place.
type Found struct {
	At    Location // the place, as a folder if it is one
	Files []usher.File
	// Newer is a file that was written after the done marker, or "".
	Newer  string
	Marker usher.File // the done marker
	Marked time.Time  // when it was written
	// OtherCase are names, at most maxOtherCase, that match only if upper and lower case are the same.
	OtherCase []string
}

// Dir returns the folder that the files are in.
func (f *Found) Dir() Location { return f.At.Dir() }

// Watch lists the files in a watched place: those of a folder, or the one file that at names.
// It is List otherwise. If each is set, each file is an export of its own, so that those that
// are still being written are left out.
//
// If there is no folder, the error is ErrNoFolder: nobody can tell whether files are missing.
func (a *Access) Watch(ctx context.Context, from Origin, at Location, marker string, each bool, most int) (Found, error) {
	found, err := a.watch(ctx, from, at, marker, each, most)
	var refused *usher.Permanent
	if errors.As(err, &refused) && refused.Class == usher.SourceMissing && at.scheme == "file" && !a.isDirectory(from, at.Dir()) {
		return Found{}, usher.Refuse(usher.SourceMissing, "make the folder, or mount it where the workers run", "open source %q: %w", string(from), ErrNoFolder)
	}
	return found, err
}

// ErrNoFolder means that the folder of a watched place does not exist.
var ErrNoFolder = errors.New("its folder does not exist")

func (a *Access) watch(ctx context.Context, from Origin, at Location, marker string, each bool, most int) (Found, error) {
	if whole := a.AsFolder(from, at); whole.folder && !at.IsFolder() {
		at = whole
		from += "/"
	}
	found := Found{At: at}
	if at.IsFolder() {
		l := &listing{access: a, origin: from, at: at, most: most, marker: marker, each: each}
		var err error
		if found.Files, err = l.list(ctx); err != nil {
			return Found{OtherCase: l.otherCase}, err
		}
		if l.found && l.newest.After(l.marked) {
			found.Newer = l.written
		}
		found.Marker, found.Marked, found.OtherCase = l.mark, l.marked, l.otherCase
		return found, nil
	}
	f, err := a.Open(ctx, from, at, Range{})
	if err != nil {
		return Found{}, err
	}
	defer func() { _ = f.Close() }() // nothing was read
	if f.Stamp == "" {
		return Found{}, from.unpinned()
	}
	found.Files = []usher.File{{Name: at.name(), Size: f.Size, Stamp: f.Stamp}}
	return found, nil
}

// AsFolder returns at as a folder if it is an allowed local directory, and otherwise as it is.
func (a *Access) AsFolder(from Origin, at Location) Location {
	if !at.IsFolder() && a.isDirectory(from, at) {
		at.folder = true
	}
	return at
}

// isDirectory reports whether at is an allowed local directory.
func (a *Access) isDirectory(from Origin, at Location) bool {
	if at.scheme != "file" {
		return false
	}
	_, path, err := a.allowed.resolve(from, at.path)
	if err != nil {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
