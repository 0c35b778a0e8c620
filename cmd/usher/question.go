package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"usher/queues"
)

// question is how a command that changes dead letters makes sure, and who does
// it and why: the audit keeps both.
type question struct {
	yes, dryRun, json bool
	actor
}

func (q *question) addFlags(cmd *cobra.Command, verb string) {
	cmd.Flags().BoolVar(&q.yes, "yes", false, verb+" without asking")
	cmd.Flags().BoolVar(&q.dryRun, "dry-run", false, "only show what would be done")
	cmd.Flags().BoolVar(&q.json, "json", false, "print a report as JSON; the plan goes to stderr")
	q.actor.addFlags(cmd)
}

// plan is where the plan is shown: what --json prints is the report only.
func (q *question) plan(cmd *cobra.Command) io.Writer {
	if q.json {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// goOn asks, unless it knows. The end of input is a no.
func (q *question) goOn(cmd *cobra.Command, what string) bool {
	if q.dryRun {
		return false
	}
	if q.yes {
		return true
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s [y/N] ", what)
	answer, err := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), 1<<10)).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(cmd.ErrOrStderr())
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

// conclude says what was done.
func (q *question) conclude(cmd *cobra.Command, n int, thing, done string) {
	switch {
	case n > 0:
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", plural(int64(n), thing), done)
	case q.dryRun:
		fmt.Fprintf(cmd.OutOrStdout(), "dry run: nothing was %s\n", done)
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "nothing was %s\n", done)
	}
}

// planGroups is how many causes a plan shows.
const planGroups = 10

// writePlan prints how many letters are meant, by cause, and a sample.
func writePlan(w io.Writer, s *queues.Survey, what string) error {
	if _, err := fmt.Fprintf(w, "%s %s\n", plural(int64(s.Count), "letter"), what); err != nil {
		return fmt.Errorf("print plan: %w", err)
	}
	if s.Count == 0 {
		return nil
	}
	causes := grid{header: []string{"COUNT", "CLASS", "KIND", "TARGET", "MESSAGE"}, right: []int{1}}
	for _, g := range s.Groups[:min(len(s.Groups), planGroups)] {
		causes.add(number(int64(g.Count)), string(g.Class), string(g.Kind), g.Target, oneLine(g.Message, 80))
	}
	if err := causes.write(w); err != nil {
		return err
	}
	andMore(w, len(s.Groups)-planGroups)
	sample := grid{header: []string{"SEQ", "ID", "TARGET", "AT"}, right: []int{1}}
	for _, l := range s.Sample {
		sample.add(strconv.FormatUint(l.Seq, 10), letterID(&l), l.Target, clockTime(l.At))
	}
	if err := sample.write(w); err != nil {
		return err
	}
	andMore(w, s.Count-len(s.Sample))
	return nil
}

func andMore(w io.Writer, more int) {
	if more > 0 {
		fmt.Fprintf(w, "… and %s more\n", number(int64(more)))
	}
}
