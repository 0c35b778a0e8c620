package queues

import (
	"context"
	"sync/atomic"
)

// Discard removes the letters that match for good, and audits each. It returns
// how many; what was begun when ctx ended is brought to its end, and the rest
// stays.
func (q *Queue) Discard(ctx context.Context, f LetterFilter, act Act) (int, error) {
	var n atomic.Int64
	err := q.actOnLetters(ctx, f, func(ctx context.Context, l *letter) error {
		ctx, cancel := begun(ctx)
		defer cancel()
		if err := q.auditLetter(ctx, l, act, discarded, discarded); err != nil {
			return err
		}
		was, err := q.deleteLetter(ctx, l.Seq)
		if was {
			n.Add(1)
		}
		return err
	})
	return int(n.Load()), err
}
