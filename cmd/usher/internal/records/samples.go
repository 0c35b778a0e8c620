package records

import (
	"fmt"
	"io"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// WriteSamples prints rows that were dropped, masked.
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
	if _, err := fmt.Fprintf(w, "samples of rows that were dropped%s:\n", more); err != nil {
		return fmt.Errorf("print samples: %w", err)
	}
	return table.Write(w)
}

// fewSamples are the first three of each reason: enough to see what it is, and
// the report stays on a screen. JSON has them all.
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
