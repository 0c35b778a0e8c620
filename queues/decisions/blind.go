package decisions

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/queues/store"
)

// blindness is what the rules of a file are blind on, by rule; orphanKey begins the keys of rules
// that are gone. Key blind.<file>.
type blindness map[string]usher.Blindness

func blindKey(file string) string { return "blind." + store.Token(file) }

const orphanKey = "orphaned/"

// ChangeBlindness stores what a run found. What is found again keeps the time since when it is
// known.
func (r *Store) ChangeBlindness(ctx context.Context, file string, found usher.BlindnessChange) error {
	err := store.Change(ctx, r.bucket, blindKey(file), func(all *blindness, _ bool) bool {
		if *all == nil {
			*all = blindness{}
		}
		return all.apply(file, &found)
	})
	if err != nil {
		return fmt.Errorf("store what rules of %s are blind on: %w", file, err)
	}
	return nil
}

// apply changes the value and reports whether anything changed.
func (all blindness) apply(file string, found *usher.BlindnessChange) bool {
	before := maps.Clone(all)
	for key, b := range before {
		if !b.Orphaned && !found.Exist(b.Rule) {
			delete(all, key)
		}
		if b.Orphaned {
			left := slices.DeleteFunc(slices.Clone(b.On), func(s usher.BlindSpot) bool { return slices.Contains(found.Campaigns, s.Campaign) })
			all.set(usher.Blindness{File: file, Rule: b.Rule, Orphaned: true}, slices.Concat(left, found.Orphans[b.Rule]), before, found.At)
		}
	}
	for rule, spots := range found.Rules {
		all.set(usher.Blindness{File: file, Rule: rule}, spots, before, found.At)
	}
	for rule, spots := range found.Orphans {
		if _, known := before[orphanKey+rule]; !known {
			all.set(usher.Blindness{File: file, Rule: rule, Orphaned: true}, spots, before, found.At)
		}
	}
	return !maps.EqualFunc(before, all, func(a, b usher.Blindness) bool { return a.Count == b.Count && slices.Equal(a.On, b.On) })
}

// set stores what a rule is blind on, or removes it.
func (all blindness) set(b usher.Blindness, spots []usher.BlindSpot, before blindness, at time.Time) {
	key := b.Rule
	if b.Orphaned {
		key = orphanKey + b.Rule
	}
	if len(spots) == 0 {
		delete(all, key)
		return
	}
	spots = slices.Clone(spots)
	slices.SortFunc(spots, func(a, b usher.BlindSpot) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Creative, b.Creative))
	})
	b.Count, b.On, b.Since = len(spots), spots[:min(len(spots), usher.MaxBlindSpots)], at
	if known, found := before[key]; found {
		b.Since = known.Since
	}
	for i := range b.On {
		s := &b.On[i]
		if s.Since.IsZero() {
			s.Since = at
		}
		for _, known := range before[key].On {
			if known.Campaign == s.Campaign && known.Creative == s.Creative {
				s.Since = known.Since
			}
		}
	}
	all[key] = b
}

// Blindness returns what rules are blind on, by file and rule; orphaned creatives come last.
func (r *Store) Blindness(ctx context.Context) ([]usher.Blindness, error) {
	list := []usher.Blindness{}
	err := store.EachValue(ctx, r.bucket, blindKey("")+"*", func(_ *store.Entry, all *blindness) {
		for _, b := range *all {
			if b.Valid() {
				list = append(list, b)
			}
		}
	})
	slices.SortFunc(list, func(a, b usher.Blindness) int {
		if a.Orphaned != b.Orphaned {
			if a.Orphaned {
				return 1
			}
			return -1
		}
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Rule, b.Rule))
	})
	return list, err
}

// blindCollector collects what rules are blind on. NATS holds it, so each scrape asks it.
type blindCollector struct {
	store           *Store
	logger          *slog.Logger
	blind, orphaned *prometheus.Desc
}

// scrapeTime bounds the requests of one scrape.
const scrapeTime = 3 * time.Second

// NewBlindCollector returns a collector of what rules are blind on. All workers report the same
// numbers, so a query takes their maximum.
func NewBlindCollector(r *Store, logger *slog.Logger) prometheus.Collector {
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"file", "rule"}, nil)
	}
	return &blindCollector{
		store: r, logger: logger,
		blind:    describe("usher_rule_blind", "Campaigns or creatives with spend on which a rule is UNKNOWN because reports lack something."),
		orphaned: describe("usher_rule_orphaned", "Creatives that a rule paused which no file has any more, so that nothing resumes them."),
	}
}

// Describe implements prometheus.Collector.
func (c *blindCollector) Describe(out chan<- *prometheus.Desc) {
	out <- c.blind
	out <- c.orphaned
}

// Collect implements prometheus.Collector.
func (c *blindCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	list, err := c.store.Blindness(ctx)
	if err != nil {
		c.logger.Warn("reading what rules are blind on for metrics", "error", err)
		return
	}
	for _, b := range list {
		d := c.blind
		if b.Orphaned {
			d = c.orphaned
		}
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(b.Count), b.File, b.Rule)
	}
}
