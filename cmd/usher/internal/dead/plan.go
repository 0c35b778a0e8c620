package dead

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
)

// planned is what acts on dead letters print with --json.
const planned = "a report as JSON; the plan goes to stderr"

// planGroups is the number of causes in a plan.
const planGroups = 10

// writePlan prints the number of letters, their causes and a sample.
func writePlan(w io.Writer, s *letters.Survey, what string) error {
	if _, err := fmt.Fprintf(w, "%s %s\n", readable.Count(s.Count, "letter"), what); err != nil {
		return fmt.Errorf("print plan: %w", err)
	}
	if s.Count == 0 {
		return nil
	}
	causes := terminal.Table{Header: []string{"COUNT", "CLASS", "KIND", "TARGET", "LAST FAILURE"}, Right: []int{1}}
	for _, g := range s.Groups[:min(len(s.Groups), planGroups)] {
		causes.Add(readable.Number(int64(g.Count)), string(g.Class), string(g.Kind), usher.TargetLabel(g.TargetName, g.Target), readable.Line(g.Message, 80))
	}
	if err := causes.Write(w); err != nil {
		return err
	}
	andMore(w, len(s.Groups)-planGroups)
	sample := terminal.Table{Header: []string{"SEQ", "ID", "TARGET", "FAILED", "EDITED SINCE"}, Right: []int{1}}
	if !slices.ContainsFunc(s.Sample, func(l usher.DeadLetter) bool { return l.Edited != nil }) {
		sample.Header = sample.Header[:4]
	}
	for _, l := range s.Sample {
		cells := []string{strconv.FormatUint(l.Seq, 10), jobs.LetterID(&l), usher.TargetLabel(l.TargetName, l.Target), readable.Time(l.At), edited(&l)}
		sample.Add(cells[:len(sample.Header)]...)
	}
	if err := sample.Write(w); err != nil {
		return err
	}
	andMore(w, s.Count-len(s.Sample))
	return nil
}

// edited returns the fields of the job that were edited after it failed, or "".
func edited(l *usher.DeadLetter) string {
	if l.Edited == nil {
		return ""
	}
	return strings.Join(l.Edited.Fields, ", ")
}

func andMore(w io.Writer, more int) {
	if more > 0 {
		fmt.Fprintf(w, "… and %s more\n", readable.Number(int64(more)))
	}
}
