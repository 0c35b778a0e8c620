package queues

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// Survey is letters looked at before something is done to them.
type Survey struct {
	Filter LetterFilter        `json:"-"`      // of the letters seen: what dies later is not among them
	Count  int                 `json:"count"`  // how many
	Groups []usher.LetterGroup `json:"groups"` // by cause, largest first
	Sample []usher.DeadLetter  `json:"sample"` // the first of them
}

// surveySample is how many letters a survey shows one by one.
const surveySample = 5

// Survey looks at the letters that match.
func (q *Queue) Survey(ctx context.Context, f LetterFilter) (Survey, error) {
	var s surveyor
	f, err := q.bounded(ctx, f)
	if err == nil {
		err = q.eachLetter(ctx, f, func(l letter) error { s.see(&l); return nil })
	}
	return s.survey(f), err
}

// bounded is a filter that takes no letter which comes later.
func (q *Queue) bounded(ctx context.Context, f LetterFilter) (LetterFilter, error) {
	if f.Through > 0 {
		return f, nil
	}
	stream, err := q.js.Stream(ctx, q.names.DeadStream())
	if err != nil {
		return f, fmt.Errorf("read dead letters: %w", err)
	}
	f.Through = max(stream.CachedInfo().State.LastSeq, 1) // 1 is yet to come
	return f, nil
}

// surveyor makes a survey, by one letter after another, in any order.
type surveyor struct {
	mu     sync.Mutex
	count  int
	groups letterGroups
	sample []usher.DeadLetter
}

func (s *surveyor) see(l *letter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	s.groups.add(&l.DeadLetter)
	at, _ := slices.BinarySearchFunc(s.sample, l.Seq, func(d usher.DeadLetter, seq uint64) int { return cmp.Compare(d.Seq, seq) })
	if at < surveySample {
		s.sample = slices.Insert(s.sample, at, l.shown())
		s.sample = s.sample[:min(len(s.sample), surveySample)]
	}
}

func (s *surveyor) survey(f LetterFilter) Survey {
	if s.sample == nil {
		s.sample = []usher.DeadLetter{}
	}
	return Survey{Filter: f, Count: s.count, Groups: s.groups.list(), Sample: s.sample}
}

// CountLetters is how many letters there are, by class. It asks the server for
// its own count and reads none.
func (q *Queue) CountLetters(ctx context.Context) (map[usher.Class]uint64, error) {
	stream, err := q.js.Stream(ctx, q.names.DeadStream())
	if err != nil {
		return nil, fmt.Errorf("count dead letters: %w", err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(q.names.Subject("usher.dead.>")))
	if err != nil {
		return nil, fmt.Errorf("count dead letters: %w", err)
	}
	classes := map[usher.Class]uint64{}
	for subject, n := range info.State.Subjects {
		classes[usher.Class(subject[strings.LastIndexByte(subject, '.')+1:])] += n
	}
	return classes, nil
}
