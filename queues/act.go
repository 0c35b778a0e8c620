package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// Act is who does something to dead letters, and why: the audit keeps both.
type Act struct {
	Actor  string
	Reason string
}

// The acts, as the audit names them.
const (
	replayed  = "replayed"
	edited    = "edited"
	discarded = "discarded"
)

// auditLetter notes that a letter was acted on, once, however often a crash
// has it noted, and waits until it is stored.
func (q *Queue) auditLetter(ctx context.Context, l *letter, act Act, what, after string) error {
	a := usher.Audit{
		At: q.now().UTC(), Run: l.Run, Actor: act.Actor, Reason: act.Reason,
		Before: string(usher.Failed), Wanted: what, After: after,
	}
	if l.ID != nil {
		a.Job = *l.ID
	}
	if family := l.Kind.Family(); family == "campaign" || family == "target" {
		a.Campaign = strings.TrimPrefix(l.Target, family+" ")
	}
	data, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode audit of letter %d: %w", l.Seq, err)
	}
	id := fmt.Sprintf("/letter/%d/%s", l.Seq, what) // no id begins with a slash
	if _, err := q.js.Publish(ctx, q.names.Audit(auditOfLetters), data, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("publish audit of letter %d: %w", l.Seq, err)
	}
	return nil
}

// deleteLetter removes a letter; one that is gone already is well.
func (q *Queue) deleteLetter(ctx context.Context, seq uint64) (was bool, err error) {
	if err = q.dead.DeleteMsg(ctx, seq); err == nil {
		return true, nil
	}
	// Two who remove the same at once: the server's answer to the second is a
	// failure like any other.
	if _, gone := q.dead.GetMsg(ctx, seq); errors.Is(gone, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return false, fmt.Errorf("remove letter %d: %w", seq, err)
}

// actsAtOnce is how many letters are acted on at the same time: each takes a few
// questions to NATS, one after the other.
const actsAtOnce = 16

// What is read of the letters before it is acted on: acting may take hours,
// longer than a reader lives.
const (
	pageLetters = 256
	pageBytes   = 8 << 20
)

// actOnLetters calls act for the letters that match, several at once, until all
// were, ctx ends or one fails. It returns when all that was begun has ended.
func (q *Queue) actOnLetters(ctx context.Context, f LetterFilter, act func(context.Context, *letter) error) error {
	f, err := q.bounded(ctx, f) // what act makes is not acted on
	if err != nil {
		return err
	}
	for left := f.Limit; ; {
		page, err := q.letterPage(ctx, f, left)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := atOnce(ctx, page, act); err != nil {
			return err
		}
		if left -= len(page); f.Limit > 0 && left <= 0 || len(f.Seqs) > 0 {
			return nil
		}
		f.After = page[len(page)-1].Seq
	}
}

// letterPage are the first letters that match, at most limit where it is one.
func (q *Queue) letterPage(ctx context.Context, f LetterFilter, limit int) ([]letter, error) {
	var page []letter
	full := errors.New("the page is full")
	bytes := 0
	if f.Limit = limit; len(f.Seqs) == 0 && (limit <= 0 || limit > pageLetters) {
		f.Limit = pageLetters
	}
	err := q.eachLetter(ctx, f, func(l letter) error {
		page = append(page, l)
		if bytes += len(l.Job); bytes > pageBytes && len(f.Seqs) == 0 {
			return full
		}
		return nil
	})
	if errors.Is(err, full) {
		err = nil
	}
	return page, err
}

// atOnce calls act for every letter, several at once, and returns when all that
// was begun has ended.
func atOnce(ctx context.Context, page []letter, act func(context.Context, *letter) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan *letter)
	var acting sync.WaitGroup
	for range min(actsAtOnce, len(page)) {
		acting.Go(func() {
			for l := range next {
				if err := act(ctx, l); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := range page {
		if ctx.Err() != nil {
			break
		}
		next <- &page[i]
	}
	close(next)
	acting.Wait()
	return context.Cause(ctx)
}

// begun is for an act that must come to its end although ctx ends.
func begun(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), settleTime)
}
