package pipeline_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"usher"
	"usher/pipeline"
)

func unavailable() error { return &usher.Unavailable{Err: errors.New("connection refused")} }

func retryAfter(d time.Duration) error {
	return &usher.RetryAfter{After: d, Why: "rate limit", Err: errors.New("429")}
}

// TestRetry tests delays exactly, in virtual time.
func TestRetry(t *testing.T) {
	t.Parallel()
	plain := errors.New("anything else")
	forbidden := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("403")}
	for name, test := range map[string]struct {
		answer       func(request int) error
		want         error // nil: uploaded
		requests     int   // 0: any
		least, most  time.Duration
		wantRetryFor bool // the error is RetryAfter, for the queue
	}{
		"accepted at once":        {func(int) error { return nil }, nil, 1, 0, 0, false},
		"unavailable three times": {until(4, unavailable()), nil, 4, 700 * time.Millisecond, 2100 * time.Millisecond, false},
		"unclassified, twice":     {until(3, plain), nil, 3, 300 * time.Millisecond, 900 * time.Millisecond, false},
		"always failing":          {func(int) error { return plain }, plain, 0, 20 * time.Second, 30 * time.Second, false},
		"forbidden":               {func(int) error { return forbidden }, forbidden, 1, 0, 0, false},
		"later, within budget":    {until(3, retryAfter(12*time.Second)), nil, 3, 24 * time.Second, 24 * time.Second, false},
		"later, over budget":      {func(int) error { return retryAfter(12 * time.Second) }, nil, 3, 24 * time.Second, 24 * time.Second, true},
		"much later":              {func(int) error { return retryAfter(31 * time.Second) }, nil, 1, 0, 0, true},
		"without a delay":         {until(2, retryAfter(0)), nil, 2, 100 * time.Millisecond, 300 * time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := &receiver{answer: func(request int, _ []string) error { return test.answer(request) }}
				began := time.Now()
				c, err := pipeline.Upload(t.Context(), blocksOf(ids(0, 10), 10), r.options())
				took := time.Since(began)
				var after *usher.RetryAfter
				if errors.As(err, &after) != test.wantRetryFor || (!test.wantRetryFor && !errors.Is(err, test.want)) {
					t.Errorf("error %v", err)
				}
				if (err == nil) != (c.Tally.Accepted == 10) {
					t.Errorf("error %v with tally %+v", err, c.Tally)
				}
				if took < test.least || took > test.most || (test.requests > 0 && len(r.requests) != test.requests) {
					t.Errorf("%d requests in %v, want %d in %v–%v", len(r.requests), took, test.requests, test.least, test.most)
				}
			})
		})
	}
}

// Do retries as an upload does.
func TestRetryDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, calls := time.Now(), 0
		err := pipeline.Retry{}.Do(t.Context(), func() error {
			calls++
			return until(3, retryAfter(12*time.Second))(calls)
		})
		if took := time.Since(began); err != nil || calls != 3 || took != 24*time.Second {
			t.Errorf("%d calls in %v: %v", calls, took, err)
		}
		forbidden := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("403")}
		if err := (pipeline.Retry{}).Do(t.Context(), func() error { return forbidden }); !errors.Is(err, forbidden) {
			t.Errorf("error %v", err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := errors.New("ended")
		err = pipeline.Retry{}.Do(ctx, func() error {
			cancel(ended)
			return unavailable()
		})
		if !errors.Is(err, ended) {
			t.Errorf("error %v", err)
		}
	})
}

// until returns an answer that fails with err before the n-th request.
func until(n int, err error) func(int) error {
	return func(request int) error {
		if request < n {
			return err
		}
		return nil
	}
}

// TestCancel tests that a cancelled upload returns the cause of its context at once: during a
// wait, during a request, and while transports still read all of its memory.
func TestCancel(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(context.Context, *usher.Batch) error{
		"in a wait":      func(context.Context, *usher.Batch) error { return retryAfter(20 * time.Second) },
		"in a request":   func(ctx context.Context, _ *usher.Batch) error { <-ctx.Done(); return ctx.Err() },
		"without memory": func(_ context.Context, b *usher.Batch) error { b.Retain(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer time.AfterFunc(time.Second, func() { cancel(usher.ErrShutdown) }).Stop()
				o := (&receiver{}).options()
				o.Send, o.BatchIDs = send, 1
				began := time.Now()
				_, err := pipeline.Upload(ctx, blocksOf(ids(0, 100), 10), o.WithWindow(10))
				if took := time.Since(began); !errors.Is(err, usher.ErrShutdown) || took != time.Second {
					t.Errorf("error %v after %v", err, took)
				}
			})
		})
	}
}

// TestFailureLetsOthersFinish tests that after a batch has failed, the batches in flight are
// completed and counted, and that no batch is started or retried.
func TestFailureLetsOthersFinish(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		forbidden := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("403")}
		var begun int
		r := &receiver{}
		o := r.options()
		o.BatchIDs = 10
		o.Send = func(ctx context.Context, b *usher.Batch) error {
			if b.Number > 3 {
				begun++
			}
			<-time.After(time.Duration(10-b.Number) * time.Second) // the third response is the first to arrive
			if b.Number == 3 {
				return forbidden
			}
			if b.Number == 2 {
				return unavailable()
			}
			return r.send(ctx, b)
		}
		began := time.Now()
		c, err := pipeline.Upload(t.Context(), blocksOf(ids(0, 100), 10), o)
		if !errors.Is(err, forbidden) || c.Batches != 1 || c.Tally.Accepted != 10 || begun != 0 || time.Since(began) != 9*time.Second {
			t.Errorf("error %v after %v, %d more started, checkpoint %+v", err, time.Since(began), begun, c)
		}
	})
}

// TestSave tests that checkpoints are saved at most once a second and one at a time, that
// each is later than the previous one, and that batches are sent meanwhile.
func TestSave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		o := r.options()
		o.BatchIDs = 10
		o.Send = func(ctx context.Context, b *usher.Batch) error {
			<-time.After(250 * time.Millisecond)
			return r.send(ctx, b)
		}
		var saved []usher.Checkpoint
		var at []time.Time
		saving := false
		o.Save = func(_ context.Context, c usher.Checkpoint) error {
			if saving {
				t.Error("two calls of Save at once")
			}
			saving = true
			at = append(at, time.Now())
			<-time.After(time.Duration(len(saved)%3) * 700 * time.Millisecond)
			saving = false
			saved = append(saved, c)
			return nil
		}
		began := time.Now()
		var lines []string
		for i := range 120 { // batches, three in flight: 10 s
			lines = append(append(lines, "null"), ids(10*i, 10*i+10)...)
		}
		final := upload(t, lines, o)
		// The last Save may run at the end; all calls together take longer.
		if took := time.Since(began); took > 11400*time.Millisecond {
			t.Errorf("the upload took %v: it waited for Save", took)
		}
		if len(saved) < 5 || len(saved) > 10 {
			t.Errorf("%d checkpoints saved", len(saved))
		}
		for i, c := range saved {
			checkTally(t, c)
			if c.Tally.Read != c.Rows || c.Rows != 11*c.Batches || c.Batches >= final.Batches+1 {
				t.Errorf("checkpoint %+v", c)
			}
			if i > 0 && (at[i].Sub(at[i-1]) < time.Second || c.Rows <= saved[i-1].Rows) {
				t.Errorf("checkpoint %d at row %d, %v after one at %d", i, c.Rows, at[i].Sub(at[i-1]), saved[i-1].Rows)
			}
		}
	})
}

// TestLeaseLost tests that an error of Save ends the upload at once.
func TestLeaseLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		o := r.options()
		o.BatchIDs = 10
		o.Send = func(ctx context.Context, b *usher.Batch) error {
			if b.Number < 3 {
				return r.send(ctx, b)
			}
			<-ctx.Done()
			return ctx.Err()
		}
		o.Save = func(context.Context, usher.Checkpoint) error { return usher.ErrLeaseLost }
		c, err := pipeline.Upload(t.Context(), blocksOf(ids(0, 100), 10), o)
		if !errors.Is(err, usher.ErrLeaseLost) || c.Batches != 2 {
			t.Errorf("error %v, checkpoint %+v", err, c)
		}
	})
}

// slowBlocks yields blocks a second apart.
type slowBlocks struct{ *blocks }

func (s slowBlocks) Next(ctx context.Context) (*usher.Block, error) {
	<-time.After(time.Second)
	return s.blocks.Next(ctx)
}

// TestNothingAfterFailure tests that no batch is started after one has failed, even if there
// are free slots.
func TestNothingAfterFailure(t *testing.T) {
	t.Parallel()
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			forbidden := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("403")}
			r := &receiver{answer: func(int, []string) error { return forbidden }}
			o := r.options()
			o.BatchIDs = 10
			if _, err := pipeline.Upload(t.Context(), slowBlocks{blocksOf(ids(0, 30), 10)}, o.WithWindow(10)); !errors.Is(err, forbidden) {
				t.Error(err)
			}
			if len(r.requests) != 1 {
				t.Errorf("%d requests", len(r.requests))
			}
		})
	}
}
