package queues

import (
	"context"
	"errors"
	"fmt"
	"time"
	"usher/queues/store"

	"github.com/nats-io/nats.go/jetstream"
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

// Lane is a queue with its own consumer and slots, so that a pause never waits behind an
// upload.
type Lane string

// The lanes.
const (
	Audience Lane = "audience" // takes segment and target jobs
	Bulk     Lane = "bulk"     // parts of cut jobs
	Campaign Lane = "campaign"
	Rules    Lane = "rules"
)

// Lanes returns all lanes.
func Lanes() []Lane { return []Lane{Audience, Bulk, Campaign, Rules} }

func laneOn(n store.Names, l Lane) (stream string, filters []string) {
	switch l {
	case Audience:
		return n.JobsStream(), []string{n.Subject("usher.jobs.segment.*"), n.Subject("usher.jobs.target.*")}
	case Bulk:
		return n.PartsStream(), []string{n.Subject("usher.parts.>")}
	case Campaign:
		return n.JobsStream(), []string{n.Subject("usher.jobs.campaign.*")}
	default:
		return n.JobsStream(), []string{n.Subject("usher.jobs.rules.*")}
	}
}

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
			Duplicates: dedupe, Replicas: o.Replicas, AllowDirect: true,
		}
	}
	parts := work(n.PartsStream(), "parts of cut jobs", n.Subject("usher.parts.>"))
	parts.AllowAtomicPublish = true
	return []jetstream.StreamConfig{
		work(n.JobsStream(), "jobs to be taken", n.Subject("usher.jobs.segment.*"),
			n.Subject("usher.jobs.target.*"), n.Subject("usher.jobs.campaign.*"), n.Subject("usher.jobs.rules.*")),
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
		if _, err := js.CreateOrUpdateStream(ctx, config); err != nil {
			return fmt.Errorf("declare stream %s: %w", config.Name, err)
		}
	}
	for _, lane := range Lanes() {
		stream, filters := laneOn(n, lane)
		_, err := js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
			Durable: string(lane), FilterSubjects: filters,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.AckWait,
			MaxDeliver: -1, MaxAckPending: 4096, // includes delayed retries
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
	for _, lane := range Lanes() {
		stream, _ := laneOn(n, lane)
		f := Finding{What: "consumer " + string(lane), OK: true, Says: "declared"}
		if _, err := js.Consumer(ctx, stream, string(lane)); err != nil {
			f.OK, f.Says = false, err.Error()+": run `usher migrate`"
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
	case got.Replicas < want.Replicas:
		f.OK, f.Says = false, fmt.Sprintf("has %d replicas, configured are %d: run `usher migrate`", got.Replicas, want.Replicas)
	case got.Replicas < 3:
		f.Says += "; one copy only: survives a crash with sync_interval always, not a lost disk (use three NATS servers and nats.replicas: 3)"
	}
	return f
}
