package backtest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
)

// runNumbers decides on the budgets and bids at the end of a day, by the rules that are due. What a rule set holds on
// the next days; the reports do not change.
func (b *simulation) runNumbers(ctx context.Context, day calendar.Day, due []string, f *rules.Figures, total *DaySummary) error {
	for _, field := range b.set.Changes(nil) {
		memoryOf := func(campaign string) string { return campaign + " " + field.MemoryKey() }
		numbers := b.numbers[field]
		b.takeBudgets(day, field, numbers, memoryOf)
		run, err := b.set.DecideNumbers(ctx, field, rules.Snapshot{Figures: f, Numbers: numbers, Due: due, Memory: func(campaign string) usher.CreativeMemory {
			return b.memory[memoryOf(campaign)]
		}})
		if err != nil {
			return err
		}
		for d := range run.Decisions(nil) {
			b.dropRepeatedNotice(&d, due, f.At())
			b.out.Decisions = append(b.out.Decisions, d)
			b.count(d, total)
			b.sumUp(d, memoryOf(d.Campaign))
			if !d.Action.Changes() {
				continue
			}
			at := slices.IndexFunc(numbers, func(n rules.Number) bool { return n.Campaign == d.Campaign })
			numbers[at].Value = d.Bidding.To
			rule, key := b.set.Key(d.Rule), memoryOf(d.Campaign)
			owner := &usher.Ownership{Rule: rule, Run: d.Date, At: f.At(), Status: numbers[at].State()}
			b.memory[key] = b.memory[key].WithChange(rule, f.At(), d.Date, owner)
		}
	}
	return nil
}

// sumUp adds a decision to the sums of its number, which has a key.
func (b *simulation) sumUp(d usher.Decision, key string) {
	if d.Action != usher.Held && !d.Action.Changes() {
		return
	}
	sums := b.changed[key]
	if sums == nil {
		sums = &NumberSummary{Campaign: d.Campaign, Change: *d.Bidding}
		b.changed[key] = sums
	}
	sums.Change.To = d.Bidding.To
	switch d.Action {
	case usher.Decrease:
		sums.Decreases++
	case usher.Increase:
		sums.Increases++
	default:
		sums.Change.To = d.Bidding.From // as it stays
		sums.Held++
	}
}

// numberSums returns the sums of the numbers that a rule wanted to change.
func (b *simulation) numberSums() []NumberSummary {
	var list []NumberSummary
	for _, sums := range b.changed {
		list = append(list, *sums)
	}
	slices.SortFunc(list, func(a, b NumberSummary) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(string(b.Change.Field), string(a.Change.Field)))
	})
	return list
}

// takeBudgets sets the budgets that no rule has changed to those of a day's report.
func (b *simulation) takeBudgets(day calendar.Day, field usher.BiddingField, numbers []rules.Number, memoryOf func(campaign string) string) {
	if field != usher.BudgetField {
		return
	}
	for _, row := range b.rows[day] {
		at := slices.IndexFunc(numbers, func(n rules.Number) bool { return n.Campaign == row.Campaign })
		if budget := row.Values[figures.Budget]; row.Creative == "" && at >= 0 && b.memory[memoryOf(row.Campaign)].Owner == nil && !math.IsNaN(budget) {
			numbers[at].Value = budget
		}
	}
}
