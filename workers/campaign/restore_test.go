package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// overtaken returns a pause of spring-1 whose worker crashed after its POST, which
// came after a newer job had set the creative to ACTIVE.
func (b *bench) overtaken() *workertest.Lease {
	b.T.Helper()
	s := intended(rtb.Active, "spring-1")
	s.Piece.Order = 1
	s.Newest = map[string]usher.CreativeEntry{"spring-1": {Order: 2, Wanted: rtb.Active, Job: "newer", ChangedOrder: 2, Left: b.seen("spring-1")}}
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	return s
}

// onFault calls do once the sandbox has made the first of its faults. The returned function
// stops waiting for the fault; if do was called, it blocks until do has returned.
func (b *bench) onFault(do func()) (end func()) {
	ctx, stop := context.WithCancel(b.T.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		for ctx.Err() == nil {
			var faults []struct{ Made int }
			b.Control(http.MethodGet, "faults", nil, &faults)
			if faults[0].Made > 0 {
				do()
				return
			}
		}
	})
	return func() { stop(); watching.Wait() }
}

// arrive makes requests arrive that the fault late holds back.
func (b *bench) arrive() { b.Control(http.MethodDelete, "faults", nil, nil) }

// loseLease makes s lose its lease during its POST, and calls do after the first look has
// read the statuses. The returned function is that of onFault.
func (b *bench) loseLease(s *workertest.Lease, do func()) (end func()) {
	var lost atomic.Bool
	asked := 0
	b.Worker.Now = func() time.Time {
		if lost.Load() {
			asked++
		}
		if asked == 2 { // the first time is that of the loss of the response
			do()
		}
		return time.Now()
	}
	return b.onFault(func() { lost.Store(true); s.Cancel(usher.ErrLeaseLost) })
}

// newerJob makes a newer job set the creatives of s to ACTIVE immediately before s posts.
func (b *bench) newerJob(s *workertest.Lease) {
	b.Campaign.Stopped = func(context.Context) (string, bool, error) {
		if intent := s.Piece.Progress.Intent; intent != nil {
			for _, code := range intent.Changing {
				if s.Newest[code].Order < 2 {
					s.Newest[code] = usher.CreativeEntry{Order: 2, Wanted: rtb.Active, Job: "newer"}
				}
			}
		}
		return "", false, nil
	}
}

func (b *bench) seen(creative string) usher.CreativeState {
	b.T.Helper()
	for _, row := range b.Creatives("SANDBOX1-spring") {
		if row.CreativeCode == creative {
			return usher.CreativeState{Status: row.ApprovalStatus, LatestUpdate: row.LatestUpdate}
		}
	}
	b.T.Fatalf("there is no creative %s", creative)
	return usher.CreativeState{}
}

// wantRestored fails unless spring-1 has the status that the newer job wanted and the
// audit has both changes.
func (b *bench) wantRestored(s *workertest.Lease, when string) {
	b.T.Helper()
	s.Want(b.T, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Active {
		b.T.Errorf("%s: statuses are %v", when, got)
	}
	once := map[string]bool{} // by message id
	for _, a := range s.Audits {
		once[fmt.Sprintf("%s %s to %s for %q", a.Creative, a.Before, a.After, a.Restores)] = true
	}
	if len(once) != 2 || !once[`spring-1 ACTIVE to INACTIVE for ""`] || !once[`spring-1 INACTIVE to ACTIVE for "newer"`] {
		b.T.Errorf("%s: the audit has %v", when, once)
	}
	if !s.HasWarning("superseded") {
		b.T.Errorf("%s: warnings %+v", when, s.Piece.Progress.Warnings)
	}
}

// A change that is made after that of a newer job is recorded and undone.
func TestOvertakenIsRestored(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.wantRestored(b.Run(b.overtaken()), "at once")
}

// Nothing is restored before the change that makes it necessary is on record;
// otherwise that change would never be recorded.
func TestOvertakenAndNotAudited(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause("spring-1")
	s.Piece.Order = 1
	b.newerJob(s)
	away := errors.New("NATS is away")
	s.OnAudit = func(usher.Audit) error {
		err := away
		away = nil
		return err
	}
	b.Run(s).Want(t, "retry, counted")
	if len(s.Audits) != 0 || b.seen("spring-1").Status != rtb.Inactive {
		t.Errorf("audits %+v, it is %s", s.Audits, b.seen("spring-1").Status)
	}
	b.wantRestored(b.Run(s), "after the change is on record")
}

// A POST whose response was lost, and that arrives after the change of a newer job,
// is undone, because the job reads back once more before it ends.
func TestLatePostIsUndone(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Fault("*.set-status", "late", nil)
	b.Fault("campaigns.unlock", "status", map[string]any{"status": 404}) // the newer job has the lock
	b.Campaign.Late = 10 * time.Second
	s := pause("spring-1")
	s.Piece.Order = 1
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		ctx, lose := context.WithCancelCause(ctx)
		return ctx, b.onFault(func() { lose(usher.ErrLockLost) }), nil
	}
	b.newerJob(s)
	b.Run(s).Want(t, "retry")
	if s.Retried == nil || s.Retried.After < 9*time.Second {
		t.Fatalf("it is retried as %+v", s.Retried)
	}
	b.arrive()
	for b.seen("spring-1").Status != rtb.Inactive { // until it arrives
		if t.Context().Err() != nil {
			t.Fatal("the POST never arrived")
		}
	}
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) { return ctx, func() {}, nil }
	b.Worker.Now = func() time.Time { return time.Now().Add(10 * time.Second) }
	b.wantRestored(b.Run(s), "late")
}

// A creative that had the wanted status is restored if an older job has changed it
// since, but not if anybody else has.
func TestOlderChangeAfterNewerJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		by   uint64 // the order of the job that claimed the change
		want string
	}{{"an older job's", 1, rtb.Active}, {"nobody's", 0, rtb.Inactive}, {"a newer job's", 3, rtb.Inactive}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := pause("spring-1")
			s.Piece.Kind, s.Piece.Order = usher.CampaignResume, 2
			s.Piece.Progress.Intent = &usher.Intent{Before: map[string]string{"spring-1": rtb.Active}, Wanted: rtb.Active}
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			if c.by != 0 {
				s.Newest = map[string]usher.CreativeEntry{"spring-1": {Order: 1, Wanted: rtb.Inactive, Job: "older", ChangedOrder: c.by, Left: b.seen("spring-1")}}
			}
			b.Run(s).Want(t, "done")
			if got := b.seen("spring-1").Status; got != c.want {
				t.Errorf("it is %s", got)
			}
		})
	}
}

// If two jobs ask for the same status at once, only one of them has changed it.
func TestChangeIsClaimedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	s := intended(rtb.Active, "spring-1")
	s.Piece.Order = 2
	s.Newest = map[string]usher.CreativeEntry{"spring-1": {Order: 1, Wanted: rtb.Inactive, Job: "older", ChangedOrder: 1, Left: b.seen("spring-1")}}
	b.Run(s).Want(t, "done")
	if len(s.Audits) != 0 || s.Newest["spring-1"].Order != 2 {
		t.Errorf("audits %+v, entry %+v", s.Audits, s.Newest["spring-1"])
	}
}

// A worker that has lost its lease after a POST still reads back, because the
// other worker may have read back before the POST arrived. It restores every creative that a
// newer job has set.
func TestLastLookAfterLostLease(t *testing.T) {
	t.Parallel()
	for name, creatives := range map[string][]string{"one creative": {"spring-1"}, "all": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := pause(creatives...)
			s.Piece.Order = 1
			b.newerJob(s)
			b.Fault("*.set-status", "slow", map[string]any{"delayMs": 1000})
			defer b.onFault(func() { s.Cancel(usher.ErrLeaseLost) })()
			b.Run(s).Want(t, "done")
			if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Active {
				t.Errorf("statuses are %v", got)
			}
		})
	}
}

// A worker that has lost its lease during a POST looks a second time when the POST can no
// longer arrive, because it may arrive after the first look.
func TestLastLookAfterLatePost(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Campaign.Late = 5 * time.Second
	s := pause("spring-1")
	s.Piece.Order = 1
	b.newerJob(s)
	b.Fault("*.set-status", "late", nil)
	b.Fault("campaigns.unlock", "status", map[string]any{"status": 404}) // the newer job has the lock
	defer b.loseLease(s, b.arrive)()
	b.wantRestored(b.Run(s), "late")
}

// The same holds if the newer job comes after the first look, which found the creative still
// open.
func TestLastLookAfterLatePostAndNewerJob(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Campaign.Late = 5 * time.Second
	s := pause("spring-1")
	s.Piece.Order = 1
	b.Fault("*.set-status", "late", nil)
	b.Fault("campaigns.unlock", "status", map[string]any{"status": 404}) // the newer job has the lock
	defer b.loseLease(s, func() {
		s.Newest["spring-1"] = usher.CreativeEntry{Order: 2, Wanted: rtb.Active, Job: "newer"}
		b.arrive()
	})()
	b.wantRestored(b.Run(s), "late")
}

// A rule whose pause was undone remembers that it does not own the creative.
func TestOvertakenRuleForgetsCreative(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.byRule(usher.Pause, "spring-1")
	s.Piece.Order = 1
	b.newerJob(s)
	b.Run(s).Want(t, "done")
	if n := len(s.Remembered); n != 2 || s.Remembered[0].Restores != "" || s.Remembered[1].Restores != "newer" || s.Remembered[1].After != rtb.Active || s.Remembered[1].Rule != "" {
		t.Errorf("it remembers %+v", s.Remembered)
	}
	if got := b.seen("spring-1").Status; got != rtb.Active {
		t.Errorf("it is %s", got)
	}
}
