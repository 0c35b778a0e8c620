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
	"usher/internal/scrape"
	"usher/queues/store"
)

// blindness is what the rules of a file are blind on, by rule; orphanKey begins the keys of rules
// that are gone, and tookBackKey those of runs of rules. Key blind.<file>.
type blindness map[string]usher.Blindness

func blindKey(file string) string { return "blind." + store.Token(file) }

const (
	orphanKey   = "orphaned/"
	tookBackKey = "took_back/"
)

// maxTookBack is the number of changes that are kept of a rule in a run.
const maxTookBack = 1000

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
		isOver := b.TookBack != "" && found.At.Sub(b.Since) > usher.TookBackLife
		if isOver || b.TookBack == "" && !b.Orphaned && !found.Exist(b.Rule) {
			delete(all, key)
		}
		if b.Orphaned {
			all.setOrphaned(usher.Blindness{File: file, Rule: b.Rule, Orphaned: true}, found, before)
		}
	}
	for rule, spots := range found.Rules {
		all.set(rule, usher.Blindness{File: file, Rule: rule, Count: len(spots)}, spots, before, found.At)
	}
	for rule := range found.Orphans {
		if _, known := before[orphanKey+rule]; !known {
			all.setOrphaned(usher.Blindness{File: file, Rule: rule, Orphaned: true}, found, before)
		}
	}
	return !maps.EqualFunc(before, all, func(a, b usher.Blindness) bool {
		return a.Count == b.Count && slices.Equal(a.On, b.On) && maps.Equal(a.ByCampaign, b.ByCampaign)
	})
}

// setOrphaned stores which creatives of a rule that is gone a run has found, beside those in
// campaigns that the run has not looked at.
func (all blindness) setOrphaned(b usher.Blindness, found *usher.BlindnessChange, before blindness) {
	key := orphanKey + b.Rule
	isSeen := func(campaign string) bool { return slices.Contains(found.Campaigns, campaign) }
	spots := slices.Concat(slices.DeleteFunc(slices.Clone(before[key].On), func(s usher.BlindSpot) bool { return isSeen(s.Campaign) }), found.Orphans[b.Rule])
	b.ByCampaign = maps.Clone(before[key].ByCampaign)
	maps.DeleteFunc(b.ByCampaign, func(campaign string, _ int) bool { return isSeen(campaign) })
	if b.ByCampaign == nil {
		b.ByCampaign = map[string]int{}
	}
	for _, s := range found.Orphans[b.Rule] {
		b.ByCampaign[s.Campaign]++
	}
	for campaign, n := range b.ByCampaign {
		b.Count += n
		if !slices.ContainsFunc(spots, func(s usher.BlindSpot) bool { return s.Campaign == campaign }) {
			spots = append(spots, usher.BlindSpot{Campaign: campaign}) // its creatives were not among the first
		}
	}
	all.set(key, b, spots, before, found.At)
}

// set stores what a rule is blind on, or removes it.
func (all blindness) set(key string, b usher.Blindness, spots []usher.BlindSpot, before blindness, at time.Time) {
	if len(spots) == 0 {
		delete(all, key)
		return
	}
	spots = slices.Clone(spots)
	slices.SortFunc(spots, func(a, b usher.BlindSpot) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Creative, b.Creative))
	})
	b.On, b.Since = spots[:min(len(spots), usher.MaxBlindSpots)], at
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

// noteTookBack stores what rules have taken back of what somebody had changed on the platform, as
// audit entries have it. Each change counts once.
func (r *Store) noteTookBack(ctx context.Context, audits []usher.Audit) error {
	byFile := map[string][]usher.Audit{}
	for i := range audits {
		if file := usher.RuleFileOfActor(audits[i].Actor); file != "" && audits[i].TakesBack != "" {
			byFile[file] = append(byFile[file], audits[i])
		}
	}
	for file, list := range byFile {
		err := store.Change(ctx, r.bucket, blindKey(file), func(all *blindness, _ bool) bool {
			if *all == nil {
				*all = blindness{}
			}
			changed := false
			for i := range list {
				changed = all.addTookBack(file, &list[i]) || changed
			}
			return changed
		})
		if err != nil {
			return fmt.Errorf("store what rules of %s have taken back: %w", file, err)
		}
	}
	return nil
}

// addTookBack adds a change that a rule has taken back, and reports whether it is a new one.
func (all blindness) addTookBack(file string, a *usher.Audit) bool {
	key := tookBackKey + a.Rule + "/" + a.Evaluation
	b, found := all[key]
	if !found {
		b = usher.Blindness{File: file, Rule: a.Rule, TookBack: a.Evaluation, Since: a.At}
	}
	s := usher.BlindSpot{Campaign: a.Campaign, Creative: a.Creative, Changed: a.TakesBack, Since: a.At}
	if a.Bidding != nil {
		s.Changed = a.Bidding.Field.String() + " " + a.TakesBack
	}
	isKnown := func(known usher.BlindSpot) bool {
		return known.Campaign == s.Campaign && known.Creative == s.Creative && known.Changed == s.Changed
	}
	if slices.ContainsFunc(b.On, isKnown) {
		return false
	}
	if b.Count++; len(b.On) < maxTookBack {
		b.On = append(slices.Clone(b.On), s)
	}
	all[key] = b
	return true
}

// Blindness returns what rules are blind on, by file and rule; orphaned creatives come later, and
// what rules have taken back in the last days comes last, the newest first. What runs of a file
// found ends when no worker uses the file any more, because only its runs could find that it is
// over; what its rules have taken back is past, and stays.
func (r *Store) Blindness(ctx context.Context) ([]usher.Blindness, error) {
	files, err := NewFileRegistry(r.queue).List(ctx)
	if err != nil {
		return nil, fmt.Errorf("read which rule files are used: %w", err)
	}
	isPresent := func(b *usher.Blindness) bool {
		if b.TookBack != "" {
			return r.queue.Now().Sub(b.Since) <= usher.TookBackLife
		}
		return slices.ContainsFunc(files, func(f usher.RuleFile) bool { return f.Name == b.File })
	}
	list := []usher.Blindness{}
	err = store.EachValue(ctx, r.bucket, blindKey("")+"*", func(_ *store.Entry, all *blindness) {
		for _, b := range *all {
			if b.Valid() && isPresent(&b) {
				b.On = b.On[:min(len(b.On), usher.MaxBlindSpots)]
				list = append(list, b)
			}
		}
	})
	kind := func(b *usher.Blindness) int {
		switch {
		case b.TookBack != "":
			return 2
		case b.Orphaned:
			return 1
		}
		return 0
	}
	slices.SortFunc(list, func(a, b usher.Blindness) int {
		return cmp.Or(kind(&a)-kind(&b), strings.Compare(a.File, b.File), strings.Compare(a.Rule, b.Rule), b.Since.Compare(a.Since))
	})
	return list, err
}

// NewBlindCollector returns a collector of what rules are blind on.
func NewBlindCollector(r *Store, logger *slog.Logger) prometheus.Collector {
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"file", "rule"}, nil)
	}
	blind := describe("usher_rule_blind", "Campaigns or creatives with spend on which a rule is UNKNOWN because reports lack something.")
	orphaned := describe("usher_rule_orphaned", "Creatives that a rule paused which no file has any more, so that nothing resumes them.")
	tookBack := describe("usher_rule_took_back", "Changes on the platform that a rule took back in the last 7 days.")
	return &scrape.Collector{
		Reads: "what rules are blind on for metrics", Logger: logger, Metrics: []*prometheus.Desc{blind, orphaned, tookBack},
		Read: func(ctx context.Context, gauge scrape.Gauge) error {
			list, err := r.Blindness(ctx)
			if err != nil {
				return err
			}
			for _, b := range usher.JoinTookBack(list) {
				d := blind
				switch {
				case b.TookBack != "":
					d = tookBack
				case b.Orphaned:
					d = orphaned
				}
				gauge(d, float64(b.Count), b.File, b.Rule)
			}
			return nil
		},
	}
}
