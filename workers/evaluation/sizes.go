package evaluation

import (
	"context"
	"fmt"
	"slices"

	"usher"
	"usher/internal/rules"
)

// scopeSize is the number of creatives that a rule of a version of its file has in scope on a day, from
// which or until which labels may be valid.
type scopeSize struct {
	version, day string
	creatives    int
}

// sizes returns the sizes of scopes, by rule, for the rules that are due and have a cap
// that is a share.
func (e *evaluation) sizes(ctx context.Context) (map[string]int, error) {
	sizes, day := map[string]int{}, e.set.Day(e.at)
	var missing []string
	for _, rule := range e.set.Rules {
		if rule.Bidding != nil || !e.capsShare(rule) {
			continue
		}
		size, fresh := e.handler.sizes.get(e.set.Key(rule.Name), e.job.Now())
		if !fresh || size.version != e.set.Version || size.day != day {
			missing = append(missing, rule.Name)
			continue
		}
		sizes[rule.Name] = size.creatives
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
		e.handler.sizes.put(e.set.Key(name), scopeSize{e.set.Version, day, sizes[name]}, e.job.Now())
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
