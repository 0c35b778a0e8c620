package rules

import (
	"cmp"
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
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/status"
)

// runs returns usher rules runs ls.
func runs() *cobra.Command {
	return command.Group("runs", "List and show the runs of rules", listRuns(), showRun())
}

func listRuns() *cobra.Command {
	limit, held := 0, false
	list := command.List[*queues.Queue, usher.Evaluation]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List runs of rules, newest first",
			Long: `List runs of rules, newest first. A run is kept for 100 days, or for two days if it had
nothing to do.`,
			Example: `  usher rules runs ls --limit 20
  usher rules runs ls --held --json`,
			Flags: func(cmd *cobra.Command) {
				command.LimitVar(cmd, &limit, "runs", "")
				cmd.Flags().BoolVar(&held, "held", false, "list only runs that wait for approval")
			},
			JSON: "an array of runs",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, _ *command.Call, q *queues.Queue) ([]usher.Evaluation, error) {
			runs, err := decisions.New(q, nil).Evaluations(ctx, 0)
			if held {
				runs = slices.DeleteFunc(runs, func(e usher.Evaluation) bool { return e.State != usher.EvaluationHeld })
			}
			if limit > 0 && len(runs) > limit {
				runs = runs[:limit]
			}
			return runs, err
		},
		Columns: []command.Column{
			{Header: "RUN"}, {Header: "RULES", Cut: 2}, {Header: "AS OF", Drop: 1}, {Header: "DECIDED", Drop: 3}, {Header: "STATE"}, {Cut: 3}, {Header: "BY", Cut: 1, Drop: 2},
		},
		Row: func(e *usher.Evaluation, times terminal.Times) []string {
			return []string{e.ID, jobs.RulesOf(e), times.Text(e.AsOf), times.Text(e.At), string(e.State), jobs.Summary(e), e.By}
		},
		None: "no run of rules matches",
	}
	return list.Command()
}

// runNames returns the ids of the newest runs, with what they have decided, for completion.
func runNames(ctx context.Context, q *queues.Queue) ([]string, error) {
	const most = 100
	runs, err := decisions.New(q, nil).Evaluations(ctx, most)
	var list []string
	for i := range runs {
		list = append(list, runs[i].ID+"\t"+string(runs[i].State)+", "+jobs.Summary(&runs[i]))
	}
	return list, err
}

// runReport is a run with its decisions and jobs, as printed by --json.
type runReport struct {
	Run       usher.Evaluation       `json:"run"`
	Decisions []usher.StoredDecision `json:"decisions"`
	Jobs      []usher.Record         `json:"jobs"`
	// Undone are the runs that have undone changes of this one, newest first.
	Undone []usher.Evaluation `json:"undone"`
}

func showRun() *cobra.Command {
	return command.View[*queues.Queue, runReport]{
		About: command.About{
			Use:   "show RUN",
			Short: "Show the decisions of a run, and their jobs",
			Long: `Show a run: every decision with its metrics, the guard that held it, and the jobs that
carry it out. If no condition was met for a creative, the run stores no decision about
it and only counts it.`,
			Example: "  usher rules runs show rule-budgets-stop-20261121T0700Z",
			Args:    command.ExactArgs("RUN"),
			JSON:    "the run as JSON",
		},
		On: connect.Queue().Completing(connect.Complete(runNames)),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) (runReport, error) {
			report, err := readRun(ctx, q, c.Args[0])
			return report, explainRunError(c.Args[0], err)
		},
		Print: func(c *command.Call, r runReport) error { return writeRun(c.Out(), r) },
	}.Command()
}

func readRun(ctx context.Context, q *queues.Queue, id string) (r runReport, err error) {
	stored := decisions.New(q, nil)
	if r.Run, err = stored.Evaluation(ctx, id); err != nil {
		return r, err
	}
	if r.Decisions, err = stored.Decisions(ctx, id); err != nil {
		return r, err
	}
	all, err := stored.Evaluations(ctx, 0)
	if err != nil {
		return r, err
	}
	r.Undone = slices.DeleteFunc(all, func(e usher.Evaluation) bool { return e.UndoOf != id })
	r.Jobs = []usher.Record{}
	for _, job := range r.Run.Jobs {
		record, err := q.Status().Record(ctx, job)
		if err != nil && !errors.Is(err, status.ErrNoJob) {
			return r, err
		}
		if err == nil {
			r.Jobs = append(r.Jobs, record)
		}
	}
	return r, nil
}

// writeDecision writes the i-th decision of a run. The first one that a rule of level account made on
// several campaigns stands for all of them.
func writeDecision(w io.Writer, e *usher.Evaluation, all []usher.StoredDecision, i int) {
	d := &all[i]
	isPart := func(other usher.StoredDecision) bool {
		isOne := d.IsOneWith(&other.Decision) || isSameGap(&d.Decision, &other.Decision) || isSameInCampaign(&d.Decision, &other.Decision)
		return isOne && d.Left == other.Left && e.ApprovalOf(d) == e.ApprovalOf(&other)
	}
	if slices.ContainsFunc(all[:i], isPart) {
		return
	}
	shown := d.Decision
	if e.ApprovalOf(d) > 0 {
		shown.Action, shown.Wants, shown.Guard, shown.Reason = d.Wants, "", "", d.Condition()
	}
	text := decisionText(&shown)
	switch {
	case d.Left:
		text += ", left out of the approval"
	case e.ApprovalOf(d) > 0:
		text += ", approved"
	}
	name, reason := creativeName(d.Campaign, d.Creative), shown.Reason
	parts := []usher.Decision{d.Decision}
	for _, other := range all[i+1:] {
		if isPart(other) {
			parts = append(parts, other.Decision)
		}
	}
	if shown.Level == "" && (len(parts) == 1 || isSameInCampaign(&parts[0], &parts[len(parts)-1])) {
		name, parts = creativeName(d.Campaign, subjectsOf(parts)), nil
	}
	if len(parts) > 0 {
		name, reason = partsName(parts), togetherReason(&shown)
	}
	if shown.Action == usher.Unknown {
		reason = strings.TrimPrefix(reason, "unknown: ")
	}
	fmt.Fprintf(w, "\n%s  %s\n    %s\n", readable.Printable(name), text, readable.Printable(reason))
	if line := metricsText(d.Metrics, d.Values); line != "" && (len(parts) == 0 || d.Level != "") {
		fmt.Fprintf(w, "    %s\n", readable.Printable(line))
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "    %s\n", readable.Printable(partsText(parts)))
	}
}

// isSameInCampaign reports whether a rule decided the same on two creatives of a campaign, by the same
// figures.
func isSameInCampaign(d, other *usher.Decision) bool {
	return d.Bidding == nil && other.Bidding == nil && differInCreativeOnly(*d, *other) && d.Wants == other.Wants && d.Guard == other.Guard && d.Level == other.Level &&
		maps.Equal(d.Metrics, other.Metrics) && slices.Equal(d.Votes, other.Votes)
}

// subjectsOf lists the creatives of decisions.
func subjectsOf(parts []usher.Decision) string {
	var codes []string
	for i := range parts[:min(len(parts), maxParts)] {
		codes = append(codes, parts[i].Creative)
	}
	text := strings.Join(codes, ", ")
	if more := len(parts) - maxParts; more > 0 {
		text += fmt.Sprintf(" and %d more, which --json lists", more)
	}
	return text
}

// isSameGap reports whether a rule could not decide on both, for the same reason.
func isSameGap(d, other *usher.Decision) bool {
	return d.Action == usher.Unknown && other.Action == usher.Unknown && d.Rule == other.Rule && d.Level == other.Level && d.Reason == other.Reason && (d.Bidding == nil) == (other.Bidding == nil)
}

// maxParts is the number of campaigns or creatives of one decision that are listed.
const maxParts = 20

// partsText lists the campaigns of one decision, with the creatives that it is about, or with the
// change of their number.
func partsText(parts []usher.Decision) string {
	var campaigns []string
	subjects := map[string][]string{}
	for i := range parts {
		p := &parts[i]
		if subjects[p.Campaign] == nil {
			campaigns = append(campaigns, p.Campaign)
		}
		about := p.Creative
		if p.Bidding != nil && p.Action != usher.Unknown {
			about = readable.Exact(p.Bidding.From) + " → " + p.Bidding.After()
		}
		subjects[p.Campaign] = append(subjects[p.Campaign], about)
	}
	var list []string
	for i, campaign := range campaigns {
		if i == maxParts {
			list = append(list, fmt.Sprintf("and %d more campaigns, which --json lists", len(campaigns)-i))
			break
		}
		of := slices.DeleteFunc(subjects[campaign], func(about string) bool { return about == "" })
		if len(of) > 0 {
			campaign += " (" + creativesText(of) + ")"
		}
		list = append(list, campaign)
	}
	return strings.Join(list, ", ")
}

// explainRunError adds to an error about a run the command that lists runs.
func explainRunError(id string, err error) error {
	switch {
	case errors.Is(err, decisions.ErrNoEvaluation):
		return fmt.Errorf("there is no run %q on record: 'usher rules runs ls' lists them", id)
	case errors.Is(err, decisions.ErrNotHeld):
		return fmt.Errorf("%w: 'usher rules runs ls --held' lists the runs that do", err)
	}
	return err
}

func writeRun(w io.Writer, r runReport) error {
	facts := terminal.Table{}
	e := &r.Run
	facts.Add("run", e.ID)
	facts.Add("rules", jobs.RulesOf(e))
	if e.UndoOf != "" {
		facts.Add("undo of", e.UndoOf)
	}
	for _, u := range r.Undone {
		facts.Add("undone by", u.ID+" ("+cmp.Or(u.By, "somebody")+", "+terminal.When(w, u.At)+")")
	}
	facts.Add("as of", terminal.When(w, e.AsOf))
	facts.Add("decided", terminal.When(w, e.At))
	facts.Add("state", string(e.State))
	facts.Add("decisions", jobs.Summary(e))
	if e.Why != "" {
		label := map[usher.EvaluationState]string{usher.EvaluationDone: "because", usher.EvaluationHeld: "held because"}[e.State]
		facts.Add(cmp.Or(label, "was held because"), readable.Printable(e.Why))
	}
	if e.By != "" {
		facts.Add("by", strings.TrimRight(e.By+": "+e.Reason, ": "))
	}
	for i := range e.Warnings[:min(len(e.Warnings), maxNotCarriedOut)] {
		facts.Add("warning", readable.Printable(e.Warnings[i].Description))
	}
	if err := facts.Write(w); err != nil {
		return err
	}
	for i := range r.Decisions {
		writeDecision(w, e, r.Decisions, i)
	}
	if len(r.Jobs) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	table := terminal.Table{Header: []string{"JOB", "STATE", ""}}
	for _, job := range r.Jobs {
		remarks := []string{jobs.Remark(job)}
		for _, warning := range job.Warnings {
			remarks = append(remarks, warning.Description)
		}
		table.Add(job.ID, string(job.State), readable.Line(strings.Join(remarks, " "), 80))
	}
	return table.Write(w)
}

// creativeName names a creative with its campaign, or the campaign if the decision is
// about the campaign.
func creativeName(campaign, creative string) string {
	if creative == "" {
		return campaign
	}
	return campaign + " " + creative
}

// decisionText describes a decision in a few words.
func decisionText(d *usher.Decision) string {
	text := string(d.Action)
	switch d.Action {
	case usher.Unknown:
		text = "cannot be decided"
	case usher.None:
		text = "unchanged"
	}
	if d.Wants != "" {
		text += ", wants " + string(d.Wants)
	}
	if d.Guard != "" {
		text += " (" + strings.ReplaceAll(string(d.Guard), "_", " ") + ")"
	}
	if d.Rule != "" {
		text += " by rule " + d.Rule
	}
	if d.Notice != "" {
		text += ", notifies"
	}
	return text
}

// metricsText returns the metrics of a decision and the parts of its condition in one
// line.
func metricsText(metrics map[string]float64, values []usher.Value) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		parts = append(parts, name+" "+strconv.FormatFloat(metrics[name], 'g', 6, 64))
	}
	for _, v := range values {
		if _, known := metrics[v.Expression]; !known {
			parts = append(parts, v.Expression+" is "+v.Result)
		}
	}
	return strings.Join(parts, " · ")
}
