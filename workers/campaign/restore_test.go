package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/workertest"
)

// overtook is a pause of spring-1 that has been interrupted after its post,
// before which a newer job had said that it is to be active.
func (b *bench) overtook() *workertest.Lease {
	b.T.Helper()
	s := intended(rtb.Active, "spring-1")
	s.Piece.Order = 1
	s.Entries = map[string]usher.Word{"spring-1": {Order: 2, Wanted: rtb.Active, Job: "newer", Changed: 2, Left: b.seen("spring-1")}}
	s.Newer = map[string]bool{"spring-1": true}
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	return s
}

// whenHit does something once the first of the ordered faults has been made. What
// it returns waits for that to be over, or gives it up.
func (b *bench) whenHit(do func()) (end func()) {
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

// newerSpeaks has a newer job say that spring-1 is to be active, just before s
// posts.
func (b *bench) newerSpeaks(s *workertest.Lease) {
	b.Campaign.Stopped = func(context.Context) (string, bool, error) {
		if s.Piece.Progress.Intent != nil && s.Newer == nil {
			s.Newer = map[string]bool{"spring-1": true}
			s.Entries["spring-1"] = usher.Word{Order: 2, Wanted: rtb.Active, Job: "newer"}
		}
		return "", false, nil
	}
}

func (b *bench) seen(creative string) usher.Seen {
	b.T.Helper()
	for _, row := range b.Creatives("SANDBOX1-spring") {
		if row.CreativeCode == creative {
			return usher.Seen{Status: row.ApprovalStatus, LatestUpdate: row.LatestUpdate}
		}
	}
	b.T.Fatalf("there is no creative %s", creative)
	return usher.Seen{}
}

// wantPutBack holds spring-1 to the newer word, and the audit to both changes.
func (b *bench) wantPutBack(s *workertest.Lease, when string) {
	b.T.Helper()
	s.Want(b.T, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Active {
		b.T.Errorf("%s: statuses are %v", when, got)
	}
	once := map[string]bool{} // as message ids tell audits apart
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

// A change that came after a newer word is accounted for and put back.
func TestOvertakenWordIsPutBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.wantPutBack(b.Run(b.overtook()), "at once")
}

// Nothing is put back before the change that makes it necessary is on record:
// else nobody would ever account for that one.
func TestOvertakenAndNotAudited(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause("spring-1")
	s.Piece.Order = 1
	b.newerSpeaks(s)
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
	b.wantPutBack(b.Run(s), "once it is on record")
}

// So it is where the worker is killed before and after each step of that.
func TestOvertakenKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b := newBench(t, sandbox.Options{})
				s, d := b.overtook(), &workertest.Crash{At: n, After: after}
				b.RunAndCrash(s, d)
				for s.Ended == nil {
					s.Piece.Crashes++
					b.RunAndCrash(s, &workertest.Crash{})
				}
				b.wantPutBack(s, fmt.Sprintf("killed at step %d", n))
				if !d.Dead() {
					if n < 12 {
						t.Fatalf("the whole job takes %d steps only", n)
					}
					return
				}
			}
		})
	}
}

// A post that nobody heard of any more, and that arrives when a newer word has
// been said, is put back: the job looks once more before it ends.
func TestLatePostIsPutBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Fault("*.set-status", "late", map[string]any{"delayMs": 1000})
	b.Fault("campaigns.unlock", "status", map[string]any{"status": 404}) // the newer job has the lock
	b.Campaign.Late = 10 * time.Second
	s := pause("spring-1")
	s.Piece.Order = 1
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		ctx, lose := context.WithCancelCause(ctx)
		return ctx, b.whenHit(func() { lose(usher.ErrLockLost) }), nil
	}
	b.newerSpeaks(s)
	b.Run(s).Want(t, "retry")
	if s.Retried == nil || s.Retried.After < 9*time.Second {
		t.Fatalf("it comes again after %+v", s.Retried)
	}
	for b.seen("spring-1").Status != rtb.Inactive { // it arrives
		if t.Context().Err() != nil {
			t.Fatal("the post never arrived")
		}
	}
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) { return ctx, func() {}, nil }
	b.Worker.Now = func() time.Time { return time.Now().Add(10 * time.Second) }
	b.wantPutBack(b.Run(s), "late")
}

// A creative that was as wanted, and that an older job has changed since, is
// set again; one that somebody else has changed is theirs.
func TestOlderChangeUnderANewerWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		by   uint64 // who has claimed the change
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
				s.Entries = map[string]usher.Word{"spring-1": {Order: 1, Wanted: rtb.Inactive, Job: "older", Changed: c.by, Left: b.seen("spring-1")}}
			}
			b.Run(s).Want(t, "done")
			if got := b.seen("spring-1").Status; got != c.want {
				t.Errorf("it is %s", got)
			}
		})
	}
}

// Where two jobs wanted the same and asked at once, the change is one's only.
func TestChangeIsClaimedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	s := intended(rtb.Active, "spring-1")
	s.Piece.Order = 2
	s.Entries = map[string]usher.Word{"spring-1": {Order: 1, Wanted: rtb.Inactive, Job: "older", Changed: 1, Left: b.seen("spring-1")}}
	b.Run(s).Want(t, "done")
	if len(s.Audits) != 0 || s.Entries["spring-1"].Order != 2 {
		t.Errorf("audits %+v, word %+v", s.Audits, s.Entries["spring-1"])
	}
}

// A worker that lost its job to another one after it had posted still looks at
// what it did: the other one may have looked before.
func TestLookAfterALostLease(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := pause("spring-1")
	s.Piece.Order = 1
	b.newerSpeaks(s)
	b.Fault("*.set-status", "slow", map[string]any{"delayMs": 1000})
	defer b.whenHit(func() { s.Cancel(usher.ErrLeaseLost) })()
	b.Run(s).Want(t, "retry")
	if got := b.seen("spring-1").Status; got != rtb.Active {
		t.Errorf("it is %s", got)
	}
}

// A rule whose pause came after a newer word learns that the creative is not its
// own.
func TestRuleLearnsThatItWasOvertaken(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.ruled(usher.Pause, "spring-1")
	s.Piece.Order = 1
	b.newerSpeaks(s)
	b.Run(s).Want(t, "done")
	if n := len(s.Remembered); n != 2 || s.Remembered[0].Restores != "" || s.Remembered[1].Restores != "newer" || s.Remembered[1].After != rtb.Active || s.Remembered[1].Rule != "" {
		t.Errorf("it remembers %+v", s.Remembered)
	}
	if got := b.seen("spring-1").Status; got != rtb.Active {
		t.Errorf("it is %s", got)
	}
}
