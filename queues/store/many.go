package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Limits on the response to one request of EachOfMany. Writes to the stream wait meanwhile.
const (
	manyMessages = 4096
	manyBytes    = 8 << 20
)

// manyTime is how long EachOfMany waits for a message.
const manyTime = 2 * time.Second

// EachOfMany calls visit with messages of a stream in order, starting at a sequence, many
// for each request. The stream must have AllowDirect, so that any replica responds. It
// stops early if that replica lags behind, or if there is no response; a caller that needs
// all messages reads the rest from the leader.
func (s *Store) EachOfMany(ctx context.Context, stream string, from uint64, visit func(*jetstream.RawStreamMsg)) error {
	inbox := s.Conn.NewInbox()
	responses := make(chan *nats.Msg, manyMessages+1)
	subscription, err := s.Conn.ChanSubscribe(inbox, responses)
	if err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	defer func() { _ = subscription.Unsubscribe() }()
	r := manyReader{responses: responses, silence: time.NewTimer(manyTime), leader: s.Leader(stream), from: from, visit: visit}
	defer r.silence.Stop()
	for more := true; more && err == nil; {
		var request []byte
		if request, err = json.Marshal(position{Seq: r.from, Batch: manyMessages, MaxBytes: manyBytes}); err != nil {
			break
		}
		if err = s.Conn.PublishRequest("$JS.API.DIRECT.GET."+stream, inbox, request); err == nil {
			more, err = r.read(ctx)
		}
	}
	if err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	return nil
}

// manyReader reads responses with many messages.
type manyReader struct {
	responses <-chan *nats.Msg
	silence   *time.Timer
	leader    Leader
	from      uint64 // the next sequence
	visit     func(*jetstream.RawStreamMsg)
}

// read reads the response to one request, and reports whether another one is worth it.
func (r *manyReader) read(ctx context.Context) (more bool, err error) {
	unreadable := 0 // messages without headers, whose sequences are not known
	for {
		m, err := r.next(ctx)
		if m == nil || err != nil {
			return false, err
		}
		if m.Header == nil { // the client could not read those of the publisher
			unreadable++
			continue
		}
		raw, isMessage := storedMessage(m)
		for range unreadable {
			if err := r.readNext(ctx); err != nil {
				return false, err
			}
		}
		if !isMessage {
			// The end of the response has how many messages are left.
			left, err := strconv.ParseUint(m.Header.Get("Nats-Num-Pending"), 10, 64)
			return err == nil && left > 0 || unreadable > 0, nil
		}
		unreadable = 0
		r.take(raw)
	}
}

// next returns the next message of a response; nil if none comes.
func (r *manyReader) next(ctx context.Context) (*nats.Msg, error) {
	r.silence.Reset(manyTime)
	select {
	case m := <-r.responses:
		return m, nil
	case <-r.silence.C:
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// readNext reads the next message of the stream from its leader.
func (r *manyReader) readNext(ctx context.Context) error {
	m, err := r.leader.Next(ctx, ">", r.from)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	if err == nil {
		r.take(m)
	}
	return err
}

func (r *manyReader) take(m *jetstream.RawStreamMsg) {
	if m.Sequence >= r.from {
		r.from = m.Sequence + 1
		r.visit(m)
	}
}

// storedMessage returns the message of the stream in a response to a direct get, if it has
// one. The server appends its headers to those of the publisher, who may have sent the
// same ones, or a status.
func storedMessage(m *nats.Msg) (*jetstream.RawStreamMsg, bool) {
	last := func(name string) string {
		values := m.Header[name]
		if len(values) == 0 {
			return ""
		}
		return values[len(values)-1]
	}
	seq, err := strconv.ParseUint(last(jetstream.SequenceHeader), 10, 64)
	if err != nil {
		return nil, false
	}
	at, err := time.Parse(time.RFC3339Nano, last(jetstream.TimeStampHeaer))
	if err != nil {
		return nil, false
	}
	return &jetstream.RawStreamMsg{Subject: last(jetstream.SubjectHeader), Sequence: seq, Header: m.Header, Data: m.Data, Time: at}, true
}
