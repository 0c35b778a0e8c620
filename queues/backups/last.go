package backups

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher/internal/scrape"
	"usher/queues/store"
)

// Last says when the last backup was made.
type Last struct {
	Began time.Time `json:"began"` // jobs published later may be missing in it
	Ended time.Time `json:"ended"`
}

// Valid reports whether usher can have written the value.
func (l *Last) Valid() bool { return !l.Began.IsZero() }

const lastKey = "backup"

// Values returns, for the first token of the key of Last, a function that returns a value to decode
// into.
func Values() map[string]func() any {
	return map[string]func() any{lastKey: func() any { return new(Last) }}
}

// Note notes that a backup is complete, so that everybody can see its age.
func Note(ctx context.Context, s *store.Store, m *Manifest) error {
	return store.Change(ctx, s.Rules, lastKey, func(l *Last, _ bool) bool {
		if !m.Began.After(l.Began) {
			return false
		}
		l.Began, l.Ended = m.Began, m.Ended
		return true
	})
}

// Overdue is the age of the last backup, or of an installation that never had one, from which on
// people are told.
const Overdue = 48 * time.Hour

// Age is what is known of the age of the last backup.
type Age struct {
	Last  *Last     // nil: there was never one
	Since time.Time // the beginning of the last backup, or of the installation
}

// ReadAge reads when the last backup was made.
func ReadAge(ctx context.Context, s *store.Store) (Age, error) {
	var last Last
	_, found, err := s.Rules.Get(ctx, lastKey, &last)
	if err != nil {
		return Age{}, fmt.Errorf("read when the last backup was made: %w", err)
	}
	if found {
		return Age{&last, last.Began}, nil
	}
	stream, err := s.Stream(ctx, "KV_"+s.RulesBucket())
	if err != nil {
		return Age{}, err
	}
	return Age{nil, stream.CachedInfo().Created}, nil
}

// IsOverdue reports whether people should be told.
func (a Age) IsOverdue(now time.Time) bool { return now.Sub(a.Since) > Overdue }

// seconds returns the age of the last backup; +Inf if there was never one.
func (a Age) seconds(now time.Time) float64 {
	if a.Last == nil {
		return math.Inf(1)
	}
	return now.Sub(a.Since).Seconds()
}

// NewCollector returns a collector of the age of the last backup.
func NewCollector(s *store.Store, now func() time.Time, logger *slog.Logger) prometheus.Collector {
	since := prometheus.NewDesc("usher_backup_age_seconds", "Age of the last backup that is complete; +Inf if there was never one.", nil, nil)
	return &scrape.Collector{
		Reads: "the age of the last backup for a metric", Logger: logger, Metrics: []*prometheus.Desc{since},
		Read: func(ctx context.Context, gauge scrape.Gauge) error {
			age, err := ReadAge(ctx, s)
			if err != nil {
				return err
			}
			gauge(since, age.seconds(now()))
			return nil
		},
	}
}
