package campaign_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// These tests check the second table of the package comment: the states of a delivery, in
// order.

func TestStatesOfStatus(t *testing.T) {
	t.Parallel()
	const whole = "loading admitting lockingRedis lockingPlatform reading intending sending readingBack recording unlocking"
	for _, c := range []struct {
		name    string
		job     func(b *bench) *workertest.Lease
		outcome string
		states  string
	}{
		{"a pause", func(*bench) *workertest.Lease { return pause() }, "done", whole},
		{"nothing to change", func(b *bench) *workertest.Lease {
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			return pause("spring-1")
		}, "done", whole},
		{"a decision that does not exist", func(b *bench) *workertest.Lease {
			l := b.byRule(usher.Pause)
			l.Decisions = nil
			return l
		}, "failed invalid_job", "loading unlocking"},
		{"a newer job has set the campaign", func(*bench) *workertest.Lease {
			l := pause()
			l.Piece.Superseded = "newer"
			return l
		}, "done", "loading dropping unlocking"},
		{"the stop switch is on", func(b *bench) *workertest.Lease {
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
			return pause()
		}, "done", "loading admitting dropping unlocking"},
		{"the Redis lock is held", func(b *bench) *workertest.Lease {
			b.Campaign.Lock = func(context.Context, string) (context.Context, func(), error) {
				return nil, nil, &usher.RetryAfter{Why: "lock held"}
			}
			return pause()
		}, "retry", "loading admitting lockingRedis unlocking"},
		{"the platform's lock is held", func(b *bench) *workertest.Lease {
			if err := b.person().Campaigns.Lock(b.T.Context(), "SANDBOX1-spring"); err != nil {
				b.T.Fatal(err)
			}
			return pause()
		}, "retry", "loading admitting lockingRedis lockingPlatform unlocking"},
		{"an unknown creative", func(*bench) *workertest.Lease { return pause("nobody") },
			"failed not_found", "loading admitting lockingRedis lockingPlatform reading unlocking"},
		{"the stop switch before the POST", func(b *bench) *workertest.Lease {
			reads := 0
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { reads++; return "audit", reads > 1, nil }
			return pause()
		}, "done", whole},
		{"the response is lost", func(b *bench) *workertest.Lease {
			b.Fault("campaigns.set-status", "reset_before", nil)
			return pause()
		}, "retry, counted", whole},
		{"redelivered with its change made", func(b *bench) *workertest.Lease {
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			return intended(rtb.Active, "spring-1")
		}, "done", "loading readingBack recording unlocking"},
		{"redelivered with its change open", func(*bench) *workertest.Lease { return intended(rtb.Active, "spring-1") },
			"done", "loading readingBack admitting lockingRedis lockingPlatform readingBack sending readingBack recording unlocking"},
		{"redelivered and overtaken", func(b *bench) *workertest.Lease { return b.overtaken() },
			"done", "loading readingBack recording admitting lockingRedis lockingPlatform" +
				" readingBack recording restoring readingBack recording unlocking"},
		{"overtaken", func(b *bench) *workertest.Lease {
			l := pause("spring-1")
			l.Piece.Order = 1
			b.newerJob(l)
			return l
		}, "done", strings.TrimSuffix(whole, "unlocking") + "restoring readingBack recording unlocking"},
		{"another job claims a change after the reading", func(b *bench) *workertest.Lease {
			l := pause("spring-1")
			l.Piece.Order = 2
			b.Worker.Logger = workertest.ObserveStates(b.Worker.Logger, func(state string) {
				if state == "recording" && l.Newest["spring-1"].Order == 0 {
					l.Newest["spring-1"] = usher.CreativeEntry{Order: 1, Wanted: rtb.Active, Job: "older", ChangedOrder: 1, Left: usher.CreativeState{Status: rtb.Active}}
				}
			})
			return l
		}, "done", strings.TrimSuffix(whole, "unlocking") + "readingBack recording unlocking"},
		{"cancelled between two POSTs", func(b *bench) *workertest.Lease {
			l := pause("winter-1", "winter-2")
			l.Piece.Job.Campaign = "SANDBOX1-winter"
			reads := 0
			b.Campaign.Stopped = func(context.Context) (string, bool, error) {
				if reads++; reads == 3 {
					l.Cancel(usher.ErrCancelled)
				}
				return "", false, nil
			}
			return l
		}, "cancelled", strings.TrimSuffix(whole, "recording unlocking") + "unlocking readingBack recording unlocking"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.wantStates(c.job(b), c.outcome, c.states)
		})
	}
}

func TestStatesOfNumber(t *testing.T) {
	t.Parallel()
	const (
		begin       = "loading admitting lockingRedis lockingPlatform reading "
		redelivered = "loading admitting lockingRedis lockingPlatform readingBack "
		whole       = begin + "claiming intending sending readingBack recording unlocking"
	)
	for _, c := range []struct {
		name    string
		job     func(b *bench) *workertest.Lease
		outcome string
		warning usher.WarningCode
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
			b.Campaign.Actions = []usher.BiddingField{usher.BidField}
			return lower()
		}, "done", "disabled", "loading dropping unlocking", 100},
		{"the rule file was changed", func(b *bench) *workertest.Lease {
			b.Campaign.RuleVersion = func(string) (string, bool) { return "2", true }
			l := lower()
			l.Version = "1"
			return l
		}, "done", "rule_changed", "loading dropping unlocking", 100},
		{"the switch was thrown and released", func(b *bench) *workertest.Lease {
			b.Campaign.Released = func(context.Context) (time.Time, error) { return time.Now(), nil }
			l := lower()
			l.DecidedAt = time.Now().Add(-time.Hour)
			return l
		}, "done", "stopped", "loading dropping unlocking", 100},
		{"the stop switch is on", func(b *bench) *workertest.Lease {
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
			return lower()
		}, "done", "stopped", "loading admitting dropping unlocking", 100},
		{"the stop switch cannot be read", func(b *bench) *workertest.Lease {
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "", false, errors.New("NATS is away") }
			return lower()
		}, "retry", "", "loading admitting unlocking", 100},
		{"the stop switch before the PUT", func(b *bench) *workertest.Lease {
			read := 0
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { read++; return "audit", read > 1, nil }
			return lower()
		}, "done", "stopped", begin + "claiming intending sending dropping unlocking", 100},
		{"redelivered with its change made", func(b *bench) *workertest.Lease {
			l := lower()
			l.Piece.Progress.Bidding = b.intended(l)
			b.set(usher.BudgetField, 80)
			return l
		}, "done", "", redelivered + "recording unlocking", 80},
		{"redelivered with its change open", func(b *bench) *workertest.Lease {
			l := lower()
			l.Piece.Progress.Bidding = b.intended(l)
			return l
		}, "done", "", redelivered + "claiming intending sending readingBack recording unlocking", 80},
		{"redelivered while its change may arrive", func(b *bench) *workertest.Lease {
			l := lower()
			l.Piece.Progress.Bidding = b.intended(l)
			l.Piece.Progress.Bidding.Sent = time.Now()
			return l
		}, "retry", "", redelivered + "unlocking", 100},
		{"redelivered with the stop switch on", func(b *bench) *workertest.Lease {
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
			l := lower()
			l.Piece.Progress.Bidding = b.intended(l)
			return l
		}, "done", "stopped", redelivered + "dropping unlocking", 100},
		{"another login has the lock", func(b *bench) *workertest.Lease {
			if err := b.person().Campaigns.Lock(b.T.Context(), spring); err != nil {
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
		}, "failed refused", "", begin + "claiming intending sending unlocking", 100},
		{"the platform answers 429", func(b *bench) *workertest.Lease {
			b.Fault(puts, "status", map[string]any{"status": 429})
			return lower()
		}, "retry", "", begin + "claiming intending sending unlocking", 100},
		{"the response is lost after the change", func(b *bench) *workertest.Lease { b.Fault(puts, "reset_after", nil); return lower() },
			"done", "", whole, 80},
		{"the request is lost", func(b *bench) *workertest.Lease { b.Fault(puts, "reset_before", nil); return lower() },
			"retry, counted", "", begin + "claiming intending sending readingBack settling readingBack unlocking", 100},
		{"the platform fails", func(b *bench) *workertest.Lease {
			b.Fault(puts, "status", map[string]any{"status": 500})
			return lower()
		},
			"retry, counted", "", begin + "claiming intending sending readingBack unlocking", 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := numberBench(t)
			l := c.job(b)
			b.wantStates(l, c.outcome, c.states)
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

// intended returns the intent of a job whose worker crashed long ago, after it had saved it.
func (b *bench) intended(l *workertest.Lease) *usher.BiddingIntent {
	return &usher.BiddingIntent{Change: *l.Decisions[0].Bidding, Rule: l.Decisions[0].Rule, Before: []byte(b.before), Sent: time.Now().Add(-patience)}
}

// wantStates runs a job and fails the test unless it enters these states.
func (b *bench) wantStates(l *workertest.Lease, outcome, want string) {
	b.T.Helper()
	var states []string
	b.Worker.Logger = workertest.ObserveStates(b.Worker.Logger, func(state string) { states = append(states, state) })
	b.Run(l).Want(b.T, outcome)
	if got := strings.Join(states, " "); got != want {
		b.T.Errorf("the states are\n%s\nnot\n%s", got, want)
	}
}
