package rules

import (
	_ "embed"
	"fmt"
	"html"
	"strings"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules"
)

//go:embed page.css
var backtestStyle string

// backtestPage is a backtest as one page that needs nothing else. It is written
// by hand because html/template would keep the linker from leaving out what
// nobody calls; text goes through esc and nowhere else.
type backtestPage struct {
	strings.Builder
	set     *rules.Set
	outcome *rules.Outcome
}

func newBacktestPage(set *rules.Set, outcome *rules.Outcome) *backtestPage {
	return &backtestPage{set: set, outcome: outcome}
}

// esc is text as HTML and its attributes take it.
func esc(text string) string { return html.EscapeString(readable.Printable(text)) }

// addf adds markup; every %s must have gone through esc or be a number.
func (p *backtestPage) addf(markup string, args ...any) { fmt.Fprintf(p, markup, args...) }

func (p *backtestPage) html() string {
	s := p.outcome.Summary
	title := esc("Backtest of " + p.set.Name)
	p.addf("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	p.addf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
	p.addf("<title>%s</title>\n<style>\n%s</style>\n<h1>%s</h1>\n", title, backtestStyle, title)
	p.addf("<p>Account %s, %s to %s in %s: %s of %s in scope. Each rule was evaluated at the end of each day, on the reports as they were.</p>\n",
		esc(p.set.Account), esc(s.From), esc(s.To), esc(p.set.Zone.String()), readable.Count(int64(s.Creatives), "creative"), readable.Count(int64(s.Campaigns), "campaign"))
	p.tiles(s)
	p.addf("<h2>Spend by day</h2>\n<p>What was spent in truth, and which part of it the rules would have kept from being spent.</p>\n")
	p.key([2]string{"spent", "still spent"}, [2]string{"saved", "not spent"})
	p.spendChart()
	p.addf("<h2>Creatives by day</h2>\n<p>Each line is a creative, each cell a day as it stood at its end. Point at a cell to see why.</p>\n")
	p.key([2]string{"active", "serving"}, [2]string{"paused", "paused by a rule"}, [2]string{"held", "held by a guard"}, [2]string{"unknown", "figures unknown"})
	p.creativeChart()
	p.addf("<h2>Rules</h2>\n")
	p.rulesTable(s)
	p.addf("<h2>What changed</h2>\n")
	p.changesTable()
	p.addf("</html>\n")
	return p.String()
}

func (p *backtestPage) tiles(s rules.Summary) {
	p.addf("<div class=\"tiles\">\n")
	for _, t := range [][2]string{
		{money(s.Saved), fmt.Sprintf("not spent, %s of %s", partOf(s.Saved, s.Spend), money(s.Spend))},
		{readable.Number(int64(s.Flips)), fmt.Sprintf("flips: %s, %s", readable.Count(int64(s.Pauses), "pause"), readable.Count(int64(s.Resumes), "resume"))},
		{readable.Number(int64(s.Missed.Impressions)), "impressions missed"},
		{readable.Number(int64(s.Missed.Clicks)), "clicks missed"},
		{readable.Number(int64(s.Held)), "decisions held by a guard"},
		{readable.Number(int64(s.Unknown)), "decisions on unknown figures"},
	} {
		p.addf("<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", esc(t[0]), esc(t[1]))
	}
	p.addf("</div>\n")
}

// key says what the colours mean: class and meaning.
func (p *backtestPage) key(entries ...[2]string) {
	p.addf("<div class=\"key\">")
	for _, e := range entries {
		p.addf("<span><i style=\"background: var(--%s)\"></i>%s</span>", esc(e[0]), esc(e[1]))
	}
	p.addf("</div>\n")
}

func (p *backtestPage) rulesTable(s rules.Summary) {
	p.addf("<div class=\"wide\"><table><tr><th>Rule<th class=\"n\">Pauses<th class=\"n\">Resumes<th class=\"n\">Held<th class=\"n\">Unknown<th class=\"n\">Not spent<th>Missed\n")
	for _, r := range s.Rules {
		p.addf("<tr><td>%s", esc(r.Rule))
		for _, cell := range []string{readable.Number(int64(r.Pauses)), readable.Number(int64(r.Resumes)), readable.Number(int64(r.Held)), readable.Number(int64(r.Unknown)), money(r.Saved)} {
			p.addf("<td class=\"n\">%s", cell)
		}
		p.addf("<td>%s\n", esc(missedText(r.Missed)))
	}
	p.addf("</table></div>\n")
}

// mostChanges bounds the table: a page of more is read by nobody.
const mostChanges = 1000

func (p *backtestPage) changesTable() {
	var changes []usher.Decision
	for _, d := range p.outcome.Decisions {
		if d.Action == usher.Pause || d.Action == usher.Resume {
			changes = append(changes, d)
		}
	}
	if len(changes) == 0 {
		p.addf("<p>No rule changed anything.</p>\n")
		return
	}
	p.addf("<div class=\"wide\"><table><tr><th>Date<th>Campaign<th>Creatives<th>Action<th>Rule<th>Why\n")
	for _, row := range decisionTable(changes[:min(len(changes), mostChanges)], true).Rows {
		p.addf("<tr>")
		for _, cell := range row {
			p.addf("<td>%s", esc(cell))
		}
		p.addf("\n")
	}
	p.addf("</table></div>\n")
	if more := len(changes) - mostChanges; more > 0 {
		p.addf("<p>… and %s more: usher rules backtest --json has them all.</p>\n", readable.Number(int64(more)))
	}
}
