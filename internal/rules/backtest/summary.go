package backtest

import (
	"slices"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// Outcome is the result of a backtest. Decisions are sorted by day, then by campaign
// and creative.
type Outcome struct {
	Decisions []usher.Decision `json:"decisions"`
	Summary   Summary          `json:"summary"`
}

// Summary is the sum of a backtest. Spend is gross, in the account's currency. Saved
// is the real spend of paused creatives on the days after their pause, up to and
// including the day of their resume; Missed is what they achieved with it.
type Summary struct {
	From      string  `json:"from"`
	To        string  `json:"to"`
	Days      int     `json:"days"`
	Campaigns int     `json:"campaigns"`
	Creatives int     `json:"creatives"`
	Pauses    int     `json:"pauses"`
	Resumes   int     `json:"resumes"`
	Flips     int     `json:"flips"`               // pauses and resumes
	Decreases int     `json:"decreases,omitempty"` // of budgets and bids
	Increases int     `json:"increases,omitempty"`
	Held      int     `json:"held"`
	Unknown   int     `json:"unknown"`
	Spend     float64 `json:"spend"` // the real one
	Saved     float64 `json:"saved"`
	Missed    Missed  `json:"missed"`
	// Lacking counts creatives on days on which the report does not have their spend, and SavedLacking
	// those of them that were paused. Then Spend, Saved and Missed are not the whole.
	Lacking      int `json:"lacking,omitempty"`
	SavedLacking int `json:"savedLacking,omitempty"`
	// Gaps are the campaigns of these creatives, in the order in which they lack it first.
	Gaps []Gap `json:"gaps,omitempty"`
	// ReadAsAct are the rules that are not in mode act, and are read as if they were.
	ReadAsAct []string `json:"readAsAct,omitempty"`
	// WithoutHours are the rules whose active_hours and active_days are ignored.
	WithoutHours []string `json:"withoutHours,omitempty"`
	// NotDaily are the rules that were not due on each day, so that they did not decide on some.
	NotDaily []string `json:"notDaily,omitempty"`
	// Until are the rules with until. What they save is an upper bound: each day has one run, so a
	// creative is resumed at the end of the day at whose beginning a run would have resumed it.
	Until []string `json:"until,omitempty"`
	// AtMost lists the rules with resume_when. What they save is an upper bound: on a day on which
	// a rule would have paused a creative, the report still has its real spend, so the rule does
	// not see the low spend that would have resumed the creative earlier.
	AtMost []string `json:"atMost,omitempty"`
	// KnownThen says that each day was decided by the numbers from outside that were known at its
	// end, not by those that became known later.
	KnownThen bool `json:"knownThen,omitempty"`
	// Targets is the table of targets, which is read as it is now.
	Targets string `json:"targets,omitempty"`
	// WholeDay are the rules that read the window today, which is the whole day.
	WholeDay []string      `json:"wholeDay,omitempty"`
	Rules    []RuleSummary `json:"rules"`
	ByDay    []DaySummary  `json:"byDay"`
	// ByCreative has the creatives that were paused on a day, by campaign and code.
	ByCreative []CreativeSummary `json:"byCreative"`
	// ByNumber has the budgets and bids that a rule wanted to change, by campaign.
	ByNumber []NumberSummary `json:"byNumber,omitempty"`
}

// note notes which rules a backtest reads otherwise than a run does.
func (s *Summary) note(list []*rules.Rule) {
	for _, rule := range list {
		if rule.Bidding == nil && rule.Resume != nil {
			s.AtMost = append(s.AtMost, rule.Name)
		}
		if rule.Until != "" {
			s.Until = append(s.Until, rule.Name)
		}
		if rule.Hours != nil {
			s.WithoutHours = append(s.WithoutHours, rule.Name)
		}
		if rule.Mode != rules.Act {
			s.ReadAsAct = append(s.ReadAsAct, rule.Name)
		}
	}
}

// Gap is on how many days the report lacks the spend of creatives of a campaign.
type Gap struct {
	Campaign string `json:"campaign"`
	Days     int    `json:"days"`
}

// noteGap notes that the report lacks spend of a campaign on a day.
func (s *Summary) noteGap(campaign string) {
	for i := range s.Gaps {
		if s.Gaps[i].Campaign == campaign {
			s.Gaps[i].Days++
			return
		}
	}
	s.Gaps = append(s.Gaps, Gap{campaign, 1})
}

// OnlyNumbers reports whether all rules change budgets or bids, so that what would have been spent
// with them is not known.
func (s *Summary) OnlyNumbers() bool {
	return len(s.Rules) > 0 && !slices.ContainsFunc(s.Rules, func(r RuleSummary) bool { return r.Field == "" })
}

// NumberSummary is what the rules would have made of one budget or bid. Change is from the
// first day to the last.
type NumberSummary struct {
	Campaign  string              `json:"campaign"`
	Change    usher.BiddingChange `json:"change"`
	Decreases int                 `json:"decreases"`
	Increases int                 `json:"increases"`
	Held      int                 `json:"held"` // decisions that a guard held back
}

// CreativeSummary is what the pauses of one creative would have saved and missed.
type CreativeSummary struct {
	Campaign string  `json:"campaign"`
	Creative string  `json:"creative"`
	Days     int     `json:"days"` // on which it was paused when they began
	Saved    float64 `json:"saved"`
	Missed   Missed  `json:"missed"`
}

// Missed is what paused creatives would not have achieved.
type Missed struct {
	Impressions float64 `json:"impressions"`
	Clicks      float64 `json:"clicks"`
	Engagements float64 `json:"engagements"`
}

// RuleSummary is the sum of one rule's decisions.
type RuleSummary struct {
	Rule      string             `json:"rule"`
	Field     usher.BiddingField `json:"field,omitempty"` // that it changes: what would have been spent is not known
	Pauses    int                `json:"pauses"`
	Resumes   int                `json:"resumes"`
	Decreases int                `json:"decreases,omitempty"` // of budgets and bids
	Increases int                `json:"increases,omitempty"`
	Held      int                `json:"held"`
	Unknown   int                `json:"unknown"`
	Notices   int                `json:"notices,omitempty"` // findings that notify would report
	Saved     float64            `json:"saved"`
	Missed    Missed             `json:"missed"`
	Lacking   int                `json:"lacking,omitempty"` // creatives that it had paused, on days without their spend
}

// DaySummary is one day of a backtest.
type DaySummary struct {
	Date    string  `json:"date"`
	Spend   float64 `json:"spend"` // the real one
	Saved   float64 `json:"saved"`
	Paused  int     `json:"paused"` // creatives at the end of the day
	Pauses  int     `json:"pauses"`
	Resumes int     `json:"resumes"`
}

// round removes the errors of summing decimal fractions.
func (s *Summary) round() {
	s.Spend, s.Saved = figures.Round(s.Spend), figures.Round(s.Saved)
	for i := range s.Rules {
		s.Rules[i].Saved = figures.Round(s.Rules[i].Saved)
		s.Rules[i].Missed.round()
	}
	for i := range s.ByCreative {
		s.ByCreative[i].Saved = figures.Round(s.ByCreative[i].Saved)
		s.ByCreative[i].Missed.round()
	}
	for i := range s.ByDay {
		s.ByDay[i].Spend, s.ByDay[i].Saved = figures.Round(s.ByDay[i].Spend), figures.Round(s.ByDay[i].Saved)
	}
	s.Missed.round()
}

func (m *Missed) round() {
	m.Impressions, m.Clicks, m.Engagements = figures.Round(m.Impressions), figures.Round(m.Clicks), figures.Round(m.Engagements)
}

func (m *Missed) add(values [figures.Fields]float64) {
	m.Impressions += values[figures.Impressions]
	m.Clicks += values[figures.Clicks]
	m.Engagements += values[figures.Engagements]
}
