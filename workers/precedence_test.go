package workers_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"usher"
	"usher/internal/sandbox"
	"usher/workers"
	"usher/workers/internal/workertest"
)

// pauseOf returns how long an upload pauses now.
func pauseOf(p *workers.Precedence) time.Duration {
	began := time.Now()
	p.Yield()
	return time.Since(began)
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	after := func(d time.Duration, do func()) { time.AfterFunc(d, do) }
	for name, c := range map[string]struct {
		before func(p *workers.Precedence)
		want   time.Duration
	}{
		"no job runs":           {func(*workers.Precedence) {}, 0},
		"until the job ends":    {func(p *workers.Precedence) { after(7*ms, p.Begin()) }, 7 * ms},
		"until the last of two": {func(p *workers.Precedence) { after(9*ms, p.Begin()); after(7*ms, p.Begin()) }, 9 * ms},
		"at most 50 ms of many jobs": {func(p *workers.Precedence) {
			for i := range 100 {
				after(time.Duration(i)*ms, func() { after(7*ms, p.Begin()) })
			}
			time.Sleep(ms)
		}, 49 * ms},
		"at most 50 ms":         {func(p *workers.Precedence) { after(time.Hour, p.Begin()) }, 50 * ms},
		"once for the same job": {func(p *workers.Precedence) { after(time.Hour, p.Begin()); time.Sleep(time.Minute) }, 0},
		"not at once for the next job": {func(p *workers.Precedence) {
			end := p.Begin()
			time.Sleep(8 * ms)
			end()
			time.Sleep(1 * ms)
			after(7*ms, p.Begin())
		}, 0},
		"for the next job after a moment": {func(p *workers.Precedence) {
			end := p.Begin()
			time.Sleep(8 * ms)
			end()
			time.Sleep(1 * ms)
			after(7*ms, p.Begin())
			time.Sleep(2 * ms)
		}, 5 * ms},
		"for a job after a quarter": {func(p *workers.Precedence) {
			end := p.Begin()
			time.Sleep(8 * ms)
			end()
			time.Sleep(2 * ms)
			after(7*ms, p.Begin())
		}, 7 * ms},
		"for a job beside an old one": {func(p *workers.Precedence) {
			after(time.Hour, p.Begin())
			time.Sleep(time.Minute)
			after(7*ms, p.Begin())
		}, 7 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var p workers.Precedence
				c.before(&p)
				if got := pauseOf(&p); got != c.want {
					t.Errorf("an upload pauses for %v, not %v", got, c.want)
				}
			})
		})
	}
}

// An upload sends nothing while it pauses.
func TestUploadYields(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	began := time.Now()
	end := workers.BeginUrgent(b.Worker)
	b.Run(uploadJob(usher.SegmentAdd, b.Export(1, 250))).Want(t, "done")
	end()
	type entry struct {
		At time.Time
		Op string
	}
	var entries []entry
	b.Control(http.MethodGet, "journal", nil, &entries)
	first := slices.IndexFunc(entries, func(e entry) bool { return e.Op == "segments.upload" })
	if after := entries[first].At.Sub(began); after < 49*time.Millisecond {
		t.Errorf("the first batch was sent after %v", after)
	}
}

func TestCampaignJobPausesUploads(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	workers.HoldFor(b.Worker, time.Hour)
	during := false
	b.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		during = workers.UploadsPause(b.Worker)
		return ctx, func() {}, nil
	}
	b.Run(&workertest.Lease{Piece: usher.Work{ID: "j", Kind: usher.CampaignPause, Job: usher.Job{Campaign: "SANDBOX1-spring"}}}).Want(t, "done")
	if after := workers.UploadsPause(b.Worker); !during || after {
		t.Errorf("uploads paused while the job ran: %t, and after it: %t", during, after)
	}
}
