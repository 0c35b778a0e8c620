package rules

import (
	"fmt"
	"math"
	"slices"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/backtest"
)

// Sizes of the charts, in units of the SVG view box. Charts scale with the page.
const (
	svgWidth  = 1000.0
	svgHeight = 260.0
	svgLeft   = 180.0 // for names and amounts
	svgRight  = 150.0 // for the sums of creatives
	svgBottom = 22.0  // for dates
	rowHeight = 16.0
	charWidth = 5.0 // at most, of the digits in cells
)

// addSpendChart adds a chart with a bar for each day: the remaining spend, and above it
// the spend that the rules would have saved.
func (p *backtestPage) addSpendChart() {
	days := p.outcome.Summary.ByDay
	highest := 0.0
	for _, d := range days {
		highest = max(highest, d.Spend)
	}
	step := roundStep(highest / 4)
	top := step * max(math.Ceil(highest/step), 1)
	height := func(v float64) float64 { return v / top * (svgHeight - svgBottom - 10) }
	p.addf("<div class=\"wide\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Spend by day\">\n", svgWidth, svgHeight)
	base := svgHeight - svgBottom
	for v := 0.0; v <= top+step/2; v += step {
		y := base - height(v)
		p.addf("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			svgLeft, svgWidth, y, y, svgLeft-8, y+4, readable.Number(int64(v)))
	}
	width := (svgWidth - svgLeft) / float64(len(days))
	for i, d := range days {
		x := svgLeft + float64(i)*width
		remaining := height(d.Spend - d.Saved)
		p.addf("<g><title>%s</title>", esc(fmt.Sprintf("%s: %s spent, %s of it not spent with the rules; %s, %s", d.Date, formatMoney(d.Spend), formatMoney(d.Saved), readable.Count(int64(d.Pauses), "pause"), readable.Count(int64(d.Resumes), "resume"))))
		p.addf("<rect class=\"spent\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>", x+width*0.1, base-remaining, width*0.8, remaining)
		p.addf("<rect class=\"saved\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></g>\n", x+width*0.1, base-remaining-height(d.Saved), width*0.8, height(d.Saved))
	}
	p.addDates(base+15, width)
	p.addf("</svg></div>\n")
}

// roundStep returns the smallest number that is at least v and 1, 2 or 5 times a power
// of ten. It returns 1 if v is not positive.
func roundStep(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= v {
			return factor * power
		}
	}
	return 10 * power
}

// addDates adds dates below a chart, as many as fit.
func (p *backtestPage) addDates(y, width float64) {
	days := p.outcome.Summary.ByDay
	every := int(math.Ceil(70 / width))
	for i := 0; i < len(days); i += every {
		p.addf("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", svgLeft+float64(i)*width, y, esc(days[i].Date[5:]))
	}
}

// chartRow is a line of a chart: a creative, or a number of a campaign, by day.
type chartRow struct {
	campaign, key string // the key of the creative or number in memories
	name, sums    string // left and right of the cells
	version       string // version of the rule file, if two are compared
	cells         []dayCell
	eventful      bool // at least one cell is not "active"
}

type dayCell struct {
	day                int // day of the backtest, from 0
	class, text, title string
}

// chartRows returns a row for each creative, or for each number, that the decisions of a
// backtest are about.
func chartRows(o *backtest.Outcome, numbers bool) []chartRow {
	index, days := map[string]int{}, map[string]int{}
	for n, d := range o.Summary.ByDay {
		days[d.Date] = n
	}
	var list []chartRow
	paused := map[string]bool{}
	for _, d := range o.Decisions {
		if (d.Bidding != nil) != numbers {
			continue
		}
		key := d.Campaign + " " + d.MemoryKey()
		i, known := index[key]
		if !known {
			i = len(list)
			index[key] = i
			list = append(list, chartRow{campaign: d.Campaign, key: d.MemoryKey(), name: d.Creative})
			if numbers {
				list[i].name = d.Campaign + " " + d.Bidding.Field.Key()
			}
		}
		list[i].fill(o.Summary.ByDay[:days[d.Date]], paused[key])
		switch d.Action {
		case usher.Pause:
			paused[key] = true
		case usher.Resume:
			paused[key] = false
		}
		cell := dayCell{days[d.Date], cellClass(d.Action, paused[key]), "", fmt.Sprintf("%s %s: %s %s: %s", d.Date, subject(d), d.Action, d.Rule, d.Reason)}
		if d.Action.Changes() && numbers {
			cell.text = usher.BiddingState(d.Bidding.To, "")
		}
		list[i].eventful = list[i].eventful || cell.class != "active"
		list[i].cells = append(list[i].cells, cell)
	}
	for i := range list {
		list[i].fill(o.Summary.ByDay, paused[list[i].campaign+" "+list[i].key])
	}
	addSums(list, &o.Summary)
	return list
}

// fill adds the cells of days without a decision, on which a creative stayed paused.
func (r *chartRow) fill(days []backtest.DaySummary, paused bool) {
	if !paused {
		return
	}
	for n := r.cells[len(r.cells)-1].day + 1; n < len(days); n++ {
		r.cells = append(r.cells, dayCell{n, "paused", "", days[n].Date + ": still paused"})
	}
}

// addSums adds to rows what the pauses of creatives would have saved and missed, and what
// numbers would have become.
func addSums(list []chartRow, s *backtest.Summary) {
	all := map[string]string{}
	for _, sums := range s.ByCreative {
		all[sums.Campaign+" "+sums.Creative] = formatMoney(sums.Saved) + ", " + readable.Count(int64(sums.Missed.Clicks), "click")
	}
	for _, sums := range s.ByNumber {
		all[sums.Campaign+" "+sums.Change.Field.MemoryKey()] = setText(&sums)
	}
	for i, row := range list {
		list[i].sums = all[row.campaign+" "+row.key]
	}
}

// cellClass returns the CSS class of a day on which a rule decided.
func cellClass(action usher.Action, paused bool) string {
	switch {
	case paused:
		return "paused"
	case action == usher.Held, action == usher.Unknown, action == usher.Decrease, action == usher.Increase:
		return string(action)
	}
	return "active"
}

// maxChartRows bounds the size of the page.
const maxChartRows = 200

// addChart adds a chart with a line for each row and a cell for each day. If there are more
// than maxChartRows rows, it shows at most that many, and only those that are eventful.
func (p *backtestPage) addChart(label string, list []chartRow) {
	all := len(list)
	if all > maxChartRows {
		list = slices.DeleteFunc(list, func(row chartRow) bool { return !row.eventful })
		list = list[:min(len(list), maxChartRows)]
		p.addf("<p>%s of %s: at most %d, and only those in which something happens.</p>\n", readable.Number(int64(len(list))), readable.Count(int64(all), "line"), maxChartRows)
	}
	width := (svgWidth - svgLeft - svgRight) / float64(len(p.outcome.Summary.ByDay))
	height := float64(len(list))*rowHeight + svgBottom
	p.addf("<div class=\"wide\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n", svgWidth, height, esc(label))
	for i, row := range list {
		y := float64(i) * rowHeight
		name := truncate(row.name, 26)
		if row.version != "" {
			name = truncate(row.name, 22) + " (" + row.version + ")"
		}
		p.addf("<text class=\"name\" x=\"0\" y=\"%.1f\">%s<title>%s</title></text>\n", y+12, esc(name), esc(row.campaign+" "+row.name))
		for _, c := range row.cells {
			p.addf("<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%s</title></rect>\n",
				c.class, svgLeft+float64(c.day)*width+0.5, y+1.5, max(width-1, 0.5), rowHeight-3, esc(c.title))
			if fits := float64(len(c.text))*charWidth <= width; c.text != "" && fits {
				p.addf("<text class=\"value\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", svgLeft+(float64(c.day)+0.5)*width, y+12, esc(c.text))
			}
		}
		if row.sums != "" {
			p.addf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", svgWidth, y+12, esc(row.sums))
		}
	}
	p.addDates(height-5, width)
	p.addf("</svg></div>\n")
}

// truncate shortens a name to at most length characters.
func truncate(name string, length int) string {
	if runes := []rune(name); len(runes) > length {
		return string(runes[:length-1]) + "…"
	}
	return name
}
