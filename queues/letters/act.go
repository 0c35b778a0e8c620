package letters

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues"
	"usher/queues/audit"
)

// The acts on a letter, as the audit names them.
const (
	replayed  = "replayed"
	edited    = "edited"
	discarded = "discarded"
)

// audit records an act on a letter and returns once the entry is stored. Repeated
// after a crash, it stores nothing new.
func (ls *Letters) audit(ctx context.Context, l *queues.Letter, act audit.Act, what, after string) error {
	a := usher.Audit{
		At: ls.queue.Now().UTC(), Run: l.Run, Actor: act.Actor, Reason: act.Reason,
		Before: string(usher.Failed), Wanted: what, After: after,
	}
	if l.ID != nil {
		a.Job = *l.ID
	}
	if family := l.Kind.Family(); family == "campaign" || family == "target" {
		a.Campaign = strings.TrimPrefix(l.Target, family+" ")
	}
	// No job's id begins with a slash.
	if err := ls.queue.Audit().Append(ctx, audit.Letters, a, fmt.Sprintf("/letter/%d/%s", l.Seq, what)); err != nil {
		return fmt.Errorf("audit of letter %d: %w", l.Seq, err)
	}
	return nil
}

// remove deletes a letter and reports whether this call deleted it. It is no error
// if the letter is already gone.
func (ls *Letters) remove(ctx context.Context, seq uint64) (deleted bool, err error) {
	stream, err := ls.openStream(ctx)
	if err != nil {
		return false, err
	}
	if err = stream.DeleteMsg(ctx, seq); err == nil {
		return true, nil
	}
	// If two callers delete a letter at once, the server returns an unspecific
	// error to the second.
	if _, gone := stream.GetMsg(ctx, seq); errors.Is(gone, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return false, fmt.Errorf("remove letter %d: %w", seq, err)
}

// Discard deletes the letters that match, audits each, and returns how many it
// deleted. When ctx ends, it completes the acts that have begun and leaves the
// other letters.
func (ls *Letters) Discard(ctx context.Context, f Filter, act audit.Act) (int, error) {
	var n atomic.Int64
	err := ls.actOnEach(ctx, f, func(ctx context.Context, l *queues.Letter) error {
		ctx, cancel := finishing(ctx)
		defer cancel()
		if err := ls.audit(ctx, l, act.Masked(), discarded, discarded); err != nil {
			return err
		}
		deleted, err := ls.remove(ctx, l.Seq)
		if deleted {
			n.Add(1)
		}
		return err
	})
	return int(n.Load()), err
}

// concurrentActs is how many letters are acted on at the same time. Each act makes
// a few requests to NATS one after another.
const concurrentActs = 16

// Limits on a page of letters. Letters are read in pages before they are acted on,
// because acting may take hours, which is longer than a consumer lives.
const (
	pageLetters = 256
	pageBytes   = 8 << 20
)

// actOnEach calls act for the letters that match, for several at once. When ctx ends or a call fails, it
// begins no further calls. It returns when all calls have returned.
func (ls *Letters) actOnEach(ctx context.Context, f Filter, act func(context.Context, *queues.Letter) error) error {
	f, err := ls.bounded(ctx, f) // leaves out the letters that act itself writes
	if err != nil {
		return err
	}
	for left := f.Limit; ; {
		page, err := ls.page(ctx, f, left)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := concurrently(ctx, page, act); err != nil {
			return err
		}
		if left -= len(page); f.Limit > 0 && left <= 0 || len(f.Seqs) > 0 {
			return nil
		}
		f.After = page[len(page)-1].Seq
	}
}

var errPageFull = errors.New("the page is full")

// page returns the first letters that match, at most limit if it is not 0.
func (ls *Letters) page(ctx context.Context, f Filter, limit int) ([]queues.Letter, error) {
	var page []queues.Letter
	bytes := 0
	if f.Limit = limit; len(f.Seqs) == 0 && (limit <= 0 || limit > pageLetters) {
		f.Limit = pageLetters
	}
	err := ls.each(ctx, f, func(l queues.Letter) error {
		page = append(page, l)
		if bytes += len(l.Job); bytes > pageBytes && len(f.Seqs) == 0 {
			return errPageFull
		}
		return nil
	})
	if errors.Is(err, errPageFull) {
		err = nil
	}
	return page, err
}

// concurrently calls act for every letter of a page, for several at once, and
// returns after the last call has returned.
func concurrently(ctx context.Context, page []queues.Letter, act func(context.Context, *queues.Letter) error) error {
	acting, acts := errgroup.WithContext(ctx)
	acting.SetLimit(concurrentActs)
	for i := range page {
		acting.Go(func() error {
			if acts.Err() != nil {
				return context.Cause(acts)
			}
			return act(acts, &page[i])
		})
	}
	err := acting.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// finishTime bounds an act that is completed although its context has ended.
const finishTime = 8 * time.Second

// finishing returns a context for an act that must be completed once it has begun.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), finishTime)
}
