package ledger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"usher"
)

// Lapsing says that members of a segment leave it soon, because nothing uploads them again.
type Lapsing struct {
	Target

	Count   int64     `json:"count"`   // members that leave by the end of tomorrow
	Members int64     `json:"members"` // all members
	First   time.Time `json:"first"`   // the day on which the first of them leave
	Since   time.Time `json:"since"`   // when that was seen first
}

// Says says it in words.
func (l *Lapsing) Says() string {
	return fmt.Sprintf("%d of its %d members leave it from %s on, because nothing uploads them again", l.Count, l.Members, l.First.Format(time.DateOnly))
}

// time returns the beginning of a day.
func (d Day) time() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Lapses returns what is lapsing in a size, or nil.
func (s *Size) Lapses(t Target) *Lapsing {
	if s.Lapsing == 0 {
		return nil
	}
	return &Lapsing{Target: t, Count: s.Lapsing, Members: s.Members, First: s.First.time()}
}

// LapseWatch looks for segments whose members lapse soon. A mirror leaves none that lapse before the
// day after the next one, unless its refreshDays is 0.
type LapseWatch struct {
	Store *Store
	// Saved returns what Save has stored last.
	Saved  func(context.Context) ([]Lapsing, error)
	Save   func(context.Context, []Lapsing) error
	Logger *slog.Logger

	safe map[Target]safeUntil
}

// safeUntil is a day before which no member of a generation lapses. Whatever is uploaded meanwhile
// lapses later.
type safeUntil struct {
	manifest string
	day      Day
}

// lapseEvery is the time between two looks.
const lapseEvery = 10 * time.Minute

// Run looks until ctx ends.
func (w *LapseWatch) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := w.Look(ctx); err != nil && ctx.Err() == nil {
			w.Logger.Warn("looking for members that lapse soon failed, trying again", "error", err)
		}
		_ = usher.Sleep(ctx, lapseEvery) // the loop sees the end of ctx
	}
}

// Look saves what lapses soon. It reads the members of a segment at most once a day, unless some lapse
// soon. If they cannot be read, what was said of the segment stays.
func (w *LapseWatch) Look(ctx context.Context) error {
	saved, err := w.Saved(ctx)
	if err != nil {
		return err
	}
	before := map[Target]Lapsing{}
	for _, l := range saved {
		before[l.Target] = l
	}
	var heads []Head
	err = w.Store.Heads(ctx, func(h Head, damaged string) {
		if damaged == "" && h.Generation > 0 && h.IsSegment() {
			heads = append(heads, h)
		}
	})
	if err != nil {
		return err
	}
	var list []Lapsing
	var failed error
	safe := map[Target]safeUntil{}
	for i := range heads {
		h := &heads[i]
		known, isKnown := before[h.Target]
		l, day, err := w.look(ctx, h)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("read the members of %s: %w", h.Target, err))
			if isKnown {
				list = append(list, known)
			}
			continue
		}
		safe[h.Target] = safeUntil{h.Manifest.Name, day}
		if l == nil {
			continue
		}
		if l.Since = known.Since; !isKnown {
			l.Since = w.Store.now().UTC().Truncate(time.Second)
		}
		list = append(list, *l)
	}
	w.safe = safe
	return errors.Join(w.Save(ctx, list), failed)
}

// look returns what lapses soon in a target, and the day before which nothing does.
func (w *LapseWatch) look(ctx context.Context, h *Head) (l *Lapsing, safe Day, err error) {
	today := DayOf(w.Store.now())
	if known := w.safe[h.Target]; known.manifest == h.Manifest.Name && today+1 < known.day {
		return nil, known.day, nil
	}
	if mirrored := DayOf(h.At); today <= mirrored {
		return nil, mirrored + 2, nil
	}
	state, err := w.Store.Load(ctx, *h)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	if state.Duration() == 0 {
		return nil, ^Day(0), nil
	}
	size, err := w.Store.Count(ctx, state)
	if size.First == 0 {
		size.First = ^Day(0)
	}
	return size.Lapses(h.Target), size.First, err
}
