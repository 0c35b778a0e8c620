package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/hashing"
	"usher/queues/store"
)

// Act names who acts, and why.
type Act struct {
	Actor  string
	Reason string
}

// Masked returns the act without device ids in its texts. An act must be masked before it is stored.
func (a Act) Masked() Act {
	return Act{Actor: hashing.MaskIDs(a.Actor), Reason: hashing.MaskIDs(a.Reason)}
}

// Log is the audit.
type Log struct{ store *store.Store }

// New returns the audit in a store.
func New(s *store.Store) *Log { return &Log{s} }

// Topics of entries that do not belong to a campaign. No campaign code has an
// underscore.
const (
	Letters  = "_letters"
	Settings = "_switch" // the stop switch, lanes, limits, cancelled jobs, approved and rejected runs
)

// Append appends an entry under a campaign's code or a topic, and returns once it
// is stored. Entries with the same non-empty ID are stored once.
func (a *Log) Append(ctx context.Context, topic string, entry usher.Audit, id string) error {
	data, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("encode audit: %w", err)
	}
	var options []jetstream.PublishOpt
	if id != "" {
		options = append(options, jetstream.WithMsgID(id))
	}
	if _, err := a.store.Publish(ctx, &nats.Msg{Subject: a.store.Audit(topic), Data: data}, options...); err != nil {
		return fmt.Errorf("publish audit: %w", err)
	}
	return nil
}

// Filter selects entries. Zero fields match all.
type Filter struct {
	Campaign, Creative, Actor, Rule, Job string
	Match                                string // a substring of any of these or of the reason, in any case
	Since, Until                         time.Time
}

func (f *Filter) matches(a *usher.Audit) bool {
	same := func(want, is string) bool { return want == "" || want == is }
	text := strings.ToLower(strings.Join([]string{a.Campaign, a.Creative, a.Actor, a.Rule, a.Job, a.Reason}, "\n"))
	return same(f.Campaign, a.Campaign) && same(f.Creative, a.Creative) && same(f.Actor, a.Actor) &&
		same(f.Rule, a.Rule) && same(f.Job, a.Job) && strings.Contains(text, strings.ToLower(f.Match)) &&
		(f.Since.IsZero() || !a.At.Before(f.Since)) && (f.Until.IsZero() || !a.At.After(f.Until))
}

// firstWindow is how many sequences Newest reads first. Each further window has
// four times as many.
const firstWindow = 1000

// Newest calls visit with the entries that match, newest first, until it returns
// false.
func (a *Log) Newest(ctx context.Context, f Filter, visit func(usher.Audit) bool) error {
	stream, err := a.store.Stream(ctx, a.store.EventsStream())
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	state := stream.CachedInfo().State
	for end, size := state.LastSeq, uint64(firstWindow); end >= state.FirstSeq && end > 0; size *= 4 {
		after := end - min(size, end)
		var window []usher.Audit
		err := a.eachOf(ctx, stream, store.Span{After: after, Through: end}, f, func(entry usher.Audit) error {
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
		end = after
	}
	return nil
}

// Each calls visit with the entries that match, oldest first. If visit returns an error,
// Each stops and returns it.
func (a *Log) Each(ctx context.Context, f Filter, visit func(usher.Audit) error) error {
	stream, err := a.store.Stream(ctx, a.store.EventsStream())
	if err != nil {
		return fmt.Errorf("read audit: %w", err)
	}
	return a.eachOf(ctx, stream, store.Span{}, f, visit)
}

// eachOf visits the entries that match in a span of the stream, each once.
func (a *Log) eachOf(ctx context.Context, stream jetstream.Stream, span store.Span, f Filter, visit func(usher.Audit) error) error {
	span.Subject = a.store.Audit(">")
	last := recent{at: map[string]int{}}
	return store.EachMessage(ctx, stream, span, func(_ uint64, m jetstream.Msg) (more bool, err error) {
		var entry usher.Audit
		if json.Unmarshal(m.Data(), &entry) == nil && entry.Valid() && f.matches(&entry) && !last.seenBefore(m.Headers().Get(jetstream.MsgIDHeader)) {
			err = visit(entry)
		}
		return true, err
	})
}

// recent holds the IDs of the last entries. If the leader of a stream with replicas is lost
// while it stores a message, NATS may store the message that is published again as well.
type recent struct {
	ids [1024]string
	at  map[string]int // by ID
	n   int
}

// seenBefore adds an ID, and reports whether it is one of the last already.
func (r *recent) seenBefore(id string) bool {
	if id == "" {
		return false
	}
	if _, found := r.at[id]; found {
		return true
	}
	i := r.n % len(r.ids)
	delete(r.at, r.ids[i])
	r.ids[i], r.at[id] = id, i
	r.n++
	return false
}

// Setting records a change of a setting that was made at run time. what names the setting,
// before and after are its values.
func (a *Log) Setting(ctx context.Context, at time.Time, what, before, after string, act Act) error {
	act = act.Masked()
	return a.Changed(ctx, usher.Audit{
		At: at.UTC(), Actor: act.Actor, Reason: act.Reason,
		Before: what + " " + before, Wanted: what + " " + after, After: what + " " + after,
	})
}

// Repaired records that the damaged value of a key was removed.
func (a *Log) Repaired(ctx context.Context, at time.Time, key string, act Act) error {
	return a.Setting(ctx, at, "value of "+key, "damaged", "removed", act)
}

// Changed appends an entry under Settings about a change that was made.
func (a *Log) Changed(ctx context.Context, entry usher.Audit) error {
	if err := a.Append(ctx, Settings, entry, ""); err != nil {
		return fmt.Errorf("the change was made, but is not in the audit: %w", err)
	}
	return nil
}
