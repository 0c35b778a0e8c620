package workers_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/sandbox"
)

// uploading is a job of a kind over an export, into segment 1 or spring's
// target.
func uploading(kind usher.Kind, url string) *slip {
	s := &slip{work: usher.Work{ID: "j", Kind: kind, Job: usher.Job{
		Profile: &usher.Profile{Type: usher.IDFA}, Source: &usher.Source{URL: url},
	}}}
	if kind.Family() == "segment" {
		s.work.Job.Segment = "1"
	} else {
		s.work.Job.Campaign = "SANDBOX1-spring"
	}
	return s
}

// changing are the calls of the upload kinds that change something.
var changing = []string{"segments.upload", "remove-user", "add-mobile-targets", "clear-mobile-targets"}

func (b *bench) wantUnchanged(t *testing.T) {
	t.Helper()
	if got := b.calls(changing...); len(got) != 0 {
		t.Errorf("something was changed: %v", got)
	}
}

func (s *slip) tally() usher.Tally { return s.work.Progress.Checkpoint.Tally }

// A dry run does everything but the calls that change something, and does not
// ask what they would have made of the target.
func TestDryRun(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentRemove, usher.TargetAdd, usher.TargetReplace} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := uploading(kind, b.export(1, 250))
			s.work.Job.DryRun = true
			b.run(s).want(t, "done")
			b.wantUnchanged(t)
			if s.tally().Accepted != 250 || s.ended.After != nil {
				t.Errorf("tally is %+v, after is asked: %t", s.tally(), s.ended.After != nil)
			}
		})
	}
}

func TestUploadIsWhole(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.TargetAdd, usher.TargetReplace} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := b.run(uploading(kind, b.export(1, 250)))
			s.want(t, "done")
			if err := s.tally().Check(); err != nil || s.tally().Accepted != 250 {
				t.Errorf("tally is %+v, %v", s.tally(), err)
			}
			if kind.Family() == "target" && (s.after == nil || *s.after != 250) {
				t.Errorf("the record says after: %v", s.after)
			}
			if p := s.saved[0]; p.Plan == nil || p.Planned != 1 || p.Checkpoint.Batches != 0 {
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
			b := newBench(t, sandbox.Options{})
			s := uploading(usher.SegmentAdd, b.export(1, 3))
			s.work.Job.Segment, s.work.Job.Profile.Type = c.segment, c.profile
			b.run(s).want(t, c.outcome)
			if c.outcome != "done" {
				b.wantUnchanged(t)
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
		{"none may be", id + "nonsense!\n", percent(0), "failed too_many_rejects"},
		{"all may be", id + strings.Repeat("nonsense!\n", 99), percent(100), "done"},
	} {
		for _, kind := range []usher.Kind{usher.SegmentAdd, usher.TargetReplace} {
			t.Run(c.name+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, sandbox.Options{})
				s := uploading(kind, b.file("x.txt", c.text))
				s.work.Job.MaxRejectPercent = c.most
				b.run(s).want(t, c.outcome)
				if c.outcome != "done" {
					b.wantUnchanged(t)
				}
			})
		}
	}
}

// A platform that keeps only the last upload is found out after the second
// batch, and that ends the job: also where the second batch is sent by another
// attempt than the first.
func TestPlatformThatReplaces(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.TargetAdd, usher.TargetReplace} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{TargetPost: "replace"})
			s := b.run(uploading(kind, b.export(1, 450)))
			s.want(t, "failed refused")
			if s.ended == nil || s.ended.Error == nil || !strings.Contains(s.ended.Error.Hint, "keeps only the last upload") {
				t.Errorf("it ended %+v", s.ended)
			}
			b.wantCalls(t, "add-mobile-targets", 2)
		})
	}
	t.Run("in two attempts", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, sandbox.Options{TargetPost: "replace"})
		b.fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 403, "after": 1})
		s := b.run(uploading(usher.TargetAdd, b.export(1, 110)))
		s.want(t, "failed forbidden")
		s.work.Run = 2
		b.run(s).want(t, "failed refused")
	})
	t.Run("one batch", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, sandbox.Options{TargetPost: "replace"})
		b.run(uploading(usher.TargetAdd, b.export(1, 100))).want(t, "done")
	})
}

// target.replace is killed at each of its checkpoints in turn, and goes on: the
// list is the new one, whole, and it was cleared no later than the first upload.
func TestReplaceGoesOnInEachPhase(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.run(uploading(usher.TargetAdd, b.export(1, 300))).want(t, "done")
	url := b.export(2, 350)
	s := uploading(usher.TargetReplace, url)
	killed := map[usher.Phase]bool{}
	for range 20 {
		s.save = func(p usher.Progress) error {
			killed[p.Phase] = true
			return usher.ErrLeaseLost
		}
		if b.run(s); s.ended != nil {
			break
		}
		s.work.Crashes++
	}
	s.want(t, "done")
	if n := b.targeted("SANDBOX1-spring"); n != 350 || s.tally().Accepted != 350 || s.work.Progress.NumberOfIDs.Before != 300 {
		t.Errorf("%d ids are targeted, the record says %+v, %+v", n, s.tally(), s.work.Progress.NumberOfIDs)
	}
	if !killed[usher.PhaseCount] || !killed[usher.PhaseClear] || !killed[usher.PhaseAdd] {
		t.Errorf("killed in phases %v only", killed)
	}
}

// A list that is cut is counted as one, then cleared, then cut.
func TestReplaceOfACutList(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.cutAt(1000)
	b.run(uploading(usher.TargetReplace, b.export(1, 120))).want(t, "cut")
	s := uploading(usher.TargetReplace, b.export(2, 130))
	b.run(s).want(t, "cut")
	p := s.work.Progress
	if p.Phase != usher.PhaseAdd || p.Count.Tally.Accepted != 130 || len(s.parts) < 3 || p.Checkpoint.Batches != 0 {
		t.Fatalf("%d parts, progress %+v", len(s.parts), p)
	}
	for i, r := range s.parts {
		part := uploading(usher.TargetReplace, "")
		part.work.Job, part.work.Part, part.work.Parts, part.work.Range = s.work.Job, i, len(s.parts), r
		part.work.Progress.Plan = p.Plan
		b.run(part).want(t, "done")
	}
	if n := b.targeted("SANDBOX1-spring"); n != 130 {
		t.Errorf("%d ids are targeted", n)
	}
}

// cutAt makes parts of exports small.
func (b *bench) cutAt(bytes int64) {
	b.t.Helper()
	allowed, err := places.Allow([]string{b.dir})
	if err != nil {
		b.t.Fatal(err)
	}
	b.worker.Exports = exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{PartBytes: bytes})
}

func TestReplaceThatShrinks(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.run(uploading(usher.TargetAdd, b.export(1, 100))).want(t, "done")
	for _, c := range []struct {
		n       int
		force   bool
		outcome string
	}{{79, false, "failed shrink"}, {80, false, "done"}, {10, true, "done"}} {
		s := uploading(usher.TargetReplace, b.export(c.n, c.n))
		s.work.Job.Force = c.force
		b.run(s).want(t, c.outcome)
		if c.outcome != "done" {
			b.wantCalls(t, "clear-mobile-targets", 0)
			if s.tally().Read != 0 {
				t.Errorf("nothing was sent, but the tally says %+v", s.tally())
			}
		} else if n := b.targeted("SANDBOX1-spring"); n != int64(c.n) {
			t.Errorf("%d ids are targeted, not %d", n, c.n)
		}
	}
}

// An export that changed since a replace was buried is another list: the replay
// begins again, else the two would be mixed.
func TestReplayOfAReplaceOverAnotherExport(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	url := b.export(1, 250)
	b.fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 403, "after": 1})
	s := b.run(uploading(usher.TargetReplace, url))
	s.want(t, "failed forbidden")
	if n := b.targeted("SANDBOX1-spring"); n != 100 {
		t.Fatalf("%d ids are targeted", n)
	}
	other, err := os.ReadFile(strings.TrimPrefix(b.export(2, 260), "file://"))
	if err != nil {
		t.Fatal(err)
	}
	b.file(filepath.Base(url), string(other))
	s.work.Run = 2
	b.run(s).want(t, "done")
	if n := b.targeted("SANDBOX1-spring"); n != 260 || s.tally().Accepted != 260 {
		t.Errorf("%d ids are targeted, tally %+v", n, s.tally())
	}
}

// Within one run an export may not change, whatever the attempts: what was sent
// of it is not known.
func TestExportThatChanges(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	url := b.export(1, 250)
	b.fault("segments.upload", "status", map[string]any{"status": 429, "retryAfter": 60})
	s := b.run(uploading(usher.SegmentAdd, url))
	s.want(t, "retry")
	b.file(filepath.Base(url), "6D92078A-8246-4BA4-AE5B-76104861E7DC\n")
	b.run(s).want(t, "failed source_broken")
}

// A second attempt does not take for the number before what the first one left.
func TestNumberBeforeIsTheFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 429, "retryAfter": 60, "after": 1})
	s := b.run(uploading(usher.TargetAdd, b.export(1, 250)))
	s.want(t, "retry")
	if c := s.work.Progress.Checkpoint; c.Batches != 1 {
		t.Errorf("the newest checkpoint is not given back: %+v", c)
	}
	b.run(s).want(t, "done")
	if n := s.work.Progress.NumberOfIDs; n.Before != 0 || s.after == nil || *s.after != 250 {
		t.Errorf("numbers are %+v, after %v", n, s.after)
	}
	b.wantCalls(t, "add-mobile-targets", 4) // three batches, and the one that was put off
}

// A platform that hangs does not keep a job that is done from ending.
func TestEndBesideAPlatformThatHangs(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.fault("campaigns.mobile-targets", "hang", map[string]any{"after": 1})
	s := b.run(uploading(usher.TargetAdd, b.export(1, 50)))
	s.want(t, "done")
	if s.after != nil {
		t.Errorf("after is %d", *s.after)
	}
}

// A job that was given back at the end of its worker's life may still be asked
// what its target holds: the work's context has ended then.
func TestAfterOfACancelledJob(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.run(uploading(usher.TargetAdd, b.export(1, 50))).want(t, "done")
	s := uploading(usher.TargetAdd, b.export(2, 250))
	s.save = func(usher.Progress) error { s.cancel(usher.ErrCancelled); return nil }
	b.run(s).want(t, "cancelled")
	if s.after == nil || *s.after != 50 {
		t.Errorf("after is %v", s.after)
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.run(uploading(usher.TargetAdd, b.export(1, 50))).want(t, "done")
	s := &slip{work: usher.Work{Kind: usher.TargetClear, Job: usher.Job{Campaign: "SANDBOX1-spring"}}}
	s.save = func(usher.Progress) error { return usher.ErrLeaseLost }
	b.run(s).want(t, "retry")
	s.save = nil
	b.run(s).want(t, "done")
	if n := s.work.Progress.NumberOfIDs; n.Before != 50 || s.after == nil || *s.after != 0 {
		t.Errorf("numbers are %+v, after %v", n, s.after)
	}
	b.run(s).want(t, "done") // what is clear stays clear
}

// A job that must wait for another on its target asks the platform nothing.
func TestTurn(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.SegmentRemove, usher.TargetAdd, usher.TargetReplace, usher.TargetClear} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := uploading(kind, b.export(1, 10))
			s.turn = "waits for job other"
			b.run(s).want(t, "retry")
			if s.again == nil || s.again.why != s.turn {
				t.Errorf("it says %+v", s.again)
			}
			if got := b.calls(""); len(got) != 0 {
				t.Errorf("calls are %v", got)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	url := b.export(1, 130)
	b.run(uploading(usher.SegmentAdd, url)).want(t, "done")
	s := b.run(uploading(usher.SegmentRemove, url))
	s.want(t, "done")
	var members struct{ Count int }
	b.control("GET", "segments/1/fingerprint", nil, &members)
	if members.Count != 0 || s.tally().Accepted != 130 {
		t.Errorf("%d members are left, tally %+v", members.Count, s.tally())
	}
}

// An end of the work ends the job by its cause, whatever its handler made of
// it, and before it begins.
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
			b := newBench(t, sandbox.Options{})
			s := uploading(usher.SegmentAdd, b.export(1, 10))
			s.save = func(usher.Progress) error { s.cancel(c.cause); return errors.New("NATS is away") }
			b.run(s).want(t, c.outcome)
			b.wantUnchanged(t)
		})
	}
}
