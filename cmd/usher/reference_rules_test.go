package main

import (
	"fmt"
	"testing"

	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/condition"
	"usher/internal/rules/document"
	"usher/internal/rules/figures"
	"usher/internal/rules/targets"
)

func rulesPage(t *testing.T) string {
	t.Helper()
	s := parseSchema(t, rules.Schema())
	p := newPage("Rule files", s.Description+`

The [guide](../guide/rules.md) has a first rule, and [Rules](../concepts/rules.md) says how rules decide and how they meet. The file's [JSON Schema](schemas/rules.schema.json) is for editors.

## Keys of a file
`)
	p.fields(s, s, "")
	for _, name := range []string{"rule", "test"} {
		p.linef("\n## Keys of a %s\n", name)
		p.fields(s, s.Defs[name], "")
	}
	p.linef("%s", aboutTests)
	p.linef("%s", aboutConditions)
	p.table("metric", "is", "")
	for _, v := range condition.Variables() {
		p.row(code(v.Name), v.Formula, v.About)
	}
	p.linef("%s", aboutMissing)
	p.linef("%s", aboutConversions)
	p.ruleLimits()
	return p.String()
}

// aboutTests says what tests cannot show.
const aboutTests = `
A test's ` + "`metrics`" + ` are also those of its campaign, of the account and of other windows, and of the days of ` + "`for`" + ` unless the test lists them under ` + "`days`" + `; its ` + "`campaign`" + ` selects its line of the table of targets. A test has one creative, so it cannot show that two kinds of rules pause: with ` + "`keep_active`" + `, the only creative is always held, and a comparison such as ` + "`cpc > 1.15 * campaign.cpc`" + ` compares a number with itself. Look at these with ` + "`usher rules preview`" + ` and ` + "`usher rules backtest`" + `.`

// aboutConditions says how conditions are written.
const aboutConditions = `
## Conditions

A condition compares numbers, with ` + "`+ - * / < <= > >= == != && || ! ?:`" + ` and parentheses, and the precedence of C: ` + "`*` and `/` before `+` and `-`, these before comparisons, `&&` before `||`, and `?:`" + ` last. A text after ` + "`//`" + ` is a comment. Fields are summed over the window before they are divided.

| in a condition | is |
|---|---|
| ` + "`ctr`" + ` | a [metric](#metrics-of-conditions), over the window of the rule, of what its level says |
| ` + "`previous.ctr`" + ` | of the window before |
| ` + "`over(\"last 14 days\").ctr`" + ` | of another window; ` + "`over(\"same day last week\")`" + `, with the window yesterday or today, is the same weekday a week before |
| ` + "`campaign.ctr`" + ` | of the creative's campaign |
| ` + "`account.ctr`" + ` | of all campaigns of the account together, also those that are not in scope |
| ` + "`rank(ctr)`" + ` | the rank of a creative among all of its campaign or, with the level campaign, of a campaign among those in scope: 1 is the highest, and equal values share the better rank. What lacks days of the window is not ranked, and neither are campaigns of several currencies by an amount |
| ` + "`count()`" + ` | the number of these: ` + "`rank(ctr) > count() - 3`" + ` holds for the bottom three |
| ` + "`outcome.installs`" + ` | a number [from outside](#conversions) |
| ` + "`target.cpi`" + ` | the number of the campaign in the column of the table of [targets](../concepts/rules.md#targets) |

## Metrics of conditions
`

// aboutMissing says which numbers are ranges, and which are UNKNOWN.
const aboutMissing = `
## Numbers that are missing

A missing number is a range if something is known of it, and otherwise UNKNOWN: [Rules](../concepts/rules.md#what-is-missing) says why.

| number | if something is missing |
|---|---|
| sums, differences, products, quotients, choices by ` + "`?:`" + ` | ranges. A divisor must be known: ` + "`ctr`" + ` and ` + "`cpc`" + ` are UNKNOWN, ` + "`budgetUsed`" + `, ` + "`pacing`" + ` and ` + "`spendRate`" + ` are ranges, in which the hours of days without a row count |
| ` + "`budget`" + ` | of a day without a row: the campaign's present one, which the reason names: "with the campaign's present budget, 100, on the other 2 days". Of a creative, and in a backtest: the newest in the window: "with the budget of 2026-05-19, 100, …" |
| ` + "`monthEndSpend`" + ` | at least the pace of what is known to be spent |
| ` + "`min_data`" + ` | met as soon as what is known meets it |
| ` + "`previous.*`" + `, ` + "`over(…)`" + `, ` + "`campaign.*`" + ` | ranges as well. What the creative's own rows lack does not matter for ` + "`campaign.*`" + `, nor what the campaign's lack for ` + "`account.*`" + ` |
| ` + "`account.*`" + `, sums of ` + "`level: account`" + ` | ranges if a campaign lacks a row and is active (one of its creatives is ACTIVE) or has had a row in the last 7 days, or if no campaign has all days. A backtest does not know which were active |
| sums of a report older than ` + "`max_report_age`" + ` | ranges, because they may have grown since, so that a cap holds. Budgets stay as they are, other metrics are UNKNOWN |
| with ` + "`min_days`" + `, or over a ` + "`lifetime`" + ` | the days that have a row count as all days: sums and ratios are exact, and the reason says on how many days they rest. With fewer days than ` + "`min_days`" + `, metrics of the window are UNKNOWN |
| ` + "`this month`" + `, ` + "`this week`" + ` on its first day, with no complete day | sums are 0 for ` + "`resume_when`" + `, so that a new month resumes what a cap has stopped. For ` + "`pause_when`" + ` and ` + "`decrease_when`" + ` they are 0 only where they do not exceed something: ` + "`grossMediaSpend >= 2000`" + ` does not hold, ` + "`grossMediaSpend < 5`" + ` and ` + "`!(grossMediaSpend >= 2000)`" + ` are UNKNOWN. For ` + "`increase_when`" + ` they are UNKNOWN; ratios and ` + "`monthEndSpend`" + ` always are |
| ` + "`outcome.*`" + ` | known on the days for which it was delivered, also if the report lacks them or is older than ` + "`max_report_age`" + `. [What is missing](../guide/outcomes.md#what-is-missing) of it |
| ranks | none: creatives and campaigns whose window lacks days are not ranked |

These are UNKNOWN:

- all metrics of a rule whose window does not meet ` + "`min_data`" + `, and ` + "`previous.*`" + ` if the window before does not; the rest of the condition still decides;
- ` + "`mediaMargin`" + ` and ` + "`lifetimeBudget`" + `, which are of the newest row, if a row lacks them; ` + "`account.lifetimeBudget`" + ` also if a campaign without a row in the window has one in the last 7 days;
- a product or quotient with a ` + "`lifetimeBudget`" + ` of 0, or with a ` + "`budget`" + ` that is or may be 0 (a comparison with the budget alone takes it as 0), and any number that is divided by zero;
- all amounts, if the rows of the window have several currencies; and an amount compared with a plain number, if the campaigns in scope have several (in the run of an event, only its campaign counts). Ratios of amounts, and amounts of one campaign compared with each other, are decided;
- a field that is null, text, negative (which the reason names), or different in two rows of one day; a row that comes twice counts once. ` + "`mediaMargin`" + ` and ` + "`lifetimeBudget`" + ` may be negative.
`

// aboutConversions says what rules and backtests count instead of conversions.
const aboutConversions = `
## Conversions

The platform reports no conversions, installs, sales or revenue. A condition that names one, such as ` + "`conversions`, `cpa` or `roas`" + `, is an error with a hint. What there is:

- ` + "`outcome.NAME`" + `, with the name of a column that ` + "`usher outcomes put`" + `, a feed or ` + "`POST /v1/outcomes`" + ` has stored, such as ` + "`outcome.installs`" + `: its sum over the window. ` + "`outcome.revenue / grossMediaSpend`" + ` is a return on spend, ` + "`grossMediaSpend / outcome.installs`" + ` the cost of an install. A name has a letter and up to 63 letters, digits and ` + "`_`" + `. [Numbers from outside](../guide/outcomes.md) says how they get there, and when they are missing.
- ` + "`clicks`, `engagements`, `cpc`, `ctr` and `engagementRate`" + ` in conditions, as the platform reports them, by the day of the report's row.
- ` + "`missed`" + ` of a backtest: the impressions, clicks and engagements that the report has for a creative on the days after its pause, up to and including the day on which it is resumed. A creative without a row has an equal share of its campaign's row.

A program that knows conversions may also publish ` + "`campaign.pause`" + `: [Jobs from your own program](../guide/jobs.md).
`

// ruleLimits adds the limits of rule files and of their tests.
func (p *page) ruleLimits() {
	count := func(n int) string { return readable.Number(int64(n)) }
	days := func(n int) string { return count(n) + " days" }
	p.linef("## Limits\n\nThey hold for `usher rules check`, `test`, `preview`, `backtest` and workers alike. A file beyond one of them is not valid.\n")
	p.table("what", "at most", "")
	p.row("a rule file, with its tests", count(document.MaxFile)+" bytes", "One YAML document, without anchors and aliases. `check` and `test` take several files.")
	p.row("a table of `targets`", fmt.Sprintf("%s bytes, %s rows, %d columns", count(targets.MaxBytes), count(targets.MaxRows), targets.MaxColumns), "CSV in UTF-8, separated by commas, semicolons or tabs.")
	p.row("rules in a file", count(rules.MaxRules), "")
	p.row("tests in a file", "", "As many as the file has room for. Each is one decision on one creative, budget or bid.")
	p.row("names of files and rules", "64 characters", "Letters, digits, `-` and `_`. Names of tests may be any text.")
	p.row("a condition", count(condition.MaxSize)+" parts", "Metrics, numbers and operators are parts.")
	p.row("`window: last N days`, `over(\"last N days\")`", days(figures.MaxDays), "")
	p.row("`for`", days(rules.MaxForDays), "")
	p.row("`min_age`", days(figures.FirstRowDays), "")
	p.row("other durations", days(int(document.MaxDuration.Hours())/24), "Such as `cooldown`, and `age` of a test.")
	p.row("whole numbers", count(1e9), "Such as `max_creatives`. Numbers in `metrics` of a test may be any finite number.")
}
