package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"usher/queues/lanes"
	"usher/queues/store"

	"github.com/nats-io/nats.go"
)

// Workers are not registered anywhere: a roll call asks, and each worker answers for
// itself.

// Presence is a worker's answer to a roll call.
type Presence struct {
	Worker string             `json:"worker"`
	Slots  map[lanes.Lane]int `json:"slots"`          // free or not; empty while the worker stops
	Leases []string           `json:"leases"`         // tokens of its leases, set by the Queue
	Down   *time.Time         `json:"down,omitempty"` // since when the worker finds the platform down
}

// The maximum duration of a roll call, and how long it waits after the last answer.
const (
	rollCallTime  = time.Second
	rollCallQuiet = 250 * time.Millisecond // a worker may be busy
)

// AnswerRollCalls makes this worker answer roll calls until stop is called.
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
	return func() { _ = subscription.Unsubscribe() }, nil // fails only if the connection is closed
}

// rollCall asks which workers run. known is false if nobody answered although workers
// may be connected.
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
