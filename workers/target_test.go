package workers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// A platform that keeps only the last upload is detected after the second batch, and the
// job ends, even if another attempt sent the first batch.
func TestPlatformThatReplaces(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.TargetAdd, usher.TargetReplace} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{TargetPost: "replace"})
			s := b.Run(uploadJob(kind, b.Export(1, 450)))
			s.Want(t, "failed refused")
			if s.Ended == nil || s.Ended.Error == nil || !strings.Contains(s.Ended.Error.Hint, "keeps only the last upload") {
				t.Errorf("it ended as %+v", s.Ended)
			}
			b.WantCalls(t, "add-mobile-targets", 2)
		})
	}
	t.Run("in two attempts", func(t *testing.T) {
		t.Parallel()
		b := workertest.NewBench(t, sandbox.Options{TargetPost: "replace"})
		b.Fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 403, "after": 1})
		s := b.Run(uploadJob(usher.TargetAdd, b.Export(1, 110)))
		s.Want(t, "failed forbidden")
		s.Piece.Run = 2
		b.Run(s).Want(t, "failed refused")
	})
	t.Run("one batch", func(t *testing.T) {
		t.Parallel()
		b := workertest.NewBench(t, sandbox.Options{TargetPost: "replace"})
		b.Run(uploadJob(usher.TargetAdd, b.Export(1, 100))).Want(t, "done")
	})
}

// Batches with the same ids do not make the list grow, so that they say nothing of the platform: those of an
// event log, whose windows of rows have the same ids, and all if no duplicates are dropped.
func TestPlatformThatReplacesAndRepeatedIDs(t *testing.T) {
	t.Parallel()
	log := func(b *workertest.Bench, ids int) string {
		b.CutAt(1 << 30)
		window := strings.Repeat(lines(0, 64), usher.WindowRows/64)
		return b.File("log.txt", window+lines(0, ids))
	}
	for name, c := range map[string]struct {
		post    string
		prepare func(b *workertest.Bench) (url string)
		outcome string
		want    int64
	}{
		"an event log": {"", func(b *workertest.Bench) string { return log(b, 64) }, "done", 64},
		"an event log in two attempts": {"", func(b *workertest.Bench) string {
			b.Fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 429, "retryAfter": 60, "after": 1})
			return log(b, 64)
		}, "done", 64},
		"no duplicates are dropped": {"", func(b *workertest.Bench) string {
			b.Worker.KeepDuplicates = true
			return b.File("twice.txt", strings.Repeat(lines(0, 100), 2))
		}, "done", 100},
		"two batches of a window later": {"replace", func(b *workertest.Bench) string { return log(b, 190) }, "failed refused", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := workertest.NewBench(t, sandbox.Options{TargetPost: c.post})
			s := uploadJob(usher.TargetReplace, c.prepare(b))
			for range 2 {
				if b.Run(s); s.Ended != nil {
					break
				}
			}
			s.Want(t, c.outcome)
			if n := b.Targeted("SANDBOX1-spring"); c.want > 0 && n != c.want {
				t.Errorf("%d ids are targeted, not %d", n, c.want)
			}
		})
	}
}

// target.replace is killed at each of its checkpoints in turn and resumes: the
// list has all ids of the new export and none of the old one.
func TestReplaceResumesInEachPhase(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.Run(uploadJob(usher.TargetAdd, b.Export(1, 300))).Want(t, "done")
	url := b.Export(2, 350)
	s := uploadJob(usher.TargetReplace, url)
	killed := map[usher.Phase]bool{}
	for range 20 {
		s.OnSave = func(p usher.Progress) error {
			killed[p.Phase] = true
			return usher.ErrLeaseLost
		}
		if b.Run(s); s.Ended != nil {
			break
		}
		s.Piece.Crashes++
	}
	s.Want(t, "done")
	if n := b.Targeted("SANDBOX1-spring"); n != 350 || s.Tally().Accepted != 350 || s.Piece.Progress.NumberOfIDs.Before != 300 {
		t.Errorf("%d ids are targeted, the record is %+v, %+v", n, s.Tally(), s.Piece.Progress.NumberOfIDs)
	}
	if !killed[usher.PhaseCount] || !killed[usher.PhaseClear] || !killed[usher.PhaseAdd] {
		t.Errorf("killed only in phases %v", killed)
	}
}

// An export with several parts is counted as a whole, then the target is
// cleared, then the job is cut.
func TestReplaceOfACutList(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.CutAt(1000)
	b.Run(uploadJob(usher.TargetReplace, b.Export(1, 120))).Want(t, "cut")
	s := uploadJob(usher.TargetReplace, b.Export(2, 130))
	b.Run(s).Want(t, "cut")
	p := s.Piece.Progress
	if p.Phase != usher.PhaseAdd || p.Count.Tally.Accepted != 130 || len(s.Parts) < 3 || p.Checkpoint.Batches != 0 {
		t.Fatalf("%d parts, progress %+v", len(s.Parts), p)
	}
	for i, r := range s.Parts {
		part := uploadJob(usher.TargetReplace, "")
		part.Piece.Job, part.Piece.Part, part.Piece.Parts, part.Piece.Range = s.Piece.Job, i, len(s.Parts), r
		part.Piece.Progress.Plan = p.Plan
		b.Run(part).Want(t, "done")
	}
	if n := b.Targeted("SANDBOX1-spring"); n != 130 {
		t.Errorf("%d ids are targeted", n)
	}
}

func TestReplaceThatShrinks(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.Run(uploadJob(usher.TargetAdd, b.Export(1, 100))).Want(t, "done")
	for _, c := range []struct {
		n       int
		force   bool
		outcome string
	}{{79, false, "failed shrink"}, {80, false, "done"}, {10, true, "done"}} {
		s := uploadJob(usher.TargetReplace, b.Export(c.n, c.n))
		s.Piece.Job.Force = c.force
		b.Run(s).Want(t, c.outcome)
		if c.outcome != "done" {
			b.WantCalls(t, "clear-mobile-targets", 0)
			if s.Tally().Read != 0 {
				t.Errorf("nothing was sent, but the tally says %+v", s.Tally())
			}
		} else if n := b.Targeted("SANDBOX1-spring"); n != int64(c.n) {
			t.Errorf("%d ids are targeted, not %d", n, c.n)
		}
	}
}

// If the export of a failed replace has changed, the replay starts from the beginning.
// Otherwise it would mix two lists.
func TestReplayOfReplaceWithChangedExport(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	url := b.Export(1, 250)
	b.Fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 403, "after": 1})
	s := b.Run(uploadJob(usher.TargetReplace, url))
	s.Want(t, "failed forbidden")
	if n := b.Targeted("SANDBOX1-spring"); n != 100 {
		t.Fatalf("%d ids are targeted", n)
	}
	other, err := os.ReadFile(strings.TrimPrefix(b.Export(2, 260), "file://"))
	if err != nil {
		t.Fatal(err)
	}
	b.File(filepath.Base(url), string(other))
	s.Piece.Run = 2
	b.Run(s).Want(t, "done")
	if n := b.Targeted("SANDBOX1-spring"); n != 260 || s.Tally().Accepted != 260 {
		t.Errorf("%d ids are targeted, tally %+v", n, s.Tally())
	}
}

// A second attempt keeps the number of ids before the job, which the first one has read.
func TestNumberBeforeIsReadOnce(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.Fault("campaigns.add-mobile-targets", "status", map[string]any{"status": 429, "retryAfter": 60, "after": 1})
	s := b.Run(uploadJob(usher.TargetAdd, b.Export(1, 250)))
	s.Want(t, "retry")
	if c := s.Piece.Progress.Checkpoint; c.Batches != 1 {
		t.Errorf("the newest checkpoint was not kept: %+v", c)
	}
	b.Run(s).Want(t, "done")
	if n := s.Piece.Progress.NumberOfIDs; n.Before != 0 || s.SizeAfter == nil || *s.SizeAfter != 250 {
		t.Errorf("numbers are %+v, after %v", n, s.SizeAfter)
	}
	b.WantCalls(t, "add-mobile-targets", 4) // three batches, one of them twice
}

// A platform that hangs does not prevent a completed job from ending.
func TestEndWhilePlatformHangs(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.Fault("campaigns.mobile-targets", "hang", map[string]any{"after": 1})
	s := b.Run(uploadJob(usher.TargetAdd, b.Export(1, 50)))
	s.Want(t, "done")
	if s.SizeAfter != nil {
		t.Errorf("after is %d", *s.SizeAfter)
	}
}

// The size of the target is read at the end of a cancelled job, although the
// context of its work has ended.
func TestSizeAfterCancelledJob(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.Run(uploadJob(usher.TargetAdd, b.Export(1, 50))).Want(t, "done")
	s := uploadJob(usher.TargetAdd, b.Export(2, 250))
	s.OnSave = func(usher.Progress) error { s.Cancel(usher.ErrCancelled); return nil }
	b.Run(s).Want(t, "cancelled")
	if s.SizeAfter == nil || *s.SizeAfter != 50 {
		t.Errorf("after is %v", s.SizeAfter)
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	b.Run(uploadJob(usher.TargetAdd, b.Export(1, 50))).Want(t, "done")
	s := &workertest.Lease{Piece: usher.Work{Kind: usher.TargetClear, Job: usher.Job{Campaign: "SANDBOX1-spring"}}}
	s.OnSave = func(usher.Progress) error { return usher.ErrLeaseLost }
	b.Run(s).Want(t, "retry")
	s.OnSave = nil
	b.Run(s).Want(t, "done")
	if n := s.Piece.Progress.NumberOfIDs; n.Before != 50 || s.SizeAfter == nil || *s.SizeAfter != 0 {
		t.Errorf("numbers are %+v, after %v", n, s.SizeAfter)
	}
	b.Run(s).Want(t, "done") // clearing is idempotent
}
