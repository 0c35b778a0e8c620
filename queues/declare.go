package queues

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/store"
)

const (
	lettersLive = 90 * 24 * time.Hour // less than usher.RecordLife: a replay needs the record
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
	// A message stays until its job has ended, also while the job waits and nobody has the
	// message.
	ofJobs := func(name, about string, families ...string) jetstream.StreamConfig {
		jobs := work(name, about, lanes.SubjectsOf(n, families...)...)
		jobs.AllowDirect = true // for store.EachToEnd; what must be up to date is read by store.Leader
		jobs.Retention = jetstream.LimitsPolicy
		return jobs
	}
	jobs := ofJobs(n.JobsStream(), "jobs on segments, targets and devices that have not ended", "segment", "target", "device")
	campaigns := ofJobs(n.CampaignsStream(), "jobs on campaigns and of rules that have not ended", "campaign", "rules")
	campaigns.FirstSeq = store.FirstCampaign
	released := work(n.ReleasedStream(), "jobs that need not wait any longer", n.Released("*"))
	released.MaxBytes = -1 // a full stream would stop the jobs that make room
	return []jetstream.StreamConfig{
		jobs,
		campaigns,
		parts,
		released,
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
	for _, lane := range lanes.All() {
		for _, c := range lane.Consumers(n) {
			_, err := js.CreateOrUpdateConsumer(ctx, c.Stream, jetstream.ConsumerConfig{
				Durable: c.Name, FilterSubjects: c.Filters,
				AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.AckWait,
				MaxDeliver: -1, MaxAckPending: 1 << 18, // includes delayed retries
				MaxWaiting: 4096,
			})
			if err != nil {
				return fmt.Errorf("declare consumer %s on %s: %w", c.Name, c.Stream, err)
			}
		}
	}
	for bucket, ttl := range map[string]time.Duration{n.StateBucket(): usher.RecordLife, n.RulesBucket(): 0} {
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
