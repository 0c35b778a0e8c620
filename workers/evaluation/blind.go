package evaluation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
)

// spendDays are the days before today in which something must have had spend for a rule to be
// blind on it.
const spendDays = 7

// entity is a campaign, or one of its creatives.
type entity struct{ campaign, creative string }

// noteBlind stores on what the rules that are due are blind, and which creatives nothing resumes.
// runs are those of the evaluation. An event has no reports, so nothing is known then.
func (e *evaluation) noteBlind(ctx context.Context, runs []*rules.Run) error {
	if e.isEvent() || e.supposed == nil {
		return nil
	}
	found := e.supposed.Blind()
	for _, run := range runs[1:] { // on budgets and bids
		found = append(found, run.Blind()...)
	}
	seen := map[string][]string{}
	for _, b := range found {
		seen[b.Rule] = append(seen[b.Rule], b.Campaign+" "+b.Creative)
	}
	change := usher.BlindnessChange{
		At: e.job.Now().UTC(), Rules: map[string][]usher.BlindSpot{}, Campaigns: e.campaigns, Orphans: e.orphans(),
		Exist: func(rule string) bool { return e.set.Find(rule) != nil },
	}
	fresh := map[string]bool{}
	for _, rule := range e.set.Rules {
		if e.due != nil && !slices.Contains(e.due, rule.Name) {
			continue
		}
		on := strings.Join(seen[rule.Name], "\n")
		looked, known := e.handler.blind.get(e.set.Key(rule.Name), e.job.Now())
		if fresh[rule.Name] = known && on != "" && looked == on; !fresh[rule.Name] {
			change.Rules[rule.Name] = nil
		}
	}
	found = slices.DeleteFunc(found, func(b rules.Blindness) bool { return fresh[b.Rule] })
	if err := e.findSpots(ctx, found, change.Rules); err != nil {
		return err
	}
	if err := e.handler.Store.ChangeBlindness(ctx, e.set.Name, change); err != nil {
		return err
	}
	for rule := range change.Rules {
		e.handler.blind.put(e.set.Key(rule), strings.Join(seen[rule], "\n"), e.job.Now())
	}
	return nil
}

// findSpots adds, by rule, those of the campaigns and creatives on which a rule is UNKNOWN that
// are ACTIVE and had spend lately.
func (e *evaluation) findSpots(ctx context.Context, found []rules.Blindness, spots map[string][]usher.BlindSpot) error {
	if len(found) == 0 {
		return nil
	}
	spent, err := e.readSpend(ctx, found)
	if err != nil {
		return err
	}
	candidates := map[string][]usher.BlindSpot{}
	var campaigns []string
	byCampaign := map[string][]entity{}
	for of := range spent {
		byCampaign[of.campaign] = append(byCampaign[of.campaign], of)
	}
	for _, b := range found {
		for _, of := range byCampaign[b.Campaign] {
			isCreative := b.Level == figures.CreativeLevel
			if isCreative != (of.creative != "") || isCreative && b.Creative != of.creative && !e.isWithoutRow(b, of) {
				continue
			}
			candidates[b.Rule] = append(candidates[b.Rule], usher.BlindSpot{Campaign: of.campaign, Creative: of.creative, Missing: b.Missing, Spend: spent[of].gross, Day: spent[of].day})
			campaigns = append(campaigns, of.campaign)
		}
	}
	active, err := e.activeCreatives(ctx, slices.Compact(slices.Sorted(slices.Values(campaigns))))
	if err != nil {
		return err
	}
	for rule, list := range candidates {
		spots[rule] = slices.DeleteFunc(list, func(s usher.BlindSpot) bool {
			return !slices.ContainsFunc(active[s.Campaign], func(c rules.Creative) bool {
				return (s.Creative == "" || s.Creative == c.Code) && (e.set.Find(rule).Bidding != nil || e.set.Has(c, []string{rule}, e.at))
			})
		})
	}
	return nil
}

// isWithoutRow reports whether a rule is blind on the creatives of a campaign of which nothing is known,
// and a creative is one of them.
func (e *evaluation) isWithoutRow(b rules.Blindness, of entity) bool {
	return b.Creative == "" && !e.delivered[of.campaign][of.creative] && !slices.Contains(e.rows[of.campaign], of.creative)
}

// spend is the gross spend of a day.
type spend struct {
	gross float64
	day   string
}

// budget is the budget that the newest row of a campaign has.
type budget struct {
	day, currency string
	value         float64
}

// addSpend keeps the spend and the budget of a row if it is the newest one.
func (e *evaluation) addSpend(row figures.Row) {
	if v := row.Values[figures.Budget]; row.Creative == "" && v >= 0 && row.Date >= e.budgets[row.Campaign].day {
		if e.budgets == nil {
			e.budgets = map[string]budget{}
		}
		e.budgets[row.Campaign] = budget{row.Date, row.Currency, v}
	}
	of, gross := entity{row.Campaign, row.Creative}, row.Values[figures.GrossMediaSpend]
	if gross > 0 && row.Date > e.spent[of].day && row.Date >= e.firstSpendDay().String() {
		if e.spent == nil {
			e.spent = map[entity]spend{}
		}
		e.spent[of] = spend{gross, row.Date}
	}
}

// firstSpendDay returns the first of the days in which something must have had spend.
func (e *evaluation) firstSpendDay() calendar.Day {
	return calendar.DayOf(e.at.In(e.set.Zone)) - spendDays
}

// readSpend reads what the campaigns and creatives spent on the newest of the last days on which
// they spent something. It reads only reports of days that the evaluation has not read.
func (e *evaluation) readSpend(ctx context.Context, found []rules.Blindness) (map[entity]spend, error) {
	first := e.firstSpendDay()
	var campaigns []string
	for _, b := range found {
		if b.Level == figures.CreativeLevel {
			campaigns = append(campaigns, b.Campaign)
		}
	}
	var needs []figures.Need
	for _, level := range []figures.Level{figures.CampaignLevel, figures.CreativeLevel} {
		isRead := slices.ContainsFunc(e.figures.Needs(), func(n figures.Need) bool { return n.Level == level && n.From <= first.String() })
		if !isRead && slices.ContainsFunc(found, func(b rules.Blindness) bool { return b.Level == level }) {
			needs = append(needs, figures.Need{Level: level, From: first.String(), To: (first + spendDays - 1).String()})
		}
	}
	_, err := ReadReports(ctx, e.platform, needs, slices.Compact(slices.Sorted(slices.Values(campaigns))), func(row figures.Row) error {
		e.addSpend(row)
		return nil
	})
	return e.spent, err
}

// activeCreatives returns the ACTIVE creatives of campaigns. It reads the statuses of those that
// the evaluation has not read.
func (e *evaluation) activeCreatives(ctx context.Context, campaigns []string) (map[string][]rules.Creative, error) {
	read := map[string]bool{}
	all := []rules.Creative{}
	for _, c := range e.creatives {
		read[c.Campaign] = true
		all = append(all, c)
	}
	more, err := ReadCreatives(ctx, e.platform, slices.DeleteFunc(slices.Clone(campaigns), func(campaign string) bool { return read[campaign] }), e.set)
	if err != nil {
		return nil, fmt.Errorf("read which creatives are ACTIVE: %w", err)
	}
	active := map[string][]rules.Creative{}
	for _, c := range append(all, more...) {
		if c.Status == rtb.Active {
			active[c.Campaign] = append(active[c.Campaign], c)
		}
	}
	return active, nil
}

// orphans returns the creatives that stay paused because the rule that paused them is in no file
// of the account any more, by that rule.
func (e *evaluation) orphans() map[string][]usher.BlindSpot {
	found := map[string][]usher.BlindSpot{}
	for campaign, creatives := range e.memory {
		for code, changes := range creatives {
			owner := usher.NewCreativeMemory(changes, e.set.Zone).Owner
			c, read := e.creatives[code]
			if owner == nil || !read || c.Status != owner.Status || c.LatestUpdate != owner.LatestUpdate || c.Status == rtb.Active {
				continue
			}
			if !slices.ContainsFunc(e.accountSets(), func(s *rules.Set) bool { return s.Owner(owner.Rule) != nil }) {
				found[owner.Rule] = append(found[owner.Rule], usher.BlindSpot{Campaign: campaign, Creative: code})
			}
		}
	}
	return found
}

// accountSets returns the files of the account, with the rules that people have paused.
func (e *evaluation) accountSets() []*rules.Set {
	return slices.DeleteFunc(slices.Clone(e.handler.Rules.All()), func(s *rules.Set) bool { return s.Account != e.set.Account })
}
