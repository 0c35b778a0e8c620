package jobs

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// reasonColumn is one of a tally's columns that are counted by reason.
type reasonColumn struct {
	name   string
	counts usher.Counts
}

func columnsOf(t usher.Tally) []reasonColumn {
	return []reasonColumn{{"withheld", t.Withheld}, {"junk", t.Junk}, {"invalid", t.Invalid}, {"refused", t.Refused}}
}

// WriteTally prints the number of rows with each outcome, and their sum. It returns an error
// if they do not add up.
func WriteTally(w io.Writer, t usher.Tally, acceptedMeans string) error {
	return writeTally(w, t, acceptedMeans, true)
}

// WriteOfflineTally is WriteTally without the row of suppressed ids, for a report that was made
// without the suppression list.
func WriteOfflineTally(w io.Writer, t usher.Tally, acceptedMeans string) error {
	return writeTally(w, t, acceptedMeans, false)
}

func writeTally(w io.Writer, t usher.Tally, acceptedMeans string, suppressed bool) error {
	if err := t.Check(); err != nil {
		return err
	}
	table := terminal.Table{Header: []string{"", "ROWS", ""}, Right: []int{2, 3}}
	row := func(name string, n int64) { table.Add(name, readable.Number(n), Percent(n, t.Read)) }
	row(acceptedMeans, t.Accepted)
	if t.Unchanged > 0 {
		row("unchanged", t.Unchanged)
	}
	row("duplicate", t.Duplicate)
	if suppressed {
		row("suppressed", t.Suppressed)
	}
	for _, column := range columnsOf(t) {
		for _, reason := range slices.Sorted(maps.Keys(column.counts)) {
			row(column.name+" "+reason, column.counts[reason])
		}
	}
	row("= read", t.Read)
	return table.Write(w)
}

// Percent returns n as a percentage of whole, or "" if whole is 0.
func Percent(n, whole int64) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(whole))
}

// Reasons lists why rows were dropped: " (junk zero_id 3, invalid shape 1)".
func Reasons(t usher.Tally) string {
	var list []string
	for _, column := range columnsOf(t) {
		for _, reason := range slices.Sorted(maps.Keys(column.counts)) {
			list = append(list, fmt.Sprintf("%s %s %s", column.name, reason, readable.Number(column.counts[reason])))
		}
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// WriteSamples prints masked samples of dropped rows.
func WriteSamples(w io.Writer, samples []usher.Sample) error {
	if len(samples) == 0 {
		return nil
	}
	table := terminal.Table{Header: []string{"ROW", "DROPPED AS", "MASKED"}, Right: []int{1}}
	few := fewSamples(samples)
	for _, s := range few {
		table.Add(readable.Number(s.Row), s.Reason, s.Masked)
	}
	more := ""
	if len(few) < len(samples) {
		more = " (--json has more)"
	}
	if _, err := fmt.Fprintf(w, "samples of dropped rows%s:\n", more); err != nil {
		return fmt.Errorf("print samples: %w", err)
	}
	return table.Write(w)
}

// fewSamples returns the first three samples of each reason, so that the report fits on
// a screen.
func fewSamples(all []usher.Sample) []usher.Sample {
	const most = 3
	seen := map[string]int{}
	var few []usher.Sample
	for _, s := range all {
		if seen[s.Reason]++; seen[s.Reason] <= most {
			few = append(few, s)
		}
	}
	return few
}
