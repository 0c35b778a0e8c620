package dead

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
)

// question has the flags for confirming a change of dead letters, with its actor and
// reason for the audit.
type question struct {
	yes, dryRun, json bool
	command.Actor
}

func (q *question) addFlags(cmd *cobra.Command, verb string) {
	cmd.Flags().BoolVar(&q.yes, "yes", false, verb+" without confirmation")
	cmd.Flags().BoolVar(&q.dryRun, "dry-run", false, "only show the plan")
	cmd.Flags().BoolVar(&q.json, "json", false, "print a report as JSON; the plan goes to stderr")
	q.AddFlags(cmd)
}

// planOutput returns where to print the plan: with --json, stdout has only the report.
func (q *question) planOutput(cmd *cobra.Command) io.Writer {
	if q.json {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// confirm asks for confirmation, unless --yes or --dry-run is set. The end of input means no.
func (q *question) confirm(cmd *cobra.Command, what string) bool {
	if q.dryRun {
		return false
	}
	if q.yes {
		return true
	}
	confirmed, err := terminal.Confirm(cmd.InOrStdin(), cmd.ErrOrStderr(), what)
	if err != nil { // scripts rely on exit code 0
		fmt.Fprintln(cmd.ErrOrStderr(), err)
	}
	return confirmed
}

// conclude prints how many things were changed.
func (q *question) conclude(cmd *cobra.Command, n int, thing, done string) {
	switch {
	case n > 0:
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", readable.Count(int64(n), thing), done)
	case q.dryRun:
		fmt.Fprintf(cmd.OutOrStdout(), "dry run: nothing was %s\n", done)
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "nothing was %s\n", done)
	}
}

// planGroups is the number of causes in a plan.
const planGroups = 10

// writePlan prints the number of letters, their causes and a sample.
func writePlan(w io.Writer, s *letters.Survey, what string) error {
	if _, err := fmt.Fprintf(w, "%s %s\n", readable.Count(int64(s.Count), "letter"), what); err != nil {
		return fmt.Errorf("print plan: %w", err)
	}
	if s.Count == 0 {
		return nil
	}
	causes := terminal.Table{Header: []string{"COUNT", "CLASS", "KIND", "TARGET", "LAST FAILURE"}, Right: []int{1}}
	for _, g := range s.Groups[:min(len(s.Groups), planGroups)] {
		causes.Add(readable.Number(int64(g.Count)), string(g.Class), string(g.Kind), g.Target, readable.Line(g.Message, 80))
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
		cells := []string{strconv.FormatUint(l.Seq, 10), records.LetterID(&l), l.Target, readable.Time(l.At), edited(&l)}
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
