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
	p.linef("\n## Metrics of conditions\n\nConditions also read `previous.METRIC`, `campaign.METRIC`, `account.METRIC`, `over(\"last 14 days\").METRIC`, `rank(METRIC)` and `count()`, numbers [from outside](#conversions), and [targets](../concepts/rules.md#targets) of the campaign, such as `target.cpa`.\n")
	p.table("metric", "is", "")
	for _, v := range condition.Variables() {
		p.row(code(v.Name), v.Formula, v.About)
	}
	p.linef("%s", aboutConversions)
	p.ruleLimits()
	return p.String()
}

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
