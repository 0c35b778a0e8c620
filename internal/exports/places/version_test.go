package places_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// The version of an export does not depend on the order of its files. Any other change of a
// file changes it. It never looks like a device id.
func TestVersion(t *testing.T) {
	t.Parallel()
	at, err := places.Parse("s3://bucket/in/")
	if err != nil {
		t.Fatal(err)
	}
	file := rapid.Custom(func(t *rapid.T) usher.File {
		return usher.File{Name: rapid.String().Draw(t, "name"), Size: rapid.Int64Min(0).Draw(t, "size"), Stamp: rapid.String().Draw(t, "stamp")}
	})
	rapid.Check(t, func(t *rapid.T) {
		files := rapid.SliceOfNDistinct(file, 1, 20, func(f usher.File) string { return f.Name }).Draw(t, "files")
		version := at.Version(files)
		shuffled := slices.Clone(files)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if at.Version(shuffled) != version {
			t.Fatal("the order of the files changes the version")
		}
		if hashing.MaskIDs("feed-a-"+version) != "feed-a-"+version {
			t.Fatalf("%s looks like a device id", version)
		}
		i := rapid.IntRange(0, len(files)-1).Draw(t, "changed")
		for what, change := range map[string]func(f *usher.File){
			"name":  func(f *usher.File) { f.Name += "x" },
			"size":  func(f *usher.File) { f.Size ^= 1 },
			"stamp": func(f *usher.File) { f.Stamp += "x" },
		} {
			changed := slices.Clone(files)
			if change(&changed[i]); at.Version(changed) == version {
				t.Fatalf("another %s has the same version", what)
			}
		}
		if at.Version(slices.Delete(slices.Clone(files), i, i+1)) == version || at.Version(append(slices.Clone(files), usher.File{Name: "\x00"})) == version {
			t.Fatal("another number of files has the same version")
		}
	})
}

// The version of local files is the same on all machines: it has no inode. The modification
// time counts.
func TestVersionOfLocalFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, at := filepath.Join(dir, "ids.csv"), time.Unix(1_700_000_000, 123)
	write := func(modified time.Time) string {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(anID), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
		location, err := places.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := dirAccess(t, dir).Watch(t.Context(), places.Origin(path), location, "", false, 10)
		if err != nil {
			t.Fatal(err)
		}
		return location.Version(found.Files)
	}
	first := write(at)
	keep, err := os.Create(filepath.Join(dir, "takes the inode"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keep.Close() })
	if write(at) != first {
		t.Error("a copy with the same modification time has another version")
	}
	if write(at.Add(1)) == first {
		t.Error("another modification time has the same version")
	}
}

// A job that asks for a version reads no other one.
func TestOtherVersionIsRefused(t *testing.T) {
	t.Parallel()
	for _, s := range folders(t, exports.Options{}) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.put("a.txt", anID)
			for _, url := range []string{s.url, s.url + "*.txt", s.url + "a.txt"} {
				src := &usher.Source{URL: url, Version: strings.Repeat("g", 24)}
				if _, _, err := rowsOf(t, s.open, src, 0); classOf(err) != usher.SourceBroken || !strings.Contains(err.Error(), "another version") {
					t.Errorf("%s: %v", url, err)
				}
			}
		})
	}
}

// A watched place is listed in each kind of store: as a folder, by a pattern, or as one file.
func TestWatch(t *testing.T) {
	t.Parallel()
	for _, s := range folders(t, exports.Options{}) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.put("b.csv", "2")
			s.put("a.csv", "1")
			s.put("c.csv.part", "half")
			s.put("_hidden", "")
			watch := func(url, marker string, each bool) (places.Found, error) {
				at, err := places.Parse(url)
				if err != nil {
					t.Fatal(err)
				}
				return s.access.Watch(t.Context(), places.Origin(url), at, marker, each, 10)
			}
			names := func(found places.Found) string {
				var list []string
				for _, f := range found.Files {
					list = append(list, f.Name)
				}
				return strings.Join(list, " ")
			}
			if _, err := watch(s.url, "", false); !strings.Contains(err.Error(), "still being written") {
				t.Errorf("a folder with an unfinished file: %v", err)
			}
			if _, err := watch(s.url, "_SUCCESS", false); !strings.Contains(err.Error(), "does not exist") {
				t.Errorf("a folder without its marker: %v", err)
			}
			for _, url := range []string{s.url + "*", s.url + "*.csv"} {
				if found, err := watch(url, "", true); err != nil || names(found) != "a.csv b.csv" {
					t.Errorf("%s: %v, %v", url, found, err)
				}
			}
			if found, err := watch(s.url+"b.csv", "", false); err != nil || names(found) != "b.csv" || found.At.IsFolder() {
				t.Errorf("one file: %v, %v", found, err)
			}
			s.put("_SUCCESS", "")
			found, err := watch(s.url, "_SUCCESS", false)
			if err != nil || names(found) != "a.csv b.csv" || found.Newer != "" {
				t.Errorf("a marked folder: %v, %v", found, err)
			}
			if at, err := places.Parse(found.At.URL()); err != nil || at.URL() != found.At.URL() || !at.IsFolder() {
				t.Errorf("its URL %s: %v", found.At.URL(), err)
			}
		})
	}
}

// A URL that a location has made names the same location.
func TestURLRoundTrip(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"/in/", "s3://bucket/in/"} {
		rapid.Check(t, func(t *rapid.T) {
			name := rapid.StringMatching(`[a-z0-9 *?#%&+.äß:@~-]{1,20}`).Draw(t, "name")
			if name == "." || name == ".." {
				return
			}
			at, err := places.Parse(folder)
			if err != nil {
				t.Fatal(err)
			}
			file := at.File(name)
			got, err := places.Parse(file.URL())
			if err == nil && (got.Name() != name || got.IsFolder()) {
				t.Fatalf("%s becomes %s, which names %q", name, file.URL(), got.Name())
			}
			if err != nil && !strings.Contains(err.Error(), "percent-encoded twice") {
				t.Fatalf("%s becomes %s: %v", name, file.URL(), err)
			}
		})
	}
}
