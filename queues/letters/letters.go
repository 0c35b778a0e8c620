package letters

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/message"
	"usher/queues/names"
	"usher/queues/schema"
	"usher/queues/store"
)

// ErrNoLetter means that there is no dead letter of that number: it was replayed
// or discarded.
var ErrNoLetter = errors.New("no such dead letter")

// Letters are the dead letters of a queue. It is safe for concurrent use.
type Letters struct {
	queue   *queues.Queue
	store   *store.Store
	schemas *schema.Schemas
	opened  atomic.Pointer[jetstream.Stream]
	uploads func(context.Context) (*Uploads, error) // nil: what later jobs mean for letters is not known
}

// New returns the dead letters of a queue.
func New(q *queues.Queue) *Letters {
	return &Letters{queue: q, store: q.Store(), schemas: q.Schemas()}
}

// stream opens the stream of letters with its current state.
func (ls *Letters) stream(ctx context.Context) (jetstream.Stream, error) {
	stream, err := ls.store.Stream(ctx, ls.store.DeadStream())
	if err != nil {
		return nil, fmt.Errorf("read dead letters: %w", err)
	}
	ls.opened.Store(&stream)
	return stream, nil
}

// openStream returns the stream of letters, whose state may be old.
func (ls *Letters) openStream(ctx context.Context) (jetstream.Stream, error) {
	if stream := ls.opened.Load(); stream != nil {
		return *stream, nil
	}
	return ls.stream(ctx)
}

// Each calls visit with the dead letters that match, oldest first, in the form that people may
// see. If visit returns an error, Each stops and returns it. Each holds a bounded number of
// letters in memory.
func (ls *Letters) Each(ctx context.Context, f Filter, visit func(usher.DeadLetter) error) error {
	var known names.Known
	later := ls.laterJobs()
	return ls.each(ctx, f, func(l queues.Letter) (err error) {
		if known == nil {
			known = ls.queue.Names().Known(ctx)
		}
		d := shown(&l)
		d.TargetName = known.OfJob(d.Kind, d.Job)
		if d.Later, err = later.of(ctx, &l); err != nil {
			return err
		}
		return visit(d)
	})
}

// shown returns a letter in the form that people may see.
func shown(l *queues.Letter) usher.DeadLetter {
	d := l.DeadLetter
	d.Job = message.Redact(d.Job)
	return d
}

// List returns the dead letters that match, oldest first. With a limit it is a
// page; Filter.After of the next page is the number of the last letter.
func (ls *Letters) List(ctx context.Context, f Filter) ([]usher.DeadLetter, error) {
	found := []usher.DeadLetter{}
	err := ls.Each(ctx, f, func(l usher.DeadLetter) error {
		found = append(found, l)
		return nil
	})
	return found, err
}

// Latest returns the newest dead letters that match, at most f.Limit, newest first. Filter.Before of
// the next page is the number of the last letter.
func (ls *Letters) Latest(ctx context.Context, f Filter) ([]usher.DeadLetter, error) {
	f, err := ls.bounded(ctx, f)
	if err != nil {
		return nil, err
	}
	end, limit := f.Through+1, f.Limit
	if f.Before > 0 {
		end = min(end, f.Before)
	}
	f.Limit = 0
	for span := uint64(4 * limit); ; span *= 8 { // letters are numbered as they come, with gaps
		if f.Before, f.After = end, 0; end > span {
			f.After = end - span - 1
		}
		var found []usher.DeadLetter
		err := ls.Each(ctx, f, func(l usher.DeadLetter) error {
			if found = append(found, l); len(found) >= 2*limit {
				found = found[:copy(found, found[len(found)-limit:])]
			}
			return nil
		})
		if err != nil || len(found) >= limit || f.After == 0 {
			slices.Reverse(found)
			return found[:min(len(found), limit)], err
		}
	}
}

// Get returns a dead letter by its number, or ErrNoLetter.
func (ls *Letters) Get(ctx context.Context, seq uint64) (usher.DeadLetter, error) {
	found, err := ls.List(ctx, Filter{Seqs: []uint64{seq}})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("read dead letter %d: %w", seq, ErrNoLetter)
	}
	if err != nil {
		return usher.DeadLetter{}, err
	}
	return found[0], nil
}

// Groups returns the letters that match grouped by cause, ranked by what a cause costs.
func (ls *Letters) Groups(ctx context.Context, f Filter) ([]usher.LetterGroup, error) {
	g := groups{now: ls.queue.Now()}
	known, later := ls.queue.Names().Known(ctx), ls.laterJobs()
	err := ls.each(ctx, f, func(l queues.Letter) (err error) {
		l.TargetName = known.OfJob(l.Kind, l.Job)
		if l.Later, err = later.of(ctx, &l); err != nil {
			return err
		}
		g.add(&l.DeadLetter)
		return nil
	})
	return g.list(), err
}

// Count counts the letters by class. It reads the counts of the server and no
// letter.
func (ls *Letters) Count(ctx context.Context) (map[usher.Class]uint64, error) {
	stream, err := ls.stream(ctx)
	if err != nil {
		return nil, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(ls.store.Subject("usher.dead.>")))
	if err != nil {
		return nil, fmt.Errorf("count dead letters: %w", err)
	}
	classes := map[usher.Class]uint64{}
	for subject, n := range info.State.Subjects {
		classes[usher.Class(subject[strings.LastIndexByte(subject, '.')+1:])] += n
	}
	return classes, nil
}
