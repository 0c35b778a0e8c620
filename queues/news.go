package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues/store"
)

// Alerts say when somebody must be told; zero values stand for the defaults.
type Alerts struct {
	Every   time.Duration // dead letters are told of at most so often; default 5 min
	Stalled time.Duration // a lane whose oldest waits longer untaken is told of; default 15 min
}

// News is what nobody has been told yet.
type News struct {
	Letters int                 // new dead letters
	Groups  []usher.LetterGroup // these by cause, largest first
	Held    []usher.Evaluation  // evaluations of rules that wait for a person
	Stalled []LaneState         // lanes that came to a halt
	Moving  []Lane              // those of them that go on again
}

func (n *News) none() bool {
	return n.Letters == 0 && len(n.Held) == 0 && len(n.Stalled) == 0 && len(n.Moving) == 0
}

// told is what somebody was told. Key alerts in the bucket that never expires.
type told struct {
	Seq     uint64              `json:"seq"`             // the last letter
	Letters time.Time           `json:"letters"`         // when letters were told of
	Held    time.Time           `json:"held"`            // of the last evaluation
	Failed  time.Time           `json:"failed,omitzero"` // when telling last failed
	Stalled map[Lane]*time.Time `json:"stalled,omitempty"`
}

// newsLetters bounds how many letters news looks at.
const newsLetters = 100_000

// Tell hands to tell what nobody has been told yet. Of several processes that
// ask, one gets it. Where tell fails it is news again, after Every.
func (q *Queue) Tell(ctx context.Context, a Alerts, tell func(context.Context, News) error) error {
	if a.Every <= 0 {
		a.Every = 5 * time.Minute
	}
	if a.Stalled <= 0 {
		a.Stalled = 15 * time.Minute
	}
	var before told
	revision, found, err := q.rules.Get(ctx, alertsKey, &before)
	if err != nil {
		return err
	}
	if q.now().Sub(before.Failed) < a.Every {
		return nil
	}
	before.Failed = time.Time{}
	after, news, err := q.news(ctx, before, found, a)
	if err != nil {
		return fmt.Errorf("look for what people must be told: %w", err)
	}
	if found && news.none() {
		return nil
	}
	revision, err = q.rules.CompareAndSet(ctx, alertsKey, &after, revision)
	if errors.Is(err, store.ErrConflict) {
		return nil // another process tells it
	}
	if err != nil || news.none() {
		return err
	}
	failure := tell(ctx, news)
	if failure != nil {
		before.Failed = q.now().UTC()
		_, err = q.rules.CompareAndSet(ctx, alertsKey, &before, revision)
	}
	return errors.Join(failure, err)
}

// news is what has come since before; of what there was when nobody had been
// told anything, nothing.
func (q *Queue) news(ctx context.Context, before told, found bool, a Alerts) (after told, news News, err error) {
	now := q.now().UTC()
	after = before
	newest, err := q.bounded(ctx, LetterFilter{})
	if err != nil {
		return after, news, err
	}
	switch {
	case !found:
		after.Seq, after.Letters, after.Held = newest.Through, time.Time{}, now
	case newest.Through > before.Seq && now.Sub(before.Letters) >= a.Every:
		survey, err := q.Survey(ctx, LetterFilter{After: before.Seq, Through: newest.Through, Limit: newsLetters})
		if err != nil {
			return after, news, err
		}
		news.Letters, news.Groups = survey.Count, survey.Groups
		after.Seq, after.Letters = newest.Through, now
	}
	evaluations, err := q.Evaluations(ctx, 100)
	if err != nil {
		return after, news, err
	}
	for _, e := range evaluations {
		if e.State == usher.EvaluationHeld && e.At.After(before.Held) && found {
			news.Held = append(news.Held, e)
			if e.At.After(after.Held) {
				after.Held = e.At
			}
		}
	}
	return after, news, q.halts(ctx, a, &after, &news)
}

// halts finds the lanes that came to a halt, or go on again. One that is paused
// by hand has not come to a halt.
func (q *Queue) halts(ctx context.Context, a Alerts, after *told, news *News) error {
	lanes, err := q.LaneStates(ctx)
	if err != nil {
		return err
	}
	was := after.Stalled
	after.Stalled = map[Lane]*time.Time{}
	for _, l := range lanes {
		switch stalled := l.Waits(q.now()) > a.Stalled && l.Paused == nil; {
		case stalled && was[l.Lane] != nil:
			after.Stalled[l.Lane] = was[l.Lane]
		case stalled:
			after.Stalled[l.Lane] = l.Untaken
			news.Stalled = append(news.Stalled, l)
		case was[l.Lane] != nil:
			news.Moving = append(news.Moving, l.Lane)
		}
	}
	return nil
}
