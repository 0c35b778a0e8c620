package evaluation

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher"
	"usher/internal/rules"
)

// sizeTTL is how long the size of a scope is cached. A cap may be a share of all
// creatives in a rule's scope, and counting them takes a call for each campaign. Scopes
// change slowly, and a cap needs no exact number.
const sizeTTL = time.Hour

// scopeSizes caches the number of creatives in the scope of each rule.
type scopeSizes struct {
	mu    sync.Mutex
	known map[string]scopeSize // by rules.Set.Key
}

type scopeSize struct {
	creatives int
	at        time.Time
}

func (s *scopeSizes) get(key string, now time.Time) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size, known := s.known[key]
	return size.creatives, known && now.Sub(size.at) < sizeTTL
}

func (s *scopeSizes) put(key string, creatives int, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]scopeSize{}
	}
	s.known[key] = scopeSize{creatives, now}
}

// sizes returns the sizes of scopes, by rule, for the rules that are due and have a cap
// that is a share.
func (e *evaluation) sizes(ctx context.Context) (map[string]int, error) {
	sizes := map[string]int{}
	var missing []string
	for _, rule := range e.set.Rules {
		if rule.Bidding != nil || !e.capsShare(rule) {
			continue
		}
		size, known := e.handler.sizes.get(e.set.Key(rule.Name), e.job.Now())
		if !known {
			missing = append(missing, rule.Name)
			continue
		}
		sizes[rule.Name] = size
	}
	if len(missing) == 0 {
		return sizes, nil
	}
	creatives, err := e.creativesInScope(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, name := range missing {
		for _, c := range creatives {
			if e.set.Has(c, []string{name}, e.at) {
				sizes[name]++
			}
		}
		e.handler.sizes.put(e.set.Key(name), sizes[name], e.job.Now())
	}
	return sizes, nil
}

// creativesInScope reads the creatives of all campaigns that are in the scope of any of
// the rules.
func (e *evaluation) creativesInScope(ctx context.Context, names []string) ([]rules.Creative, error) {
	all, err := e.platform.Campaigns.List(ctx)
	if err != nil {
		return nil, err
	}
	inScope := slices.DeleteFunc(all, func(campaign string) bool { return !e.set.Covers(campaign, names) })
	return ReadCreatives(ctx, e.platform, inScope, e.set)
}

// numberSizes returns the number of campaigns in the scopes of the rules that take part,
// change a field, and have a cap that is a share.
func (e *evaluation) numberSizes(ctx context.Context, field usher.BiddingField) (map[string]int, error) {
	sizes := map[string]int{}
	campaigns := e.campaigns
	for _, rule := range e.set.Rules {
		if rule.Bidding == nil || rule.Bidding.Field != field || !e.capsShare(rule) {
			continue
		}
		if e.isEvent() && len(sizes) == 0 { // which is about one campaign
			var err error
			if campaigns, err = e.platform.Campaigns.List(ctx); err != nil {
				return nil, fmt.Errorf("list campaigns of %s: %w", e.set.Account, err)
			}
		}
		sizes[rule.Name] = 0
		for _, campaign := range campaigns {
			if e.set.Covers(campaign, []string{rule.Name}) {
				sizes[rule.Name]++
			}
		}
	}
	return sizes, nil
}

// capsShare reports whether a rule takes part and has a cap that is a share of its scope.
func (e *evaluation) capsShare(rule *rules.Rule) bool {
	return rule.Limits.Share != 0 && (e.due == nil || slices.Contains(e.due, rule.Name))
}
