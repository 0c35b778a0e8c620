package api

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
)

// chartWidth is the length of the longest bar in characters.
const chartWidth = 40

// addChartFlag adds --chart to reports, the operations with a row for each day.
func (c *apiCall) addChartFlag(cmd *cobra.Command) {
	columns := newSheet(c.op.Out).known
	if !slices.ContainsFunc(columns, func(k column) bool { return k.name == "reportDate" }) {
		return
	}
	cmd.Flags().StringVar(&c.chart, "chart", "", "draw a bar for each row of the `FIELD`, such as impressions")
	cmd.MarkFlagsMutuallyExclusive("json", "csv", "chart")
}

// checkChart checks --chart before anything is sent.
func (c *apiCall) checkChart() error {
	if c.chart == "" {
		return nil
	}
	var numbers []string
	for _, k := range newSheet(c.op.Out).known {
		if k.number {
			numbers = append(numbers, k.name)
		}
	}
	if !slices.Contains(numbers, c.chart) {
		return command.Usagef("--chart %s: the report has no such numeric field; accepted are %s", c.chart, strings.Join(numbers, ", "))
	}
	return nil
}

// printChart draws a field with a bar for each row. It sums nothing, because sums of
// ratios are meaningless.
func printChart(w io.Writer, s *sheet, field string) error {
	var labels []string
	var values []float64
	longest, greatest := 0, 0.0
	for _, row := range s.rows {
		value, found := row[field]
		var number float64
		if !found || json.Unmarshal(value, &number) != nil {
			continue
		}
		label := strings.TrimRight(strings.Join(row.cells([]string{"reportDate", "campaignCode", "creativeCode"}, briefCell), " "), " ")
		labels, values = append(labels, label), append(values, number)
		longest, greatest = max(longest, utf8.RuneCountInString(label)), max(greatest, number)
	}
	for i, value := range values {
		bar := 0
		if greatest > 0 && value > 0 {
			bar = max(1, int(value/greatest*chartWidth+0.5))
		}
		number := briefCell(json.RawMessage(fmt.Sprint(value)))
		if _, err := fmt.Fprintf(w, "%-*s  %-*s  %s\n", longest, labels[i], chartWidth, strings.Repeat("█", bar), number); err != nil {
			return fmt.Errorf("print chart: %w", err)
		}
	}
	return nil
}
