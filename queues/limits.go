package queues

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/store"
)

// Limit is the rate limit of an advertiser that was set at run time. It overrides
// the configured one.
type Limit struct {
	Advertiser     string    `json:"advertiser"`
	PerSecond      float64   `json:"perSecond"`
	Burst          int       `json:"burst"`          // 0: derived from the rate
	ReservePercent float64   `json:"reservePercent"` // 0: the default
	By             string    `json:"by"`
	Reason         string    `json:"reason,omitempty"`
	At             time.Time `json:"at"`
}

// Valid reports whether the limit can be one that was set.
func (l *Limit) Valid() bool { return !l.At.IsZero() }

func (l *Limit) String() string { return fmt.Sprintf("%g/s", l.PerSecond) }

// Limits are the rate limits that were set at run time.
type Limits struct{ q *Queue }

// Limits returns the rate limits that were set at run time.
func (q *Queue) Limits() Limits { return Limits{q} }

// Set sets an advertiser's limit for all workers, which follow within seconds.
func (ls Limits) Set(ctx context.Context, l Limit, act Act) error {
	act = act.Masked()
	l.By, l.Reason, l.At = act.Actor, act.Reason, ls.q.now().UTC()
	var before Limit
	_, found, err := ls.q.rules.Get(ctx, limitKey(l.Advertiser), &before)
	if err != nil {
		return err
	}
	if err := ls.q.rules.Put(ctx, limitKey(l.Advertiser), l); err != nil {
		return fmt.Errorf("set limit of %s: %w", l.Advertiser, err)
	}
	was := "as configured"
	if found {
		was = before.String()
	}
	return ls.q.auditSet(ctx, "limit of "+l.Advertiser, was, l.String(), act)
}

// Unset makes the configured limit of an advertiser apply again.
func (ls Limits) Unset(ctx context.Context, advertiser string, act Act) error {
	if err := ls.q.rules.Delete(ctx, limitKey(advertiser)); err != nil {
		return fmt.Errorf("unset limit of %s: %w", advertiser, err)
	}
	return ls.q.auditSet(ctx, "limit of "+advertiser, "set", "as configured", act.Masked())
}

// List returns the limits that are set.
func (ls Limits) List(ctx context.Context) ([]Limit, error) {
	limits := []Limit{}
	err := store.EachValue(ctx, ls.q.rules, limitKey("")+"*", func(_ *store.Entry, l *Limit) { limits = append(limits, *l) })
	return limits, err
}

// Watch calls changed with all limits, first at once and then after each change,
// until ctx ends.
func (ls Limits) Watch(ctx context.Context, changed func([]Limit)) {
	for {
		err := ls.watch(ctx, changed)
		if ctx.Err() != nil {
			return
		}
		ls.q.logger.Warn("watching limits, trying again", "error", err)
		if usher.Sleep(ctx, time.Second) != nil {
			return
		}
	}
}

func (ls Limits) watch(ctx context.Context, changed func([]Limit)) error {
	complete := false
	return ls.q.rules.Watch(ctx, limitKey("")+"*", func(entry *store.Entry) error {
		if complete = complete || entry == nil; !complete {
			return nil // the limits that exist at the start are one change
		}
		limits, err := ls.List(ctx)
		if err == nil {
			changed(limits)
		}
		return err
	})
}
