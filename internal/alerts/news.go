package alerts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/rulings"
	"usher/queues/store"
)

// Options say what is worth an alert. Zero fields stand for the defaults.
type Options struct {
	Every   time.Duration // the shortest time between two alerts of dead letters; default 5 min
	Stalled time.Duration // how long the oldest job of a lane may wait to be taken; default 15 min
}

func (o Options) withDefaults() Options {
	if o.Every <= 0 {
		o.Every = 5 * time.Minute
	}
	if o.Stalled <= 0 {
		o.Stalled = 15 * time.Minute
	}
	return o
}

// News is what happened since the last alert.
type News struct {
	Letters int                 // new dead letters
	Groups  []usher.LetterGroup // the new letters by cause, largest group first
	Held    []usher.Evaluation  // rule runs that wait for approval
	Stalled []queues.LaneState  // lanes whose jobs are not taken any more
	Moving  []queues.Lane       // lanes that were stalled and are not any more
}

func (n *News) empty() bool {
	return n.Letters == 0 && len(n.Held) == 0 && len(n.Stalled) == 0 && len(n.Moving) == 0
}

// alertsKey holds an alerted in the rules bucket.
const alertsKey = "alerts"

// alerted is what the last alerts covered.
type alerted struct {
	Seq     uint64                     `json:"seq"`             // the last letter
	Letters time.Time                  `json:"letters"`         // time of the last alert of letters
	Held    time.Time                  `json:"held"`            // time of the last held run
	Failed  time.Time                  `json:"failed,omitzero"` // time of the last alert that failed
	Stalled map[queues.Lane]*time.Time `json:"stalled,omitempty"`
}

// maxLetters bounds the letters that one alert groups.
const maxLetters = 100_000

// finder finds news. All processes of a fleet share what was alerted.
type finder struct {
	Options
	queue   *queues.Queue
	letters *letters.Letters
	rulings *rulings.Rulings
}

// deliver calls send with the news, if there are any. Of several processes that
// call it at once, one sends. If send fails, its news is delivered again, at the
// earliest after Every.
func (f *finder) deliver(ctx context.Context, send func(context.Context, News) error) error {
	bucket := f.queue.Store().Rules
	var before alerted
	revision, found, err := bucket.Get(ctx, alertsKey, &before)
	if err != nil {
		return err
	}
	if f.queue.Now().Sub(before.Failed) < f.Every {
		return nil
	}
	before.Failed = time.Time{}
	after, news, err := f.find(ctx, before, !found)
	if err != nil {
		return fmt.Errorf("look for alerts: %w", err)
	}
	if found && news.empty() {
		return nil
	}
	revision, err = bucket.CompareAndSet(ctx, alertsKey, &after, revision)
	if errors.Is(err, store.ErrConflict) {
		return nil // another process sends it
	}
	if err != nil || news.empty() {
		return err
	}
	failure := send(ctx, news)
	if failure != nil {
		before.Failed = f.queue.Now().UTC()
		_, err = bucket.CompareAndSet(ctx, alertsKey, &before, revision)
	}
	return errors.Join(failure, err)
}

// find returns the news since before. At the first look there is no news but
// stalled lanes.
func (f *finder) find(ctx context.Context, before alerted, first bool) (after alerted, news News, err error) {
	after = before
	if err := f.findLetters(ctx, &after, &news, first); err != nil {
		return after, news, err
	}
	if err := f.findHeld(ctx, &after, &news, first); err != nil {
		return after, news, err
	}
	return after, news, f.findStalled(ctx, &after, &news)
}

func (f *finder) findLetters(ctx context.Context, after *alerted, news *News, first bool) error {
	now := f.queue.Now().UTC()
	newest, err := f.letters.Newest(ctx)
	if err != nil {
		return err
	}
	if first {
		after.Seq = newest
		return nil
	}
	if newest <= after.Seq || now.Sub(after.Letters) < f.Every {
		return nil
	}
	survey, err := f.letters.Survey(ctx, letters.Filter{After: after.Seq, Through: newest, Limit: maxLetters})
	if err != nil {
		return err
	}
	news.Letters, news.Groups = survey.Count, survey.Groups
	after.Seq, after.Letters = newest, now
	return nil
}

func (f *finder) findHeld(ctx context.Context, after *alerted, news *News, first bool) error {
	if first {
		after.Held = f.queue.Now().UTC()
		return nil
	}
	runs, err := f.rulings.Evaluations(ctx, 100)
	if err != nil {
		return err
	}
	known := after.Held
	for _, e := range runs {
		if e.State == usher.EvaluationHeld && e.At.After(known) {
			news.Held = append(news.Held, e)
			if e.At.After(after.Held) {
				after.Held = e.At
			}
		}
	}
	return nil
}

// findStalled finds lanes that stalled, or move again. A lane that is paused by
// hand is not stalled.
func (f *finder) findStalled(ctx context.Context, after *alerted, news *News) error {
	lanes, err := f.queue.LaneStates(ctx)
	if err != nil {
		return err
	}
	before := after.Stalled
	after.Stalled = map[queues.Lane]*time.Time{}
	for _, l := range lanes {
		switch stalled := l.Waits(f.queue.Now()) > f.Stalled && l.Paused == nil; {
		case stalled && before[l.Lane] != nil:
			after.Stalled[l.Lane] = before[l.Lane]
		case stalled:
			after.Stalled[l.Lane] = l.Untaken
			news.Stalled = append(news.Stalled, l)
		case before[l.Lane] != nil:
			news.Moving = append(news.Moving, l.Lane)
		}
	}
	return nil
}
