package places_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// folderStore stores files in one kind of place.
type folderStore struct {
	name string
	put  func(name, data string)
	url  string // with a / at its end
	open *exports.Opener

	access *places.Access
}

func folders(t *testing.T, o exports.Options) []folderStore {
	t.Helper()
	dir := t.TempDir()
	access := dirAccess(t, dir)
	out := []folderStore{{"file", func(name, data string) {
		path := filepath.Join(dir, "in", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
	}, "file://" + dir + "/in/", exports.New(access, o), access}}
	for _, s := range stores(t) {
		bucket := bucketName()
		s.put(t, bucket, "other", nil)
		access := s.access(t, bucket)
		out = append(out, folderStore{s.scheme, func(name, data string) { s.put(t, bucket, "in/"+name, []byte(data)) }, s.scheme + "://" + bucket + "/in/", exports.New(access, o), access})
	}
	return out
}

// dirAccess returns an Access that may read a directory.
func dirAccess(t testing.TB, dir string) *places.Access {
	t.Helper()
	allowed, err := places.Allow([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	return places.New(places.Options{Allowed: allowed})
}

// rowsOf plans an export and reads all of its parts.
func rowsOf(t *testing.T, o *exports.Opener, src *usher.Source, partBytes int64) ([]string, usher.Plan, error) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, partBytes)
	if err != nil {
		return nil, plan, err
	}
	var rows []string
	for _, part := range plan.Parts {
		r, err := o.Open(t.Context(), src, plan, part)
		if err != nil {
			return rows, plan, err
		}
		for err == nil {
			var b *usher.Block
			if b, err = r.Next(t.Context()); err != nil {
				break
			}
			more := strings.Fields(string(b.Data))
			rows = append(rows, more...)
			b.Release()
		}
		if err = errors.Join(err, r.Close()); !errors.Is(err, io.EOF) {
			return rows, plan, err
		}
	}
	return rows, plan, nil
}

// numbered returns n ids, beginning with first.
func numbered(first, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%08X-0000-4000-8000-000000000000", first+i)
	}
	return out
}

// A list that breaks off at its second page, because the connection is closed without an answer, is no
// shorter list.
func TestListBreaksOff(t *testing.T) {
	t.Parallel()
	s := newS3Behind(t, func(s3 http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("continuation-token") {
				writeRaw(w, "")
				return
			}
			s3.ServeHTTP(w, r)
		})
	})
	bucket := bucketName()
	for i := range 1001 {
		s.put(t, bucket, fmt.Sprintf("in/part-%04d.csv", i), []byte("idfa\n"+numbered(i, 1)[0]+"\n"))
	}
	plan, err := s.opener(t, bucket, exports.Options{}).Plan(t.Context(), &usher.Source{URL: s.scheme + "://" + bucket + "/in/"}, exports.Wanted{}, 0)
	if classOf(err) != "retryable" || errors.Is(err, io.EOF) {
		t.Errorf("%d parts, %v", len(plan.Parts), err)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	for _, f := range folders(t, exports.Options{PartBytes: 64 << 10}) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			add := func(name string, header string, ids []string) {
				f.put(name, header+strings.Join(ids, "\n")) // no line end at its end
				want = append(want, ids...)
			}
			f.put("_SUCCESS", "")
			f.put(".part-0.crc", "crc")
			f.put("part-0.csv", "")
			f.put("part-1.csv", "n,idfa\n")
			add("part-2.csv", "idfa\n", numbered(0, 3))
			f.put("part-2.csv", "n,idfa\n1,"+strings.Join(want, "\n2,"))
			second := numbered(100, 5000)
			f.put("part-3.csv", "n,idfa\n1,"+strings.Join(second, "\n1,"))
			want = append(want, second...)
			third := numbered(9000, 4)
			f.put("part-4.csv", "idfa,n\n"+strings.Join(third, ",1\n")+",1\n") // its columns stand elsewhere
			want = append(want, third...)
			src := &usher.Source{URL: f.url, DoneMarker: "_SUCCESS"}
			rows, plan, err := rowsOf(t, f.open, src, 0)
			if err != nil || !slices.Equal(rows, want) {
				t.Fatalf("%d rows, want %d: %v", len(rows), len(want), err)
			}
			if len(plan.Parts) != 5 || plan.Stamp == "" || plan.Parts[4].Files[0].Name != "part-4.csv" {
				t.Errorf("plan %+v, parts %+v", plan, plan.Parts)
			}
			if rows, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + "*-4.*sv"}, 0); err != nil || !slices.Equal(rows, third) {
				t.Errorf("with a star: %q, %v", rows, err)
			}
			if _, again, err := rowsOf(t, f.open, src, 0); err != nil || again.Stamp != plan.Stamp {
				t.Errorf("again: %q, then %q, %v", plan.Stamp, again.Stamp, err)
			}
			f.put("part-3.csv", "n,idfa\n1,"+strings.Join(second[1:], "\n1,"))
			if _, err := rowsIn(t.Context(), f.open, src, plan, plan.Parts[2]); classOf(err) != usher.SourceBroken || !strings.Contains(err.Error(), "part-3.csv") {
				t.Errorf("changed: %v", err)
			}
			if _, err := rowsIn(t.Context(), f.open, src, plan, plan.Parts[4]); err != nil {
				t.Errorf("a file that did not change: %v", err)
			}
			if now, err := f.open.Plan(t.Context(), src, exports.Wanted{}, 0); err != nil || now.Stamp == plan.Stamp {
				t.Errorf("changed: %q, then %q, %v", plan.Stamp, now.Stamp, err)
			}
		})
	}
}

// TestEmptyAmongCompressed checks that a file without a byte has no rows among text
// files, but is refused among compressed files, or if its name has their extension.
func TestEmptyAmongCompressed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	access := dirAccess(t, dir)
	var packed strings.Builder
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, numbered(1, 1)[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"in/a": packed.String(), "in/b": "", "text/a": numbered(1, 1)[0], "text/b": "", "c.gz": "", "d.parquet": ""} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for url, class := range map[string]usher.Class{"in/": usher.SourceBroken, "text/": "none", "c.gz": usher.SourceBroken, "d.parquet": usher.SourceBroken} {
		if _, _, err := rowsOf(t, exports.New(access, exports.Options{}), &usher.Source{URL: dir + "/" + url}, 0); classOf(err) != class {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestFolderRefused checks which folders are refused, and how.
func TestFolderRefused(t *testing.T) {
	t.Parallel()
	for _, f := range folders(t, exports.Options{MaxFiles: 3}) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			class := func(rest, marker string) usher.Class {
				_, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + rest, DoneMarker: marker}, 0)
				var p *usher.Permanent
				if errors.As(err, &p) && p.Hint == "" {
					t.Errorf("no hint in %v", err)
				}
				return classOf(err)
			}
			f.put("hidden/_x", "")
			f.put("deep/x/ids.txt", anID)
			f.put("mixed/a.txt", anID)
			f.put("mixed/b.txt.gz", "\x1f\x8b")
			f.put("columns/a.csv", "n,idfa\n1,"+anID)
			f.put("columns/b.csv", "gaid,n\n"+strings.TrimSpace(anID)+",1\n")
			for i := range 4 {
				f.put(fmt.Sprintf("many/%d.txt", i), anID)
			}
			f.put("three/a.txt", anID)
			for _, c := range []struct {
				rest, marker string
				want         usher.Class
			}{
				{"nowhere/", "", usher.SourceMissing}, {"nowhere/*.txt", "", usher.SourceMissing}, {"hidden/", "", usher.SourceMissing}, {"three/*.csv", "", usher.SourceMissing},
				{"three/", "_SUCCESS", usher.SourceMissing}, {"three/a.txt", "_SUCCESS", usher.InvalidJob}, {"three/*", "", "none"}, {"three/a*", "a.txt", usher.SourceMissing},
				{"deep/", "", usher.SourceBroken}, {"deep/*", "", usher.SourceBroken}, {"mixed/", "", usher.SourceBroken}, {"mixed/*.txt", "", "none"},
				{"columns/", "", usher.SourceBroken}, {"many/", "", usher.SourceBroken}, {"many/*3.txt", "", "none"},
				{"../", "", usher.SourceRefused}, {"../*", "", usher.SourceRefused}, {"..%2f*", "", usher.SourceRefused}, {"three/%2e%2e/../../", "", usher.SourceRefused},
				{"three/*%2f*", "", usher.SourceRefused}, {"three/*?x", "", usher.SourceRefused}, {"three/*#x", "", usher.SourceRefused},
			} {
				if f.name == "file" && strings.HasPrefix(c.rest, "..") {
					continue // the folder above is allowed, too
				}
				if got := class(c.rest, c.marker); got != c.want {
					t.Errorf("%s (%s): %s, want %s", c.rest, c.marker, got, c.want)
				}
			}
		})
	}
}

// TestTableFolders refuses the folder of a table that keeps files which are not in it any more, unless the job names
// the files.
func TestTableFolders(t *testing.T) {
	t.Parallel()
	for _, f := range folders(t, exports.Options{}) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for i, c := range []struct {
				beside string
				want   usher.Class
			}{
				{"_delta_log/00000000000000000000.json", usher.SourceBroken}, {".hoodie/hoodie.properties", usher.SourceBroken}, {"_delta_index/0.bin", "none"}, {"_SUCCESS", "none"},
			} {
				folder := fmt.Sprintf("table%d/", i)
				f.put(folder+"m.txt", anID)
				f.put(folder+c.beside, "{}")
				for rest, want := range map[string]usher.Class{"": c.want, "*.txt": "none"} {
					if _, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + folder + rest}, 0); classOf(err) != want {
						t.Errorf("%s beside %s: %v", rest, c.beside, err)
					}
				}
			}
		})
	}
}

// TestUnfinishedFiles refuses a folder with a file that is still being written by its name,
// wherever it stands among the others, unless the job says that the folder is complete.
func TestUnfinishedFiles(t *testing.T) {
	t.Parallel()
	for _, f := range folders(t, exports.Options{}) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for i, name := range []string{"a.csv.tmp", "z.csv.tmp", "a.crdownload", "n.txt.part", "n.txt._COPYING_", "_temporary/0/n.txt"} {
				folder := fmt.Sprintf("unfinished%d/", i)
				f.put(folder+name, "no id\x00")
				f.put(folder+"m.txt", anID)
				f.put(folder+"_SUCCESS", "")
				f.put(folder+".n.txt.part", "")
				for rest, want := range map[string]usher.Class{"": usher.SourceBroken, "*": usher.SourceBroken, "*.txt": "none"} {
					if _, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + folder + rest}, 0); classOf(err) != want {
						t.Errorf("%s beside %s: %v", rest, name, err)
					}
				}
				if rows, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + folder, DoneMarker: "_SUCCESS"}, 0); err != nil || len(rows) != 1 {
					t.Errorf("%s, marked: %q, %v", name, rows, err)
				}
			}
			f.put("named/a.part", anID)
			if rows, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + "named/*.part"}, 0); err != nil || len(rows) != 1 {
				t.Errorf("named: %q, %v", rows, err)
			}
			f.put("drafts/.usher-put-1", anID) // a file that usher is writing, whatever the job names
			f.put("drafts/.n.txt", anID)
			for rest, want := range map[string]int{"": 0, ".*": 1} {
				if rows, _, err := rowsOf(t, f.open, &usher.Source{URL: f.url + "drafts/" + rest}, 0); len(rows) != want || want > 0 && err != nil {
					t.Errorf("drafts/%s: %q, %v", rest, rows, err)
				}
			}
		})
	}
}

// TestFolderOutside checks that a folder does not lead out of its place.
func TestFolderOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range []string{"in/a", "in/b", "in/c", "out", "in2"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "out/secret"), []byte(anID), 0o600),
		os.WriteFile(filepath.Join(dir, "in2/secret"), []byte(anID), 0o600),
		os.Symlink("../../out/secret", filepath.Join(dir, "in/a/link")),
		os.Symlink("../out", filepath.Join(dir, "in/link")),
		os.Symlink("../../out", filepath.Join(dir, "in/b/link")),
		os.WriteFile(filepath.Join(dir, "in/c/x"), []byte(anID), 0o600),
		os.Symlink("c", filepath.Join(dir, "in/d")),
		os.Symlink("../c/x", filepath.Join(dir, "in/b/x")),
	); err != nil {
		t.Fatal(err)
	}
	o := exports.New(dirAccess(t, dir+"/in"), exports.Options{})
	for url, want := range map[string]usher.Class{
		"/in/a/": usher.SourceRefused, "/in/link/": usher.SourceRefused, "/in/b/": usher.SourceRefused, "/in/../out/": usher.SourceRefused, "/in/../in2/*": usher.SourceRefused,
		"/out/": usher.SourceRefused, "/in2/": usher.SourceRefused, "/": usher.SourceRefused, "/*": usher.SourceRefused, "/in/a/l*": usher.SourceRefused, "/in/c/x/": usher.SourceRefused,
		"/in/d/": "none", "/in/c/": "none", "/in/b/x*": "none", "/in/c/nothing/": usher.SourceMissing,
	} {
		if _, _, err := rowsOf(t, o, &usher.Source{URL: "file://" + dir + url}, 0); classOf(err) != want {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
}
