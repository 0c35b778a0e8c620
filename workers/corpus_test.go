package workers_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// TestCorpusInOtherWaysWithoutRace reads every export of the corpus that is read, in other ways: in small
// parts, as the file of a folder, as the member of an archive, and by workers one of which is killed at one
// of its steps. It counts the same each time.
func TestCorpusInOtherWaysWithoutRace(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	dir, err := filepath.Abs(filepath.Join("..", "internal", "exports", "testdata", "writers"))
	if err != nil {
		t.Fatal(err)
	}
	benchOf := func(dir string, partBytes int64) *workertest.Bench {
		b := workertest.NewBench(t, sandbox.Options{})
		b.Dir = dir
		b.Worker.Exports, b.Worker.BatchIDs = b.Opener(exports.Options{PartBytes: partBytes}), 3
		return b
	}
	alone, parts, elsewhere := benchOf(dir, 0), benchOf(dir, 1<<10), benchOf(t.TempDir(), 0)
	times := map[string]int{}
	for i, text := range corpusFile(t, dir, "manifest.ndjson") {
		var line corpusLine
		source := usher.Source{}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		if line.Refused != "" {
			continue
		}
		if err := json.Unmarshal(line.Source, &source); err != nil {
			t.Fatal(err)
		}
		source.URL = filepath.Join(dir, line.File)
		folder := strings.HasSuffix(line.File, "/")
		if folder {
			source.URL += "/"
		}
		want := runJob(t, alone, source, line.Profile, line.Input)
		check := func(way string, got reading) {
			t.Helper()
			times[way]++
			if got.Refusal != "" || asText(t, counted(got.Tally)) != asText(t, counted(want.Tally)) {
				t.Errorf("%s, %s:\n%s\nand by one job that nothing disturbs\n%s", line.File, way, asText(t, got), asText(t, want))
			}
		}
		check("in parts", runJob(t, parts, source, line.Profile, line.Input))
		check("killed", runKilled(t, alone, source, &line, &workertest.Crash{AtStep: 1 + i/2%7, After: i%2 == 0}))
		if folder {
			continue
		}
		place := filepath.Join(elsewhere.Dir, strconv.Itoa(i))
		data, err := os.ReadFile(source.URL)
		if err == nil {
			err = os.Mkdir(place, 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(place, line.File), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		source.URL = place + "/"
		check("in a folder", runJob(t, elsewhere, source, line.Profile, line.Input))
		if want.Understood.Compression == "none" && !want.Understood.Format.IsBinary() {
			source.URL = elsewhere.File(strconv.Itoa(i)+".zip", zipOf(t, line.File, data))
			check("in an archive", runJob(t, elsewhere, source, line.Profile, line.Input))
		}
	}
	t.Log(times)
	for _, way := range []string{"in parts", "killed", "in a folder", "in an archive"} {
		if times[way] < 100 {
			t.Errorf("only %d exports were read %s", times[way], way)
		}
	}
}

// TestCorpusHintsWithoutRace does with every export of the corpus that is refused what the hint says, as often
// as it sets a field. The export is then read, and as the manifest says; jobs and inspections agree on each step.
// Left out are hints that only people can follow, since they say in which case a field helps: of quotes, whose
// writer one must know, and of folders with files of two kinds.
func TestCorpusHintsWithoutRace(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	var err error
	if b.Dir, err = filepath.Abs(filepath.Join("..", "internal", "exports", "testdata", "writers")); err != nil {
		t.Fatal(err)
	}
	b.Worker.Exports = b.Opener(exports.Options{})
	followed := 0
	for _, text := range corpusFile(t, b.Dir, "manifest.ndjson") {
		var line corpusLine
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		for _, source := range []json.RawMessage{line.Source, json.RawMessage("{}")} {
			got := line.compare(t, b, source, line.Profile, line.Input)
			fields, first := map[string]any{}, got.Refusal
			if err := json.Unmarshal(source, &fields); err != nil {
				t.Fatal(err)
			}
			n := len(fields)
			for range 3 {
				if got.Refusal == "" || !addFields(fields, got.Refusal) {
					break
				}
				set, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				got = line.compare(t, b, set, line.Profile, line.Input)
			}
			if len(fields) == n {
				continue // the hint sets no field
			}
			followed++
			want := line.Source
			if line.Refused != "" {
				want = line.RefusedThen
			}
			if asks := strings.Contains(first, "if a backslash escapes its quotes") || strings.HasPrefix(line.File, "folder-ios-android"); asks {
				continue
			}
			if got.Refusal != "" {
				t.Errorf("%s, refused with\n%s\nand with source %v:\n%s", line.File, first, fields, got.Refusal)
			} else if want != nil {
				if meant := line.compare(t, b, want, line.Profile, line.Input); meant.Tally.Accepted != got.Tally.Accepted {
					t.Errorf("%s, refused with\n%s\nand with source %v: %d accepted, and %d with %s", line.File, first, fields, got.Tally.Accepted, meant.Tally.Accepted, want)
				}
			}
		}
	}
	if t.Logf("%d hints were followed", followed); followed < 20 {
		t.Errorf("only %d hints were followed", followed)
	}
}

// counted returns a tally in which ids that are repeated count as accepted: parts do not know each other's.
func counted(t usher.Tally) usher.Tally {
	t.Accepted, t.Duplicate = t.Accepted+t.Duplicate, 0
	return t
}

// runKilled runs a job that is killed once.
func runKilled(t *testing.T, b *workertest.Bench, source usher.Source, line *corpusLine, c *workertest.Crash) reading {
	t.Helper()
	s := corpusJob(source, line.Profile, line.Input)
	b.RunAndCrash(s, c)
	b.RunToEnd(s)
	return endingOf(t, s)
}

// zipOf returns a zip archive of one file.
func zipOf(t *testing.T, name string, data []byte) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	member, err := w.Create(name)
	if err == nil {
		_, err = member.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
