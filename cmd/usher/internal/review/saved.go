package review

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
	"usher/queues/decisions"
	"usher/workers/evaluation"
)

// maxSavedCampaigns is the number of campaigns of an account whose reports Saved reads: a call for
// each.
const maxSavedCampaigns = 100

// Saved estimates what the pauses in an activity have saved, by rule. wants selects the rules; nil: all.
// It reads the reports of campaigns in which they have paused creatives.
func (r *Reviewer) Saved(ctx context.Context, of *decisions.Activity, wants func(rule string) bool) (map[string]*backtest.Saving, error) {
	all, gone := map[string]*backtest.Saving{}, map[string]int{}
	byFile := map[string][]usher.PausedTime{}
	for _, p := range of.Paused {
		if p.Rule == "" || !p.LastsBeyond(of.Since) || wants != nil && !wants(p.Rule) {
			continue
		}
		file, _, _ := strings.Cut(p.Rule, "/")
		if !slices.ContainsFunc(r.Rules, func(s *rules.Set) bool { return s.Name == file }) {
			gone[p.Rule]++
			continue
		}
		byFile[file] = append(byFile[file], p)
	}
	for rule, pauses := range gone {
		all[rule] = &backtest.Saving{Gross: map[string]float64{}}
		all[rule].Add("no worker uses the rule file any more", pauses)
	}
	for _, set := range r.Rules {
		if len(byFile[set.Name]) == 0 {
			continue
		}
		saved, err := r.savedBy(ctx, set, byFile[set.Name], of)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, saved)
	}
	return all, nil
}

// savedBy estimates what pauses by rules of a file have saved.
func (r *Reviewer) savedBy(ctx context.Context, set *rules.Set, pauses []usher.PausedTime, of *decisions.Activity) (map[string]*backtest.Saving, error) {
	platform, err := r.Platform(set.Account)
	if err != nil {
		return nil, err
	}
	real := backtest.Real{Zone: set.Zone, Since: of.Since, Now: r.Queue.Now(), Paused: of.Paused, Unread: map[string]string{}}
	var campaigns []string
	for i := range pauses {
		switch campaign := pauses[i].Campaign; {
		case slices.Contains(campaigns, campaign):
		case len(campaigns) == maxSavedCampaigns:
			real.Unread[campaign] = fmt.Sprintf("only the %d campaigns are counted in which rules of the file have paused something last", maxSavedCampaigns)
		default:
			campaigns = append(campaigns, campaign)
		}
	}
	oldest := slices.MinFunc(pauses, func(a, b usher.PausedTime) int { return a.From.Compare(b.From) }).From
	need := backtest.SavedNeed(set.Zone, oldest, real.Now)
	_, err = evaluation.ReadReports(ctx, platform, []figures.Need{need}, campaigns, func(row figures.Row) error {
		real.Rows = append(real.Rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return backtest.Saved(real, pauses), nil
}
