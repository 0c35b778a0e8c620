package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules/backtest"
)

// subject returns the creative, or the name of the number, that a decision is about.
func subject(d usher.Decision) string {
	if d.Bidding != nil {
		return d.Bidding.Field.String()
	}
	return d.Creative
}

// numberChanges counts the changes of budgets and bids.
func numberChanges(s *backtest.Summary) string {
	return fmt.Sprintf("%s, %s", readable.Count(s.Decreases, "decrease"), readable.Count(s.Increases, "increase"))
}

// numberTable returns a row for each budget and bid that a rule wanted to change.
func numberTable(list []backtest.NumberSummary) *terminal.Table {
	t := &terminal.Table{Header: []string{"CAMPAIGN", "NUMBER", "WOULD HAVE SET", "DECREASES", "INCREASES", "HELD"}, Right: []int{4, 5, 6}}
	for _, n := range list {
		t.Add(n.Campaign, n.Change.Field.String(), setText(&n), readable.Number(int64(n.Decreases)), readable.Number(int64(n.Increases)), readable.Number(int64(n.Held)))
	}
	return t
}

// setText returns what a number was before the rules, and what they would have made of it.
func setText(n *backtest.NumberSummary) string {
	if n.Decreases+n.Increases == 0 {
		return "stays " + n.Change.Before()
	}
	return n.Change.String()
}

// numberTable returns a row for each budget and bid that one of the versions wanted to
// change, with what each would have made of it.
func (c comparison) numberTable() *terminal.Table {
	t := &terminal.Table{Header: []string{"CAMPAIGN", "NUMBER", c[0].path, c[1].path}}
	type place struct {
		campaign string
		field    usher.BiddingField
	}
	cells := map[place]*[2]string{}
	var order []place
	for k, v := range c {
		for _, n := range v.outcome.Summary.ByNumber {
			at := place{n.Campaign, n.Change.Field}
			if cells[at] == nil {
				stays := "stays " + n.Change.Before()
				cells[at] = &[2]string{stays, stays}
				order = append(order, at)
			}
			cells[at][k] = setText(&n)
		}
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(strings.Compare(a.campaign, b.campaign), strings.Compare(string(b.field), string(a.field)))
	})
	for _, at := range order {
		t.Add(at.campaign, at.field.String(), cells[at][0], cells[at][1])
	}
	return t
}
