package campaign_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers/internal/workertest"
)

// patience is longer than a change that was sent may take to arrive.
const patience = time.Minute

// A job that lost the response to its PUT, or was refused for a while, makes the change in
// its next delivery, and once.
func TestRetriedChange(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"reset_before", "reset_after", "broken_json", "hang"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := numberBench(t)
			if kind == "hang" {
				b.Campaign.Lock = expiring
			}
			b.Fault(puts, kind, nil)
			l := lower()
			b.Run(l)
			for l.Ended == nil {
				l.Piece.Progress.Bidding.Sent = l.Piece.Progress.Bidding.Sent.Add(-patience)
				b.Campaign.Lock = workertest.FreeLock
				b.Run(l)
			}
			b.wantLowered(l, kind)
		})
	}
}

// expiring is a lock that is lost after a second.
func expiring(ctx context.Context, _ string) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Second, usher.ErrLockLost)
	return ctx, cancel, nil
}

// A change between the reading and the PUT, by whatever means, is not overwritten: the job
// begins again.
func TestChangedBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*bench){
		"the budget": func(b *bench) { b.set(usher.BudgetField, 95) },
		"the bid":    func(b *bench) { b.set(usher.BidField, 3) },
		"a creative": func(b *bench) { b.SetStatus(spring, "spring-1", rtb.Inactive) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := numberBench(t)
			l := lower()
			l.OnSave = func(usher.Progress) error { // of the intent, after the reading
				l.OnSave = nil
				change(b) // with usher's login, which the platform's lock does not keep away
				return nil
			}
			b.Run(l).Want(t, "retry")
			b.wantPuts(0)
			b.before = b.definition()
			if l.Retried == nil || !strings.Contains(l.Retried.Why, "between reading and writing") || l.Piece.Progress.Bidding != nil {
				t.Errorf("it was retried as %+v with %+v", l.Retried, l.Piece.Progress.Bidding)
			}
			b.Run(l).Want(t, "done")
			if name == "the budget" {
				b.wantLeft(l, name)
				return
			}
			b.wantLowered(l, name)
		})
	}
}

// A job that is cancelled at its PUT reads back once more, and records what it has changed.
func TestCancelledAtWrite(t *testing.T) {
	t.Parallel()
	b := numberBench(t)
	l := lower()
	b.Campaign.Gate = func() error { // immediately before the PUT
		l.Cancel(usher.ErrCancelled)
		return nil
	}
	b.Run(l)
	if got := b.definition().Number(usher.BudgetField); got == 80 != (len(l.Audits) == 1) || got == 80 != (len(l.Remembered) == 1) {
		t.Errorf("the budget is %v, and the audit has %+v", got, l.Audits)
	}
}

// wantLeft fails unless the job has found the number changed, and left everything as it was.
func (b *bench) wantLeft(l *workertest.Lease, when string) {
	b.T.Helper()
	l.Want(b.T, "done")
	b.wantUnchanged()
	if !l.HasWarning("changed_meanwhile") || len(l.Changes) > 0 {
		b.T.Errorf("%s: warnings are %+v, and memory has %+v", when, l.Piece.Progress.Warnings, l.Changes)
	}
}
