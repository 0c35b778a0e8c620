package rules_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// cheaper is a rule file that changes budgets by the spend of today.
const cheaper = `account: A
timezone: UTC
rules:
  - name: cheaper
    scope: {campaigns: ["A-*"]}
    window: today
    decrease_when: grossMediaSpend >= 90
    increase_when: grossMediaSpend < 10
    budget: {decrease: 20%, min: 50, increase: 10%, max: 200}
    cooldown: 1h
`

// decideNumber loads a file and decides on the budget of A-1, of which spend is reported, as it
// is of A-2.
func decideNumber(t *testing.T, text string, spend float64, n rules.Number, s rules.Snapshot) usher.Decision {
	t.Helper()
	set, problems := rules.Load("budgets.yaml", []byte(text))
	if set == nil {
		t.Fatal(problems)
	}
	s.Figures = rules.NewFigures(set, drawnAt)
	for _, campaign := range []string{"A-1", "A-2"} {
		row := figures.Row{Date: "2026-05-20", Campaign: campaign, Currency: n.Currency}
		row.Values[figures.GrossMediaSpend] = spend
		if err := s.Figures.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	n.Campaign = "A-1"
	s.Numbers = append(s.Numbers, n)
	run, err := set.DecideNumbers(t.Context(), usher.BudgetField, s)
	if err != nil {
		t.Fatal(err)
	}
	for d := range run.Decisions(nil) {
		if d.Campaign == "A-1" {
			return d
		}
	}
	t.Fatal("nothing was decided on A-1")
	return usher.Decision{}
}

func TestDecideNumbers(t *testing.T) {
	t.Parallel()
	usd := func(v float64) rules.Number { return rules.Number{Value: v, Currency: "USD"} }
	owned := func(rule, status string, changed time.Time) func(string) usher.CreativeMemory {
		return func(string) usher.CreativeMemory {
			return usher.CreativeMemory{
				Owner: &usher.Ownership{Rule: rule, Status: status},
				Rules: map[string]usher.RuleMemory{rule: {Changed: changed, Day: changed.Format(time.DateOnly), Flips: 1}},
			}
		}
	}
	yesterday := drawnAt.AddDate(0, 0, -1)
	for _, c := range []struct {
		name     string
		replaced [2]string // in the file
		spend    float64
		number   rules.Number
		snapshot rules.Snapshot
		action   usher.Action
		guard    usher.Guard
		to       float64
		reason   string
	}{
		{"decreased", [2]string{}, 95, usd(100), rules.Snapshot{}, usher.Decrease, "", 80, "daily budget from 100 to 80 USD: grossMediaSpend >= 90 (95 >= 90)"},
		{"increased", [2]string{}, 5, usd(99.99), rules.Snapshot{}, usher.Increase, "", 109.99, "daily budget from 99.99 to 109.99 USD"},
		{"quiet", [2]string{}, 50, usd(100), rules.Snapshot{}, usher.None, "", 100, "does not hold"},
		{"not below min", [2]string{}, 95, usd(55), rules.Snapshot{}, usher.Decrease, "", 50, "from 55 to 50"},
		{"at min", [2]string{}, 95, usd(50), rules.Snapshot{}, usher.None, usher.GuardBound, 50, "left at 50 USD"},
		{"below min is not raised", [2]string{}, 95, usd(30), rules.Snapshot{}, usher.None, usher.GuardBound, 30, "left at 30 USD"},
		{"not above max", [2]string{}, 5, usd(190), rules.Snapshot{}, usher.Increase, "", 200, "to 200"},
		{"above max is not lowered", [2]string{}, 5, usd(300), rules.Snapshot{}, usher.None, usher.GuardBound, 300, "left at 300 USD"},
		{"no coins in yen", [2]string{}, 95, rules.Number{Value: 101, Currency: "JPY"}, rules.Snapshot{}, usher.Decrease, "", 81, "to 81 JPY"},
		{"no budget", [2]string{}, 95, usd(math.NaN()), rules.Snapshot{}, usher.Unknown, "", 0, "the campaign has no daily budget"},
		{"another currency", [2]string{"max: 200", "max: 200, currency: EUR"}, 95, usd(100), rules.Snapshot{}, usher.Unknown, "", 100, "min and max are in EUR"},
		{"several currencies", [2]string{}, 95, usd(100), rules.Snapshot{Numbers: []rules.Number{{Campaign: "A-2", Value: 1, Currency: "EUR"}}}, usher.Unknown, "", 100, "several currencies"},
		{"once a day", [2]string{"cooldown: 1h", ""}, 95, usd(80), rules.Snapshot{Memory: owned("budgets/cheaper", "80 USD", drawnAt.Add(-2*time.Hour))}, usher.Held, usher.GuardFlips, 64, "has already changed it 1 time on"},
		{"cooldown", [2]string{"cooldown: 1h", "cooldown: 36h"}, 95, usd(80), rules.Snapshot{Memory: owned("budgets/cheaper", "80 USD", yesterday)}, usher.Held, usher.GuardCooldown, 64, "its cooldown lasts until 2026-05-21"},
		{"its own", [2]string{}, 95, usd(80), rules.Snapshot{Memory: owned("budgets/cheaper", "80 USD", yesterday)}, usher.Decrease, "", 64, "to 64"},
		{"a person changed it", [2]string{}, 95, usd(90), rules.Snapshot{Memory: owned("budgets/cheaper", "80 USD", yesterday)}, usher.None, usher.GuardHandsOff, 72, "it was changed since this rule set it to 80 USD: it is 90 USD now"},
		{"another rule changed it", [2]string{}, 95, usd(80), rules.Snapshot{Memory: owned("other/rule", "80 USD", yesterday)}, usher.None, usher.GuardHandsOff, 64, "rule other/rule changed it last"},
		{"a person keeps it", [2]string{}, 95, usd(100), rules.Snapshot{Kept: map[string]usher.Setting{"A-1": {By: "ada"}}}, usher.None, usher.GuardKept, 80, "kept by ada until released: grossMediaSpend >="},
		{"stop switch", [2]string{}, 95, usd(100), rules.Snapshot{Stopped: "audit"}, usher.Held, usher.GuardStop, 80, "would set the daily budget from 100 to 80 USD, but the stop switch is on"},
		{"not enabled", [2]string{}, 95, usd(100), rules.Snapshot{Disabled: func(usher.BiddingField) bool { return true }}, usher.Held, usher.GuardDisabled, 80, "the configuration does not let rules change a daily budget (actions)"},
		{"approve", [2]string{"cooldown: 1h", "mode: approve"}, 95, usd(100), rules.Snapshot{}, usher.Held, usher.GuardApproval, 80, "waits for approval"},
		{"observe", [2]string{"cooldown: 1h", "mode: observe"}, 95, usd(100), rules.Snapshot{}, usher.Held, usher.GuardObserve, 80, "only observes"},
		{"notify", [2]string{"cooldown: 1h", "mode: notify"}, 95, usd(100), rules.Snapshot{}, usher.Notify, "", 80, "would set the daily budget from 100 to 80 USD, but only notifies"},
		{"too large a change", [2]string{"cooldown: 1h", "limits: {max_amount: 10}"}, 95, usd(100), rules.Snapshot{}, usher.Held, usher.GuardCap, 80, "by 20 together, over its limits (max_amount 10)"},
		{"not too large", [2]string{"cooldown: 1h", "limits: {max_amount: 20}"}, 95, usd(100), rules.Snapshot{}, usher.Decrease, "", 80, "to 80"},
		{"another rule wants less", [2]string{"cooldown: 1h", "priority: 2\n  - name: least\n    scope: {campaigns: [\"A-*\"]}\n    window: today\n    decrease_when: grossMediaSpend > 1\n    budget: {decrease: 5%, min: 1}\n    mode: approve"},
			5, usd(100), rules.Snapshot{}, usher.Held, usher.GuardApproval, 95, "waits for approval"},
		{"another rule may not change it yet", [2]string{"cooldown: 1h", "cooldown: 36h\n  - name: least\n    scope: {campaigns: [\"A-*\"]}\n    window: today\n    decrease_when: grossMediaSpend > 1\n    budget: {decrease: 5%, min: 1}"},
			95, usd(100), rules.Snapshot{Memory: func(string) usher.CreativeMemory {
				return usher.CreativeMemory{Rules: map[string]usher.RuleMemory{"budgets/cheaper": {Changed: yesterday}}}
			}}, usher.Decrease, "", 95, "from 100 to 95 USD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := cheaper
			if c.replaced[0] != "" {
				text = strings.Replace(cheaper, c.replaced[0], c.replaced[1], 1)
			}
			d := decideNumber(t, text, c.spend, c.number, c.snapshot)
			if d.Action != c.action || d.Guard != c.guard || d.Bidding == nil || d.Bidding.To != c.to || !strings.Contains(d.Reason, c.reason) || d.Creative != "" {
				t.Errorf("decided %s %s %+v: %s", d.Action, d.Guard, d.Bidding, d.Reason)
			}
		})
	}
}

// Rules on creatives and rules on numbers do not take part in each other's runs.
func TestNumbersAndCreativesApart(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("budgets.yaml", []byte(cheaper))
	if set == nil {
		t.Fatal(problems)
	}
	run, err := set.Decide(t.Context(), rules.Snapshot{Figures: rules.NewFigures(set, drawnAt), Creatives: []rules.Creative{{Campaign: "A-1", Code: "a", Status: "ACTIVE"}}})
	if err != nil {
		t.Fatal(err)
	}
	for d := range run.Decisions(nil) {
		t.Errorf("decided %+v", d)
	}
	if got := set.Changes(nil); !slices.Equal(got, []usher.BiddingField{usher.BudgetField}) {
		t.Errorf("the file changes %v", got)
	}
}

// A backtest says what would have been set, day by day, from the reported budget on.
func TestBacktestOfBudgets(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("budgets.yaml", []byte(cheaper))
	if set == nil {
		t.Fatal(problems)
	}
	b := backtest.Input{From: "2026-05-20", To: "2026-05-24", Numbers: map[usher.BiddingField][]rules.Number{usher.BudgetField: {{Campaign: "A-1", Value: 40, Currency: "USD"}}}}
	for i, spend := range []float64{95, 95, 50, 95, 5} {
		row := figures.Row{Date: time.Date(2026, 5, 20+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), Campaign: "A-1", Currency: "USD"}
		row.Values[figures.GrossMediaSpend], row.Values[figures.Budget] = spend, 100
		b.Rows = append(b.Rows, row)
	}
	outcome, err := backtest.Run(t.Context(), set, b)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range outcome.Decisions {
		if d.Action.Changes() {
			got = append(got, d.Date+" "+d.Bidding.Before()+" "+d.Bidding.After())
		}
	}
	want := []string{"2026-05-20 100 USD 80 USD", "2026-05-21 80 USD 64 USD", "2026-05-23 64 USD 51.2 USD", "2026-05-24 51.2 USD 56.32 USD"}
	if sums := outcome.Summary; !slices.Equal(got, want) || sums.Decreases != 3 || sums.Increases != 1 || sums.Flips != 0 {
		t.Errorf("set would have been %q\nnot %q; sums %+v", got, want, sums)
	}
}

// What `rules check` says of likely mistakes with budgets and bids.
func TestBiddingMistakes(t *testing.T) {
	t.Parallel()
	const file = "account: A\ntimezone: UTC\nrules:\n  - name: r\n    scope: {campaigns: [\"A-1\"]}\n    window: yesterday\n    schedule: \"0 7 * * *\"\n"
	for text, want := range map[string]string{
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%}":                                                                "decrease has no floor",
		"    increase_when: clicks > 5\n    bid: {increase: 20%}":                                                                   "increase has no ceiling",
		"    decrease_when: clicks > 5\n    budget: {decrease: 0.2, min: 50}":                                                       "write 20%",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20, min: 50}":                                                        "write 20%",
		"    decrease_when: clicks > 5\n    budget: {decrease: -20%, min: 50}":                                                      "write decrease: 20%",
		"    decrease_when: clicks > 5\n    budget: {decrease: 100%, min: 50}":                                                      "leaves nothing",
		"    decrease_when: clicks > 5\n    budget: {decrease: 60%, min: 50}":                                                       "more than half",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%, min: 50 EUR}":                                                   "write 50",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%, min: 0}":                                                        "above 0",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%, min: 50, max: 100}":                                             "max has no effect",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%, min: 50, currency: euro}":                                       "no code of a currency",
		"    decrease_when: clicks > 5\n    increase_when: clicks < 2\n    budget: {decrease: 20%, min: 50, increase: 5%, max: 50}": "min is 50, and max is 50",
		"    decrease_when: clicks > 5\n    increase_when: clicks < 8\n    budget: {decrease: 20%, min: 50, increase: 5%, max: 90}": "decrease_when and increase_when overlap",
		"    decrease_when: clicks > 5\n    budget: 20%":                                                                            "must be keys with values",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%, floor: 50}":                                                     "write min",
		"    decrease_when: clicks > 5\n    budget: {}":                                                                             "neither decrease nor increase",
		"    decrease_when: clicks > 5\n    budget: {increase: 20%, max: 50}":                                                       "has no decrease",
		"    budget: {decrease: 20%, min: 50}":                                                                                      "the rule has no decrease_when",
		"    decrease_when: clicks > 5\n    pause_when: clicks > 5\n    budget: {decrease: 20%, min: 50}":                           "write two rules: one with pause_when, and one with budget",
		"    decrease_when: clicks > 5\n    bid: {decrease: 20%, min: 1}\n    budget: {decrease: 20%, min: 50}":                     "the budget or the bid, not both",
		"    decrease_when: clicks > 5\n    pause_when: clicks > 5":                                                                 "neither budget nor bid",
		"    lower_when: clicks > 5\n    budget: {decrease: 20%, min: 50}":                                                          "write decrease_when",
		"    decrease_when: ctr < 0.1\n    budget: {decrease: 20%, min: 50}":                                                        "without min_data",
		"    decrease_when: clicks >= 0\n    budget: {decrease: 20%, min: 50}":                                                      "always holds",
		"    decrease_when: clicks > 5\n    budget: {decrease: 20%, min: 50}\n    limits: {max_creatives: 5}":                       "write max_campaigns",
		"    pause_when: clicks > 5\n    limits: {max_amount: 5}":                                                                   "max_amount has no effect",
		"    increase_when: clicks > 5\n    budget: {increase: 20%, max: 50}\n    for: 3 days":                                      "for has no effect",
	} {
		_, problems := rules.Load("x.yaml", []byte(file+text+"\n"))
		if !slices.ContainsFunc(problems, func(p rules.Problem) bool {
			return strings.Contains(p.Message, want) || strings.Contains(p.Hint, want)
		}) {
			t.Errorf("no problem with %q in\n%s\n%v", want, text, problems)
		}
	}
	// A mistake in budget is not reported a second time as a step that is missing.
	for _, budget := range []string{"budget: -20%", "budget: {decrease: 0.2, min: 50, increase: 10%, max: 90}", "budget: {decrease_by: 20%, min: 50}", "daily_budget: {decrease: 20%, min: 50}"} {
		_, problems := rules.Load("x.yaml", []byte(file+"    decrease_when: clicks > 5\n    increase_when: clicks < 2\n    "+budget+"\n"))
		for _, p := range problems {
			if p.Line != 10 {
				t.Errorf("with %s also: %v", budget, p)
			}
		}
	}
	everything := strings.Replace(file, "A-1", "A-*", 1) + "    decrease_when: clicks > 5\n    budget: {decrease: 20%, min: 50}\n"
	if _, problems := rules.Load("x.yaml", []byte(everything)); len(problems) != 1 || !strings.Contains(problems[0].Message, "daily budget of every campaign") {
		t.Errorf("problems are %v", problems)
	}
	if set, problems := rules.Load("x.yaml", []byte(strings.Replace(everything, "A-*", "A-1", 1))); set == nil || len(problems) > 0 {
		t.Errorf("problems are %v", problems)
	}
}

// The example file passes its own tests.
func TestExampleOfBudgets(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/rules/spend.yaml")
	if err != nil {
		t.Fatal(err)
	}
	set, problems := rules.Load("spend.yaml", text)
	if set == nil || len(problems) > 0 {
		t.Fatal(problems)
	}
	results, err := set.RunTests(t.Context())
	if err != nil || len(results) != 4 {
		t.Fatalf("%d tests, %v", len(results), err)
	}
	for _, r := range results {
		if !r.Passed {
			t.Errorf("%s: %s", r.Test, r.Message)
		}
	}
}

// TestBacktestSumsUpNumbers checks what a backtest says that each number would have been set
// to, and that check --live knows the spend behind it.
func TestBacktestSumsUpNumbers(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("budgets.yaml", []byte(cheaper+"    limits: {max_campaigns: 1}\n"))
	if set == nil {
		t.Fatal(problems)
	}
	input := backtest.Input{From: "2026-05-18", To: "2026-05-20", Numbers: map[usher.BiddingField][]rules.Number{}}
	for n, campaign := range []string{"A-1", "A-2"} {
		input.Creatives = append(input.Creatives, rules.Creative{Campaign: campaign, Code: campaign + "-a"})
		input.Numbers[usher.BudgetField] = append(input.Numbers[usher.BudgetField], rules.Number{Campaign: campaign, Value: 7, Currency: "USD"})
		for day, spend := range []float64{95, 95, 5} {
			row := figures.Row{Date: []string{"2026-05-18", "2026-05-19", "2026-05-20"}[day], Campaign: campaign, Currency: "USD"}
			row.Values[figures.GrossMediaSpend], row.Values[figures.Budget] = spend, 100
			if n == 1 && day < 2 {
				row.Values[figures.GrossMediaSpend] = 50
			}
			input.Rows = append(input.Rows, row)
		}
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	budget := func(from, to float64) usher.BiddingChange {
		return usher.BiddingChange{Field: usher.BudgetField, From: from, To: to, Currency: "USD"}
	}
	want := []backtest.NumberSummary{{Campaign: "A-1", Change: budget(100, 64), Decreases: 2, Held: 1}, {Campaign: "A-2", Change: budget(100, 100), Held: 1}}
	if got := outcome.Summary; !slices.Equal(got.ByNumber, want) || got.Spend != 300 || got.Creatives != 2 {
		t.Errorf("summed up %+v of %+v", got.ByNumber, got)
	}
	input.From, input.To = "2026-05-18", "2026-05-18"
	effects, err := backtest.Effects(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	if e := effects[0]; e.Field != usher.BudgetField || e.Decreases != 1 || e.Spend != 145 || e.ChangedSpend != 95 || len(e.ByNumber) != 1 || e.ByNumber[0].Change != budget(100, 80) {
		t.Errorf("the effects are %+v", effects)
	}
}

// Whether a rule without currency is decided depends on the numbers that it wants to change,
// because a run reads no others.
func TestCurrenciesOfUnchangedNumbers(t *testing.T) {
	t.Parallel()
	usd, eur := rules.Number{Value: 100, Currency: "USD"}, rules.Number{Campaign: "A-3", Value: 100, Currency: "EUR"}
	if d := decideNumber(t, cheaper, 95, usd, rules.Snapshot{Numbers: []rules.Number{eur}}); d.Action != usher.Decrease {
		t.Errorf("beside a number that stays, it is %s: %s", d.Action, d.Reason)
	}
}
