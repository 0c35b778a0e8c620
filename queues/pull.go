package queues

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// puller requests the messages of a consumer. The Fetch of nats.go (1.55.0) believes headers of
// a stored message, which are those of its publisher: it takes an empty message with the header
// Status for an answer of the server, so that nobody ever gets it, and sends a Nats-Pin-Id
// with each later request, which the server then refuses. A few such messages would stop a lane.
type puller struct {
	conn    *nats.Conn
	subject string // of requests
}

func newPuller(conn *nats.Conn, stream, consumer string) puller {
	return puller{conn: conn, subject: "$JS.API.CONSUMER.MSG.NEXT." + stream + "." + consumer}
}

// pullRequest is the body of $JS.API.CONSUMER.MSG.NEXT.<stream>.<consumer>.
type pullRequest struct {
	Batch   int           `json:"batch"`             // the maximum number of messages
	Expires time.Duration `json:"expires,omitempty"` // nanoseconds
	NoWait  bool          `json:"no_wait,omitempty"` // only messages that can be delivered now
}

// answerTime is how long after the end of a request its answer may arrive.
const answerTime = time.Second

// pull calls visit with the messages of a request. It returns nil if there are fewer than were
// requested, or if nothing answers.
func (p puller) pull(r pullRequest, visit func(*nats.Msg)) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	arrived := make(chan *nats.Msg, r.Batch+1) // and the server's answer
	sub, err := p.conn.ChanSubscribe(p.conn.NewInbox(), arrived)
	if err != nil {
		return fmt.Errorf("subscribe to messages: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := p.conn.PublishRequest(p.subject, sub.Subject, body); err != nil {
		return fmt.Errorf("request messages: %w", err)
	}
	silence := time.NewTimer(r.Expires + answerTime)
	defer silence.Stop()
	for range r.Batch {
		select {
		case m := <-arrived:
			if !isStored(m) {
				return answerError(m)
			}
			visit(m)
			silence.Reset(r.Expires + answerTime)
		case <-silence.C:
			return nil
		}
	}
	return nil
}

// isStored reports whether a message is one of the stream. Only the server can set such a reply
// subject: it refuses the messages of clients that have one.
func isStored(m *nats.Msg) bool { return strings.HasPrefix(m.Reply, "$JS.ACK.") }

// answerError returns the error in the server's answer to a request, or nil if it says that
// there are no more messages.
func answerError(m *nats.Msg) error {
	switch status := m.Header.Get("Status"); status {
	case "404", "408": // no message, and the request has expired
		return nil
	case "503":
		return nats.ErrNoResponders
	default:
		return fmt.Errorf("NATS answers a request for messages with %s %s", status, m.Header.Get("Description"))
	}
}
