package heads

import (
	"context"
	"errors"
	"slices"

	"usher/internal/ledger"
	"usher/queues/store"
)

// Heads are the heads of ledgers. It implements ledger.Heads.
type Heads struct{ bucket *store.Bucket }

var _ ledger.Heads = (*Heads)(nil)

// In returns the heads in a store.
func In(s *store.Store) *Heads { return &Heads{s.Rules} }

const prefix = "ledger."

func key(t ledger.Target) string { return prefix + store.Token(t.Key()) }

// Values returns, for the first token of the keys of heads, a function that returns a value
// to decode into.
func Values() map[string]func() any {
	return map[string]func() any{
		"ledger":      func() any { return new(ledger.Head) },
		"suppression": func() any { return new(ledger.SuppressionHead) },
		"lapsing":     func() any { return new(lapsing) },
	}
}

// Head returns the head of a target and its revision.
func (h *Heads) Head(ctx context.Context, t ledger.Target) (ledger.Head, uint64, error) {
	stored, err := h.bucket.Find(ctx, key(t))
	if err != nil {
		return ledger.Head{}, 0, err
	}
	if stored == nil {
		return ledger.Head{}, 0, ledger.ErrNone
	}
	var head ledger.Head
	if stored.Decode(&head) != nil || head.Target != t {
		return ledger.Head{}, stored.Revision, &ledger.DamagedError{Name: "head " + stored.Key, Why: "is damaged"}
	}
	return head, stored.Revision, nil
}

// SetHead writes a head if it still has the given revision.
func (h *Heads) SetHead(ctx context.Context, head ledger.Head, revision uint64) (uint64, error) {
	next, err := h.bucket.CompareAndSet(ctx, key(head.Target), &head, revision)
	if errors.Is(err, store.ErrConflict) {
		err = ledger.ErrConflict
	}
	return next, err
}

// DropHead removes the head of a target if it still has the given revision.
func (h *Heads) DropHead(ctx context.Context, t ledger.Target, revision uint64) error {
	err := h.bucket.CompareAndDelete(ctx, key(t), revision)
	if errors.Is(err, store.ErrConflict) {
		err = ledger.ErrConflict
	}
	return err
}

// suppressionKey is the key of the head of the suppression list.
const suppressionKey = "suppression.list"

// Suppression returns the head of the suppression list and its revision.
func (h *Heads) Suppression(ctx context.Context) (ledger.SuppressionHead, uint64, error) {
	stored, err := h.bucket.Find(ctx, suppressionKey)
	if err != nil {
		return ledger.SuppressionHead{}, 0, err
	}
	if stored == nil {
		return ledger.SuppressionHead{}, 0, ledger.ErrNone
	}
	var head ledger.SuppressionHead
	if stored.Decode(&head) != nil {
		return ledger.SuppressionHead{}, stored.Revision, &ledger.DamagedError{Name: ledger.SuppressionListHead, Why: "is damaged"}
	}
	return head, stored.Revision, nil
}

// SetSuppression writes the head of the suppression list if it still has the given revision.
func (h *Heads) SetSuppression(ctx context.Context, head ledger.SuppressionHead, revision uint64) error {
	_, err := h.bucket.CompareAndSet(ctx, suppressionKey, &head, revision)
	if errors.Is(err, store.ErrConflict) {
		err = ledger.ErrConflict
	}
	return err
}

// placeKey is the key of the place of the ledgers' files.
const placeKey = "place.ledger"

// place is where the files of the ledgers are.
type place struct {
	URL string `json:"url"`
}

// Announce stores where the files of the ledgers are, for commands that are not configured.
func (h *Heads) Announce(ctx context.Context, url string) error {
	return store.Change(ctx, h.bucket, placeKey, func(p *place, _ bool) bool {
		changed := p.URL != url
		p.URL = url
		return changed
	})
}

// Place returns where the files of the ledgers are, as a worker has announced it, or "".
func (h *Heads) Place(ctx context.Context) (string, error) {
	var p place
	_, _, err := h.bucket.Get(ctx, placeKey, &p)
	return p.URL, err
}

// DoubtAll records that all heads were restored from a backup, see ledger.Head.Doubt. It returns
// their targets.
func (h *Heads) DoubtAll(ctx context.Context) ([]ledger.Target, error) {
	var targets []ledger.Target
	err := h.EachHead(ctx, func(head ledger.Head, damaged string) {
		if damaged == "" {
			targets = append(targets, head.Target)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		err := store.Change(ctx, h.bucket, key(t), func(head *ledger.Head, found bool) bool {
			if found {
				head.Doubt()
			}
			return found
		})
		if err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// EachHead calls visit with all heads.
func (h *Heads) EachHead(ctx context.Context, visit func(head ledger.Head, damaged string)) error {
	return h.bucket.Each(ctx, prefix+">", func(e *store.Entry) error {
		var head ledger.Head
		damaged := ""
		if e.Decode(&head) != nil || key(head.Target) != e.Key {
			head, damaged = ledger.Head{}, e.Key
		}
		visit(head, damaged)
		return nil
	})
}

// lapsingKey is the key of the segments whose members lapse soon.
const lapsingKey = "lapsing.list"

// lapsing are the segments whose members lapse soon.
type lapsing struct {
	List []ledger.Lapsing `json:"list"`
}

// Lapsing returns the segments whose members lapse soon, as the leader of the workers has seen them.
func (h *Heads) Lapsing(ctx context.Context) ([]ledger.Lapsing, error) {
	var l lapsing
	_, _, err := h.bucket.Get(ctx, lapsingKey, &l)
	return l.List, err
}

// SetLapsing stores the segments whose members lapse soon.
func (h *Heads) SetLapsing(ctx context.Context, list []ledger.Lapsing) error {
	return store.Change(ctx, h.bucket, lapsingKey, func(l *lapsing, _ bool) bool {
		changed := !slices.Equal(l.List, list)
		l.List = list
		return changed
	})
}
