package alerts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"usher/internal/readable"
	"usher/internal/rules/calendar"
	"usher/queues/store"
)

// maxSingle is how many messages are sent one by one. More at a time are sent as one.
const maxSingle = 5

// deliver records what has happened, and sends what is due. Messages of a channel that fails are
// sent again after at least Every.
func (a *Alerts) deliver(ctx context.Context) error {
	d := &a.detector
	bucket := d.queue.Store().Rules
	var state alertState
	revision, found, err := bucket.Get(ctx, stateKey, &state)
	if err != nil {
		return err
	}
	before, err := json.Marshal(&state)
	if err != nil {
		return fmt.Errorf("encode the state of alerts: %w", err)
	}
	if err := d.detect(ctx, &state, !found); err != nil {
		return fmt.Errorf("detect alerts: %w", err)
	}
	now := d.queue.Now().UTC()
	if n := state.address(a.names(), a.Quiet.contains(now)); n > 0 {
		a.logger.Error("alerts are dropped, because too many wait to be sent", "alerts", n)
	}
	due := a.due(&state, now)
	after, err := json.Marshal(&state)
	if err != nil {
		return fmt.Errorf("encode the state of alerts: %w", err)
	}
	if !found || !bytes.Equal(before, after) {
		if _, err = bucket.CompareAndSet(ctx, stateKey, &state, revision); err != nil {
			return err
		}
	}
	err = a.send(ctx, due)
	for _, run := range state.Reported {
		err = errors.Join(err, d.notices.Remove(ctx, run))
	}
	return err
}

// post is what is sent to a channel at once.
type post struct {
	channel string
	entries []uint64
	message Message
}

// due returns what is to be sent now.
func (a *Alerts) due(s *alertState, now time.Time) []post {
	var due []post
	for _, channel := range a.names() {
		if now.Sub(s.Failures[channel]) < a.detector.Every {
			continue
		}
		var held, others []entry
		for _, e := range s.Outbox {
			switch {
			case !slices.Contains(e.To, channel), e.Held && a.Quiet.contains(now):
			case e.Held:
				held = append(held, e)
			default:
				others = append(others, e)
			}
		}
		if len(held) > 0 {
			due = append(due, together(channel, held, readable.Count(len(held), "message")+" from the quiet hours "+a.Quiet.String()))
		}
		if len(others) > maxSingle {
			due = append(due, together(channel, others, readable.Number(int64(len(others)))+" messages"))
			continue
		}
		for _, e := range others {
			due = append(due, post{channel, []uint64{e.Number}, e.Message})
		}
	}
	return due
}

// together returns one post for several entries.
func together(channel string, entries []entry, title string) post {
	p := post{channel: channel}
	messages := make([]Message, len(entries))
	for i, e := range entries {
		messages[i] = e.Message
		p.entries = append(p.entries, e.Number)
	}
	if p.message = messages[0]; len(messages) > 1 {
		p.message = summarize(title, messages)
	}
	return p
}

// send sends posts and records the outcomes. After a channel has failed, its other posts wait.
// Once ctx has ended, another worker sends what is left.
func (a *Alerts) send(ctx context.Context, due []post) error {
	var errs []error
	failed := map[string]bool{}
	for _, p := range due {
		if failed[p.channel] || ctx.Err() != nil {
			continue
		}
		err := a.channels[p.channel].send(ctx, &p.message)
		if err != nil {
			errs = append(errs, err)
			failed[p.channel] = true
		}
		if err := a.recordPost(ctx, p, err); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	return errors.Join(errs...)
}

// recordPost records the outcome of a post.
func (a *Alerts) recordPost(ctx context.Context, p post, err error) error {
	return a.update(ctx, func(s *alertState) {
		now := a.detector.queue.Now().UTC()
		if err == nil {
			delete(s.Failures, p.channel)
			s.sent(p.channel, p.entries)
			return
		}
		if s.Failures == nil {
			s.Failures = map[string]time.Time{}
		}
		s.Failures[p.channel] = now
		if errors.Is(err, errRefused) {
			s.refused(p.channel, p.entries)
		}
	})
}

// updateTime is how long recording an outcome may take, also after ctx has ended.
const updateTime = 5 * time.Second

// update changes the state.
func (a *Alerts) update(ctx context.Context, change func(*alertState)) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), updateTime)
	defer cancel()
	return store.Change(ctx, a.detector.queue.Store().Rules, stateKey, func(s *alertState, _ bool) bool {
		change(s)
		return true
	})
}

// Quiet are the hours in which only faults are sent. nil has none.
type Quiet struct{ hours *calendar.Hours }

// ParseQuiet reads quiet hours such as 22:00-07:00 on the clock of a zone. "" has none.
func ParseQuiet(text string, zone *time.Location) (*Quiet, error) {
	if text == "" {
		return nil, nil // nil has no quiet hours
	}
	hours, err := calendar.ParseHours(text, zone)
	if err != nil {
		return nil, fmt.Errorf("%q is not a pair of different times of the day, such as 22:00-07:00", text)
	}
	return &Quiet{hours}, nil
}

func (q *Quiet) contains(at time.Time) bool { return q != nil && q.hours.Contains(at) }

func (q *Quiet) String() string {
	if q == nil {
		return ""
	}
	return q.hours.String()
}
