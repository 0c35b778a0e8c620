package bidding_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers/internal/workertest"
)

// patience is longer than a change that was sent may take to arrive.
const patience = time.Minute

// TestStates checks the second table of the package comment: the states of a
// delivery, in order.
func TestStates(t *testing.T) {
	t.Parallel()
	const (
		begin = "loading admitting lockingRedis lockingPlatform reading "
		whole = begin + "claiming intending writing readingBack recording unlocking"
	)
	for _, c := range []struct {
		name    string
		job     func(b *bench) *workertest.Lease
		outcome string
		warning string
		states  string
		budget  float64
	}{
		{"a change", func(*bench) *workertest.Lease { return lower() }, "done", "", whole, 80},
		{"no such decision", func(*bench) *workertest.Lease { l := lower(); l.Decisions = nil; return l }, "failed invalid_job", "", "loading unlocking", 100},
		{"held and not approved", func(*bench) *workertest.Lease {
			l := lower()
			l.Decisions[0].Action, l.Decisions[0].Wants, l.Decisions[0].Guard = usher.Held, usher.Decrease, usher.GuardCap
			return l
		}, "failed invalid_job", "", "loading unlocking", 100},
		{"held and approved", func(*bench) *workertest.Lease {
			l := lower()
			l.Decisions[0].Action, l.Decisions[0].Wants, l.Decisions[0].Guard, l.Approved = usher.Held, usher.Decrease, usher.GuardCap, true
			return l
		}, "done", "", whole, 80},
		{"the action is off", func(b *bench) *workertest.Lease {
			b.Bidding.Enabled = func(f usher.BiddingField) bool { return f == usher.BidField }
			return lower()
		}, "done", "disabled", "loading dropping unlocking", 100},
		{"the rule file was changed", func(b *bench) *workertest.Lease {
			b.Bidding.RuleVersion = func(string) (string, bool) { return "2", true }
			l := lower()
			l.Version = "1"
			return l
		}, "done", "rule_changed", "loading dropping unlocking", 100},
		{"the switch was thrown and released", func(b *bench) *workertest.Lease {
			b.Bidding.Started = func(context.Context) (time.Time, error) { return time.Now(), nil }
			l := lower()
			l.DecidedAt = time.Now().Add(-time.Hour)
			return l
		}, "done", "stopped", "loading dropping unlocking", 100},
		{"the stop switch is on", func(b *bench) *workertest.Lease {
			b.Bidding.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
			return lower()
		}, "done", "stopped", "loading admitting dropping unlocking", 100},
		{"the stop switch cannot be read", func(b *bench) *workertest.Lease {
			b.Bidding.Stopped = func(context.Context) (string, bool, error) { return "", false, errors.New("NATS is away") }
			return lower()
		}, "retry", "", "loading admitting unlocking", 100},
		{"the stop switch before the PUT", func(b *bench) *workertest.Lease {
			read := 0
			b.Bidding.Stopped = func(context.Context) (string, bool, error) { read++; return "audit", read > 1, nil }
			return lower()
		}, "done", "stopped", begin + "claiming intending writing dropping unlocking", 100},
		{"another login has the lock", func(b *bench) *workertest.Lease {
			if err := b.person().Campaigns.Lock(b.T.Context(), campaign); err != nil {
				b.T.Fatal(err)
			}
			return lower()
		}, "retry", "", "loading admitting lockingRedis lockingPlatform unlocking", 100},
		{"a person has changed the budget", func(b *bench) *workertest.Lease { b.set(usher.BudgetField, 90); return lower() },
			"done", "changed_meanwhile", begin + "dropping unlocking", 90},
		{"another job has changed it since the decision", func(*bench) *workertest.Lease {
			l := lower()
			l.Changes = []usher.Change{{Job: "other"}}
			return l
		}, "done", "changed_meanwhile", begin + "claiming unlocking", 100},
		{"the decision knows the last change", func(*bench) *workertest.Lease {
			l := lower()
			l.Changes, l.Decisions[0].LastJob = []usher.Change{{Job: "other"}}, "other"
			return l
		}, "done", "", whole, 80},
		{"the platform refuses it", func(b *bench) *workertest.Lease {
			b.Fault(puts, "status", map[string]any{"status": 400})
			return lower()
		}, "failed refused", "", begin + "claiming intending writing unlocking", 100},
		{"the platform answers 429", func(b *bench) *workertest.Lease {
			b.Fault(puts, "status", map[string]any{"status": 429})
			return lower()
		}, "retry", "", begin + "claiming intending writing unlocking", 100},
		{"the response is lost after the change", func(b *bench) *workertest.Lease { b.Fault(puts, "reset_after", nil); return lower() },
			"done", "", whole, 80},
		{"the request is lost", func(b *bench) *workertest.Lease { b.Fault(puts, "reset_before", nil); return lower() },
			"retry, counted", "", begin + "claiming intending writing readingBack settling readingBack unlocking", 100},
		{"the platform fails", func(b *bench) *workertest.Lease {
			b.Fault(puts, "status", map[string]any{"status": 500})
			return lower()
		},
			"retry, counted", "", begin + "claiming intending writing readingBack unlocking", 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			l := c.job(b)
			var states []string
			b.Worker.Logger = workertest.ObserveStates(b.Worker.Logger, func(s string) { states = append(states, s) })
			b.Run(l).Want(t, c.outcome)
			if got := strings.Join(states, " "); got != c.states {
				t.Errorf("the states are\n%s\nnot\n%s", got, c.states)
			}
			if c.warning != "" && !l.HasWarning(c.warning) || c.warning == "" && len(l.Piece.Progress.Warnings) > 0 {
				t.Errorf("warnings are %+v", l.Piece.Progress.Warnings)
			}
			now := b.definition()
			if got, others := now.Number(usher.BudgetField), b.before.Differences(now, usher.BudgetField); got != c.budget || len(others) > 0 {
				t.Errorf("the budget is %v, and %v differ", got, others)
			}
			if claimed := slices.ContainsFunc(l.Changes, func(c usher.Change) bool { return c.Claimed }); claimed && l.Ended != nil && c.budget != 80 {
				t.Errorf("the claim is left: %+v", l.Changes)
			}
			if left := slices.Contains(b.Calls(locks), locks) && len(b.Calls(locks)) > len(b.Calls(unlock)); left && c.name != "another login has the lock" {
				t.Error("the campaign is locked")
			}
		})
	}
}

// A job that lost the response to its PUT, or was refused for a while, makes the change in
// its next delivery, and once.
func TestRetriedChange(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"reset_before", "reset_after", "broken_json", "hang"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if kind == "hang" {
				b.Bidding.Lock = expiring
			}
			b.Fault(puts, kind, nil)
			l := lower()
			b.Run(l)
			for l.Ended == nil {
				l.Piece.Progress.Bidding.Sent = l.Piece.Progress.Bidding.Sent.Add(-patience)
				b.Bidding.Lock = workertest.FreeLock
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
		"a creative": func(b *bench) { b.SetStatus(campaign, "spring-1", rtb.Inactive) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
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
				b.wantUnchanged()
				if !l.HasWarning("changed_meanwhile") || len(l.Changes) > 0 {
					t.Errorf("warnings are %+v, and memory has %+v", l.Piece.Progress.Warnings, l.Changes)
				}
				return
			}
			b.wantLowered(l, name)
		})
	}
}

// The platform's lock keeps another login from changing anything between the reading and
// the PUT.
func TestAnotherLoginBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	person := b.person()
	l := lower()
	l.OnSave = func(usher.Progress) error {
		if err := person.Campaigns.Lock(t.Context(), campaign); err == nil {
			t.Error("another login got the lock")
		}
		if _, err := person.ReplaceCampaign(t.Context(), campaign, b.before); err == nil {
			t.Error("another login changed the campaign under our lock")
		}
		return nil
	}
	b.Run(l)
	b.wantLowered(l, "beside another login")
}

// A job that is cancelled at its PUT reads back once more, and records what it has changed.
func TestCancelledAtWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	l := lower()
	b.Bidding.Gate = func() error { // immediately before the PUT
		l.Cancel(usher.ErrCancelled)
		return nil
	}
	b.Run(l)
	if got := b.definition().Number(usher.BudgetField); got == 80 != (len(l.Audits) == 1) || got == 80 != (len(l.Remembered) == 1) {
		t.Errorf("the budget is %v, and the audit has %+v", got, l.Audits)
	}
}
