package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"usher"
)

// question is how a command that changes dead letters makes sure.
type question struct {
	yes, dryRun, json bool
}

func (q *question) addFlags(cmd *cobra.Command, verb string) {
	cmd.Flags().BoolVar(&q.yes, "yes", false, verb+" without asking")
	cmd.Flags().BoolVar(&q.dryRun, "dry-run", false, "only show what would be done")
	cmd.Flags().BoolVar(&q.json, "json", false, "print a report as JSON; the plan goes to stderr")
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

// planSample is how many letters a plan shows one by one.
const planSample = 5

// writePlan prints how many letters are meant, by cause, and a sample.
func writePlan(w io.Writer, plan []usher.DeadLetter, what string) error {
	if _, err := fmt.Fprintf(w, "%s %s\n", plural(int64(len(plan)), "letter"), what); err != nil {
		return fmt.Errorf("print plan: %w", err)
	}
	if len(plan) == 0 {
		return nil
	}
	causes := grid{header: []string{"COUNT", "CLASS", "KIND", "MESSAGE"}, right: []int{1}}
	for _, c := range countCauses(plan) {
		causes.add(number(c.count), string(c.class), string(c.kind), oneLine(c.message, 80))
	}
	if err := causes.write(w); err != nil {
		return err
	}
	sample := grid{header: []string{"SEQ", "ID", "TARGET", "AT"}, right: []int{1}}
	for _, l := range plan[:min(len(plan), planSample)] {
		sample.add(strconv.FormatUint(l.Seq, 10), letterID(&l), l.Target, clockTime(l.At))
	}
	if err := sample.write(w); err != nil {
		return err
	}
	if more := len(plan) - planSample; more > 0 {
		fmt.Fprintf(w, "… and %s more\n", number(int64(more)))
	}
	return nil
}

// cause is what letters of a plan have in common.
type cause struct {
	class   usher.Class
	kind    usher.Kind
	message string
}

// causeCount is how many letters of a plan have a cause.
type causeCount struct {
	cause
	count int64
}

// countCauses counts a plan's letters by cause, the most frequent first.
func countCauses(plan []usher.DeadLetter) []causeCount {
	at := map[cause]int{}
	var list []causeCount
	for _, l := range plan {
		c := cause{l.Class, l.Kind, l.Message}
		i, known := at[c]
		if !known {
			i = len(list)
			at[c] = i
			list = append(list, causeCount{cause: c})
		}
		list[i].count++
	}
	slices.SortStableFunc(list, func(a, b causeCount) int { return cmp.Compare(b.count, a.count) })
	return list
}
