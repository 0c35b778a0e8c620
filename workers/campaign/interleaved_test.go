package campaign_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// interleaved is a job that stops before each of its shared steps until the test
// lets it continue.
type interleaved struct {
	*workertest.Lease
	at, resume chan struct{}
	ended      chan struct{}
	killedBy   string // the step after which its first worker was killed
}

// shared reports whether a step reads or writes state that two jobs share: the entry
// and the status of the creative. Every other step has the same result and effect,
// whether it runs before or after a step of the other job. Schedules that differ only in
// the order of such steps are therefore equivalent, and one of them is enough. The
// platform's lock is not shared state here: both jobs have the same login, and the lock
// is never released.
func shared(step string) bool {
	switch step {
	case "Stopped", "Lock", "Save", "ClaimCampaign", "Audit", "End":
		return false
	}
	return !strings.HasSuffix(step, "/lock")
}

// reads reports whether a step changes nothing. A kill after such a step is equivalent
// to a kill after the step before it, because the result is lost.
func reads(step string) bool {
	return step == "Stopped" || step == "Lock" || step == "Entries" || strings.HasPrefix(step, http.MethodGet)
}

// interleave begins a job, which runs without locks and stops before its first shared
// step. If killedAfter is not 0, the job's first worker does not stop, but is killed after
// that many steps. The job is run again until it has ended.
func (b *bench) interleave(l *workertest.Lease, killedAfter int) *interleaved {
	j := &interleaved{Lease: l, at: make(chan struct{}), resume: make(chan struct{}), ended: make(chan struct{})}
	test := b.T.Context()
	stop := func(step string) {
		if !shared(step) {
			return
		}
		for _, c := range []chan struct{}{j.at, j.resume} {
			select {
			case c <- struct{}{}:
			case <-test.Done():
			}
		}
	}
	go func() {
		defer close(j.ended)
		if killedAfter > 0 {
			crash := &workertest.Crash{AtStep: killedAfter, After: true}
			crash.Before = func(step string) {
				if !crash.Dead() {
					j.killedBy = step
				}
			}
			b.RunAndCrash(l, crash)
		}
		for l.Ended == nil && test.Err() == nil {
			b.RunAndCrash(l, &workertest.Crash{Before: stop})
		}
	}()
	b.T.Cleanup(func() { <-j.ended })
	select {
	case <-j.at:
	case <-j.ended:
	}
	return j
}

// advance lets the job make n shared steps, and continue until the next one. It reports
// whether the job is still running.
func (j *interleaved) advance(n int) bool {
	for range n {
		select {
		case <-j.resume:
		case <-j.ended:
			return false
		}
		select {
		case <-j.at:
		case <-j.ended:
			return false
		}
	}
	return true
}

// finish lets the job run until it has ended.
func (j *interleaved) finish() {
	for j.advance(1) {
	}
}

// Two jobs set a creative without locks. Each is interrupted by the other once,
// between any two of its shared steps, or killed after any step that has an effect.
// The newer job wins before both have ended, and the audit has no change that the
// platform did not make.
func TestInterleavedJobs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	for name, c := range map[string]duel{
		"pause, newer resume":                 {first: usher.CampaignPause, second: usher.CampaignResume, wins: rtb.Active},
		"pause, paused by hand, newer resume": {first: usher.CampaignPause, second: usher.CampaignResume, wins: rtb.Active, byHand: true},
		"pause that is killed, newer resume":  {first: usher.CampaignPause, second: usher.CampaignResume, wins: rtb.Active, killed: true},
		"pause, older resume":                 {first: usher.CampaignPause, second: usher.CampaignResume, wins: rtb.Inactive, reversed: true},
		"pause that is killed, older resume":  {first: usher.CampaignPause, second: usher.CampaignResume, wins: rtb.Inactive, reversed: true, killed: true},
		"resume, newer pause":                 {first: usher.CampaignResume, second: usher.CampaignPause, wins: rtb.Inactive},
		"resume, older pause":                 {first: usher.CampaignResume, second: usher.CampaignPause, wins: rtb.Active, reversed: true},
		"resume that is killed, older pause":  {first: usher.CampaignResume, second: usher.CampaignPause, wins: rtb.Active, reversed: true, killed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, firstEnded := 0, false; !firstEnded; i++ {
				t.Run(fmt.Sprintf("after %d steps", i), func(t *testing.T) {
					for j, secondEnded := 1, false; !firstEnded && !secondEnded; j++ {
						firstEnded, secondEnded = c.run(t, i, j)
					}
				})
			}
		})
	}
}

// duel is two jobs that act on a creative that is ACTIVE.
type duel struct {
	first, second usher.Kind
	reversed      bool // the first job is the newer one
	byHand        bool // the creative is set to INACTIVE by hand before the second job begins
	killed        bool // the first job's worker is killed when the second job begins
	wins          string
}

// run interrupts the first job after i shared steps, or kills its worker after i+1
// steps, and interrupts the second job after j shared steps. It reports which of them
// had ended before.
func (d *duel) run(t *testing.T, i, j int) (firstEnded, secondEnded bool) {
	t.Helper()
	b := newBench(t, sandbox.Options{})
	// Otherwise the platform's lock would refuse POSTs.
	b.Fault("campaigns.unlock", "status", map[string]any{"status": 404, "times": 10_000})
	shared := map[string]usher.CreativeEntry{}
	begin := func(kind usher.Kind, newer bool, killedAfter int) *interleaved {
		l := pause("spring-1")
		l.Piece.ID, l.Piece.Kind, l.Piece.Order, l.Newest = string(kind), kind, 1, shared
		if newer {
			l.Piece.Order = 2
		}
		return b.interleave(l, killedAfter)
	}
	var one *interleaved
	if d.killed {
		b.Campaign.Late = time.Second // every POST has arrived when the worker is killed
		one = begin(d.first, d.reversed, i+1)
		if reads(one.killedBy) { // equivalent to a kill after the step before, or to a job that has not begun
			one.finish()
			return false, true
		}
		firstEnded = one.Ended != nil
	} else {
		one = begin(d.first, d.reversed, 0)
		firstEnded = !one.advance(i)
	}
	if d.byHand {
		client := b.Worker.Platform("", true)
		if err := client.Campaigns.Lock(t.Context(), "SANDBOX1-spring"); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Creatives.SetStatus(t.Context(), "spring-1", rtb.Inactive); err != nil {
			t.Fatal(err)
		}
	}
	two := begin(d.second, !d.reversed, 0)
	secondEnded = !two.advance(j)
	if !firstEnded {
		one.finish()
	}
	if !secondEnded {
		two.finish()
	}
	if got := b.seen("spring-1").Status; got != d.wins {
		t.Errorf("after %d steps of the second job it is %s", j, got)
	}
	claimed := map[string]bool{} // by message id
	for _, a := range slices.Concat(one.Audits, two.Audits) {
		if a.Before != a.After {
			claimed[fmt.Sprintf("%s %s %s", a.Job, a.After, a.Restores)] = true
		}
	}
	changes := (&history{Queue: &workertest.Queue{Bench: b.Bench}}).countChanges("spring-1")
	if len(claimed) > changes {
		t.Errorf("after %d steps of the second job the platform made %d changes, the audit has %v", j, changes, claimed)
	}
	return firstEnded, secondEnded
}
