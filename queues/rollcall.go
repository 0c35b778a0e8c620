package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"usher/queues/store"

	"github.com/nats-io/nats.go"
)

// Which workers there are is written nowhere: whoever wants to know asks, and
// each answers for itself.

// Presence is what a worker answers to a roll call, as JSON.
type Presence struct {
	Worker string       `json:"worker"`
	Slots  map[Lane]int `json:"slots"`          // free or not; none while it stops, and takes nothing more
	Leases []string     `json:"leases"`         // what it has, by token: its Queue's word
	Down   *time.Time   `json:"down,omitempty"` // since when it has known the platform to be down
}

// How long a roll call takes at most, and how long it goes on behind the last
// answer.
const (
	rollCallTime  = time.Second
	rollCallQuiet = 250 * time.Millisecond // a worker is busy with other things
)

// AnswerRollCalls has this worker answer, from its return on until stop is called.
func (q *Queue) AnswerRollCalls(presence func() Presence) (stop func(), err error) {
	subject := q.names.RollCall()
	subscription, err := q.nc.Subscribe(subject, func(m *nats.Msg) {
		p := presence()
		p.Leases = q.leases()
		data, err := json.Marshal(p)
		if err == nil {
			err = m.Respond(data)
		}
		if err != nil {
			q.logger.Warn("answering a roll call", "error", err)
		}
	})
	if err == nil {
		err = q.nc.FlushTimeout(store.CallTime)
	}
	if err != nil {
		return nil, fmt.Errorf("listen to %s: %w", subject, err)
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only where the connection is closed
}

// rollCall asks which workers there are. known is false where nobody
// answered although somebody may listen: NATS or they are in trouble.
func (q *Queue) rollCall(ctx context.Context) (there []Presence, known bool) {
	replies, err := q.nc.SubscribeSync(q.nc.NewInbox())
	if err != nil {
		return nil, false
	}
	defer func() { _ = replies.Unsubscribe() }()
	if q.nc.PublishRequest(q.names.RollCall(), replies.Subject, nil) != nil {
		return nil, false
	}
	for patience := rollCallTime; ; patience = rollCallQuiet {
		try, cancel := context.WithTimeout(ctx, patience)
		m, err := replies.NextMsgWithContext(try)
		cancel()
		if errors.Is(err, nats.ErrNoResponders) {
			return nil, true
		}
		if err != nil {
			return there, len(there) > 0
		}
		var p Presence
		if json.Unmarshal(m.Data, &p) == nil {
			there = append(there, p)
		}
	}
}
