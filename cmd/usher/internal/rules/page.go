package rules

import (
	_ "embed"
	"fmt"
	"html"
	"strings"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
)

//go:embed page.css
var backtestStyle string

// backtestPage builds a self-contained HTML page about a backtest. It does not use
// html/template, because with that package the linker cannot remove methods that are
// never called. All text must go through esc.
type backtestPage struct {
	strings.Builder
	set     *rules.Set
	outcome *backtest.Outcome
}

func newBacktestPage(set *rules.Set, outcome *backtest.Outcome) *backtestPage {
	return &backtestPage{set: set, outcome: outcome}
}

// esc escapes text for HTML and its attributes.
func esc(text string) string { return html.EscapeString(readable.Printable(text)) }

// addf adds markup. Every argument must be a number or have gone through esc.
func (p *backtestPage) addf(markup string, args ...any) { fmt.Fprintf(p, markup, args...) }

func (p *backtestPage) html() string {
	s := p.outcome.Summary
	p.addHead("Backtest of " + p.set.Name)
	p.addf("<p>Account %s, %s to %s in %s: %s of %s in scope. Each rule was evaluated at the end of each day on which it was due, on the unchanged reports.</p>\n",
		esc(p.set.Account), esc(s.From), esc(s.To), esc(p.set.Zone.String()), readable.Count(s.Creatives, "creative"), readable.Count(s.Campaigns, "campaign"))
	p.addTiles(s)
	p.addf("<h2>Spend by day</h2>\n<p>The real spend, and the part of it that the rules would have saved.</p>\n")
	p.addKey([2]string{"spent", "spent with the rules"}, [2]string{"saved", "not spent"})
	p.addSpendChart()
	p.addCreativeChart("Each line is a creative.", chartRows(p.outcome, false))
	p.addNumberChart("Each line is a daily budget or a maximum bid.", chartRows(p.outcome, true))
	p.addf("<h2>Rules</h2>\n")
	p.addTable(summaryByRule(&s))
	if note := notes(p.outcome); note != "" {
		p.addf("<p>%s</p>\n", esc(note))
	}
	p.addf("<h2>Changes</h2>\n")
	p.addChangesTable()
	p.addf("</html>\n")
	return p.String()
}

// addHead adds the beginning of a page, with its title.
func (p *backtestPage) addHead(title string) {
	title = esc(title)
	p.addf("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	p.addf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
	p.addf("<title>%s</title>\n<style>\n%s</style>\n<h1>%s</h1>\n", title, backtestStyle, title)
}

// addCreativeChart adds the chart of creatives, if there are any.
func (p *backtestPage) addCreativeChart(lines string, list []chartRow) {
	if len(list) == 0 {
		return
	}
	p.addf("<h2>Creatives by day</h2>\n<p>%s Each cell shows its state at the end of a day. Point at a cell to see the reason. On the right: what its pauses would have left unspent, and the clicks that they would have missed.</p>\n", esc(lines))
	p.addKey([2]string{"active", "serving"}, [2]string{"paused", "paused by a rule"}, [2]string{"held", "held by a guard"}, [2]string{"unknown", "figures unknown"})
	p.addChart("Creatives by day", list)
}

// addNumberChart adds the chart of budgets and bids, if there are any.
func (p *backtestPage) addNumberChart(lines string, list []chartRow) {
	if len(list) == 0 {
		return
	}
	p.addf("<h2>Budgets and bids by day</h2>\n<p>%s Each cell shows what would have been set at the end of a day. Point at a cell to see the reason. On the right: the number before the first change, and after the last. What would have been spent with it is unknown: the spend above is as reported.</p>\n", esc(lines))
	p.addKey([2]string{"active", "not changed"}, [2]string{"decrease", "decreased"}, [2]string{"increase", "increased"}, [2]string{"held", "held by a guard"}, [2]string{"unknown", "figures unknown"})
	p.addChart("Budgets and bids by day", list)
}

func (p *backtestPage) addTiles(s backtest.Summary) {
	p.addf("<div class=\"tiles\">\n")
	tiles := [][2]string{
		{notSpent(&s), notSpentTile(&s)},
		{readable.Number(int64(s.Flips)), fmt.Sprintf("flips: %s, %s", readable.Count(s.Pauses, "pause"), readable.Count(s.Resumes, "resume"))},
		{readable.Number(int64(s.Missed.Impressions)), "impressions missed"},
		{readable.Number(int64(s.Missed.Clicks)), "clicks missed"},
		{readable.Number(int64(s.Held)), "decisions held by a guard"},
		{readable.Number(int64(s.Unknown)), "decisions on unknown figures"},
	}
	if n := s.Decreases + s.Increases; n > 0 {
		tiles = append(tiles, [2]string{readable.Number(int64(n)), "changes of budgets or bids: " + numberChanges(&s)})
	}
	for _, t := range tiles {
		p.addf("<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", esc(t[0]), esc(t[1]))
	}
	p.addf("</div>\n")
}

// notSpentTile says of what the first tile is a part.
func notSpentTile(s *backtest.Summary) string {
	if s.Lacking > 0 || s.OnlyNumbers() {
		return "not spent, of " + bound(s.Lacking > 0) + formatMoney(s.Spend)
	}
	return fmt.Sprintf("not spent, %s of %s", percentage(s.Saved, s.Spend), formatMoney(s.Spend))
}

// addKey adds the key to the colours of a chart. An entry is a CSS class and its meaning.
func (p *backtestPage) addKey(entries ...[2]string) {
	p.addf("<div class=\"key\">")
	for _, e := range entries {
		p.addf("<span><i style=\"background: var(--%s)\"></i>%s</span>", esc(e[0]), esc(e[1]))
	}
	p.addf("</div>\n")
}

// maxChanges bounds the size of the page.
const maxChanges = 1000

func (p *backtestPage) addChangesTable() {
	var changes []usher.Decision
	for _, d := range p.outcome.Decisions {
		if d.Action.Changes() {
			changes = append(changes, d)
		}
	}
	if len(changes) == 0 {
		p.addf("<p>No rule changed anything.</p>\n")
		return
	}
	p.addTable(decisionTable(changes[:min(len(changes), maxChanges)], true))
	if more := len(changes) - maxChanges; more > 0 {
		p.addf("<p>… and %s more: usher rules backtest --json prints all of them.</p>\n", readable.Number(int64(more)))
	}
}
