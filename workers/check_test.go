package workers_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/sandbox"
)

// While a compressed export is read to its end the record says how far that is,
// and says so no more once it is over: of a file, and of each in a folder, whose
// later ones are read while ids of the first are sent.
func TestCheckIsShown(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]int{"a file": 1, "a folder": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			var seconds atomic.Int64 // a second passes whenever somebody looks at the clock
			began := time.Now()
			b.worker.Now = func() time.Time { return began.Add(time.Duration(seconds.Add(1)) * time.Second) }
			allowed, err := places.Allow([]string{b.dir})
			if err != nil {
				t.Fatal(err)
			}
			b.worker.Exports = exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{MaxParts: 1})
			const each = 20_000
			url := "file://" + b.dir + "/0.txt.gz"
			if files > 1 {
				url = "file://" + b.dir + "/"
			}
			for n := range files {
				var packed bytes.Buffer
				w := gzip.NewWriter(&packed)
				for i := range each {
					fmt.Fprintf(w, "6D92078A-8246-4BA4-AE5B-%012X\n", n*each+i)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(b.dir, fmt.Sprintf("%d.txt.gz", n)), packed.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := uploading(usher.SegmentAdd, url)
			b.run(s).want(t, "done")
			if n := int(s.tally().Accepted); n != files*each {
				t.Errorf("%d ids were accepted", n)
			}
			checks := 0 // that were shown and are over
			for i, p := range s.saved {
				if i > 0 && s.saved[i-1].Check != nil && p.Check == nil {
					checks++
				}
			}
			if last := s.saved[len(s.saved)-1]; checks < files || last.Check != nil {
				t.Errorf("%d checks of %d files were shown, at last %v", checks, files, last.Check)
			}
		})
	}
}
