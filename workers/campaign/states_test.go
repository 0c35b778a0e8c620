package campaign_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// TestStates checks the second table of the package comment: the states of a
// delivery, in order.
func TestStates(t *testing.T) {
	t.Parallel()
	const whole = "loading admitting lockingRedis lockingPlatform intending posting readingBack recording unlocking"
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
		}, "done", "loading unlocking"},
		{"the stop switch is on", func(b *bench) *workertest.Lease {
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", true, nil }
			return pause()
		}, "done", "loading admitting unlocking"},
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
			"failed not_found", "loading admitting lockingRedis lockingPlatform intending unlocking"},
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
			"done", "loading readingBack admitting lockingRedis lockingPlatform readingBack posting readingBack recording unlocking"},
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
			l := c.job(b)
			var states []string
			b.Worker.Logger = workertest.ObserveStates(b.Worker.Logger, func(state string) { states = append(states, state) })
			b.Run(l).Want(t, c.outcome)
			if got := strings.Join(states, " "); got != c.states {
				t.Errorf("the states are\n%s, not\n%s", got, c.states)
			}
		})
	}
}

// A worker is killed when it enters each of its states. The redelivery ends in
// the same statuses and audits as an undisturbed run. Together, the jobs enter
// every state.
func TestKilledInEachState(t *testing.T) {
	t.Parallel()
	entered := map[string]bool{}
	for _, c := range []struct {
		job  func(b *bench) *workertest.Lease
		want func(b *bench, l *workertest.Lease, when string)
	}{
		{func(b *bench) *workertest.Lease {
			b.SetStatus("SANDBOX1-spring", "spring-2", rtb.Inactive) // by hand
			return b.byRule(usher.Pause, "spring-1")
		}, (*bench).wantPaused},
		{(*bench).overtaken, (*bench).wantRestored},
	} {
		for n := 1; ; n++ {
			b := newBench(t, sandbox.Options{})
			l, crash := c.job(b), &workertest.Crash{AtState: n}
			b.RunAndCrash(l, crash)
			for l.Ended == nil {
				l.Piece.Crashes++
				b.RunAndCrash(l, &workertest.Crash{})
			}
			states := crash.States()
			c.want(b, l, fmt.Sprintf("killed when %s", states[len(states)-1]))
			if !crash.Dead() {
				break
			}
			entered[states[n-1]] = true
		}
	}
	if len(entered) != 10 {
		t.Errorf("killed only when %v", slices.Sorted(maps.Keys(entered)))
	}
}
