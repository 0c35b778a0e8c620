package presence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues/lanes"
	"usher/queues/store"
)

// Answer is what a worker says of itself when it is asked.
type Answer struct {
	Worker string             `json:"worker"`
	Slots  map[lanes.Lane]int `json:"slots"`          // free or not; empty while the worker stops
	Leases []string           `json:"leases"`         // tokens of its leases, set by queues.Queue
	Jobs   []string           `json:"jobs"`           // ids of some of the jobs that it runs, set by queues.Queue
	Down   *time.Time         `json:"down,omitempty"` // since when the worker finds the platform down
	How    string             `json:"how,omitempty"`  // how it is down: "answers with status 503"; "": of another version
	// Refused says that the platform refuses usher's login, which is why it counts as down.
	Refused bool       `json:"refused,omitempty"`
	NoRedis *time.Time `json:"noRedis,omitempty"` // since when Redis carries out no requests of the worker
	// RedisRefused says that Redis refuses usher's login, which is why it carries out no requests.
	RedisRefused bool `json:"redisRefused,omitempty"`
	// Ahead is how far the machine's clock is ahead of NATS's, in seconds; set by queues.Queue.
	Ahead   float64   `json:"ahead,omitempty"`
	Failing []Failing `json:"failing,omitempty"` // operations of the platform that fail for the worker
	Slow    []SlowJob `json:"slow,omitempty"`    // some of its jobs whose sources deliver too slowly, set by queues.Queue
	// Worked has when operations of the platform have last worked for the worker, by their names.
	Worked map[string]time.Time `json:"worked,omitempty"`

	Version string    `json:"version,omitempty"`
	Since   time.Time `json:"since,omitzero"`   // when the worker was started
	Memory  uint64    `json:"memory,omitempty"` // bytes that it has of the system
	Work    Work      `json:"work"`             // set by queues.Queue

	Rules   []string             `json:"rules"`             // names of the rule files by which it acts
	Actions []usher.BiddingField `json:"actions,omitempty"` // what it lets rules change

	// Oversized says which values NATS does not take because of their size; set by queues.Queue.
	Oversized []string `json:"oversized,omitempty"`
	// Advertisers are those that the worker's files of rules, feeds and tokens name.
	Advertisers []string `json:"advertisers,omitempty"`
	Sources     []string `json:"sources,omitempty"` // places from which its jobs may read exports; folders with their whole paths
	Ledger      string   `json:"ledger,omitempty"`  // where its ledger is, without the parameters of a URL

	// Files has digests of the files that the worker has loaded for tasks, by the names of the
	// tasks. A task for which it has no files is missing.
	Files map[string]string `json:"files,omitempty"`
	// Invalid has the first error of each of these files that was changed and is invalid.
	Invalid []string `json:"invalid,omitempty"`
	Leads   []string `json:"leads,omitempty"` // names of the tasks that it leads, set by Presence

	// Allowed is the oldest generation of the suppression list that requests on their way were
	// compared with; nil: there are none.
	Allowed *uint64 `json:"allowed,omitempty"`
}

// SlowJob is a job whose source delivers too slowly.
type SlowJob struct {
	Job string `json:"job"`
	usher.SlowSource
}

// SlowHint says what becomes of jobs whose sources deliver too slowly, and what to do.
const SlowHint = "Each is tried again, a minute later at the earliest, and ends as source_broken. Have its server deliver faster, or set sources.min_rate lower."

// Work is what a worker has done since it was started.
type Work struct {
	Read     int64 `json:"read"`     // rows that were settled, whatever their outcome
	Accepted int64 `json:"accepted"` // rows that the platform has accepted
	Bytes    int64 `json:"bytes"`    // of upload requests that the platform has answered
}

// How long a reader waits for the first answer, and for each further one.
const (
	firstAnswer = time.Second
	nextAnswer  = 250 * time.Millisecond // a worker may be busy
)

// Answer makes this worker answer readers until stop is called.
func (p *Presence) Answer(answer func() Answer) (stop func(), err error) {
	subject := p.store.Workers()
	subscription, err := p.store.Conn.Subscribe(subject, func(m *nats.Msg) {
		h := answer()
		h.Leads = p.leads()
		data, err := json.Marshal(h)
		if err == nil {
			err = m.Respond(data)
		}
		if err != nil {
			p.options.Logger.Warn("answering who this worker is", "error", err)
		}
	})
	if err == nil {
		err = p.store.Conn.FlushTimeout(store.CallTime)
	}
	if err != nil {
		return nil, fmt.Errorf("listen to %s: %w", subject, err)
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only if the connection is closed
}

// ErrNoAnswer means that no worker has answered although some may run.
var ErrNoAnswer = errors.New("no worker has answered within a second")

// Workers asks all workers and returns those that answer, by name, or ErrNoAnswer. It returns none
// without an error if no worker is connected.
func (p *Presence) Workers(ctx context.Context) ([]Answer, error) {
	return Ask(ctx, p.store.Conn, p.store.Namespace)
}

// Ask is like Presence.Workers, also on a NATS server that has no streams or buckets.
func Ask(ctx context.Context, nc *nats.Conn, namespace string) ([]Answer, error) {
	replies, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		return nil, ErrNoAnswer
	}
	defer func() { _ = replies.Unsubscribe() }()
	if nc.PublishRequest(store.Names{Namespace: namespace}.Workers(), replies.Subject, nil) != nil {
		return nil, ErrNoAnswer
	}
	var workers []Answer
	for patience := firstAnswer; ; patience = nextAnswer {
		try, cancel := context.WithTimeout(ctx, patience)
		m, err := replies.NextMsgWithContext(try)
		cancel()
		switch {
		case err == nil:
		case errors.Is(err, nats.ErrNoResponders):
			return nil, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case len(workers) == 0:
			return nil, ErrNoAnswer
		default:
			slices.SortFunc(workers, func(a, b Answer) int { return strings.Compare(a.Worker, b.Worker) })
			return workers, nil
		}
		var h Answer
		if json.Unmarshal(m.Data, &h) == nil {
			workers = append(workers, h)
		}
	}
}
