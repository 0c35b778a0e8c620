package rules

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
)

// version is a version of a rule file, and its backtest.
type version struct {
	path    string
	set     *rules.Set
	outcome *backtest.Outcome
}

// comparison is a backtest of two versions of a rule file on the same days.
type comparison [2]version

// difference is a day on which the versions decide differently on a creative or number.
// Decisions that change nothing are treated as no decision.
type difference struct {
	Date     string             `json:"date"`
	Campaign string             `json:"campaign"`
	Creative string             `json:"creative"`
	Field    usher.BiddingField `json:"field,omitempty"` // of the number; "": it is about a creative
	Before   usher.Decision     `json:"before"`          // of the first version
	After    usher.Decision     `json:"after"`           // of the second version
}

// comparisonReport is a comparison, as printed by --json.
type comparisonReport struct {
	Before      *backtest.Outcome `json:"before"` // of the first version
	After       *backtest.Outcome `json:"after"`  // of the second version
	Differences []difference      `json:"differences"`
}

func (c comparison) report() comparisonReport {
	return comparisonReport{c[0].outcome, c[1].outcome, c.differences()}
}

// differences returns the days on which the versions decide differently, by day, campaign,
// and creative or number.
func (c comparison) differences() []difference {
	type place struct{ date, campaign, key string }
	all := map[place]*difference{}
	for n, v := range c {
		for _, d := range v.outcome.Decisions {
			if d.Action == usher.None || d.Action == usher.Unknown {
				continue
			}
			at := place{d.Date, d.Campaign, d.MemoryKey()}
			if all[at] == nil {
				all[at] = newDifference(&d)
			}
			if n == 0 {
				all[at].Before = d
			} else {
				all[at].After = d
			}
		}
	}
	list := []difference{}
	for _, d := range all {
		if actionText(d.Before) != actionText(d.After) {
			list = append(list, *d)
		}
	}
	slices.SortFunc(list, func(a, b difference) int {
		return cmp.Or(strings.Compare(a.Date, b.Date), strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Creative, b.Creative), strings.Compare(string(b.Field), string(a.Field)))
	})
	return list
}

// newDifference returns a difference on what d is about, with no decision of any version.
func newDifference(d *usher.Decision) *difference {
	none := usher.Decision{Date: d.Date, Campaign: d.Campaign, Creative: d.Creative, Action: usher.None}
	diff := &difference{Date: d.Date, Campaign: d.Campaign, Creative: d.Creative, Before: none, After: none}
	if d.Bidding != nil {
		diff.Field = d.Bidding.Field
	}
	return diff
}

// write prints the sums of both versions, and the decisions in which they differ.
func (c comparison) write(w io.Writer) error {
	list := c.differences()
	if len(list) == 0 {
		fmt.Fprintln(w, "Both versions decide the same.")
	} else if err := c.differenceTable(list).Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := c.sumTable().Write(w); err != nil {
		return err
	}
	if numbers := c.numberTable(); len(numbers.Rows) > 0 {
		fmt.Fprintln(w)
		if err := numbers.Write(w); err != nil {
			return err
		}
	}
	for _, v := range c {
		if note := versionNote(&v.outcome.Summary); note != "" {
			fmt.Fprintf(w, "\n%s: %s\n", v.path, note)
		}
	}
	return nil
}

// versionNote returns what the table of sums does not say about a version.
func versionNote(s *backtest.Summary) string {
	return strings.TrimSpace(gapNote(s) + " " + ruleNote(s))
}

// differenceTable returns a row for each difference. Equal ones on several creatives of a
// campaign share a row.
func (c comparison) differenceTable(list []difference) *terminal.Table {
	t := &terminal.Table{Header: []string{"DATE", "CAMPAIGN", "CREATIVES", c[0].path, c[1].path}}
	for low := 0; low < len(list); {
		d := list[low]
		var codes []string
		high := low
		for ; high < len(list) && differInCreativeOnly(d.Before, list[high].Before) && differInCreativeOnly(d.After, list[high].After); high++ {
			codes = append(codes, list[high].subject())
		}
		t.Add(d.Date, d.Campaign, creativesText(codes), actionText(d.Before), actionText(d.After))
		low = high
	}
	return t
}

// subject returns the creative, or the name of the number, that a difference is about.
func (d *difference) subject() string {
	if d.Field != "" {
		return d.Field.String()
	}
	return d.Creative
}

// actionText returns what a version decides, by which rule, and what number it sets.
func actionText(d usher.Decision) string {
	text := strings.TrimSpace(string(d.Action) + " " + d.Rule)
	if d.Bidding != nil {
		text += ": " + d.Bidding.String()
	}
	return text
}

// sumTable returns the sums of both versions and their difference.
func (c comparison) sumTable() *terminal.Table {
	t := &terminal.Table{Header: []string{"", c[0].path, c[1].path, "DIFFERENCE"}, Right: []int{2, 3, 4}}
	before, after := &c[0].outcome.Summary, &c[1].outcome.Summary
	number := func(name string, a, b float64) {
		t.Add(name, readable.Number(int64(a)), readable.Number(int64(b)), signed(b-a, func(v float64) string { return readable.Number(int64(v)) }))
	}
	number("in scope", float64(before.Creatives), float64(after.Creatives))
	number("pauses", float64(before.Pauses), float64(after.Pauses))
	number("resumes", float64(before.Resumes), float64(after.Resumes))
	if before.Decreases+before.Increases+after.Decreases+after.Increases > 0 {
		number("decreases", float64(before.Decreases), float64(after.Decreases))
		number("increases", float64(before.Increases), float64(after.Increases))
	}
	number("held", float64(before.Held), float64(after.Held))
	number("unknown", float64(before.Unknown), float64(after.Unknown))
	difference := signed(after.Saved-before.Saved, formatMoney)
	if before.OnlyNumbers() || after.OnlyNumbers() {
		difference = "unknown"
	}
	t.Add("not spent", notSpent(before), notSpent(after), difference)
	number("impressions missed", before.Missed.Impressions, after.Missed.Impressions)
	number("clicks missed", before.Missed.Clicks, after.Missed.Clicks)
	number("engagements missed", before.Missed.Engagements, after.Missed.Engagements)
	return t
}

// signed formats a difference with its sign.
func signed(v float64, format func(float64) string) string {
	switch {
	case v > 0:
		return "+" + format(v)
	case v < 0:
		return "−" + format(-v)
	}
	return format(0)
}

// html returns a page that shows both versions side by side.
func (c comparison) html() string {
	p := newBacktestPage(c[0].set, c[0].outcome)
	s := c[0].outcome.Summary
	p.addHead("Backtest of " + c[0].path + " and " + c[1].path)
	p.addf("<p>Account %s, %s to %s in %s. Each rule was evaluated at the end of each day on which it was due, on the unchanged reports.</p>\n", esc(p.set.Account), esc(s.From), esc(s.To), esc(p.set.Zone.String()))
	p.addf("<h2>Sums</h2>\n")
	p.addTable(c.sumTable())
	for _, v := range c {
		if note := versionNote(&v.outcome.Summary); note != "" {
			p.addf("<p>%s: %s</p>\n", esc(v.path), esc(note))
		}
	}
	lines := fmt.Sprintf("1 is %s, 2 is %s.", c[0].path, c[1].path)
	p.addCreativeChart("Two lines for each creative: "+lines, c.rows(false))
	p.addNumberChart("Two lines for each budget and bid: "+lines, c.rows(true))
	if numbers := c.numberTable(); len(numbers.Rows) > 0 {
		p.addTable(numbers)
	}
	p.addf("<h2>Differences</h2>\n")
	if list := c.differences(); len(list) == 0 {
		p.addf("<p>Both versions decide the same.</p>\n")
	} else {
		p.addTable(c.differenceTable(list[:min(len(list), maxChanges)]))
	}
	p.addf("</html>\n")
	return p.String()
}

// rows returns the lines of the chart of creatives, or of numbers: two for each of which one
// is eventful.
func (c comparison) rows(numbers bool) []chartRow {
	var list []chartRow
	eventful := map[string]bool{}
	for n, v := range c {
		for _, row := range chartRows(v.outcome, numbers) {
			row.version = fmt.Sprint(n + 1)
			eventful[row.campaign+row.key] = eventful[row.campaign+row.key] || row.eventful
			list = append(list, row)
		}
	}
	list = slices.DeleteFunc(list, func(row chartRow) bool { return !eventful[row.campaign+row.key] })
	slices.SortStableFunc(list, func(a, b chartRow) int {
		return cmp.Or(strings.Compare(a.campaign, b.campaign), strings.Compare(a.key, b.key))
	})
	return list
}

// addTable adds a table.
func (p *backtestPage) addTable(t *terminal.Table) {
	p.addf("<div class=\"wide\"><table><tr>")
	for n, cell := range t.Header {
		p.addf("<th%s>%s", numeric(t, n), esc(cell))
	}
	p.addf("\n")
	for _, row := range t.Rows {
		p.addf("<tr>")
		for n, cell := range row {
			p.addf("<td%s>%s", numeric(t, n), esc(cell.Text))
		}
		p.addf("\n")
	}
	p.addf("</table></div>\n")
}

// numeric returns the class attribute of the cells of a column.
func numeric(t *terminal.Table, column int) string {
	if slices.Contains(t.Right, column+1) {
		return ` class="n"`
	}
	return ""
}
