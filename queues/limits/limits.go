// Package limits keeps the rate limits of advertisers that are set at run time. Workers
// follow them within seconds.
package limits

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"usher"
	"usher/queues/audit"
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

// Rate returns the limit as workers use it.
func (l *Limit) Rate() usher.Rate {
	return usher.Rate{PerSecond: l.PerSecond, Burst: l.Burst, ReservePercent: l.ReservePercent}
}

func (l *Limit) String() string { return fmt.Sprintf("%g/s", l.PerSecond) }

// Limits are the rate limits in a bucket of settings.
type Limits struct {
	settings *store.Bucket
	audit    *audit.Log
	now      func() time.Time
	logger   *slog.Logger
}

// New returns the limits in a store. now is the time that their changes are recorded with.
func New(s *store.Store, now func() time.Time, logger *slog.Logger) *Limits {
	return &Limits{settings: s.Rules, audit: audit.New(s), now: now, logger: logger}
}

func key(advertiser string) string { return "limits." + store.Token(advertiser) }

// Set sets an advertiser's limit for all workers, which follow within seconds.
func (ls *Limits) Set(ctx context.Context, l Limit, act audit.Act) error {
	act = act.Masked()
	l.By, l.Reason, l.At = act.Actor, act.Reason, ls.now().UTC()
	var before Limit
	_, found, err := ls.settings.Get(ctx, key(l.Advertiser), &before)
	if err != nil {
		return err
	}
	if err := ls.settings.Put(ctx, key(l.Advertiser), l); err != nil {
		return fmt.Errorf("set limit of %s: %w", l.Advertiser, err)
	}
	was := "as configured"
	if found {
		was = before.String()
	}
	return ls.audit.Setting(ctx, l.At, "limit of "+l.Advertiser, was, l.String(), act)
}

// Unset makes the configured limit of an advertiser apply again.
func (ls *Limits) Unset(ctx context.Context, advertiser string, act audit.Act) error {
	var before Limit
	_, found, err := ls.settings.Get(ctx, key(advertiser), &before)
	if err != nil {
		return err
	}
	if err := ls.settings.Delete(ctx, key(advertiser)); err != nil { // also a damaged one
		return fmt.Errorf("unset limit of %s: %w", advertiser, err)
	}
	if !found {
		return nil
	}
	return ls.audit.Setting(ctx, ls.now(), "limit of "+advertiser, before.String(), "as configured", act)
}

// List returns the limits that are set.
func (ls *Limits) List(ctx context.Context) ([]Limit, error) {
	limits := []Limit{}
	err := store.EachValue(ctx, ls.settings, key("")+"*", func(_ *store.Entry, l *Limit) { limits = append(limits, *l) })
	return limits, err
}

// Watch calls changed with all limits, first at once and then after each change,
// until ctx ends.
func (ls *Limits) Watch(ctx context.Context, changed func([]Limit)) {
	for {
		err := ls.watch(ctx, changed)
		if ctx.Err() != nil {
			return
		}
		ls.logger.Warn("watching limits, trying again", "error", err)
		if usher.Sleep(ctx, time.Second) != nil {
			return
		}
	}
}

func (ls *Limits) watch(ctx context.Context, changed func([]Limit)) error {
	complete := false
	return ls.settings.Watch(ctx, key("")+"*", func(entry *store.Entry) error {
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
