package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Limit is an advertiser's rate limit as it was set at run time; it holds
// instead of the configured one until it is unset.
type Limit struct {
	Advertiser     string    `json:"advertiser"`
	PerSecond      float64   `json:"perSecond"`
	Burst          int       `json:"burst"`          // 0: chosen by the rate
	ReservePercent float64   `json:"reservePercent"` // 0: the default
	By             string    `json:"by"`
	Reason         string    `json:"reason,omitempty"`
	At             time.Time `json:"at"`
}

func (l *Limit) String() string { return fmt.Sprintf("%g/s", l.PerSecond) }

// SetLimit sets an advertiser's limit for all workers, within seconds.
func (q *Queue) SetLimit(ctx context.Context, l Limit, act Act) error {
	l.By, l.Reason, l.At = act.Actor, act.Reason, q.Now().UTC()
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode limit of %s: %w", l.Advertiser, err)
	}
	var before Limit
	_, found, err := get(ctx, q.rules, limitKey(l.Advertiser), &before)
	if err != nil {
		return err
	}
	if _, err := q.rules.Put(ctx, limitKey(l.Advertiser), data); err != nil {
		return fmt.Errorf("set limit of %s: %w", l.Advertiser, err)
	}
	was := "as configured"
	if found {
		was = before.String()
	}
	return q.auditSet(ctx, "limit of "+l.Advertiser, was, l.String(), act)
}

// UnsetLimit lets the configured limit hold again.
func (q *Queue) UnsetLimit(ctx context.Context, advertiser string, act Act) error {
	if err := q.rules.Delete(ctx, limitKey(advertiser)); err != nil {
		return fmt.Errorf("unset limit of %s: %w", advertiser, err)
	}
	return q.auditSet(ctx, "limit of "+advertiser, "set", "as configured", act)
}

// Limits are those that were set.
func (q *Queue) Limits(ctx context.Context) ([]Limit, error) {
	limits := []Limit{}
	err := eachEntry(ctx, q.rules, limitKey("")+"*", func(entry jetstream.KeyValueEntry) error {
		var l Limit
		if err := json.Unmarshal(entry.Value(), &l); err != nil {
			return fmt.Errorf("decode %s: %w", entry.Key(), err)
		}
		limits = append(limits, l)
		return nil
	})
	return limits, err
}

// WatchLimits calls changed with all limits that were set whenever one changes,
// and first with those there are, until ctx ends.
func (q *Queue) WatchLimits(ctx context.Context, changed func([]Limit)) {
	for {
		err := q.watchLimits(ctx, changed)
		if ctx.Err() != nil {
			return
		}
		q.Logger.Warn("watching for limits, trying again", "error", err)
		if pause(ctx, time.Second) != nil {
			return
		}
	}
}

func (q *Queue) watchLimits(ctx context.Context, changed func([]Limit)) error {
	watcher, err := q.rules.Watch(ctx, limitKey("")+"*", jetstream.MetaOnly())
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }()
	first := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry, open := <-watcher.Updates():
			if !open {
				return errors.New("the watch ended")
			}
			if first = first || entry == nil; !first {
				continue // all that there are come as one
			}
			limits, err := q.Limits(ctx)
			if err != nil {
				return err
			}
			changed(limits)
		}
	}
}
