package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/store"
)

// Act names who acts, and why, for the audit.
type Act struct {
	Actor  string
	Reason string
}

// AuditLog is the log of who changed what, and why.
type AuditLog struct{ store *store.Store }

// Topics of entries that do not belong to a campaign. No campaign code has an
// underscore.
const (
	AuditOfLetters  = "_letters"
	AuditOfSettings = "_switch" // the stop switch, lanes, limits, cancelled jobs
)

// Audit returns the audit log.
func (q *Queue) Audit() *AuditLog { return &AuditLog{q.store} }

// Append appends an entry under a campaign's code or a topic, and returns once it
// is stored. Entries with the same non-empty ID are stored once.
func (a *AuditLog) Append(ctx context.Context, topic string, entry usher.Audit, id string) error {
	data, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("encode audit: %w", err)
	}
	if _, err := a.store.JS.Publish(ctx, a.store.Audit(topic), data, withID(id)...); err != nil {
		return fmt.Errorf("publish audit: %w", err)
	}
	return nil
}

// AuditFilter selects entries. Zero fields match all.
type AuditFilter struct {
	Campaign, Creative, Actor, Rule, Job string
	Match                                string // a substring of any of these or of the reason, in any case
	Since, Until                         time.Time
}

func (f *AuditFilter) matches(a *usher.Audit) bool {
	same := func(want, is string) bool { return want == "" || want == is }
	text := strings.ToLower(strings.Join([]string{a.Campaign, a.Creative, a.Actor, a.Rule, a.Job, a.Reason}, "\n"))
	return same(f.Campaign, a.Campaign) && same(f.Creative, a.Creative) && same(f.Actor, a.Actor) &&
		same(f.Rule, a.Rule) && same(f.Job, a.Job) && strings.Contains(text, strings.ToLower(f.Match)) &&
		(f.Since.IsZero() || !a.At.Before(f.Since)) && (f.Until.IsZero() || !a.At.After(f.Until))
}

// auditWindow is how many sequences Newest reads first. Each further window has
// four times as many.
const auditWindow = 1000

// Newest calls visit with the entries that match, newest first, until it returns
// false.
func (a *AuditLog) Newest(ctx context.Context, f AuditFilter, visit func(usher.Audit) bool) error {
	stream, err := a.store.Stream(ctx, a.store.EventsStream())
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	state := stream.CachedInfo().State
	for end, size := state.LastSeq, uint64(auditWindow); end >= state.FirstSeq && end > 0; size *= 4 {
		first := max(state.FirstSeq, end-min(size, end)+1)
		var window []usher.Audit
		err := a.eachBetween(ctx, stream, first, end, f, func(entry usher.Audit) error {
			window = append(window, entry)
			return nil
		})
		if err != nil {
			return err
		}
		for _, entry := range slices.Backward(window) {
			if !visit(entry) {
				return nil
			}
		}
		end = first - 1
	}
	return nil
}

// Each calls visit with the entries that match, oldest first. An error of visit
// ends it and is returned.
func (a *AuditLog) Each(ctx context.Context, f AuditFilter, visit func(usher.Audit) error) error {
	stream, err := a.store.Stream(ctx, a.store.EventsStream())
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	state := stream.CachedInfo().State
	return a.eachBetween(ctx, stream, state.FirstSeq, state.LastSeq, f, visit)
}

// errPastEnd ends the reading of a range of sequences.
var errPastEnd = errors.New("past the last entry")

// eachBetween visits the entries of a range of stream sequences.
func (a *AuditLog) eachBetween(ctx context.Context, stream jetstream.Stream, first, last uint64, f AuditFilter, visit func(usher.Audit) error) error {
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{a.store.Audit(">")}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(first, 1),
	})
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	for left := info.NumPending; left > 0; {
		n, err := visitBatch(consumer, min(left, 500), last, f, visit)
		if errors.Is(err, errPastEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n == 0 {
			return nil // the remaining entries expired meanwhile
		}
		left -= min(n, left)
	}
	return nil
}

// visitBatch fetches up to n entries, visits those that match, and returns how many it
// received.
func visitBatch(consumer jetstream.Consumer, n, last uint64, f AuditFilter, visit func(usher.Audit) error) (uint64, error) {
	batch, err := consumer.Fetch(int(n), jetstream.FetchMaxWait(pullTime))
	if err != nil {
		return 0, fmt.Errorf("read audit: %w", err)
	}
	seen := uint64(0)
	for msg := range batch.Messages() {
		seen++
		meta, err := msg.Metadata()
		if err != nil {
			return seen, fmt.Errorf("read audit: %w", err)
		}
		if meta.Sequence.Stream > last {
			return seen, errPastEnd
		}
		var entry usher.Audit
		if json.Unmarshal(msg.Data(), &entry) != nil || !f.matches(&entry) {
			continue
		}
		if err := visit(entry); err != nil {
			return seen, err
		}
	}
	if err := batch.Error(); err != nil && !errors.Is(err, jetstream.ErrNoMessages) {
		return seen, fmt.Errorf("read audit: %w", err)
	}
	return seen, nil
}

// auditSetting records who changed a setting at run time, or cancelled a job.
func (q *Queue) auditSetting(ctx context.Context, a usher.Audit) error {
	if err := q.Audit().Append(ctx, AuditOfSettings, a, ""); err != nil {
		return fmt.Errorf("it is set, but: %w", err)
	}
	return nil
}
