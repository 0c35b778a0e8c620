package campaign_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/workers/campaign"
	"usher/workers/internal/workertest"
)

// killable is a job whose worker is killed, so that another one continues it.
type killable struct {
	name  string
	bench func(t *testing.T) *bench
	job   func(b *bench) *workertest.Lease
	want  func(b *bench, l *workertest.Lease, when string)
	steps int // at least
}

// killables returns jobs that enter together every state of their kind of change.
func killables() (status, number []killable) {
	status = []killable{
		{"a rule's pause", statusBench, func(b *bench) *workertest.Lease {
			b.SetStatus(spring, "spring-2", rtb.Inactive) // by hand
			return b.byRule(usher.Pause, "spring-1")
		}, (*bench).wantPaused, 12},
		{"a pause that a newer job has overtaken", statusBench, (*bench).overtaken, (*bench).wantRestored, 12},
		{"a pause that a newer job has superseded", statusBench, func(*bench) *workertest.Lease {
			l := pause()
			l.Piece.Superseded = "newer"
			return l
		}, (*bench).wantSuperseded, 1},
	}
	number = []killable{
		{"a lower budget", numberBench, func(*bench) *workertest.Lease { return lower() }, func(b *bench, l *workertest.Lease, when string) {
			b.wantLowered(l, when)
			if got := len(b.Calls(puts)) - b.earlier; got > 2 {
				b.T.Errorf("%s: the campaign was replaced %d times", when, got)
			}
		}, 15},
		{"a lower budget whose request is lost", numberBench, func(b *bench) *workertest.Lease {
			b.Fault(puts, "reset_before", nil)
			return lower()
		}, (*bench).wantLowered, 15},
		{"a lower budget that a person has changed", numberBench, func(b *bench) *workertest.Lease {
			b.set(usher.BudgetField, 90)
			b.before = b.definition()
			return lower()
		}, (*bench).wantLeft, 7},
	}
	return status, number
}

// killAndContinue runs a job whose worker is killed, and lets others continue it until it has
// ended.
func (b *bench) killAndContinue(l *workertest.Lease, crash *workertest.Crash) {
	b.T.Helper()
	b.RunAndCrash(l, crash)
	for l.Ended == nil {
		l.Piece.Crashes++
		if intent := l.Piece.Progress.Bidding; intent != nil && !intent.Sent.IsZero() {
			intent.Sent = intent.Sent.Add(-patience)
		}
		b.RunAndCrash(l, &workertest.Crash{})
	}
}

// A worker is killed before or after each step of a change, and another one continues: the
// change is made once, nothing else changes, and the audit and the rules' memory have it once.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	status, number := killables()
	for _, k := range slices.Concat(status, number) {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, after is %t", k.name, after), func(t *testing.T) {
				t.Parallel()
				for n, dead := 1, true; dead; n++ {
					b := k.bench(t)
					l, crash := k.job(b), &workertest.Crash{AtStep: n, After: after}
					b.killAndContinue(l, crash)
					k.want(b, l, fmt.Sprintf("killed at step %d", n))
					if dead = crash.Dead(); !dead && n < k.steps {
						t.Errorf("the whole job takes only %d steps", n)
					}
				}
			})
		}
	}
}

// The same holds if the worker is killed when it enters a state. Together, the jobs enter
// every state of their kind.
func TestKilledInEachState(t *testing.T) {
	t.Parallel()
	status, number := killables()
	_, ofStatus, ofNumber := campaign.States()
	for _, c := range []struct {
		name string
		jobs []killable
		want []string
	}{{"status", status, ofStatus}, {"number", number, ofNumber}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			entered := map[string]bool{}
			for _, k := range c.jobs {
				for n, dead := 1, true; dead; n++ {
					b := k.bench(t)
					l, crash := k.job(b), &workertest.Crash{AtState: n}
					b.killAndContinue(l, crash)
					states := crash.States()
					k.want(b, l, fmt.Sprintf("%s, killed when %s", k.name, states[len(states)-1]))
					if dead = crash.Dead(); dead {
						entered[states[n-1]] = true
					}
				}
			}
			if got := slices.Sorted(maps.Keys(entered)); !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
				t.Errorf("killed only when %v", got)
			}
		})
	}
}

// wantSuperseded fails unless the pause has changed nothing.
func (b *bench) wantSuperseded(l *workertest.Lease, when string) {
	b.T.Helper()
	l.Want(b.T, "done")
	if n := len(b.Calls(posts)); n > 0 || !l.HasWarning("superseded") {
		b.T.Errorf("%s: it posted %d times, and its warnings are %+v", when, n, l.Piece.Progress.Warnings)
	}
}

// wantPaused fails unless the pause has changed spring-1 and nothing else.
func (b *bench) wantPaused(s *workertest.Lease, when string) {
	b.T.Helper()
	s.Want(b.T, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Inactive {
		b.T.Errorf("%s: statuses are %v", when, got)
	}
	for what, all := range map[string][]usher.Audit{"the audit": s.Audits, "memory": s.Remembered} {
		// Entries with the same message ID, or of the same job, count once.
		once := map[string]bool{}
		for _, a := range all {
			a.At = a.AsOf
			once[fmt.Sprintf("%+v", a)] = true
		}
		if len(once) != 1 || all[0].Before != rtb.Active || all[0].After != rtb.Inactive || all[0].Creative != "spring-1" {
			b.T.Errorf("%s: %s has %+v", when, what, all)
		}
	}
	if posted := b.Calls("creatives.set-status"); len(posted) > 3 { // one by hand, one of the job, and its repetition
		b.T.Errorf("%s: it was posted %d times", when, len(posted))
	}
}
