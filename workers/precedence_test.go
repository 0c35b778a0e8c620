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
)

// held is for how long a yield of an upload lasts now.
func held(p *workers.Precedence) time.Duration {
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
		"nothing goes first":    {func(*workers.Precedence) {}, 0},
		"until the job ends":    {func(p *workers.Precedence) { after(7*ms, p.Begin()) }, 7 * ms},
		"until the last of two": {func(p *workers.Precedence) { after(9*ms, p.Begin()); after(7*ms, p.Begin()) }, 9 * ms},
		"not for ever, if many come": {func(p *workers.Precedence) {
			for i := range 100 {
				after(time.Duration(i)*ms, func() { after(7*ms, p.Begin()) })
			}
			time.Sleep(ms)
		}, 49 * ms},
		"not for ever":              {func(p *workers.Precedence) { after(time.Hour, p.Begin()) }, 50 * ms},
		"nor again by the same job": {func(p *workers.Precedence) { after(time.Hour, p.Begin()); time.Sleep(time.Minute) }, 0},
		"nor at once by the next": {func(p *workers.Precedence) {
			end := p.Begin()
			time.Sleep(8 * ms)
			end()
			time.Sleep(1 * ms)
			after(7*ms, p.Begin())
		}, 0},
		"but by the next a moment later": {func(p *workers.Precedence) {
			end := p.Begin()
			time.Sleep(8 * ms)
			end()
			time.Sleep(1 * ms)
			after(7*ms, p.Begin())
			time.Sleep(2 * ms)
		}, 5 * ms},
		"and by one a quarter later": {func(p *workers.Precedence) {
			end := p.Begin()
			time.Sleep(8 * ms)
			end()
			time.Sleep(2 * ms)
			after(7*ms, p.Begin())
		}, 7 * ms},
		"by one beside an old one": {func(p *workers.Precedence) {
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
				if got := held(&p); got != c.want {
					t.Errorf("an upload is held for %v, not %v", got, c.want)
				}
			})
		})
	}
}

func TestUploadYields(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	began := time.Now()
	end := workers.Urgent(b.worker)
	b.run(uploading(usher.SegmentAdd, b.export(1, 250))).want(t, "done")
	end()
	type entry struct {
		At time.Time
		Op string
	}
	var entries []entry
	b.control(http.MethodGet, "journal", nil, &entries)
	first := slices.IndexFunc(entries, func(e entry) bool { return e.Op == "segments.upload" })
	if after := entries[first].At.Sub(began); after < 49*time.Millisecond {
		t.Errorf("the first batch was sent after %v", after)
	}
}

func TestPauseHoldsUploads(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	held := false
	b.worker.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		held = workers.Held(b.worker)
		return ctx, func() {}, nil
	}
	b.run(pause()).want(t, "done")
	if !held || workers.Held(b.worker) {
		t.Errorf("uploads were held: %t, and are: %t", held, workers.Held(b.worker))
	}
}
