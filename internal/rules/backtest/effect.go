package backtest

import (
	"cmp"
	"context"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
)

// Effect is what a rule alone would have done at the end of a day, whatever its
// schedule and active_hours are, with every creative ACTIVE and in mode act. Spend is gross, of that
// day, in the account's currency. A rule that changes a number of its campaigns has all of
// their creatives in scope.
type Effect struct {
	Rule         string             `json:"rule"`
	Field        usher.BiddingField `json:"field,omitempty"` // "": the rule changes statuses of creatives
	Creatives    int                `json:"creatives"`       // in scope
	Pauses       int                `json:"pauses"`
	Decreases    int                `json:"decreases,omitempty"` // of budgets or bids
	Increases    int                `json:"increases,omitempty"`
	Held         int                `json:"held"`
	Unknown      int                `json:"unknown"`
	Lacking      int                `json:"lacking,omitempty"`      // creatives in scope whose spend the report does not have
	Spend        float64            `json:"spend"`                  // of the other creatives in scope
	PausedSpend  float64            `json:"pausedSpend"`            // of those that it pauses
	ChangedSpend float64            `json:"changedSpend,omitempty"` // of the campaigns whose budget or bid it changes
	HeldSpend    float64            `json:"heldSpend"`              // of what its limits or keep_active hold back
	ByNumber     []NumberSummary    `json:"byNumber,omitempty"`     // the budgets or bids that it wants to change
	// Note is the reason of the first decision that is held or, if none is, UNKNOWN, or says
	// that active_hours were ignored.
	Note string `json:"note,omitempty"`
}

// Effects returns the effect of each rule of a set on the last day of the input.
func Effects(ctx context.Context, s *rules.Set, in Input) ([]Effect, error) {
	day, err := calendar.ParseDay(in.To)
	if err != nil {
		return nil, err
	}
	effects := []Effect{}
	for _, rule := range s.Rules {
		alone := *s
		alone.Rules = []*rules.Rule{rule}
		run, err := simulate(&alone, in)
		if err != nil {
			return nil, err
		}
		run.out.Summary.Rules = []RuleSummary{{Rule: rule.Name}}
		if err := run.runDay(ctx, day, nil); err != nil {
			return nil, err
		}
		effect := run.effect(rule.Name, day)
		effect.Field = rule.Field()
		if rule.Hours != nil && effect.Note == "" {
			effect.Note = rule.Hours.Describe() + " were ignored"
		}
		effects = append(effects, effect)
	}
	return effects, nil
}

// effect sums up the decisions of a day.
func (b *simulation) effect(rule string, day calendar.Day) Effect {
	sums := b.out.Summary
	e := Effect{Rule: rule, Creatives: b.scoped(), Pauses: sums.Pauses, Decreases: sums.Decreases, Increases: sums.Increases, Held: sums.Held, Unknown: sums.Unknown, Lacking: sums.Lacking, Spend: figures.Round(sums.Spend), ByNumber: b.numberSums()}
	values := b.valuesOf(day)
	for _, d := range b.out.Decisions {
		of, _ := values(rules.Creative{Campaign: d.Campaign, Code: d.Creative})
		switch spend := of[figures.GrossMediaSpend]; d.Action {
		case usher.Pause:
			e.PausedSpend += spend
		case usher.Decrease, usher.Increase:
			e.ChangedSpend += spend
		case usher.Held:
			e.HeldSpend += spend
		}
	}
	e.Note = b.out.exampleOf(usher.Held, usher.Unknown)
	e.PausedSpend, e.ChangedSpend, e.HeldSpend = figures.Round(e.PausedSpend), figures.Round(e.ChangedSpend), figures.Round(e.HeldSpend)
	return e
}

// exampleOf returns what the first decision with the first of some actions that there is says.
func (o *Outcome) exampleOf(actions ...usher.Action) string {
	for _, action := range actions {
		for _, d := range o.Decisions {
			if d.Action == action {
				return Example(d)
			}
		}
	}
	return ""
}

// Example returns the reason of a decision, with what it is about.
func Example(d usher.Decision) string { return cmp.Or(d.Creative, d.Campaign) + ": " + d.Reason }
