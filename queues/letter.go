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
	"usher/queues/message"
	"usher/queues/records"
)

// Letter is a dead letter with what a replay of its job needs. This package only
// writes letters; package letters reads them.
type Letter struct {
	usher.DeadLetter
	Order       uint64      // stream sequence of the job's first publish
	Dropped     usher.Tally // rows that hashing inline ids dropped
	Traceparent string
	Replay      string // name of the replay that published the failed run; may be empty
}

// letterOf returns the letter of a message. For a valid job, the caller completes
// it with fail.
func letterOf(m *message.Message, now time.Time) Letter {
	l := Letter{Order: m.Order, Dropped: m.Dropped, Traceparent: m.Trace, Replay: m.Replay, DeadLetter: usher.DeadLetter{
		Run: m.Run, Kind: m.Kind, At: now.UTC(), Job: m.Kept, Edited: m.Edited,
		Target: targetIn(m.Kind, m.Shown),
	}}
	if m.ID != "" {
		l.ID = &m.ID
	} else {
		l.Job = nil // without an id nobody could find it again
	}
	if m.Invalid != nil {
		l.Class, l.Message, l.Hint = m.Invalid.Class, m.Invalid.Message, m.Invalid.Hint
	}
	return l
}

// letterOfCut returns the one letter of a job that was cut into parts.
func letterOfCut(e *records.Job, failure *usher.JobError, now time.Time) Letter {
	id := e.Record.ID
	l := Letter{Order: e.Order, Traceparent: e.Trace, Replay: e.Replay, DeadLetter: usher.DeadLetter{
		ID: &id, Run: e.Run, Kind: e.Record.Kind, At: now.UTC(), Job: e.Kept, Edited: e.Record.Edited,
		Target: targetIn(e.Record.Kind, e.Record.Job),
	}}
	l.fail(e, failure)
	return l
}

// targetIn returns the target in a job's JSON, as far as the JSON names one.
func targetIn(k usher.Kind, job json.RawMessage) string {
	return strings.TrimSpace(records.TargetIn(k, job))
}

func (l *Letter) fail(e *records.Job, failure *usher.JobError) {
	l.Run, l.Attempts, l.Crashes = e.Run, max(e.Attempts, e.Record.Attempts), max(e.Crashes, e.Record.Crashes)
	if failure != nil {
		l.Class, l.Message, l.Hint = failure.Class, failure.Message, failure.Hint
	}
}

// publishLetter stores the letter of a failed job. The message ID makes NATS keep
// one letter, however often a crash repeats the publish.
func (q *Queue) publishLetter(ctx context.Context, l Letter, msgID string) error {
	_, duplicate, err := q.StoreLetter(ctx, l, msgID)
	if err == nil && !duplicate {
		q.metrics.letters.WithLabelValues(string(l.Class)).Inc()
	}
	return err
}

// StoreLetter stores a letter and returns its sequence. It reports whether NATS already has one
// with the same message ID.
func (q *Queue) StoreLetter(ctx context.Context, l Letter, msgID string) (seq uint64, duplicate bool, err error) {
	l.Trace = "" // the header has the whole traceparent
	data, err := json.Marshal(l.DeadLetter)
	if err != nil {
		return 0, false, fmt.Errorf("encode dead letter: %w", err)
	}
	msg := nats.NewMsg(q.names.DeadLetter(l.Kind, l.Class))
	msg.Data = data
	if err := l.writeHeader(msg.Header); err != nil {
		return 0, false, err
	}
	ack, err := q.store.Publish(ctx, msg, jetstream.WithMsgID(msgID))
	if err != nil {
		return 0, false, fmt.Errorf("publish dead letter to %s: %w", msg.Subject, err)
	}
	return ack.Sequence, ack.Duplicate, nil
}

func (l *Letter) writeHeader(header nats.Header) error {
	header.Set(message.HeaderOrder, strconv.FormatUint(l.Order, 10))
	if l.Dropped.Read > 0 {
		dropped, err := json.Marshal(l.Dropped)
		if err != nil {
			return fmt.Errorf("encode tally of dead letter: %w", err)
		}
		header.Set(message.HeaderDropped, string(dropped))
	}
	for name, value := range map[string]string{message.HeaderTrace: l.Traceparent, message.HeaderReplay: l.Replay} {
		if value != "" {
			header.Set(name, value)
		}
	}
	return nil
}

// ReadHeader sets the fields that StoreLetter writes to the header.
func (l *Letter) ReadHeader(header nats.Header) {
	l.Order, _ = strconv.ParseUint(header.Get(message.HeaderOrder), 10, 64)
	l.Traceparent, l.Replay = message.TraceOf(header), header.Get(message.HeaderReplay)
	l.Trace = message.TraceID(l.Traceparent)
	if s := header.Get(message.HeaderDropped); s != "" {
		_ = json.Unmarshal([]byte(s), &l.Dropped)
	}
}
