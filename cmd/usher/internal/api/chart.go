package api

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
)

// The width of a chart without a terminal, and of the shortest and the longest bars.
const (
	chartWidth  = 100
	shortestBar = 8
	longestBar  = 60
)

// addChartFlags adds --chart to reports, which have a number for each day, domain or place.
func (c *apiCall) addChartFlags(cmd *cobra.Command) {
	if len(c.chartLabels()) == 0 {
		return
	}
	cmd.Flags().StringVar(&c.chart, "chart", "", "draw a bar for each row of the `FIELD`, such as "+c.chartable()[0])
	complete(cmd, "chart", c.chartable())
	if slices.Contains(c.columnNames(), "creativeCode") {
		cmd.Flags().BoolVar(&c.creatives, "creatives", false, "with --chart: draw the creatives instead of the whole campaign")
	}
	cmd.MarkFlagsMutuallyExclusive("json", "csv", "chart")
}

// chartLabels returns the columns that name a bar, or none if the response is not a report.
func (c *apiCall) chartLabels() []string {
	if area, _, _ := strings.Cut(c.op.Name, "."); area != "reporting" && area != "planning" {
		return nil
	}
	var labels []string
	for _, name := range []string{"reportDate", "transactionDate", "campaignCode", "creativeCode", "transactionType", "domain", "geo", "deviceType", "mediaType", "unitSize"} {
		if slices.Contains(c.columnNames(), name) {
			labels = append(labels, name)
		}
	}
	return labels
}

// chartable returns the columns that can be drawn.
func (c *apiCall) chartable() []string {
	var numbers []string
	for _, k := range newSheet(c.op.Out).known {
		if k.number {
			numbers = append(numbers, k.name)
		}
	}
	if at := slices.Index(numbers, "impressions"); at > 0 { // the first one is the example in the help
		numbers = slices.Insert(slices.Delete(numbers, at, at+1), 0, "impressions")
	}
	return numbers
}

// checkChart checks --chart before anything is sent.
func (c *apiCall) checkChart() error {
	switch {
	case c.chart == "" && c.creatives:
		return command.Usagef("--creatives needs --chart FIELD")
	case c.chart != "" && !slices.Contains(c.chartable(), c.chart):
		return command.Usagef("--chart %s: the report has no such numeric field; accepted are %s", c.chart, strings.Join(c.chartable(), ", "))
	}
	return nil
}

// barRow is a row of a chart.
type barRow struct {
	label, number string
	value         float64
}

// printChart draws a field with a bar for each row. It sums nothing, because sums of
// ratios are meaningless, and draws either campaigns or creatives, because a campaign's
// bar would make those of its creatives short.
func (c *apiCall) printChart(w io.Writer, s *sheet) error {
	var rows []barRow
	for _, row := range s.rows {
		value, found := row[c.chart]
		var number float64
		if _, creative := row["creativeCode"]; creative != c.creatives || !found || json.Unmarshal(value, &number) != nil {
			continue
		}
		texts := slices.DeleteFunc(row.cells(c.chartLabels(), briefCell), func(text string) bool { return text == "" })
		rows = append(rows, barRow{strings.Join(texts, " "), roundedNumber(number), number})
	}
	return drawBars(w, rows)
}

// drawBars draws rows within the width of w. A negative value has a light bar.
func drawBars(w io.Writer, rows []barRow) error {
	labels, numbers, greatest := 0, 0, 0.0
	for _, row := range rows {
		labels, numbers = max(labels, terminal.TextWidth(row.label)), max(numbers, len(row.number))
		greatest = max(greatest, math.Abs(row.value))
	}
	width := terminal.Width(w)
	if width == 0 {
		width = chartWidth
	}
	const gaps = 4
	bars := min(max(width-labels-numbers-gaps, shortestBar), longestBar)
	labels = max(min(labels, width-bars-numbers-gaps), 1)
	for _, row := range rows {
		length := 0
		if greatest > 0 && row.value != 0 {
			length = max(1, int(math.Abs(row.value)/greatest*float64(bars)+0.5))
		}
		stroke := "█"
		if row.value < 0 {
			stroke = "░"
		}
		bar := strings.Repeat(stroke, length) + strings.Repeat(" ", bars-length)
		if _, err := fmt.Fprintf(w, "%s  %s  %*s\n", terminal.Pad(terminal.Cut(row.label, labels), labels), bar, numbers, row.number); err != nil {
			return fmt.Errorf("print chart: %w", err)
		}
	}
	return nil
}

// roundedNumber formats a number with at most four significant decimals.
func roundedNumber(value float64) string {
	text := fmt.Sprintf("%.2f", value)
	if math.Abs(value) < 1 {
		text = fmt.Sprintf("%.4f", value)
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
