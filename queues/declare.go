package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/lanes"
	"usher/queues/store"
)

// RecordLife is how long the records of jobs are kept.
const RecordLife = 100 * 24 * time.Hour

const (
	lettersLive = 90 * 24 * time.Hour
	eventsLive  = 400 * 24 * time.Hour

	// dedupe is how long a stream remembers a Nats-Msg-Id: long enough to recover from a
	// crash of all workers between two steps without a second letter or second parts.
	dedupe = time.Hour
)

func streams(n store.Names, o Options) []jetstream.StreamConfig {
	work := func(name, about string, subjects ...string) jetstream.StreamConfig {
		return jetstream.StreamConfig{
			Name: name, Description: about, Subjects: subjects,
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			Discard: jetstream.DiscardNew, MaxBytes: o.MaxBytes,
			Duplicates: dedupe, Replicas: o.Replicas,
		}
	}
	kept := func(name, about string, age time.Duration, subjects ...string) jetstream.StreamConfig {
		return jetstream.StreamConfig{
			Name: name, Description: about, Subjects: subjects, MaxAge: age,
			Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
			Duplicates: dedupe, Replicas: o.Replicas,
		}
	}
	parts := work(n.PartsStream(), "parts of cut jobs", n.Subject("usher.parts.>"))
	parts.AllowAtomicPublish = true
	jobs := work(n.JobsStream(), "jobs to be taken", lanes.SubjectsOf(n, "segment", "target", "campaign", "rules")...)
	jobs.AllowDirect = true // for store.EachOfMany; what must be up to date is read by store.Leader
	return []jetstream.StreamConfig{
		jobs,
		parts,
		kept(n.DeadStream(), "dead letters", lettersLive, n.Subject("usher.dead.>")),
		kept(n.EventsStream(), "events and audit", eventsLive, n.Subject("usher.events.>"), n.Subject("usher.audit.>")),
	}
}

// Declare creates the streams, consumers and buckets, or updates them. It is called by
// `usher migrate`, dev and demo, but not by workers.
func Declare(ctx context.Context, js jetstream.JetStream, o Options) error {
	o = o.withDefaults()
	n := store.Names{Namespace: o.Namespace}
	for _, config := range streams(n, o) {
		if config.Name == n.JobsStream() {
			if err := keepHeaders(ctx, js, &config); err != nil {
				return err
			}
		}
		if _, err := js.CreateOrUpdateStream(ctx, config); err != nil {
			return fmt.Errorf("declare stream %s: %w", config.Name, err)
		}
	}
	for _, lane := range lanes.All() {
		stream, filters := lane.On(n)
		_, err := js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
			Durable: string(lane), FilterSubjects: filters,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.AckWait,
			MaxDeliver: -1, MaxAckPending: 1 << 18, // includes delayed retries
			MaxWaiting: 4096,
		})
		if err != nil {
			return fmt.Errorf("declare consumer %s on %s: %w", lane, stream, err)
		}
	}
	for bucket, ttl := range map[string]time.Duration{n.StateBucket(): RecordLife, n.RulesBucket(): 0} {
		config := jetstream.KeyValueConfig{Bucket: bucket, TTL: ttl, Storage: jetstream.FileStorage, Replicas: o.Replicas}
		if _, err := js.CreateOrUpdateKeyValue(ctx, config); err != nil {
			return fmt.Errorf("declare bucket %s: %w", bucket, err)
		}
		if err := readFromLeader(ctx, js, "KV_"+bucket); err != nil {
			return fmt.Errorf("declare bucket %s: %w", bucket, err)
		}
	}
	return nil
}

// keyHeadersUntil is a key in the metadata of the stream of jobs. Its value is the last
// sequence up to which headers of usher on usher.jobs.> are believed: versions before
// usher.runs.> published replays and sealed jobs there. It is 0 on a stream that such a
// version has never used. Once none of their messages can wait on a stream any more, the
// key and its readers can go.
const keyHeadersUntil = "usher_headers_until"

// keepHeaders sets keyHeadersUntil in the configuration of the stream of jobs: to its
// value on the stream or, if that was declared by a version before the key, to the last
// sequence.
func keepHeaders(ctx context.Context, js jetstream.JetStream, config *jetstream.StreamConfig) error {
	config.Metadata = map[string]string{keyHeadersUntil: "0"}
	stream, err := js.Stream(ctx, config.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("declare stream %s: %w", config.Name, err)
	}
	info := stream.CachedInfo()
	if until, set := info.Config.Metadata[keyHeadersUntil]; set {
		config.Metadata[keyHeadersUntil] = until
	} else {
		config.Metadata[keyHeadersUntil] = strconv.FormatUint(info.State.LastSeq, 10)
	}
	return nil
}

// headersUntil reads keyHeadersUntil.
func headersUntil(ctx context.Context, s *store.Store) (uint64, error) {
	stream, err := s.Stream(ctx, s.JobsStream())
	if err != nil {
		return 0, err
	}
	until, err := strconv.ParseUint(stream.CachedInfo().Config.Metadata[keyHeadersUntil], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("open stream %s: an older version of usher declared it: %w", s.JobsStream(), ErrMigrate)
	}
	return until, nil
}

// readFromLeader makes reads of a bucket go to the leader of its stream. By default any
// replica answers, possibly with old values: then two jobs on one target might not see
// each other, and a stop switch might be missed.
func readFromLeader(ctx context.Context, js jetstream.JetStream, name string) error {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return err
	}
	config := stream.CachedInfo().Config
	config.AllowDirect = false
	_, err = js.UpdateStream(ctx, config)
	return err
}

// Finding is the result of one check.
type Finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Says string `json:"says"` // the state, and what to do about a problem
}

// Check checks the streams, consumers and buckets without changing them.
func Check(ctx context.Context, js jetstream.JetStream, o Options) []Finding {
	o = o.withDefaults()
	n := store.Names{Namespace: o.Namespace}
	var found []Finding
	for _, config := range streams(n, o) {
		found = append(found, checkStream(ctx, js, config))
	}
	for _, lane := range lanes.All() {
		stream, filters := lane.On(n)
		f := Finding{What: "consumer " + string(lane), OK: true, Says: "declared"}
		if c, err := js.Consumer(ctx, stream, string(lane)); err != nil {
			f.OK, f.Says = false, err.Error()+": run `usher migrate`"
		} else if !sameSubjects(filtersOf(c.CachedInfo().Config), filters) {
			f.OK, f.Says = false, "does not deliver all jobs of its lane: run `usher migrate`"
		}
		found = append(found, f)
	}
	for _, bucket := range []string{n.StateBucket(), n.RulesBucket()} {
		f := Finding{What: "bucket " + bucket, OK: true, Says: "declared"}
		if _, err := js.KeyValue(ctx, bucket); err != nil {
			f.OK, f.Says = false, err.Error()+": run `usher migrate`"
		}
		found = append(found, f)
	}
	return found
}

func checkStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) Finding {
	f := Finding{What: "stream " + want.Name}
	s, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		f.Says = "not declared: run `usher migrate`"
		return f
	}
	if err != nil {
		f.Says = err.Error()
		return f
	}
	got := s.CachedInfo().Config
	f.OK, f.Says = true, fmt.Sprintf("%d messages, copies: %d", s.CachedInfo().State.Msgs, got.Replicas)
	switch {
	case got.Retention != want.Retention, got.Discard != want.Discard:
		f.OK, f.Says = false, "has another retention or discard policy than usher's: delete it once it is empty, then run `usher migrate`"
	case !sameSubjects(got.Subjects, want.Subjects):
		f.OK, f.Says = false, "has other subjects than usher's: run `usher migrate`"
	case got.AllowDirect && !want.AllowDirect:
		f.OK, f.Says = false, "is read from replicas that may lag behind: run `usher migrate`"
	case !got.AllowDirect && want.AllowDirect:
		f.OK, f.Says = false, "does not serve many messages at once, so that a worker takes long to start beside a backlog: run `usher migrate`"
	case got.Replicas < want.Replicas:
		f.OK, f.Says = false, fmt.Sprintf("has %d replicas, configured are %d: run `usher migrate`", got.Replicas, want.Replicas)
	case got.Replicas < 3:
		f.Says += "; one copy only: survives a crash with sync_interval always, not a lost disk (use three NATS servers and nats.replicas: 3)"
	}
	return f
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
