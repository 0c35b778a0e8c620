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

// readSingly is the number of messages that EachToEnd reads one by one. More are read many
// at once.
const readSingly = 64

// EachToEnd calls visit with the messages of a stream in order, from the sequence that next
// returns to the end that the stream has when it is called, and perhaps some that come later.
// visit must make next return a higher sequence. The stream has at least the sequences up to
// known.
func (s *Store) EachToEnd(ctx context.Context, stream string, next func() uint64, known uint64, visit func(*jetstream.RawStreamMsg)) error {
	leader := s.Leader(stream)
	var end uint64 // of the stream, later than the call; 0: not known
	for many := true; ; {
		from := next()
		if many && from+readSingly <= known {
			if err := s.eachOfMany(ctx, stream, from, known, visit); err != nil {
				return err
			}
			many = next() > from // otherwise no replica has them, or none responds
		}
		n := 0
		if err := EachStored(ctx, leader, ">", next(), func(m *jetstream.RawStreamMsg) bool {
			visit(m)
			n++
			return n < readSingly
		}); err != nil || n < readSingly {
			return err
		}
		if end == 0 {
			newest, err := leader.Last(ctx, ">")
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				return nil // all have left the stream
			}
			if err != nil {
				return fmt.Errorf("read the newest message of %s: %w", stream, err)
			}
			end = max(known, newest.Sequence)
			known = end
		}
		if next() > end {
			return nil // a publisher that goes on would be read without an end
		}
	}
}

// Limits on the response to one request of eachOfMany. Writes to the stream wait meanwhile.
// At most three responses are in memory.
const (
	manyMessages = 4096
	manyBytes    = 4 << 20
)

// manyTime is how long eachOfMany waits for a message.
const manyTime = 2 * time.Second

// eachOfMany calls visit with messages of a stream in order, from a sequence to another one or
// beyond it, many for each request. The next request is sent when a response has been received,
// so that NATS reads while usher does. The stream must have AllowDirect, so that any replica
// responds. It stops early if that replica lags behind, or if there is no response; a caller
// that needs all messages reads the rest from the leader.
func (s *Store) eachOfMany(ctx context.Context, stream string, from, to uint64, visit func(*jetstream.RawStreamMsg)) error {
	r := manyReader{
		conn: s.Conn, inbox: s.Conn.NewInbox(), leader: s.Leader(stream), from: from, to: to, visit: visit,
		responses: make(chan response, 2*(manyMessages+1)), done: make(chan struct{}), silence: time.NewTimer(manyTime),
	}
	defer r.silence.Stop()
	defer close(r.done)
	subscription, err := s.Conn.Subscribe(r.inbox, r.receive)
	if err == nil {
		defer func() { _ = subscription.Unsubscribe() }()
		err = r.request(from)
	}
	if err == nil {
		err = r.read(ctx)
	}
	if err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	return nil
}

// manyReader reads responses with many messages.
type manyReader struct {
	conn      *nats.Conn
	inbox     string
	leader    Leader
	visit     func(*jetstream.RawStreamMsg)
	responses chan response
	done      chan struct{} // closed when nobody reads responses any more
	silence   *time.Timer

	requested uint64 // the first sequence of the last request
	from      uint64 // the next sequence to visit
	to        uint64 // no request is sent for messages behind this one
}

// response is a message of the stream, or the end of the response to a request.
type response struct {
	message    *jetstream.RawStreamMsg
	unreadable bool // a message whose headers, and so its sequence, are not known
	more       bool // after the end, because another request was sent
}

func (r *manyReader) request(from uint64) error {
	request, err := json.Marshal(position{Seq: from, Batch: manyMessages, MaxBytes: manyBytes})
	if err != nil {
		return err
	}
	r.requested = from
	return r.conn.PublishRequest("$JS.API.DIRECT.GET."+r.leader.stream, r.inbox, request)
}

// receive decodes what NATS sends, and sends the next request at the end of a response. It
// runs beside read.
func (r *manyReader) receive(m *nats.Msg) {
	var a response
	if m.Header == nil { // the client could not read those of the publisher
		a.unreadable = true
	} else if raw, isMessage := storedMessage(m); isMessage {
		a.message = raw
	} else {
		left, err := strconv.ParseUint(m.Header.Get("Nats-Num-Pending"), 10, 64)
		last, lastErr := strconv.ParseUint(m.Header.Get("Nats-Last-Sequence"), 10, 64)
		if err == nil && lastErr == nil && left > 0 && last >= r.requested && last < r.to {
			a.more = r.request(last+1) == nil
		}
	}
	select {
	case r.responses <- a:
	case <-r.done:
	}
}

// read visits the messages of all responses.
func (r *manyReader) read(ctx context.Context) error {
	unreadable := 0
	for {
		r.silence.Reset(manyTime)
		var a response
		select {
		case a = <-r.responses:
		case <-r.silence.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if a.unreadable {
			unreadable++
			continue
		}
		for ; unreadable > 0; unreadable-- {
			if err := r.readNext(ctx); err != nil {
				return err
			}
		}
		switch {
		case a.message != nil:
			r.take(a.message)
		case !a.more:
			return nil
		}
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
