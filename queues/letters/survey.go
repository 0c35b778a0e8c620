package letters

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"usher"
	"usher/queues"
	"usher/queues/names"
)

// Survey describes the letters that an operation is about to change.
type Survey struct {
	Filter Filter              `json:"-"` // matches these letters and none that is written later
	Count  int                 `json:"count"`
	Groups []usher.LetterGroup `json:"groups"` // by cause: ranked by what their jobs do, then the oldest first
	Sample []usher.DeadLetter  `json:"sample"` // the oldest letters
}

// sampleSize is how many letters a survey shows.
const sampleSize = 5

// Survey surveys the letters that match.
func (ls *Letters) Survey(ctx context.Context, f Filter) (Survey, error) {
	s := surveyor{names: ls.queue.Names().Known(ctx)}
	f, err := ls.bounded(ctx, f)
	if err == nil {
		err = ls.each(ctx, f, func(l queues.Letter) error { s.add(&l); return nil })
	}
	return s.survey(f), err
}

// surveyor builds a survey from letters in any order. It is safe for concurrent
// use.
type surveyor struct {
	names names.Known

	mu     sync.Mutex
	count  int
	groups groups
	sample []usher.DeadLetter
}

func (s *surveyor) add(l *queues.Letter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	l.TargetName = s.names.OfJob(l.Kind, l.Job)
	s.groups.add(&l.DeadLetter)
	at, _ := slices.BinarySearchFunc(s.sample, l.Seq, func(d usher.DeadLetter, seq uint64) int { return cmp.Compare(d.Seq, seq) })
	if at < sampleSize {
		s.sample = slices.Insert(s.sample, at, shown(l))
		s.sample = s.sample[:min(len(s.sample), sampleSize)]
	}
}

func (s *surveyor) survey(f Filter) Survey {
	return Survey{Filter: f, Count: s.count, Groups: s.groups.list(), Sample: append([]usher.DeadLetter{}, s.sample...)}
}
