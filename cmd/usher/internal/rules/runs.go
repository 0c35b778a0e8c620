package rules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/rulings"
)

func rulesRuns() *cobra.Command {
	var limit int
	var held, asJSON bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List runs of rules, newest first",
		Long: `Lists runs of rules, newest first. They are kept for 100 days, those that had
nothing to do for two.`,
		Example: `  usher rules runs --limit 20
  usher rules runs --held --json`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return command.Usagef("flag --limit takes a number of runs, 0 for all")
			}
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				all, err := rulings.New(q, nil).Evaluations(ctx, 0)
				if err != nil {
					return err
				}
				if held {
					all = slices.DeleteFunc(all, func(e usher.Evaluation) bool { return e.State != usher.EvaluationHeld })
				}
				if limit > 0 && len(all) > limit {
					all = all[:limit]
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), all)
				}
				return writeRuns(cmd, all)
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "how many at most (default all)")
	cmd.Flags().BoolVar(&held, "held", false, "only those that wait for approval")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of runs")
	connect.AddQueueFlags(cmd)
	return cmd
}

func writeRuns(cmd *cobra.Command, all []usher.Evaluation) error {
	if len(all) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no run of rules is on record")
		return nil
	}
	table := terminal.Table{Header: []string{"RUN", "RULES", "AS OF", "DECIDED", "STATE", "", "BY"}}
	for _, e := range all {
		table.Add(e.ID, records.RulesOf(&e), readable.Time(e.AsOf), readable.Time(e.At), string(e.State), records.Summary(&e), e.By)
	}
	return table.Write(cmd.OutOrStdout())
}

// runReport is a run with all that became of it.
type runReport struct {
	Run       usher.Evaluation `json:"run"`
	Decisions []usher.Ruling   `json:"decisions"`
	Jobs      []usher.Record   `json:"jobs"`
}

func rulesRun() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "run RUN",
		Short: "Show what a run of rules decided, and what became of it",
		Long: `Shows a run: every decision with its numbers, what held it back, and the jobs that
carry it out. Of creatives of which a condition was simply not met, only their
number is kept.`,
		Example: "  usher rules run rule-budgets-stop-20261121T0700Z",
		Args:    command.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				report, err := readRun(ctx, q, args[0])
				if err != nil {
					return unknownRun(args[0], err)
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), report)
				}
				return writeRun(cmd.OutOrStdout(), report)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the run as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

func readRun(ctx context.Context, q *queues.Queue, id string) (r runReport, err error) {
	kept := rulings.New(q, nil)
	if r.Run, err = kept.Evaluation(ctx, id); err != nil {
		return r, err
	}
	if r.Decisions, err = kept.Decisions(ctx, id); err != nil {
		return r, err
	}
	r.Jobs = []usher.Record{}
	for _, job := range r.Run.Jobs {
		record, err := q.Record(ctx, job)
		if err != nil && !errors.Is(err, queues.ErrNoJob) {
			return r, err
		}
		if err == nil {
			r.Jobs = append(r.Jobs, record)
		}
	}
	return r, nil
}

// unknownRun says of an unknown run where the known ones are.
func unknownRun(id string, err error) error {
	switch {
	case errors.Is(err, rulings.ErrNoEvaluation):
		return fmt.Errorf("there is no run %q on record: 'usher rules runs' lists them", id)
	case errors.Is(err, rulings.ErrNotHeld):
		return fmt.Errorf("%w: 'usher rules runs --held' lists what does", err)
	}
	return err
}

func writeRun(w io.Writer, r runReport) error {
	facts := terminal.Table{}
	e := &r.Run
	facts.Add("run", e.ID)
	facts.Add("rules", records.RulesOf(e))
	if e.UndoOf != "" {
		facts.Add("undo of", e.UndoOf)
	}
	facts.Add("as of", readable.Time(e.AsOf))
	facts.Add("decided", readable.Time(e.At))
	facts.Add("state", string(e.State))
	facts.Add("decisions", records.Summary(e)+fmt.Sprintf(", %d none", e.Counts[usher.None]))
	if e.Why != "" {
		facts.Add("held because", e.Why)
	}
	if e.By != "" {
		facts.Add("by", strings.TrimRight(e.By+": "+e.Reason, ": "))
	}
	if err := facts.Write(w); err != nil {
		return err
	}
	for _, d := range r.Decisions {
		fmt.Fprintf(w, "\n%s  %s\n    %s\n", readable.Printable(named(d.Campaign, d.Creative)), verb(&d.Decision), readable.Printable(d.Reason))
		if line := numbers(d.Metrics, d.Values); line != "" {
			fmt.Fprintf(w, "    %s\n", readable.Printable(line))
		}
	}
	if len(r.Jobs) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	jobs := terminal.Table{Header: []string{"JOB", "STATE", ""}}
	for _, job := range r.Jobs {
		remarks := []string{records.Remark(job)}
		for _, warning := range job.Warnings {
			remarks = append(remarks, warning.Description)
		}
		jobs.Add(job.ID, string(job.State), readable.Line(strings.Join(remarks, " "), 80))
	}
	return jobs.Write(w)
}

// named is a creative of a campaign; a decision may be on the campaign alone.
func named(campaign, creative string) string {
	if creative == "" {
		return campaign
	}
	return campaign + " " + creative
}

// verb is what a decision says, in a few words.
func verb(d *usher.Decision) string {
	said := string(d.Action)
	if d.Action == usher.Held {
		said = "held, wants " + string(d.Wants)
	}
	if d.Guard != "" {
		said += " (" + strings.ReplaceAll(string(d.Guard), "_", " ") + ")"
	}
	if d.Rule != "" {
		said += " by rule " + d.Rule
	}
	return said
}

// numbers are a decision's metrics and the parts of its condition, in a line.
func numbers(metrics map[string]float64, values []usher.Value) string {
	var said []string
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		said = append(said, name+" "+strconv.FormatFloat(metrics[name], 'g', 6, 64))
	}
	for _, v := range values {
		if _, known := metrics[v.Expression]; !known {
			said = append(said, v.Expression+" is "+v.Result)
		}
	}
	return strings.Join(said, " · ")
}
