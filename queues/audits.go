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
)

// AuditFilter says which entries of the audit are meant. Zero fields take all.
type AuditFilter struct {
	Campaign, Creative, Actor, Rule, Job string
	Match                                string // in any of these or the reason, in any case
	Since, Until                         time.Time
}

func (f *AuditFilter) takes(a *usher.Audit) bool {
	same := func(want, is string) bool { return want == "" || want == is }
	match := strings.ToLower(f.Match)
	words := strings.ToLower(strings.Join([]string{a.Campaign, a.Creative, a.Actor, a.Rule, a.Job, a.Reason}, "\n"))
	return same(f.Campaign, a.Campaign) && same(f.Creative, a.Creative) && same(f.Actor, a.Actor) &&
		same(f.Rule, a.Rule) && same(f.Job, a.Job) && strings.Contains(words, match) &&
		(f.Since.IsZero() || !a.At.Before(f.Since)) && (f.Until.IsZero() || !a.At.After(f.Until))
}

// auditWindow is how many sequences the first look backwards takes; each
// further one takes four times as many.
const auditWindow = 1000

// NewestAudits calls visit with the entries that match, newest first, until it
// returns false.
func (q *Queue) NewestAudits(ctx context.Context, f AuditFilter, visit func(usher.Audit) bool) error {
	stream, err := q.js.Stream(ctx, q.names.EventsStream())
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	state := stream.CachedInfo().State
	for end, size := state.LastSeq, uint64(auditWindow); end >= state.FirstSeq && end > 0; size *= 4 {
		first := max(state.FirstSeq, end-min(size, end)+1)
		var window []usher.Audit
		err := q.eachAudit(ctx, stream, first, end, f, func(a usher.Audit) error {
			window = append(window, a)
			return nil
		})
		if err != nil {
			return err
		}
		for _, a := range slices.Backward(window) {
			if !visit(a) {
				return nil
			}
		}
		end = first - 1
	}
	return nil
}

// Audits calls visit with the entries that match, oldest first. An error of
// visit ends it and is returned.
func (q *Queue) Audits(ctx context.Context, f AuditFilter, visit func(usher.Audit) error) error {
	stream, err := q.js.Stream(ctx, q.names.EventsStream())
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	state := stream.CachedInfo().State
	return q.eachAudit(ctx, stream, state.FirstSeq, state.LastSeq, f, visit)
}

// eachAudit visits the entries from one sequence to another.
func (q *Queue) eachAudit(ctx context.Context, stream jetstream.Stream, first, last uint64, f AuditFilter, visit func(usher.Audit) error) error {
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{q.names.Audit(">")}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(first, 1),
	})
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	for left := info.NumPending; left > 0; {
		batch, err := consumer.Fetch(int(min(left, 500)), jetstream.FetchMaxWait(pullTime))
		if err != nil {
			return fmt.Errorf("read audit: %w", err)
		}
		seen := uint64(0)
		for msg := range batch.Messages() {
			seen++
			meta, err := msg.Metadata()
			if err != nil {
				return fmt.Errorf("read audit: %w", err)
			}
			if meta.Sequence.Stream > last {
				return nil
			}
			var a usher.Audit
			if json.Unmarshal(msg.Data(), &a) != nil || !f.takes(&a) {
				continue
			}
			if err := visit(a); err != nil {
				return err
			}
		}
		if err := batch.Error(); err != nil && !errors.Is(err, jetstream.ErrNoMessages) {
			return fmt.Errorf("read audit: %w", err)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if seen == 0 {
			return nil // they went meanwhile
		}
		left -= min(seen, left)
	}
	return nil
}
