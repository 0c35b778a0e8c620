package campaign_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

func TestPauseOfAll(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.Run(pause())
	s.Want(t, "done")
	if got := b.Calls("campaigns.lock", "unlock", posts); !slices.Equal(got, []string{locks, "campaigns.set-status", "campaigns.unlock"}) {
		t.Errorf("calls are %v", got)
	}
	if len(s.Audits) != 2 || s.Claimed["spring-1"] != rtb.Inactive || s.Saved[0].Intent == nil {
		t.Errorf("audits %+v, claimed %v", s.Audits, s.Claimed)
	}
	for _, a := range s.Audits {
		if a.Before != rtb.Active || a.After != rtb.Inactive || a.Wanted != rtb.Inactive || a.Actor != "engine" || a.Reason == "" {
			t.Errorf("audit %+v", a)
		}
	}
	// A second job has nothing to change and nothing to audit.
	again := b.Run(pause("spring-1"))
	again.Want(t, "done")
	b.WantCalls(t, posts, 1)
	if len(again.Audits) != 0 || again.Claimed["spring-1"] != rtb.Inactive {
		t.Errorf("audits %+v, claimed %v", again.Audits, again.Claimed)
	}
}

// A job that a newer one has superseded ends without a call of the platform. Only a job for
// all creatives that were set supersedes others.
func TestSupersededWithoutCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	newest := b.Run(pause())
	newest.Want(t, "done")
	some := b.Run(pause("spring-1"))
	some.Want(t, "done")
	if len(newest.Campaigns) != 1 || newest.Campaigns[0] != "SANDBOX1-spring" || len(some.Campaigns) != 0 {
		t.Errorf("claimed campaigns are %v and %v", newest.Campaigns, some.Campaigns)
	}
	calls := len(b.Calls(""))
	older := pause()
	older.Piece.Superseded = "newest"
	b.Run(older).Want(t, "done")
	w := older.Ended.Progress.Warnings
	if more := len(b.Calls("")) - calls; more != 0 || len(w) != 1 || w[0].Code != "superseded" {
		t.Errorf("it made %d calls, and its warnings are %+v", more, w)
	}
}

// A campaign that another login has locked makes the job wait.
func TestCampaignLockedByAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	person := b.person()
	if err := person.Campaigns.Lock(t.Context(), "SANDBOX1-spring"); err != nil {
		t.Fatal(err)
	}
	s := b.Run(pause())
	s.Want(t, "retry")
	if s.Retried == nil || !strings.Contains(s.Retried.Why, "held by somebody else") {
		t.Errorf("it was retried as %+v", s.Retried)
	}
	b.WantCalls(t, posts, 0)
	b.WantCalls(t, "unlock", 0)
	if err := person.Campaigns.Unlock(t.Context(), "SANDBOX1-spring"); err != nil {
		t.Fatal(err)
	}
	b.Run(s).Want(t, "done")
}

// A lock that its holder never releases delays a pause by the platform's five
// minutes and no longer.
func TestCampaignLockedForFiveMinutes(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	b := newBench(t, sandbox.Options{Now: now})
	b.Worker.Now = now
	if err := b.person().Campaigns.Lock(t.Context(), "SANDBOX1-spring"); err != nil {
		t.Fatal(err)
	}
	s := pause()
	for range 4 {
		b.Run(s).Want(t, "retry")
		passed.Add(int64(70 * time.Second))
	}
	b.WantCalls(t, posts, 0)
	passed.Add(int64(30 * time.Second))
	b.Run(s).Want(t, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || len(s.Audits) != 2 || s.Piece.Attempts != 1 {
		t.Errorf("statuses are %v, audits %+v, %d attempts", got, s.Audits, s.Piece.Attempts)
	}
}

// The platform's lock keeps another login from changing anything between the
// reading and the change, so that the audit names only this job's change.
func TestAnotherLoginBetweenReadAndChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bench func(t *testing.T) *bench
		job   *workertest.Lease
		want  func(b *bench, l *workertest.Lease)
	}{
		"status": {statusBench, pause("spring-1"), func(b *bench, l *workertest.Lease) {
			if got := b.Statuses(spring); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active || len(l.Audits) != 1 {
				b.T.Errorf("statuses are %v, audits %+v", got, l.Audits)
			}
		}},
		"number": {numberBench, lower(), func(b *bench, l *workertest.Lease) { b.wantLowered(l, "beside another login") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := c.bench(t)
			person, before := b.person(), b.definition()
			tried := 0
			c.job.OnSave = func(usher.Progress) error { // of the intent, after the reading
				tried++
				if err := person.Campaigns.Lock(t.Context(), spring); err == nil {
					t.Error("another login got the lock")
				}
				if _, err := person.Creatives.SetStatus(t.Context(), "spring-2", rtb.Inactive); err == nil {
					t.Error("another login changed a creative under our lock")
				}
				if _, err := person.ReplaceCampaign(t.Context(), spring, before); err == nil {
					t.Error("another login changed the campaign under our lock")
				}
				return nil
			}
			b.Run(c.job).Want(t, "done")
			if c.want(b, c.job); tried == 0 {
				t.Error("nothing was saved")
			}
		})
	}
}

// If the platform changes some creatives and warns about the others, each creative
// is judged separately.
func TestPartialSuccess(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{ApprovalDelay: time.Hour})
	b.addPending("spring-new")
	for _, code := range []string{"spring-1", "spring-2", "spring-new"} {
		b.SetStatus("SANDBOX1-spring", code, rtb.Inactive)
	}
	s := pause()
	s.Piece.Kind = usher.CampaignResume
	b.Run(s).Want(t, "done")
	b.WantCalls(t, "campaigns.set-status", 1)
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Active || got["spring-new"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	for _, a := range s.Audits {
		if changed := a.Before != a.After; changed == (a.Creative == "spring-new") {
			t.Errorf("audit %+v", a)
		}
	}
	if len(s.Audits) != 3 || !s.HasWarning("E10059") || s.Claimed["spring-new"] != "" {
		t.Errorf("audits %+v, warnings %+v, claimed %v", s.Audits, s.Piece.Progress.Warnings, s.Claimed)
	}
}

// A job that finds the stop switch on ends, so that nothing old happens when the switch is
// released. If the switch is unreadable, the job waits.
func TestStopSwitch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		err     error
		outcome string
	}{{"on", nil, "done"}, {"unreadable", errors.New("NATS is away"), "retry"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", true, c.err }
			s := b.Run(pause())
			s.Want(t, c.outcome)
			b.WantCalls(t, locks, 0)
			b.WantCalls(t, posts, 0)
			if s.HasWarning("stopped") != (c.err == nil) {
				t.Errorf("warnings are %+v", s.Piece.Progress.Warnings)
			}
		})
	}
}

// The stop switch is read again before every POST. What was changed before it was
// turned on is recorded at once, and the rest is dropped, also if nobody gave a reason.
func TestStopBetweenTwoPosts(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"audit", ""} {
		t.Run(cmp.Or(reason, "without a reason"), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			reads := 0
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { reads++; return reason, reads == 3, nil }
			s := pause("winter-1", "winter-2")
			s.Piece.Job.Campaign = "SANDBOX1-winter"
			b.Run(s).Want(t, "done")
			b.WantCalls(t, posts, 1)
			if len(s.Audits) != 1 || s.Claimed["winter-1"] == "" || s.Claimed["winter-2"] != "" || !s.HasWarning("stopped") {
				t.Errorf("audits %+v, claimed %v, warnings %+v", s.Audits, s.Claimed, s.Piece.Progress.Warnings)
			}
			if got := b.Statuses("SANDBOX1-winter"); got["winter-1"] != rtb.Inactive || got["winter-2"] != rtb.Active {
				t.Errorf("statuses are %v", got)
			}
		})
	}
}

// A redelivery that finds the stop switch on records what was changed, drops the rest,
// and does not post it later.
func TestStopBeforeRedelivery(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"audit", ""} {
		t.Run(cmp.Or(reason, "without a reason"), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			before := len(b.Calls(posts))
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return reason, true, nil }
			s := b.Run(intended(rtb.Active, "spring-1", "spring-2"))
			s.Want(t, "done")
			b.WantCalls(t, posts, before)
			if len(s.Audits) != 1 || s.Audits[0].Creative != "spring-1" || !s.HasWarning("stopped") || slices.Contains(s.Piece.Progress.Intent.Changing, "spring-2") {
				t.Errorf("audits %+v, warnings %+v", s.Audits, s.Piece.Progress.Warnings)
			}
		})
	}
}

func TestSupersededBeforeItBegan(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause()
	newer := usher.CreativeEntry{Order: 1, Wanted: rtb.Active, Job: "newer"}
	s.Newest = map[string]usher.CreativeEntry{"spring-1": newer, "spring-2": newer}
	b.Run(s).Want(t, "done")
	b.WantCalls(t, posts, 0)
	if !s.HasWarning("superseded") || len(s.Audits) != 0 {
		t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
	}
}

// A creative that waits for approval is left out with a warning. The others are
// changed one by one, because a POST for the campaign would include it.
func TestPendingIsLeftOut(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{ApprovalDelay: time.Hour})
	b.addPending("spring-new")
	s := b.Run(pause())
	s.Want(t, "done")
	b.WantCalls(t, "campaigns.set-status", 0)
	b.WantCalls(t, "creatives.set-status", 2)
	if got := b.Statuses("SANDBOX1-spring"); got["spring-new"] != rtb.Pending || got["spring-1"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	if !s.HasWarning("pending") || len(s.Audits) != 2 {
		t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
	}
}

// If the platform refuses one creative, the others are changed.
func TestRefusalOfSome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, outcome string
		refused       int
	}{{"one of two", "done", 1}, {"all", "failed refused", 2}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Fault("creatives.set-status", "status", map[string]any{"status": 400, "times": c.refused, "body": map[string]any{
				"status": "fail", "data": map[string]any{"errors": []map[string]string{{"code": "E10059", "description": "from ACTIVE to INACTIVE is not possible"}}},
			}})
			s := pause("winter-1", "winter-2")
			s.Piece.Job.Campaign = "SANDBOX1-winter"
			b.Run(s).Want(t, c.outcome)
			if !s.HasWarning("E10059") || len(s.Audits) != 2 {
				t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
			}
			b.WantCalls(t, "unlock", 1)
		})
	}
}

// A POST whose response was lost is read back, and repeated only if it had no
// effect.
func TestLostResponses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, outcome string
		audits        int
	}{{"reset_after", "done", 2}, {"reset_before", "retry, counted", 0}, {"broken_json", "done", 2}} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Fault("campaigns.set-status", c.kind, nil)
			s := b.Run(pause())
			s.Want(t, c.outcome)
			if len(s.Audits) != c.audits {
				t.Errorf("audits %+v", s.Audits)
			}
			b.WantCalls(t, "unlock", 1)
			if s.Retried != nil {
				b.Run(s).Want(t, "retry") // the first POST may still arrive
				b.Worker.Now = func() time.Time { return time.Now().Add(10 * time.Second) }
				b.Run(s).Want(t, "done")
			}
			if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || len(s.Audits) != 2 {
				t.Errorf("statuses are %v, audits %+v", got, s.Audits)
			}
		})
	}
}

// If the lock is lost before the POST, nothing is posted, and the job is retried.
func TestLockLostBeforePost(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	var lose context.CancelCauseFunc
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		ctx, lose = context.WithCancelCause(ctx)
		return ctx, func() {}, nil
	}
	s := pause()
	s.OnSave = func(usher.Progress) error { lose(usher.ErrLockLost); return nil } // while the intent is saved
	b.Run(s).Want(t, "retry")
	b.WantCalls(t, posts, 0)
	b.WantCalls(t, "unlock", 1)
}

// A job that is cancelled between two POSTs records what it has changed, because no
// redelivery follows. After a shutdown, the redelivery records it.
func TestCancelBetweenTwoPosts(t *testing.T) {
	t.Parallel()
	for _, cause := range []struct {
		err     error
		outcome string
		audits  int
	}{{usher.ErrCancelled, "cancelled", 1}, {usher.ErrShutdown, "retry", 0}} {
		t.Run(cause.outcome, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := pause("winter-1", "winter-2")
			s.Piece.Job.Campaign = "SANDBOX1-winter"
			reads := 0
			b.Campaign.Stopped = func(context.Context) (string, bool, error) {
				if reads++; reads == 3 {
					s.Cancel(cause.err)
				}
				return "", false, nil
			}
			b.Run(s).Want(t, cause.outcome)
			b.WantCalls(t, posts, 1)
			if len(s.Audits) != cause.audits {
				t.Errorf("audits %+v", s.Audits)
			}
		})
	}
}

// The platform is locked again before a POST that could arrive later than four minutes
// after the last lock.
func TestFurtherLock(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	var passed atomic.Int64
	b.Worker.Local = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	b.Campaign.Stopped = func(context.Context) (string, bool, error) { passed.Add(int64(2 * time.Minute)); return "", false, nil }
	s := pause("winter-1", "winter-2", "winter-3")
	s.Piece.Job.Campaign = "SANDBOX1-winter"
	b.Run(s).Want(t, "done")
	if got, want := b.Calls(locks, posts), []string{locks, "creatives.set-status", "creatives.set-status", locks, "creatives.set-status"}; !slices.Equal(got, want) {
		t.Errorf("calls are %v, not %v", got, want)
	}
}

// A platform lock that was taken more than four and a half minutes ago may be
// somebody else's by now and is left to expire.
func TestLateLockIsLeftToExpire(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	var passed atomic.Int64
	b.Worker.Local = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	reads := 0
	b.Campaign.Stopped = func(context.Context) (string, bool, error) {
		if reads++; reads == 2 {
			passed.Store(int64(5 * time.Minute))
		}
		return "", false, nil
	}
	b.Run(pause()).Want(t, "done")
	b.WantCalls(t, "unlock", 0)
}

func TestUnknownCampaignAndCreative(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause()
	s.Piece.Job.Campaign = "SANDBOX1-nobody"
	b.Run(s).Want(t, "failed not_found")
	b.Run(pause("spring-1", "nobody")).Want(t, "failed not_found")
	b.WantCalls(t, posts, 0)
}
