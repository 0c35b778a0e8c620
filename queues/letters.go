package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// letter is a dead letter with what a replay needs.
type letter struct {
	usher.DeadLetter
	order   uint64
	dropped usher.Tally
	trace   string
}

// letterOf is the letter of a message: of one that is not valid as it stands,
// else to be completed by fail.
func letterOf(m *message, now time.Time) letter {
	l := letter{order: m.order, dropped: m.dropped, trace: m.trace, DeadLetter: usher.DeadLetter{
		Run: m.run, Kind: m.kind, At: now.UTC(), Job: m.kept,
	}}
	if m.id != "" {
		l.ID = &m.id
	} else {
		l.Job = nil // nobody could find it again
	}
	if m.invalid != nil {
		l.Class, l.Message, l.Hint = m.invalid.Class, m.invalid.Message, m.invalid.Hint
	}
	l.Target = targetIn(m.kind, m.shown)
	return l
}

// targetIn is the target in a job's JSON, as far as there is one.
func targetIn(k usher.Kind, shown json.RawMessage) string {
	e := jobEntry{Record: usher.Record{Kind: k, Job: shown}}
	target, _ := e.targetOf()
	return strings.TrimSpace(target)
}

// letterOfCut is the one letter of a job that was cut.
func letterOfCut(e *jobEntry, failure *usher.JobError, now time.Time) letter {
	id := e.Record.ID
	l := letter{order: e.Order, trace: e.Trace, DeadLetter: usher.DeadLetter{
		ID: &id, Run: e.Run, Kind: e.Record.Kind, At: now.UTC(), Job: e.Kept,
		Target: targetIn(e.Record.Kind, e.Record.Job),
	}}
	l.fail(e, failure)
	return l
}

func (l *letter) fail(e *jobEntry, failure *usher.JobError) {
	l.Run, l.Attempts, l.Crashes = e.Run, max(e.Attempts, e.Record.Attempts), max(e.Crashes, e.Record.Crashes)
	if failure != nil {
		l.Class, l.Message, l.Hint = failure.Class, failure.Message, failure.Hint
	}
}

// publishLetter stores a letter and waits until it is; msgID makes it one,
// however often a crash has it published.
func (q *Queue) publishLetter(ctx context.Context, l letter, msgID string) error {
	data, err := json.Marshal(l.DeadLetter)
	if err != nil {
		return fmt.Errorf("encode dead letter: %w", err)
	}
	msg := nats.NewMsg(q.names.dead(l.Kind, l.Class))
	msg.Data = data
	msg.Header.Set(headerOrder, strconv.FormatUint(l.order, 10))
	if l.dropped.Read > 0 {
		dropped, err := json.Marshal(l.dropped)
		if err != nil {
			return fmt.Errorf("encode tally of dead letter: %w", err)
		}
		msg.Header.Set(headerDropped, string(dropped))
	}
	if l.trace != "" {
		msg.Header.Set(headerTrace, l.trace)
	}
	if _, err := q.js.PublishMsg(ctx, msg, jetstream.WithMsgID(msgID)); err != nil {
		return fmt.Errorf("publish dead letter to %s: %w", msg.Subject, err)
	}
	return nil
}

// LetterFilter says which letters are meant. Zero fields take all.
type LetterFilter struct {
	ID           string
	Kind         usher.Kind
	Class        usher.Class
	Match        string // in target or message, in any case
	Since, Until time.Time
	Limit        int // 0: all
}

func (f LetterFilter) takes(l *usher.DeadLetter) bool {
	match := strings.ToLower(f.Match)
	return (f.ID == "" || l.ID != nil && *l.ID == f.ID) &&
		(f.Kind == "" || l.Kind == f.Kind) && (f.Class == "" || l.Class == f.Class) &&
		(f.Since.IsZero() || !l.At.Before(f.Since)) && (f.Until.IsZero() || !l.At.After(f.Until)) &&
		(match == "" || strings.Contains(strings.ToLower(l.Message), match) || strings.Contains(strings.ToLower(l.Target), match))
}

// eachLetter calls visit with the letters that match, oldest first.
func (q *Queue) eachLetter(ctx context.Context, f LetterFilter, visit func(letter) error) error {
	stream, err := q.js.Stream(ctx, q.names.deadStream())
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	count := stream.CachedInfo().State.Msgs
	if count == 0 {
		return nil
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	last := stream.CachedInfo().State.LastSeq
	messages, err := consumer.Messages()
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	defer messages.Stop()
	for taken, seen := 0, uint64(0); f.Limit == 0 || taken < f.Limit; {
		msg, err := q.nextLetter(ctx, stream, messages, seen)
		if err != nil {
			return fmt.Errorf("read dead letters: %w", err)
		}
		if msg == nil {
			return nil
		}
		meta, err := msg.Metadata()
		if err != nil {
			return fmt.Errorf("read dead letters: %w", err)
		}
		seen = meta.Sequence.Stream
		if l, ok := readLetter(msg.Data(), msg.Headers(), meta.Sequence.Stream); ok && f.takes(&l.DeadLetter) {
			taken++
			if err := visit(l); err != nil {
				return err
			}
		}
		if meta.NumPending == 0 || meta.Sequence.Stream >= last {
			return nil
		}
	}
	return nil
}

// nextLetter waits for the letter after seen; nil where there is none any more,
// because it was replayed or discarded while we read.
func (q *Queue) nextLetter(ctx context.Context, stream jetstream.Stream, messages jetstream.MessagesContext, seen uint64) (jetstream.Msg, error) {
	for {
		try, cancel := context.WithTimeout(ctx, pullTime)
		msg, err := messages.Next(jetstream.NextContext(try))
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return msg, err
		}
		_, err = stream.GetMsg(ctx, seen+1, jetstream.WithGetMsgSubject(q.names.subject("usher.dead.>")))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, nil //nolint:nilnil // there is none, and that is well
		}
		if err != nil {
			return nil, err
		}
	}
}

func readLetter(data []byte, header nats.Header, seq uint64) (letter, bool) {
	var l letter
	if json.Unmarshal(data, &l.DeadLetter) != nil {
		return l, false
	}
	l.Seq = seq
	l.order, _ = strconv.ParseUint(header.Get(headerOrder), 10, 64)
	l.trace = header.Get(headerTrace)
	if s := header.Get(headerDropped); s != "" {
		_ = json.Unmarshal([]byte(s), &l.dropped)
	}
	return l, true
}

// shown is the letter as people see it.
func (l letter) shown() usher.DeadLetter {
	d := l.DeadLetter
	d.Job = shownJob(d.Job)
	return d
}

// Letters are the dead letters that match, oldest first.
func (q *Queue) Letters(ctx context.Context, f LetterFilter) ([]usher.DeadLetter, error) {
	found := []usher.DeadLetter{}
	err := q.eachLetter(ctx, f, func(l letter) error {
		found = append(found, l.shown())
		return nil
	})
	return found, err
}

// LetterGroups are the letters that match, by cause, largest group first.
func (q *Queue) LetterGroups(ctx context.Context, f LetterFilter) ([]usher.LetterGroup, error) {
	type cause struct {
		class           usher.Class
		kind            usher.Kind
		target, message string
	}
	groups := map[cause]*usher.LetterGroup{}
	err := q.eachLetter(ctx, f, func(l letter) error {
		c := cause{l.Class, l.Kind, l.Target, l.Message}
		g := groups[c]
		if g == nil {
			g = &usher.LetterGroup{Class: l.Class, Kind: l.Kind, Target: l.Target, Message: l.Message, First: l.At}
			if l.ID != nil {
				g.Sample = *l.ID
			}
			groups[c] = g
		}
		g.Count++
		g.Last = l.At
		return nil
	})
	list := []usher.LetterGroup{}
	for _, g := range groups {
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b usher.LetterGroup) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return a.First.Compare(b.First)
	})
	return list, err
}

// Discard removes a letter for good.
func (q *Queue) Discard(ctx context.Context, seq uint64) error {
	stream, err := q.js.Stream(ctx, q.names.deadStream())
	if err != nil {
		return fmt.Errorf("discard letter %d: %w", seq, err)
	}
	if err := stream.DeleteMsg(ctx, seq); err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("discard letter %d: %w", seq, err)
	}
	return nil
}
