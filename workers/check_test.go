package workers_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// While a compressed file is checked, and only then, the record shows the progress of the
// check. The later files of a folder are checked while ids of the first one are sent.
func TestCheckIsShown(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]int{"a file": 1, "a folder": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			var seconds atomic.Int64 // a second passes whenever the clock is read
			began := time.Now()
			b.Worker.Local = func() time.Time { return began.Add(time.Duration(seconds.Add(1)) * time.Second) }
			b.Worker.Exports = b.Opener(exports.Options{MaxParts: 1})
			const each = 20_000
			for n := range files {
				writeGzip(t, b, fmt.Sprintf("%d.txt.gz", n), n*each, each)
			}
			url := "file://" + b.Dir + "/"
			if files == 1 {
				url += "0.txt.gz"
			}
			s := uploadJob(usher.SegmentAdd, url)
			b.Run(s).Want(t, "done")
			if n := int(s.Tally().Accepted); n != files*each {
				t.Errorf("%d ids were accepted", n)
			}
			checks := 0 // checks that were shown and have ended
			for i, p := range s.Saved {
				if i > 0 && s.Saved[i-1].Check != nil && p.Check == nil {
					checks++
				}
			}
			if last := s.Saved[len(s.Saved)-1]; checks < files || last.Check != nil {
				t.Errorf("%d checks of %d files were shown, at last %v", checks, files, last.Check)
			}
		})
	}
}

// writeGzip writes a compressed export of n ids, numbered from first.
func writeGzip(t *testing.T, b *workertest.Bench, name string, first, n int) {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for i := range n {
		fmt.Fprintf(w, "6D92078A-8246-4BA4-AE5B-%012X\n", first+i)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b.File(name, packed.String())
}
