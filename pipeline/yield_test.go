package pipeline_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"usher"
	"usher/pipeline"
)

// halt blocks an upload in Yield as soon as set is true, until over is closed.
type halt struct {
	set  atomic.Bool
	over chan struct{}
}

func (h *halt) yield() {
	if h.set.Load() {
		<-h.over
	}
}

// notifyingBlocks calls ended at the end of the blocks.
type notifyingBlocks struct {
	*blocks
	ended func()
}

func (l notifyingBlocks) Next(ctx context.Context) (*usher.Block, error) {
	b, err := l.blocks.Next(ctx)
	if errors.Is(err, io.EOF) {
		l.ended()
	}
	return b, err
}

// TestYield tests that a blocked upload reads no block, sieves no window and reads no batch,
// and that it continues afterwards.
func TestYield(t *testing.T) {
	t.Parallel()
	const rows = 6000 // enough to be sieved by partitions
	for name, c := range map[string]struct {
		began, ended, sent bool // when the upload is blocked
		blocks, batches    int  // taken until then
	}{
		"from the beginning":   {began: true, blocks: 1},
		"when all is hashed":   {ended: true, blocks: rows / 100},
		"when a batch is sent": {sent: true, blocks: rows / 100, batches: 1},
		"never":                {blocks: rows / 100, batches: rows / 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := &halt{over: make(chan struct{})}
				h.set.Store(c.began)
				r := &receiver{}
				o := r.options()
				o.BatchIDs, o.InFlight, o.Yield = 1000, 1, h.yield
				begun := 0
				o.Send = func(ctx context.Context, b *usher.Batch) error {
					begun++
					h.set.Store(h.set.Load() || c.sent)
					return r.send(ctx, b)
				}
				in := notifyingBlocks{blocksOf(ids(0, rows), 100), func() { h.set.Store(h.set.Load() || c.ended) }}
				var tally usher.Tally
				done := make(chan struct{})
				go func() {
					defer close(done)
					c, err := pipeline.Upload(t.Context(), in, o)
					if tally = c.Tally; err != nil {
						t.Error(err)
					}
				}()
				synctest.Wait()
				if held := c.began || c.ended || c.sent; held && len(r.requests) > 0 || in.given != c.blocks || begun != c.batches {
					t.Errorf("%d blocks taken, %d batches begun, %d of them read", in.given, begun, len(r.requests))
				}
				close(h.over)
				<-done
				if tally.Accepted != rows || len(r.got) != rows {
					t.Errorf("%d accepted, %d received", tally.Accepted, len(r.got))
				}
			})
		})
	}
}
