package rules

import (
	"fmt"
	"math"
	"slices"

	"usher"
	"usher/internal/readable"
)

// Sizes of the charts, in units of their own: they scale with the page.
const (
	svgWidth    = 1000.0
	svgHeight   = 260.0
	svgLeft     = 130.0 // for names and amounts
	svgBottom   = 22.0  // for dates
	stripHeight = 16.0
)

// spendChart is a bar a day: what was still spent, and above it what was not.
func (p *backtestPage) spendChart() {
	days := p.outcome.Summary.ByDay
	most := 0.0
	for _, d := range days {
		most = max(most, d.Spend)
	}
	step := roundStep(most / 4)
	top := step * max(math.Ceil(most/step), 1)
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
		still := height(d.Spend - d.Saved)
		p.addf("<g><title>%s</title>", esc(fmt.Sprintf("%s: %s spent, %s of it would not have been; %s, %s", d.Date, money(d.Spend), money(d.Saved), readable.Count(int64(d.Pauses), "pause"), readable.Count(int64(d.Resumes), "resume"))))
		p.addf("<rect class=\"spent\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>", x+width*0.1, base-still, width*0.8, still)
		p.addf("<rect class=\"saved\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></g>\n", x+width*0.1, base-still-height(d.Saved), width*0.8, height(d.Saved))
	}
	p.dates(base+15, width)
	p.addf("</svg></div>\n")
}

// roundStep is 1, 2 or 5 times a power of ten, at least v.
func roundStep(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, times := range []float64{1, 2, 5} {
		if times*power >= v {
			return times * power
		}
	}
	return 10 * power
}

// dates are written below a chart, as many as there is room for.
func (p *backtestPage) dates(y, width float64) {
	days := p.outcome.Summary.ByDay
	every := int(math.Ceil(70 / width))
	for i := 0; i < len(days); i += every {
		p.addf("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", svgLeft+float64(i)*width, y, esc(days[i].Date[5:]))
	}
}

// strip is a creative's days.
type strip struct {
	campaign, creative string
	cells              []stripDay
	eventful           bool
}

type stripDay struct{ class, title string }

// strips are the creatives' days, as the decisions have them.
func (p *backtestPage) strips() []strip {
	at := map[string]int{}
	var list []strip
	paused := map[string]bool{}
	for _, d := range p.outcome.Decisions {
		i, known := at[d.Creative]
		if !known {
			i = len(list)
			at[d.Creative] = i
			list = append(list, strip{campaign: d.Campaign, creative: d.Creative})
		}
		switch d.Action {
		case usher.Pause:
			paused[d.Creative] = true
		case usher.Resume:
			paused[d.Creative] = false
		}
		class := "active"
		switch {
		case paused[d.Creative]:
			class = "paused"
		case d.Action == usher.Held:
			class = "held"
		case d.Action == usher.Unknown:
			class = "unknown"
		}
		list[i].eventful = list[i].eventful || class != "active"
		list[i].cells = append(list[i].cells, stripDay{class, fmt.Sprintf("%s %s: %s %s: %s", d.Date, d.Creative, d.Action, d.Rule, d.Reason)})
	}
	return list
}

// mostStrips bounds the chart.
const mostStrips = 200

// creativeChart is a line a creative, a cell a day. Of many, those to which
// nothing happened are left out.
func (p *backtestPage) creativeChart() {
	list := p.strips()
	all := len(list)
	if all > mostStrips {
		list = slices.DeleteFunc(list, func(s strip) bool { return !s.eventful })
		list = list[:min(len(list), mostStrips)]
		p.addf("<p>%s of %s, those to which something happened first.</p>\n", readable.Number(int64(len(list))), readable.Count(int64(all), "creative"))
	}
	width := (svgWidth - svgLeft) / float64(len(p.outcome.Summary.ByDay))
	height := float64(len(list))*stripHeight + svgBottom
	p.addf("<div class=\"wide\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Creatives by day\">\n", svgWidth, height)
	for i, s := range list {
		y := float64(i) * stripHeight
		p.addf("<text class=\"name\" x=\"0\" y=\"%.1f\">%s<title>%s</title></text>\n", y+12, esc(cut(s.creative, 20)), esc(s.campaign+" "+s.creative))
		for day, c := range s.cells {
			p.addf("<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%s</title></rect>\n",
				c.class, svgLeft+float64(day)*width+0.5, y+1.5, max(width-1, 0.5), stripHeight-3, esc(c.title))
		}
	}
	p.dates(height-5, width)
	p.addf("</svg></div>\n")
}

// cut is a name of at most so many letters.
func cut(name string, most int) string {
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
