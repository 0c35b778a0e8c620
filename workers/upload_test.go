package workers_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// uploadJob returns a job of a kind for an export, into segment 1 or the target
// of SANDBOX1-spring.
func uploadJob(kind usher.Kind, url string) *workertest.Lease {
	s := &workertest.Lease{Piece: usher.Work{ID: "j", Kind: kind, Job: usher.Job{
		Profile: &usher.Profile{Type: usher.IDFA}, Source: &usher.Source{URL: url},
	}}}
	if kind.Family() == "segment" {
		s.Piece.Job.Segment = "1"
	} else {
		s.Piece.Job.Campaign = "SANDBOX1-spring"
	}
	return s
}

// changingCalls are the calls of the upload kinds that change something.
var changingCalls = []string{"segments.upload", "remove-user", "add-mobile-targets", "clear-mobile-targets"}

func wantUnchanged(t *testing.T, b *workertest.Bench) {
	t.Helper()
	if got := b.Calls(changingCalls...); len(got) != 0 {
		t.Errorf("something was changed: %v", got)
	}
}

// A dry run makes no call that changes something, and does not read the size of
// the target at its end.
func TestDryRun(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentRemove, usher.TargetAdd, usher.TargetReplace} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			s := uploadJob(kind, b.Export(1, 250))
			s.Piece.Job.DryRun = true
			b.Run(s).Want(t, "done")
			wantUnchanged(t, b)
			if s.Tally().Accepted != 250 || s.Ended.ReadSize != nil {
				t.Errorf("tally is %+v, the size is read: %t", s.Tally(), s.Ended.ReadSize != nil)
			}
		})
	}
}

func TestUploadIsComplete(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.TargetAdd, usher.TargetReplace} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			s := b.Run(uploadJob(kind, b.Export(1, 250)))
			s.Want(t, "done")
			if err := s.Tally().Check(); err != nil || s.Tally().Accepted != 250 {
				t.Errorf("tally is %+v, %v", s.Tally(), err)
			}
			if kind.Family() == "target" && (s.SizeAfter == nil || *s.SizeAfter != 250) {
				t.Errorf("the size after the job is %v", s.SizeAfter)
			}
			if p := s.Saved[0]; p.Plan == nil || p.Planned != 1 || p.Checkpoint.Batches != 0 {
				t.Errorf("the plan was not on record before anything was sent: %+v", p)
			}
		})
	}
}

func TestSegmentAndProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		segment string
		profile usher.IDType
		outcome string
	}{
		{"1", usher.IDFA, "done"}, {"1", usher.AAID, "failed invalid_job"}, {"1", usher.AndroidID, "failed invalid_job"},
		{"2", usher.AAID, "done"}, {"2", usher.IDFA, "failed invalid_job"},
		{"3", usher.IDFA, "failed invalid_job"}, {"99", usher.IDFA, "failed not_found"},
	} {
		t.Run(c.segment+" "+string(c.profile), func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			s := uploadJob(usher.SegmentAdd, b.Export(1, 3))
			s.Piece.Job.Segment, s.Piece.Job.Profile.Type = c.segment, c.profile
			b.Run(s).Want(t, c.outcome)
			if c.outcome != "done" {
				wantUnchanged(t, b)
			}
		})
	}
}

func TestRejects(t *testing.T) {
	t.Parallel()
	const id = "6D92078A-8246-4BA4-AE5B-76104861E7DC\n"
	percent := func(p float64) *float64 { return &p }
	for _, c := range []struct {
		name, text string
		most       *float64
		outcome    string
	}{
		{"empty", "", nil, "failed too_many_rejects"},
		{"only junk", "null\n00000000-0000-0000-0000-000000000000\n", nil, "failed too_many_rejects"},
		{"junk does not count", id + strings.Repeat("null\n", 99), percent(0), "done"},
		{"one of ten", id + strings.Repeat("nonsense!\n", 9), nil, "done"},
		{"one of eleven", id + strings.Repeat("nonsense!\n", 10), nil, "failed too_many_rejects"},
		{"none allowed", id + "nonsense!\n", percent(0), "failed too_many_rejects"},
		{"all allowed", id + strings.Repeat("nonsense!\n", 99), percent(100), "done"},
	} {
		for _, kind := range []usher.Kind{usher.SegmentAdd, usher.TargetReplace} {
			t.Run(c.name+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				b := workertest.NewBench(t, sandbox.Options{})
				s := uploadJob(kind, b.File("x.txt", c.text))
				s.Piece.Job.MaxRejectPercent = c.most
				b.Run(s).Want(t, c.outcome)
				if c.outcome != "done" {
					wantUnchanged(t, b)
				}
			})
		}
	}
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	export := "idfa,n\n" + strings.Repeat("6D92078A-8246-4BA4-AE5B-76104861E7DC,1\n", 19) + "6D92078A-8246-4BA4-AE5B-76104861E7DC,1,2\n"
	for _, c := range []struct {
		name     string
		job, key *float64
		outcome  string
	}{
		{"defaults", nil, nil, "failed too_many_rejects"},
		{"job allows it", new(5.0), nil, "done"},
		{"job allows none", new(0.0), new(50.0), "failed too_many_rejects"},
		{"configuration allows it", nil, new(5.0), "done"},
		{"configuration allows none", nil, new(0.0), "failed too_many_rejects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			b.Worker.MaxMalformedPercent = c.key
			s := uploadJob(usher.SegmentAdd, b.File("x.csv", export))
			s.Piece.Job.MaxMalformedPercent = c.job
			b.Run(s).Want(t, c.outcome)
			if c.outcome != "done" {
				wantUnchanged(t, b)
			}
		})
	}
}

// An export must not change between the attempts of a run, because it is unknown
// which of its ids were sent.
func TestExportThatChanges(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	url := b.Export(1, 250)
	b.Fault("segments.upload", "status", map[string]any{"status": 429, "retryAfter": 60})
	s := b.Run(uploadJob(usher.SegmentAdd, url))
	s.Want(t, "retry")
	b.File(filepath.Base(url), "6D92078A-8246-4BA4-AE5B-76104861E7DC\n")
	b.Run(s).Want(t, "failed source_broken")
}

// A job that must wait for another job on its target makes no call.
func TestTurn(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentRemove, usher.TargetAdd, usher.TargetReplace, usher.TargetClear} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			s := uploadJob(kind, b.Export(1, 10))
			s.Before = "waits for job other"
			b.Run(s).Want(t, "retry")
			if s.Retried == nil || s.Retried.Why != s.Before {
				t.Errorf("it was retried as %+v", s.Retried)
			}
			if got := b.Calls(""); len(got) != 0 {
				t.Errorf("calls are %v", got)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	url := b.Export(1, 130)
	b.Run(uploadJob(usher.SegmentAdd, url)).Want(t, "done")
	s := b.Run(uploadJob(usher.SegmentRemove, url))
	s.Want(t, "done")
	var members struct{ Count int }
	b.Control("GET", "segments/1/fingerprint", nil, &members)
	if members.Count != 0 || s.Tally().Accepted != 130 {
		t.Errorf("%d members are left, tally %+v", members.Count, s.Tally())
	}
}

// If the context of the work ends, its cause settles the job, whatever error the
// handler returns.
func TestCauses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cause   error
		outcome string
	}{
		{usher.ErrCancelled, "cancelled"}, {usher.ErrEnding, "cancelled"}, {usher.ErrShutdown, "retry"},
		{fmt.Errorf("beside: %w", usher.ErrLeaseLost), "retry"}, {errors.New("something new"), "retry, counted"},
	} {
		t.Run(c.cause.Error(), func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{})
			s := uploadJob(usher.SegmentAdd, b.Export(1, 10))
			s.OnSave = func(usher.Progress) error { s.Cancel(c.cause); return errors.New("NATS is away") }
			b.Run(s).Want(t, c.outcome)
			wantUnchanged(t, b)
		})
	}
}

// A warning about the profile is in the record once, however many attempts plan the export.
func TestWarningsOfPlan(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	var rows strings.Builder
	rows.WriteString("device_id,n\n")
	for i := range 40 {
		fmt.Fprintf(&rows, []string{"%08X-8246-4BA4-AE5B-76104861E7DC", "%08x-8246-4ba4-ae5b-76104861e7dc"}[i%2]+",%d\n", i, i)
	}
	s := uploadJob(usher.SegmentAdd, b.File("x.csv", rows.String()))
	for range 2 {
		b.Run(s).Want(t, "done")
		if got := s.Piece.Progress.Warnings; len(got) != 1 || got[0].Code != "letter_case" || got[0].Count != 20 {
			t.Fatalf("the record warns: %+v", got)
		}
		s.Ended = nil
	}
	b.File("x.csv", strings.ToUpper(rows.String()))
	s.Piece.Run++ // a replay reads the new file
	b.Run(s).Want(t, "done")
	if got := s.Piece.Progress.Warnings; len(got) != 0 {
		t.Errorf("the record warns of the file before: %+v", got)
	}
}

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

// A file that is checked in less than two seconds has no check in its record.
func TestShortCheckIsNotShown(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	began := time.Now()
	b.Worker.Local = func() time.Time { return began }
	b.Worker.Exports = b.Opener(exports.Options{MaxParts: 1})
	writeGzip(t, b, "0.txt.gz", 0, 20_000)
	s := uploadJob(usher.SegmentAdd, "file://"+b.Dir+"/0.txt.gz")
	b.Run(s).Want(t, "done")
	if i := slices.IndexFunc(s.Saved, func(p usher.Progress) bool { return p.Check != nil }); i >= 0 {
		t.Errorf("the record has %+v", *s.Saved[i].Check)
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
