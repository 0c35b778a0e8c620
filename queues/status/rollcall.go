package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher/queues/lanes"
	"usher/queues/store"
)

// Workers are not registered anywhere: a roll call asks, and each worker answers for
// itself.

// Presence is a worker's answer to a roll call.
type Presence struct {
	Worker string             `json:"worker"`
	Slots  map[lanes.Lane]int `json:"slots"`          // free or not; empty while the worker stops
	Leases []string           `json:"leases"`         // tokens of its leases, set by queues.Queue
	Jobs   []string           `json:"jobs"`           // ids of some of the jobs that it runs, set by queues.Queue
	Down   *time.Time         `json:"down,omitempty"` // since when the worker finds the platform down
	// Refused says that the platform refuses usher's login, which is why it counts as down.
	Refused bool `json:"refused,omitempty"`

	Version string    `json:"version,omitempty"`
	Since   time.Time `json:"since,omitzero"`   // when the worker was started
	Memory  uint64    `json:"memory,omitempty"` // bytes that it has of the system
	Work    *Work     `json:"work,omitempty"`   // set by queues.Queue; nil: older than versions that say it

	Rules []string `json:"rules"` // names of the rule files by which it acts; nil: older than versions that say it

	Screens bool    `json:"screens,omitempty"` // it compares each batch with the suppression list
	Allowed *uint64 `json:"allowed,omitempty"` // the oldest generation of that list that requests on their way were compared with; nil: there are none
}

// The maximum duration of a roll call, and how long it waits after the last answer.
const (
	rollCallTime  = time.Second
	rollCallQuiet = 250 * time.Millisecond // a worker may be busy
)

// AnswerRollCalls makes a worker answer roll calls until stop is called.
func AnswerRollCalls(s *store.Store, logger *slog.Logger, presence func() Presence) (stop func(), err error) {
	subject := s.RollCall()
	subscription, err := s.Conn.Subscribe(subject, func(m *nats.Msg) {
		data, err := json.Marshal(presence())
		if err == nil {
			err = m.Respond(data)
		}
		if err != nil {
			logger.Warn("answering a roll call", "error", err)
		}
	})
	if err == nil {
		err = s.Conn.FlushTimeout(store.CallTime)
	}
	if err != nil {
		return nil, fmt.Errorf("listen to %s: %w", subject, err)
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only if the connection is closed
}

// ErrNoAnswer reports that no worker answered a roll call although some may run.
var ErrNoAnswer = errors.New("no worker has answered within a second")

// Workers returns the workers that answer a roll call, by name.
func (r *Reader) Workers(ctx context.Context) ([]Presence, error) {
	workers, known := r.callRoll(ctx)
	if !known {
		return nil, ErrNoAnswer
	}
	slices.SortFunc(workers, func(a, b Presence) int { return strings.Compare(a.Worker, b.Worker) })
	return workers, nil
}

// callRoll asks which workers run. known is false if nobody answered although workers
// may be connected.
func (r *Reader) callRoll(ctx context.Context) (workers []Presence, known bool) {
	replies, err := r.store.Conn.SubscribeSync(r.store.Conn.NewInbox())
	if err != nil {
		return nil, false
	}
	defer func() { _ = replies.Unsubscribe() }()
	if r.store.Conn.PublishRequest(r.store.RollCall(), replies.Subject, nil) != nil {
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
			return workers, len(workers) > 0
		}
		var p Presence
		if json.Unmarshal(m.Data, &p) == nil {
			workers = append(workers, p)
		}
	}
}
