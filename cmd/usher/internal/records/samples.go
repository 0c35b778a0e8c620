package records

import (
	"fmt"
	"io"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

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
