package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/lanes"
	"usher/queues/store"
)

// CheckResult is what one check of usher doctor says.
type CheckResult struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Says string `json:"says"` // the state, and what to do about a problem
	// NoResponse is set if the check failed because no response came in time. It shows
	// neither that something is well nor that it is not.
	NoResponse bool `json:"noResponse,omitempty"`
	// Keys has the keys of all damaged values. Says names at most ten.
	Keys []string `json:"keys,omitempty"`
}

// Check checks the streams, consumers and buckets without changing them. Each is checked
// within its own limit, and all at the same time; a request without a response within each
// is repeated.
func Check(ctx context.Context, js jetstream.JetStream, o Options, each, limit time.Duration) []CheckResult {
	o = o.withDefaults()
	n := store.Names{Namespace: o.Namespace}
	var checks []*check
	for _, config := range streams(n, o) {
		checks = append(checks, &check{"stream " + config.Name, func(ctx context.Context) (string, error) { return checkStream(ctx, js, config) }})
	}
	for _, lane := range lanes.All() {
		checks = append(checks, &check{"consumer " + string(lane), func(ctx context.Context) (string, error) { return checkConsumers(ctx, js, lane.Consumers(n)) }})
	}
	for _, bucket := range []string{n.StateBucket(), n.RulesBucket()} {
		checks = append(checks, &check{"bucket " + bucket, func(ctx context.Context) (string, error) {
			_, err := js.KeyValue(ctx, bucket)
			return "declared", notDeclared(err)
		}})
	}
	found := make([]CheckResult, len(checks))
	var wait sync.WaitGroup
	for i, c := range checks {
		wait.Go(func() { found[i] = c.result(ctx, each, limit) })
	}
	wait.Wait()
	return found
}

// check is one check. run returns the state, or an error that says what to do.
type check struct {
	what string
	run  func(ctx context.Context) (says string, err error)
}

func (c *check) result(ctx context.Context, each, limit time.Duration) CheckResult {
	f := CheckResult{What: c.what}
	err := store.Ask(ctx, each, limit, func(ctx context.Context) (err error) {
		f.Says, err = c.run(ctx)
		return err
	})
	switch {
	case err == nil:
		f.OK = true
	case store.NoResponse(err):
		f.NoResponse = true
		f.Says = fmt.Sprintf("not checked, because NATS did not respond within %s: %v; if another run of `usher doctor` finds the same, it has no leader: check that more than half of NATS's servers run, and that no disk of NATS is full", limit, err)
	default:
		f.Says = err.Error()
	}
	return f
}

// notDeclared adds what to do to an error that is an answer.
func notDeclared(err error) error {
	if err == nil || store.NoResponse(err) {
		return err
	}
	return fmt.Errorf("%w: run `usher migrate`", err)
}

func checkConsumers(ctx context.Context, js jetstream.JetStream, consumers []lanes.Consumer) (string, error) {
	for _, want := range consumers {
		c, err := js.Consumer(ctx, want.Stream, want.Name)
		if err != nil {
			return "", notDeclared(err)
		}
		if !sameSubjects(filtersOf(c.CachedInfo().Config), want.Filters) {
			return "", errors.New("does not deliver all jobs of its lane: run `usher migrate`")
		}
	}
	return "declared", nil
}

func checkStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) (string, error) {
	s, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return "", errors.New("not declared: run `usher migrate`")
	}
	if err != nil {
		return "", err
	}
	info := s.CachedInfo()
	got := info.Config
	says := fmt.Sprintf("%d messages, copies: %d", info.State.Msgs, got.Replicas)
	switch {
	case got.Retention != want.Retention, got.Discard != want.Discard:
		return "", errors.New("has another retention or discard policy than usher's: delete it once it is empty, then run `usher migrate`")
	case !sameSubjects(got.Subjects, want.Subjects):
		return "", errors.New("has other subjects than usher's: run `usher migrate`")
	case got.AllowDirect && !want.AllowDirect:
		return "", errors.New("is read from replicas that may lag behind: run `usher migrate`")
	case !got.AllowDirect && want.AllowDirect:
		return "", errors.New("does not serve many messages at once, so that a worker takes long to start beside a backlog: run `usher migrate`")
	case got.Replicas < want.Replicas:
		return "", fmt.Errorf("has %d replicas, configured are %d: run `usher migrate`", got.Replicas, want.Replicas)
	}
	if lost := lostCopies(info); lost != "" {
		return "", errors.New(lost)
	}
	if warning := warnOfStream(info); warning != "" {
		return "warning: " + says + "; " + warning, nil
	}
	if got.Replicas < 3 {
		says += "; one copy only: survives a crash with sync_interval always, not a lost disk (use three NATS servers and nats.replicas: 3)"
	}
	return says, nil
}

// lastContact is the time after which NATS takes the server of a copy for lost.
const lastContact = 10 * time.Second

// lostCopies says which copies of a stream are away if too few are left to store a message.
// Otherwise, it returns "". If the stream has no leader, any server with a copy responds and
// lists itself, too, without a contact.
func lostCopies(info *jetstream.StreamInfo) string {
	if info.Cluster == nil {
		return ""
	}
	var away, silent []string
	for _, r := range info.Cluster.Replicas {
		if r.Offline || r.Active > lastContact {
			silent = append(silent, r.Name)
		}
		if r.Offline {
			away = append(away, r.Name)
		}
	}
	copies := info.Config.Replicas
	quorum := copies/2 + 1
	switch {
	case info.Cluster.Leader != "":
		away = silent
	case len(silent) == copies && len(away) < quorum:
		return fmt.Sprintf("the stream has lost its quorum, without a leader among its copies on %s, and takes no jobs: more than half of these servers must run, with free space on their disks", strings.Join(silent, ", "))
	}
	if copies-len(away) >= quorum {
		return ""
	}
	verb := "are"
	if len(away) == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %d copies %s away, on %s: the stream has lost its quorum and takes no jobs: start nats-server there, or restart it if its disk was full", len(away), copies, verb, strings.Join(away, " and "))
}

// LostCopies says which copies of a stream of jobs are away if too few are left to store a
// job. Otherwise, or if NATS does not respond, it returns "".
func LostCopies(ctx context.Context, js jetstream.JetStream, o Options) string {
	for _, name := range (store.Names{Namespace: o.Namespace}).JobStreams() {
		s, err := js.Stream(ctx, name)
		if err != nil {
			return ""
		}
		if lost := lostCopies(s.CachedInfo()); lost != "" {
			return lost
		}
	}
	return ""
}

// AwayCopies returns the NATS servers whose copy of a stream of jobs is away although the
// stream takes jobs. For a moment after an election, these may be servers that run. It fails if
// NATS does not respond, or a stream has no leader.
func (q *Queue) AwayCopies(ctx context.Context) (servers []string, err error) {
	for _, name := range q.names.JobStreams() {
		s, err := q.js.Stream(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("read the copies of a stream of jobs: %w", err)
		}
		away, err := awayCopies(s.CachedInfo())
		if err != nil {
			return nil, err
		}
		servers = append(servers, away...)
	}
	slices.Sort(servers)
	return slices.Compact(servers), nil
}

func awayCopies(info *jetstream.StreamInfo) (servers []string, err error) {
	if info.Cluster == nil {
		return nil, nil
	}
	if info.Cluster.Leader == "" {
		return nil, errors.New("the stream of jobs has no leader")
	}
	for _, r := range info.Cluster.Replicas {
		// Of a server that was killed with the leader's role, the new leader has never heard, and
		// NATS takes it for offline only after minutes.
		unheard := !r.Current && r.Active == 0
		if r.Offline || r.Active > lastContact || unheard {
			servers = append(servers, r.Name)
		}
	}
	return servers, nil
}

// warnOfStream returns what an operator should do about a stream soon, or "".
func warnOfStream(info *jetstream.StreamInfo) string {
	c := info.Config
	// A stream that drops its oldest messages is meant to be full.
	if r, limited := roomOf(info); limited && r.IsNearlyFull() {
		return fmt.Sprintf("%.0f %% full: a full stream refuses jobs: see with `usher lanes ls` and `usher jobs ls` why jobs wait, or raise nats.max_bytes and run `usher migrate`", 100*r.Used)
	}
	if info.Cluster == nil || info.Cluster.Name == "" {
		return ""
	}
	if c.Replicas == 1 {
		return "one copy only, although NATS is a cluster: a lost disk loses its jobs: set nats.replicas: 3 and run `usher migrate`"
	}
	var late []string
	for _, r := range info.Cluster.Replicas {
		if r.Offline || !r.Current {
			late = append(late, r.Name)
		}
	}
	if len(late) > 0 {
		return fmt.Sprintf("the copy on %s is offline or behind: check that nats-server runs there, and restart it if its disk was full; if more than half of the copies are away, the stream takes no jobs", strings.Join(late, " and "))
	}
	return ""
}

// filtersOf returns the subjects that a consumer filters. NATS shows a single one in a
// field of its own.
func filtersOf(c jetstream.ConsumerConfig) []string {
	if c.FilterSubject != "" {
		return []string{c.FilterSubject}
	}
	return c.FilterSubjects
}

func sameSubjects(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
