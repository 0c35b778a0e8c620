package queues

import (
	"context"
	"encoding/json"
	"fmt"
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
	replay  string // the replay that its run belongs to; "" for none
}

// letterOf is the letter of a message: of one that is not valid as it stands,
// else to be completed by fail.
func letterOf(m *message, now time.Time) letter {
	l := letter{order: m.order, dropped: m.dropped, trace: m.trace, replay: m.replay, DeadLetter: usher.DeadLetter{
		Run: m.run, Kind: m.kind, At: now.UTC(), Job: m.kept, Edited: m.edited,
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
	l := letter{order: e.Order, trace: e.Trace, replay: e.Replay, DeadLetter: usher.DeadLetter{
		ID: &id, Run: e.Run, Kind: e.Record.Kind, At: now.UTC(), Job: e.Kept, Edited: e.Record.Edited,
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
	duplicate, err := q.storeLetter(ctx, l, msgID)
	if err == nil && !duplicate {
		q.metrics.letters.WithLabelValues(string(l.Class)).Inc()
	}
	return err
}

// storeLetter also says whether NATS knew the msgID already.
func (q *Queue) storeLetter(ctx context.Context, l letter, msgID string) (duplicate bool, err error) {
	l.Trace = "" // stands in a header, whole
	data, err := json.Marshal(l.DeadLetter)
	if err != nil {
		return false, fmt.Errorf("encode dead letter: %w", err)
	}
	msg := nats.NewMsg(q.names.DeadLetter(l.Kind, l.Class))
	msg.Data = data
	if err := l.setHeaders(msg.Header); err != nil {
		return false, err
	}
	ack, err := q.js.PublishMsg(ctx, msg, jetstream.WithMsgID(msgID))
	if err != nil {
		return false, fmt.Errorf("publish dead letter to %s: %w", msg.Subject, err)
	}
	return ack.Duplicate, nil
}

// setHeaders writes what a replay needs beside the job.
func (l *letter) setHeaders(header nats.Header) error {
	header.Set(headerOrder, strconv.FormatUint(l.order, 10))
	if l.dropped.Read > 0 {
		dropped, err := json.Marshal(l.dropped)
		if err != nil {
			return fmt.Errorf("encode tally of dead letter: %w", err)
		}
		header.Set(headerDropped, string(dropped))
	}
	for name, value := range map[string]string{headerTrace: l.trace, headerReplay: l.replay} {
		if value != "" {
			header.Set(name, value)
		}
	}
	return nil
}

func readLetter(data []byte, header nats.Header, seq uint64, w glossary) (letter, bool) {
	var l letter
	if !decodeLetter(data, &l.DeadLetter, w) {
		return l, false
	}
	if l.Seq = seq; len(header) == 0 {
		return l, true
	}
	l.order, _ = strconv.ParseUint(header.Get(headerOrder), 10, 64)
	l.trace, l.replay = traceOf(header), header.Get(headerReplay)
	l.Trace = traceID(l.trace)
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
