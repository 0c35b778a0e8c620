package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/queues/audit"
	"usher/queues/letters"
	"usher/workers/internal/workertest"
)

// A second message with the id of a pause has no effect on the platform, whether it
// comes while the pause runs or after it.
func TestPausesPublishedAgain(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	p.Start()
	for i := range 5 {
		id := fmt.Sprintf("pause-%d", i)
		for range 3 {
			p.Publish(usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
		}
		p.Until(id, usher.Done)
		p.Publish(usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(5 * time.Minute); ; {
		stream, err := p.JS.Stream(t.Context(), "USHER_CAMPAIGNS")
		if err != nil {
			t.Fatal(err)
		}
		left := stream.CachedInfo().State.Msgs
		if left == 0 {
			break
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%d messages are left", left)
		}
	}
	p.WantCalls(t, locks, 5)
	p.WantCalls(t, posts, 1) // the later jobs have nothing to change
	for i := range 5 {
		r, err := p.Jobs.Status().Record(t.Context(), fmt.Sprintf("pause-%d", i))
		if err != nil || r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("the record is %+v, %v", r, err)
		}
	}
}

// An older pause that is replayed after a newer resume changes nothing, and the plan says so.
func TestReplayedPauseIsSuperseded(t *testing.T) {
	t.Parallel()
	for name, creatives := range map[string]string{"one creative": `,"creatives":["spring-1"]`, "the whole campaign": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testReplayedPause(t, creatives)
		})
	}
}

func testReplayedPause(t *testing.T, creatives string) {
	t.Helper()
	p := workertest.NewQueue(t)
	p.Fault("campaigns.lock", "status", map[string]any{"status": 403})
	p.Start()
	p.Publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring"`+creatives+`}`)
	p.Until("pause", usher.Failed)
	p.Publish(usher.CampaignResume, `{"id":"resume","campaign":"SANDBOX1-spring"}`)
	p.Until("resume", usher.Done)
	plan, err := letters.New(p.Jobs).PlanReplay(t.Context(), letters.Filter{}, letters.ReplayOptions{})
	if err != nil || plan.Count != 0 || plan.LeftOut.Count != 1 {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	forced := letters.ReplayOptions{Act: audit.Act{Actor: "test"}, Force: true}
	if report, err := letters.New(p.Jobs).Replay(t.Context(), &plan, forced); err != nil || report.Replayed != 1 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	p.Until("pause", usher.Done)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != "ACTIVE" {
		t.Errorf("statuses are %v", got)
	}
	r, err := p.Jobs.Status().Record(t.Context(), "pause")
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != "superseded" {
		t.Errorf("the record is %+v, %v", r.Warnings, err)
	}
}

// A redelivery that finds its change made reads back and records it, without a
// lock and even if the stop switch is on.
func TestIntentThatIsDone(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	before := len(b.Calls(locks))
	b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
	b.Campaign.Lock = func(context.Context, string) (context.Context, func(), error) {
		return nil, nil, &usher.RetryAfter{After: time.Second, Why: "Redis does not answer"}
	}
	s := b.Run(intended(rtb.Active, "spring-1"))
	s.Want(t, "done")
	b.WantCalls(t, locks, before)
	if len(s.Audits) != 1 || s.Audits[0].Before != rtb.Active || s.Audits[0].After != rtb.Inactive {
		t.Errorf("audits %+v", s.Audits)
	}
}

// A redelivery changes the open creatives of its intent, and nothing else.
func TestIntentThatIsOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.Run(intended(rtb.Active, "spring-2"))
	s.Want(t, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}

// If a newer job has set a creative back to its old status between the crash and
// the redelivery, the creative is left as it is.
func TestIntentThatIsSuperseded(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := intended(rtb.Active, "spring-1", "spring-2")
	s.Newest = map[string]usher.CreativeEntry{"spring-1": {Order: 1, Wanted: rtb.Active, Job: "newer"}}
	b.Run(s).Want(t, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	if !s.HasWarning("superseded") || len(s.Audits) != 1 {
		t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
	}
}

// A creative that has neither the wanted status nor the one before was changed by
// somebody else.
func TestIntentChangedBySomebodyElse(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.Run(intended(rtb.Pending, "spring-1"))
	s.Want(t, "done")
	b.WantCalls(t, posts, 0)
	if !s.HasWarning("changed_meanwhile") {
		t.Errorf("warnings %+v", s.Piece.Progress.Warnings)
	}
}

// A creative that an earlier attempt has paused, and that a person has resumed before the next
// attempt, is left as it is.
func TestIntentThatAPersonReverted(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.reverted()
	b.WantCalls(t, posts, 2)
	b.Run(s).Want(t, "done")
	b.WantCalls(t, posts, 2)
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
	if !s.HasWarning("changed_meanwhile") || len(s.Audits) != 1 || s.Audits[0].After != rtb.Active {
		t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
	}
}

// A delivery that fails before it sends anything leaves no intent. The next one therefore
// changes a creative that somebody has changed otherwise meanwhile.
func TestIntentWithoutPost(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause("spring-1")
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		ctx, lose := context.WithCancelCause(ctx)
		s.OnSave = func(usher.Progress) error { lose(usher.ErrLockLost); return nil }
		return ctx, func() {}, nil
	}
	b.Run(s).Want(t, "retry")
	if len(s.Saved) != 1 || s.Saved[0].Intent == nil || s.Piece.Progress.Intent != nil {
		t.Errorf("saved %+v, then %+v", s.Saved, s.Piece.Progress.Intent)
	}
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Active)
	s.OnSave, b.Campaign.Lock = nil, workertest.FreeLock
	b.Run(s).Want(t, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || s.HasWarning("changed_meanwhile") {
		t.Errorf("statuses are %v, warnings %+v", got, s.Piece.Progress.Warnings)
	}
}

// If an older job has claimed the change back to the old status, the creative gets the status
// that the newer job wants.
func TestIntentThatAnOlderJobReverted(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.reverted()
	s.Piece.Order = 2
	s.Newest = map[string]usher.CreativeEntry{"spring-1": {Order: 1, Wanted: rtb.Active, Job: "older", ChangedOrder: 1, Left: b.seen("spring-1")}}
	b.Run(s).Want(t, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
	if s.HasWarning("changed_meanwhile") {
		t.Errorf("warnings %+v", s.Piece.Progress.Warnings)
	}
}

// reverted returns a pause of spring-1 whose worker crashed after its POST, before somebody
// set the creative to ACTIVE again.
func (b *bench) reverted() *workertest.Lease {
	s := intended(rtb.Active, "spring-1")
	s.Piece.Progress.Intent.Updated = map[string]string{"spring-1": b.seen("spring-1").LatestUpdate}
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Active)
	return s
}

// A job whose deadline passes between two attempts still records what the first one has sent, and changes
// nothing more.
func TestDeadlineBetweenAttempts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		bench   func(*testing.T) *bench
		job     func(*bench) *workertest.Lease
		fault   func(*bench)
		outcome string
		audits  int
	}{
		{"paused", statusBench, func(b *bench) *workertest.Lease { return b.byRule(usher.Pause) },
			func(b *bench) { b.Fault("campaigns.status", "status", map[string]any{"status": 500, "after": 1}) }, "done", 2},
		{"not paused", statusBench, func(b *bench) *workertest.Lease { return b.byRule(usher.Pause) },
			func(b *bench) { b.Fault("campaigns.set-status", "status", map[string]any{"status": 503}) }, "failed deadline", 0},
		{"not begun", statusBench, func(b *bench) *workertest.Lease { return b.byRule(usher.Pause) },
			func(b *bench) { b.Fault("campaigns.lock", "status", map[string]any{"status": 500}) }, "failed deadline", 0},
		{"budget lowered", numberBench, func(*bench) *workertest.Lease { return lower() },
			func(b *bench) { b.Fault("campaigns.get", "status", map[string]any{"status": 500, "after": 2}) }, "done", 1},
		{"budget not lowered", numberBench, func(*bench) *workertest.Lease { return lower() },
			func(b *bench) { b.Fault("campaigns.put", "status", map[string]any{"status": 503}) }, "failed deadline", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := c.bench(t)
			now := time.Now()
			b.Worker.Now = func() time.Time { return now }
			s := c.job(b)
			s.Piece.Job.Deadline = now.Add(time.Hour)
			c.fault(b)
			b.Run(s).Want(t, "retry, counted")
			if len(s.Audits) != 0 {
				t.Fatalf("audits %+v", s.Audits)
			}
			sent := len(b.Calls(posts, puts))
			now = s.Piece.Job.Deadline.Add(time.Millisecond)
			b.Run(s).Want(t, c.outcome)
			if got := len(b.Calls(posts, puts)); got != sent || len(s.Audits) != c.audits || len(s.Remembered) != c.audits {
				t.Errorf("it sends %d more, audits %+v, remembered %+v", got-sent, s.Audits, s.Remembered)
			}
			for _, a := range s.Audits {
				if a.Rule == "" || a.Evaluation != "tick" {
					t.Errorf("audit %+v", a)
				}
			}
		})
	}
}

// unrecorded fails reading the statuses after a POST, so that the job ends without a word of what it has changed.
func (b *bench) unrecorded() {
	b.Fault("campaigns.status", "status", map[string]any{"status": 403, "after": 1})
}

// A replay records what the run before it has posted and could not read back, once, and as a change of that run.
// What has another status by then, it decides anew.
func TestReplayRecordsWhatWasPosted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		before func(b *bench) // the replay
		audits int
	}{
		{"nothing happened", func(*bench) {}, 2},
		{"a person has resumed one", func(b *bench) { b.SetStatus(spring, "spring-1", rtb.Active) }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := b.byRule(usher.Pause)
			b.unrecorded()
			b.Run(s).Want(t, "failed forbidden")
			if len(s.Audits) != 0 {
				t.Fatalf("audits %+v", s.Audits)
			}
			c.before(b)
			before := len(b.Calls(posts))
			s.Piece.Run, s.Piece.Progress.Intent = 2, s.Piece.Progress.Intent.Unrecorded(1)
			b.Run(s).Want(t, "retry")
			b.Run(s).Want(t, "done")
			b.WantCalls(t, posts, before)
			if len(s.Audits) != c.audits || len(s.Remembered) != c.audits || s.Piece.Progress.Intent.Unrecorded(2) != nil {
				t.Fatalf("audits %+v, remembered %+v, intent %+v", s.Audits, s.Remembered, s.Piece.Progress.Intent)
			}
			for _, a := range s.Audits {
				if a.Run != 1 || a.Rule != "stop" || a.Before != rtb.Active || a.After != rtb.Inactive || a.LatestUpdate == "" {
					t.Errorf("audit %+v", a)
				}
			}
		})
	}
}

// What a failed run has recorded, or not changed, is no change of it for a replay: a person may have made it since.
func TestReplayClaimsNothingElse(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.byRule(usher.Pause)
	b.Fault("campaigns.set-status", "status", map[string]any{"status": 503})
	b.Run(s).Want(t, "retry, counted")
	if intent := s.Piece.Progress.Intent; intent == nil || intent.Unrecorded(1) != nil {
		t.Errorf("of a POST that was refused, the intent is %+v", intent)
	}
	b.Run(s).Want(t, "done")
	if intent := s.Piece.Progress.Intent; len(s.Audits) != 2 || intent == nil || intent.Unrecorded(1) != nil {
		t.Errorf("of what is recorded, the intent is %+v", intent)
	}
}

// The intent of a run that has posted outlives the run, so that a replay records it.
func TestReplayOfUnrecordedPause(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	(&bench{Bench: p.Bench}).unrecorded()
	p.Start()
	p.Publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring"}`)
	p.Until("pause", usher.Failed)
	p.WantCalls(t, posts, 1)
	plan, err := letters.New(p.Jobs).PlanReplay(t.Context(), letters.Filter{}, letters.ReplayOptions{})
	if err != nil || plan.Count != 1 {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	if report, err := letters.New(p.Jobs).Replay(t.Context(), &plan, letters.ReplayOptions{Act: audit.Act{Actor: "test"}}); err != nil || report.Replayed != 1 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	p.Until("pause", usher.Done)
	p.WantCalls(t, posts, 1)
	var entries []string
	err = p.Jobs.Audit().Each(t.Context(), audit.Filter{Campaign: spring}, func(a usher.Audit) error {
		if a.Creative != "" {
			entries = append(entries, fmt.Sprintf("%s/%d %s %s → %s", a.Job, a.Run, a.Creative, a.Before, a.After))
		}
		return nil
	})
	if want := []string{"pause/1 spring-1 ACTIVE → INACTIVE", "pause/1 spring-2 ACTIVE → INACTIVE"}; err != nil || !slices.Equal(entries, want) {
		t.Errorf("the audit is %q, %v", entries, err)
	}
}
