package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Leader reads and deletes single messages of a stream at its leader. The methods of
// jetstream.Stream ask any replica, which may lag behind, if the stream has AllowDirect.
type Leader struct {
	conn   *nats.Conn
	stream string
}

// Leader returns the leader of a stream.
func (s *Store) Leader(stream string) Leader { return Leader{s.Conn, stream} }

// position says which message a request wants.
type position struct {
	Seq  uint64 `json:"seq,omitempty"`
	Next string `json:"next_by_subj,omitempty"` // the first one on a subject, from Seq on
	Last string `json:"last_by_subj,omitempty"`

	// Of a request for many; see Store.eachOfMany.
	Batch    int `json:"batch,omitempty"`
	MaxBytes int `json:"max_bytes,omitempty"`
}

// Message returns the message with a sequence, or jetstream.ErrMsgNotFound.
func (l Leader) Message(ctx context.Context, seq uint64) (*jetstream.RawStreamMsg, error) {
	return l.get(ctx, position{Seq: seq})
}

// Next returns the first message on a subject from a sequence on, or
// jetstream.ErrMsgNotFound.
func (l Leader) Next(ctx context.Context, subject string, from uint64) (*jetstream.RawStreamMsg, error) {
	return l.get(ctx, position{Seq: from, Next: subject})
}

// Last returns the last message on a subject, or jetstream.ErrMsgNotFound.
func (l Leader) Last(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	return l.get(ctx, position{Last: subject})
}

// Delete deletes the message with a sequence. It is no error if there is none. If the user
// may not delete messages, NATS does not respond.
func (l Leader) Delete(ctx context.Context, seq uint64) error {
	ctx, cancel := context.WithTimeout(ctx, CallTime)
	defer cancel()
	request := fmt.Appendf(nil, `{"seq":%d,"no_erase":true}`, seq)
	response, err := l.conn.RequestWithContext(ctx, "$JS.API.STREAM.MSG.DELETE."+l.stream, request)
	if err == nil {
		var answer struct {
			Error *jetstream.APIError `json:"error"`
		}
		if err = json.Unmarshal(response.Data, &answer); err == nil && answer.Error != nil && !isGone(answer.Error) {
			err = answer.Error
		}
	}
	if err != nil {
		return fmt.Errorf("delete message %d of %s: %w", seq, l.stream, err)
	}
	return nil
}

// deleteFailed is the server's error for a message that it could not delete, also because it is
// not there: then its description says so.
const deleteFailed jetstream.ErrorCode = 10057

// noSequence is the error of a replicated stream for a message that is not there.
const noSequence jetstream.ErrorCode = 10043

func isGone(e *jetstream.APIError) bool {
	return e.ErrorCode == jetstream.JSErrCodeMessageNotFound || e.ErrorCode == noSequence || e.ErrorCode == deleteFailed && strings.Contains(e.Description, "no message found")
}

func (l Leader) get(ctx context.Context, p position) (*jetstream.RawStreamMsg, error) {
	request, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, CallTime)
	defer cancel()
	response, err := l.conn.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+l.stream, request)
	if err != nil {
		return nil, fmt.Errorf("read stream %s: %w", l.stream, err)
	}
	var answer struct {
		Error   *jetstream.APIError `json:"error"`
		Message *struct {
			Subject string    `json:"subject"`
			Seq     uint64    `json:"seq"`
			Header  []byte    `json:"hdrs"`
			Data    []byte    `json:"data"`
			Time    time.Time `json:"time"`
		} `json:"message"`
	}
	switch err := json.Unmarshal(response.Data, &answer); {
	case err != nil:
		return nil, fmt.Errorf("read stream %s: %w", l.stream, err)
	case answer.Error != nil && answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return nil, jetstream.ErrMsgNotFound
	case answer.Error != nil:
		return nil, fmt.Errorf("read stream %s: %w", l.stream, answer.Error)
	case answer.Message == nil:
		return nil, fmt.Errorf("read stream %s: NATS answers without a message", l.stream)
	}
	m := answer.Message
	raw := &jetstream.RawStreamMsg{Subject: m.Subject, Sequence: m.Seq, Data: m.Data, Time: m.Time}
	if len(m.Header) > 0 {
		// A publisher may have sent a malformed header block. Consumers deliver such
		// a message without headers.
		raw.Header, _ = nats.DecodeHeadersMsg(m.Header)
	}
	return raw, nil
}
