package queues

import (
	"context"
	"fmt"
	"time"

	"usher/queues/store"
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
	l.By, l.Reason, l.At = act.Actor, act.Reason, q.now().UTC()
	var before Limit
	_, found, err := q.rules.Get(ctx, limitKey(l.Advertiser), &before)
	if err != nil {
		return err
	}
	if err := q.rules.Put(ctx, limitKey(l.Advertiser), l); err != nil {
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
	err := q.rules.Each(ctx, limitKey("")+"*", func(entry *store.Entry) error {
		var l Limit
		if err := entry.Decode(&l); err != nil {
			return err
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
		q.logger.Warn("watching for limits, trying again", "error", err)
		if pause(ctx, time.Second) != nil {
			return
		}
	}
}

func (q *Queue) watchLimits(ctx context.Context, changed func([]Limit)) error {
	complete := false
	return q.rules.Watch(ctx, limitKey("")+"*", func(entry *store.Entry) error {
		if complete = complete || entry == nil; !complete {
			return nil // all that exist at the start are one change
		}
		limits, err := q.Limits(ctx)
		if err == nil {
			changed(limits)
		}
		return err
	})
}
