package sandbox

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLogDoesNotGrowForEver writes much history about little state.
func TestLogDoesNotGrowForEver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.log")
	open := func() *world {
		w := newWorld(Options{Logger: slog.New(slog.DiscardHandler)})
		var err error
		if w.log, err = openLog(path, w.apply, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := open()
	commit := func(digests []byte, c change) {
		t.Helper()
		if err := w.commit(digests, c); err != nil {
			t.Fatal(err)
		}
	}
	var kept []byte
	for n := range 5000 {
		d := number(n)
		kept = append(kept, d[:]...)
	}
	commit(kept, change{Do: doAdd, Key: "segment/1"})
	commit(nil, w.locks.put("a", lock{User: "b"}))
	for range 12 { // a MiB each, of which nothing is left
		commit(make([]byte, 1<<20), change{Do: doRemove, Key: "segment/2"})
	}
	if w.log.size > 5<<20 {
		t.Errorf("the log has %d bytes", w.log.size)
	}
	again := open() // as after a kill: the first one was not closed
	if got, want := again.print("segment/1"), w.print("segment/1"); got != want || got.Count != 5000 {
		t.Errorf("the members are %+v, want %+v", got, want)
	}
	if again.locks.rows["a"].User != "b" {
		t.Errorf("the locks are %+v", again.locks.rows)
	}
	for _, w := range []*world{w, again} {
		if err := w.log.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReadingIsSaid: a state that takes long to read is no silence.
func TestReadingIsSaid(t *testing.T) {
	t.Parallel()
	var seconds time.Duration // one passes whenever somebody looks at the clock
	var log bytes.Buffer
	o := Options{
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Now:    func() time.Time { seconds += time.Second; return time.Unix(0, 0).Add(seconds) },
	}
	say := o.sayReading()
	for at := range int64(10) {
		say(at+1, 10)
	}
	if lines := strings.Count(log.String(), "reading the sandbox's state"); lines != 5 || !strings.Contains(log.String(), "percent=20") || !strings.Contains(log.String(), "percent=100") {
		t.Errorf("%d lines:\n%s", lines, log.String())
	}
}
