package alerts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/rulings"
	"usher/queues/store"
)

// Options configures when to alert. A zero field means its default.
type Options struct {
	Every   time.Duration // the minimum time between two alerts about dead letters, or about rules with notify: digest; default 5 min
	Console string        // address of the console, for links; "": alerts name commands instead
	Stalled time.Duration // how long the oldest job of a lane may wait before the lane counts as stalled; default 15 min
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

// Alert is what has happened since the last alert.
type Alert struct {
	Letters   int                 // new dead letters
	Groups    []usher.LetterGroup // the new letters by cause, largest group first
	Held      []usher.Evaluation  // rule runs that wait for approval
	Notices   []Notice            // oldest first
	Feeds     []FeedAlert         // feeds that have become late or hold an export
	Stalled   []lanes.State       // lanes that have stalled, as of At
	At        time.Time
	Recovered []lanes.Lane // lanes that were stalled and no longer are

	Worker        string // the worker that reports WriteError or WritesResumed
	WriteError    string // why NATS takes no writes; "" if it takes them
	WritesResumed bool   // NATS takes writes again
}

// Notice is a rule run with the decisions of its rules with notify.
type Notice struct {
	Run       usher.Evaluation
	Decisions []usher.Ruling
}

func (a *Alert) empty() bool {
	return a.WriteError == "" && !a.WritesResumed && a.Letters == 0 && len(a.Held) == 0 && len(a.Notices) == 0 && len(a.Feeds) == 0 && len(a.Stalled) == 0 && len(a.Recovered) == 0
}

// stateKey is the key of the alertState in the rules bucket.
const stateKey = "alerts"

// alertState records what the previous alerts covered.
type alertState struct {
	Seq     uint64    `json:"seq"`     // sequence of the last letter
	Letters time.Time `json:"letters"` // time of the last alert about letters
	Held    time.Time `json:"held"`    // time of the last held run
	// Notified is the time of the last alert about rules with notify: digest. Reported are the
	// runs that alerts have reported and whose notices are still stored.
	Notified time.Time                 `json:"notified,omitzero"`
	Reported []string                  `json:"told,omitempty"`
	Failed   time.Time                 `json:"failed,omitzero"` // time of the last alert that failed
	Stalled  map[lanes.Lane]*time.Time `json:"stalled,omitempty"`
	Feeds    map[string]feedState      `json:"feeds,omitempty"`
}

// maxLetters is the maximum number of letters that one alert groups.
const maxLetters = 100_000

// detector detects what to alert. All processes of a fleet share one alertState.
type detector struct {
	Options
	queue   *queues.Queue
	letters *letters.Letters
	rulings *rulings.Rulings
	notices *rulings.Notices
}

// deliver calls send with an alert, if there is something to alert. If several processes
// call it concurrently, only one of them sends. If send fails, the alert is delivered again
// after at least Every.
func (d *detector) deliver(ctx context.Context, send func(context.Context, Alert) error) error {
	bucket := d.queue.Store().Rules
	var before alertState
	revision, found, err := bucket.Get(ctx, stateKey, &before)
	if err != nil {
		return err
	}
	if d.queue.Now().Sub(before.Failed) < d.Every {
		return nil
	}
	before.Failed = time.Time{}
	after, alert, err := d.detect(ctx, before, !found)
	if err != nil {
		return fmt.Errorf("detect alerts: %w", err)
	}
	if found && alert.empty() {
		return nil
	}
	revision, err = bucket.CompareAndSet(ctx, stateKey, &after, revision)
	if errors.Is(err, store.ErrConflict) {
		return nil // another process sends the alert
	}
	if err != nil || alert.empty() {
		return err
	}
	if sendErr := send(ctx, alert); sendErr != nil {
		before.Failed = d.queue.Now().UTC()
		_, err = bucket.CompareAndSet(ctx, stateKey, &before, revision)
		return errors.Join(sendErr, err)
	}
	for _, n := range alert.Notices {
		err = errors.Join(err, d.notices.Remove(ctx, n.Run.ID))
	}
	return err
}

// detect returns what has happened since before. If first is set, no state was stored yet,
// and the alert reports stalled lanes only.
func (d *detector) detect(ctx context.Context, before alertState, first bool) (after alertState, alert Alert, err error) {
	after = before
	if err := d.findLetters(ctx, &after, &alert, first); err != nil {
		return after, alert, err
	}
	if err := d.findRuns(ctx, &after, &alert, first); err != nil {
		return after, alert, err
	}
	if err := d.findNotices(ctx, &after, &alert, first); err != nil {
		return after, alert, err
	}
	if err := d.findFeeds(ctx, &after, &alert); err != nil {
		return after, alert, err
	}
	return after, alert, d.findStalled(ctx, &after, &alert)
}

func (d *detector) findLetters(ctx context.Context, after *alertState, alert *Alert, first bool) error {
	now := d.queue.Now().UTC()
	newest, err := d.letters.Newest(ctx)
	if err != nil {
		return err
	}
	if first {
		after.Seq = newest
		return nil
	}
	if newest <= after.Seq || now.Sub(after.Letters) < d.Every {
		return nil
	}
	survey, err := d.letters.Survey(ctx, letters.Filter{After: after.Seq, Through: newest, Limit: maxLetters})
	if err != nil {
		return err
	}
	alert.Letters, alert.Groups = survey.Count, survey.Groups
	after.Seq, after.Letters = newest, now
	return nil
}

// findRuns finds the runs that wait for approval.
func (d *detector) findRuns(ctx context.Context, after *alertState, alert *Alert, first bool) error {
	now := d.queue.Now().UTC()
	if first {
		after.Held = now
		return nil
	}
	runs, err := d.rulings.Evaluations(ctx, 100)
	if err != nil {
		return err
	}
	before := *after
	for _, e := range runs {
		if e.State == usher.EvaluationHeld && e.At.After(before.Held) {
			alert.Held = append(alert.Held, e)
			after.Held = later(after.Held, e.At)
		}
	}
	return nil
}

// noticeLife is the age after which a notice is dropped, for example one that was stored
// before a webhook was configured.
const noticeLife = 24 * time.Hour

// findNotices finds the runs with decisions of rules with notify. Those of rules with
// notify: digest wait until Every has passed since the last ones.
func (d *detector) findNotices(ctx context.Context, after *alertState, alert *Alert, first bool) error {
	notices, err := d.notices.List(ctx)
	if err != nil {
		return err
	}
	now := d.queue.Now().UTC()
	wait, reported := now.Sub(after.Notified) < d.Every, after.Reported
	after.Reported = nil
	for _, notice := range notices {
		switch {
		case first || now.Sub(notice.At) > noticeLife:
			err = d.notices.Remove(ctx, notice.Run)
		case slices.Contains(reported, notice.Run): // by another process, which will remove it
			after.Reported = append(after.Reported, notice.Run)
		case notice.Each || !wait:
			err = d.addNotice(ctx, after, alert, notice)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addNotice adds a run to an alert. It does nothing while the run's evaluation is not stored.
func (d *detector) addNotice(ctx context.Context, after *alertState, alert *Alert, notice rulings.Notice) error {
	found, err := d.readNotice(ctx, notice.Run)
	if err != nil || len(found.Decisions) == 0 {
		return err
	}
	alert.Notices = append(alert.Notices, found)
	after.Reported = append(after.Reported, notice.Run)
	if !notice.Each {
		after.Notified = d.queue.Now().UTC()
	}
	return nil
}

// readNotice returns a run with its decisions of rules with notify.
func (d *detector) readNotice(ctx context.Context, run string) (n Notice, err error) {
	var found bool
	if n.Run, found, err = d.rulings.FindEvaluation(ctx, run); err != nil || !found {
		return n, err
	}
	n.Decisions, err = d.rulings.Decisions(ctx, run)
	n.Decisions = slices.DeleteFunc(n.Decisions, func(r usher.Ruling) bool { return r.Notice == "" })
	slices.SortStableFunc(n.Decisions, compareNotices)
	return n, err
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// findStalled finds lanes that have stalled or recovered. A paused lane is not
// stalled.
func (d *detector) findStalled(ctx context.Context, after *alertState, alert *Alert) error {
	states, err := d.queue.Lanes().States(ctx)
	if err != nil {
		return err
	}
	before := after.Stalled
	alert.At = d.queue.Now()
	after.Stalled = map[lanes.Lane]*time.Time{}
	for _, l := range states {
		switch stalled := l.Waits(alert.At) > d.Stalled && l.Paused == nil; {
		case stalled && before[l.Lane] != nil:
			after.Stalled[l.Lane] = before[l.Lane]
		case stalled:
			after.Stalled[l.Lane] = l.Untaken
			alert.Stalled = append(alert.Stalled, l)
		case before[l.Lane] != nil:
			alert.Recovered = append(alert.Recovered, l.Lane)
		}
	}
	return nil
}
