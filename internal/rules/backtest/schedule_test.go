package backtest_test

import (
	"fmt"
	"slices"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestSchedules checks that a rule decides only on days on which it is due, and on numbers, too.
func TestSchedules(t *testing.T) {
	t.Parallel()
	const pauses, decreases = "pause_when: grossMediaSpend > 20", "budget: {decrease: 10%, min: 5}, decrease_when: grossMediaSpend > 20"
	for _, c := range []struct {
		rule, want string
		notDaily   []string
	}{ // 2026-03-13 is a Friday
		{"schedule: \"0 7 * * *\", " + pauses, "[2026-03-13 pause]", nil},
		{"schedule: \"*/15 * * * *\", " + pauses, "[2026-03-13 pause]", nil},
		{"schedule: \"0 7 * * 1\", " + pauses, "[2026-03-16 pause]", []string{"r"}},
		{"schedule: \"0 0 * * 6\", " + pauses, "[2026-03-14 pause]", []string{"r"}},
		{"schedule: \"0 7 1 * *\", " + pauses, "[]", []string{"r"}},
		{pauses, "[2026-03-13 pause]", nil},
		{"schedule: \"0 7 * * 2,4\", " + decreases, "[2026-03-17 decrease 2026-03-19 decrease]", []string{"r"}},
	} {
		set, problems := rules.Load("x.yaml", []byte("account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A*\"]}, window: yesterday, "+c.rule+"}\n"))
		if set == nil {
			t.Fatal(problems)
		}
		input := backtest.Input{From: "2026-03-13", To: "2026-03-20", Creatives: []rules.Creative{{Campaign: "A", Code: "a-1"}}}
		input.Numbers = map[usher.BiddingField][]rules.Number{usher.BudgetField: {{Campaign: "A", Value: 100, Currency: "USD"}}}
		for day := 12; day <= 20; day++ {
			row := spent(day, 30)
			row.Creative, row.Values[figures.Budget] = "", 100
			input.Rows = append(input.Rows, row)
		}
		got, err := backtest.Run(t.Context(), set, input)
		if err != nil {
			t.Fatal(err)
		}
		var changes []string
		for _, d := range got.Decisions {
			if d.Action.Changes() {
				changes = append(changes, d.Date+" "+string(d.Action))
			}
		}
		if fmt.Sprint(changes) != c.want || !slices.Equal(got.Summary.NotDaily, c.notDaily) {
			t.Errorf("%s: %v, not daily: %v", c.rule, changes, got.Summary.NotDaily)
		}
	}
}

// TestFindingsOfWeeklyRules checks that a finding of a rule that is not due goes on, whatever another rule decides.
func TestFindingsOfWeeklyRules(t *testing.T) {
	t.Parallel()
	const weekly = "  - {name: weekly, scope: {campaigns: [\"A*\"]}, window: yesterday, schedule: \"0 7 * * 1\", notify: digest, limits: {max_creatives: 1}, pause_when: grossMediaSpend > 20}\n"
	const daily = "  - {name: daily, scope: {campaigns: [\"A*\"]}, window: yesterday, pause_when: grossMediaSpend > 1000}\n"
	notices := map[string]int{}
	for _, more := range []string{"", daily} {
		set, problems := rules.Load("x.yaml", []byte("account: A\ntimezone: Europe/London\nrules:\n"+weekly+more))
		if set == nil {
			t.Fatal(problems)
		}
		input := backtest.Input{From: "2026-03-09", To: "2026-03-24", Creatives: []rules.Creative{{Campaign: "A", Code: "a-1"}, {Campaign: "A", Code: "a-2"}}}
		for day := 8; day <= 24; day++ {
			row := spent(day, 30)
			row.Creative = ""
			input.Rows = append(input.Rows, row)
		}
		got, err := backtest.Run(t.Context(), set, input)
		if err != nil {
			t.Fatal(err)
		}
		notices[more] = got.Summary.Rules[0].Notices
	}
	if notices[""] == 0 || notices[""] != notices[daily] {
		t.Errorf("%d findings without the daily rule, %d with it", notices[""], notices[daily])
	}
}
