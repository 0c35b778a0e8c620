package workers

import (
	"slices"
	"sync"
	"time"

	"usher/internal/rules"
)

// A cap may be a share of all creatives in a rule's scope. Counting them takes a
// call a campaign, so that the counts are kept for a while: scopes change
// slowly, and a cap is a guard and no figure to bill by.
const sizesLive = time.Hour

// scopeSizes are how many creatives rules have in scope, by file and rule.
type scopeSizes struct {
	mu    sync.Mutex
	known map[string]scopeSize
}

type scopeSize struct {
	creatives int
	at        time.Time
}

func (s *scopeSizes) get(key string, now time.Time) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size, known := s.known[key]
	return size.creatives, known && now.Sub(size.at) < sizesLive
}

func (s *scopeSizes) put(key string, creatives int, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]scopeSize{}
	}
	s.known[key] = scopeSize{creatives, now}
}

// sizes are the sizes of the scopes of those rules that have a say and a cap
// that is a share.
func (v *evaluation) sizes() (map[string]int, error) {
	sizes := map[string]int{}
	var missing []*rules.Rule
	for _, rule := range v.set.Rules {
		if rule.Limits.Share == 0 || v.due != nil && !slices.Contains(v.due, rule.Name) {
			continue
		}
		size, known := v.scopes.get(v.set.Key(rule.Name), v.Now())
		if !known {
			missing = append(missing, rule)
			continue
		}
		sizes[rule.Name] = size
	}
	if len(missing) == 0 {
		return sizes, nil
	}
	all, err := v.platform.Campaigns.List(v.ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(missing))
	for i, rule := range missing {
		names[i] = rule.Name
	}
	inScope := slices.DeleteFunc(all, func(campaign string) bool { return !v.set.Covers(campaign, names) })
	creatives, err := ReadCreatives(v.ctx, v.platform, inScope)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		for _, c := range creatives {
			if v.set.Covers(c.Campaign, []string{name}) {
				sizes[name]++
			}
		}
		v.scopes.put(v.set.Key(name), sizes[name], v.Now())
	}
	return sizes, nil
}
