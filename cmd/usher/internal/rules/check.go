package rules

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/condition"
)

// fileReport is the result for a file, as printed by `usher rules check --json`.
type fileReport struct {
	File     string          `json:"file"`
	Valid    bool            `json:"valid"`
	Rules    []string        `json:"rules"`
	Problems []rules.Problem `json:"problems"`
	Live     *liveReport     `json:"live,omitempty"` // with --live

	set *rules.Set
}

// checkCommand has the flags of `usher rules check`.
type checkCommand struct {
	schema, metrics bool
	live            string // a date, yesterday, or "" without --live
}

func rulesCheck() *cobra.Command {
	f := &checkCommand{}
	return command.Task[command.Nothing]{
		About: command.About{
			Use:   "check FILE…",
			Short: "Check rule files",
			Long: `Read rule files as a worker does and print every error and warning, with its position
and what to write instead. The command needs neither NATS nor, without --live, the
platform. If a rule reads numbers from outside, and NATS can be reached, it warns of
names that nobody has ever delivered.

A problem is an error if the file cannot mean what it says: a worker does not use such
a file (exit code 1). It is a warning if the file can mean what it says but probably
does not: a worker uses the file.

Several files are also compared: name all files of an account, to be warned of rules
that would resume what a rule of another file wants paused, or that change the same
budget or bid.

Rules that change budgets or bids are compared with actions in the configuration: without
it, workers decide, but change nothing.

--live also reads the platform's reports, and says what each rule alone would have done
at the end of yesterday, or of another day, and what the creatives that it would have
paused spent on that day. Every creative counts as ACTIVE, every mode as act, and
active_hours are ignored. Nothing is sent.

--schema prints the JSON Schema of rule files for editors. --metrics prints the
metrics that conditions may read.`,
			Example: `  usher rules check rules/*.yaml
  usher rules check budgets.yaml --live
  usher rules check budgets.yaml --live=2014-04-08
  usher rules check --metrics
  usher rules check --schema > rules.schema.json`,
			Args: command.FilesUnless(&f.schema, &f.metrics),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().BoolVar(&f.schema, "schema", false, "print the JSON Schema of rule files")
				cmd.Flags().BoolVar(&f.metrics, "metrics", false, "list the metrics that conditions may read")
				cmd.Flags().StringVar(&f.live, "live", "", "report what each rule would have done yesterday, or on this `DATE` (--live=2014-04-08)")
				cmd.Flags().Lookup("live").NoOptDefVal = yesterday
				config.AddFlags(cmd, "platform", "username", "nats", "namespace")
				cmd.MarkFlagsMutuallyExclusive("schema", "metrics", "live")
			},
			JSON: "an array of files with their problems",
		},
		Run: f.run,
	}.Command()
}

func (f *checkCommand) run(ctx context.Context, c *command.Call, _ command.Nothing) error {
	switch {
	case f.schema:
		_, err := c.Out().Write(rules.Schema())
		return err
	case f.metrics:
		return printMetrics(c.Out(), c.JSON)
	}
	reports, err := readReports(c.Args)
	if err != nil {
		return err
	}
	for i := range reports {
		for _, find := range []func(*cobra.Command, *rules.Set) ([]rules.Problem, error){disabledActions, unheard} {
			more, err := find(c.Cmd, reports[i].set)
			if err != nil {
				return err
			}
			reports[i].Problems = append(reports[i].Problems, more...)
		}
		more, err := undelivered(c.Cmd, reports[i].set)
		if err != nil { // a file is checked without NATS
			fmt.Fprintf(c.Errs(), "%s: whether the numbers from outside that it reads were ever delivered is not known: %s\n", reports[i].File, readable.Printable(err.Error()))
		}
		reports[i].Problems = append(reports[i].Problems, more...)
	}
	if f.live != "" {
		if err := addLive(ctx, c.Cmd, reports, f.live); err != nil {
			return err
		}
	}
	return printReports(c, reports)
}

// printReports prints the reports on files. It returns an error if one is not valid.
func printReports(c *command.Call, reports []fileReport) error {
	invalid := 0
	for _, report := range reports {
		if !report.Valid {
			invalid++
		}
		if !c.JSON {
			report.write(c.Out(), c.Errs())
		}
	}
	if c.JSON {
		if err := terminal.WriteJSON(c.Out(), reports); err != nil {
			return err
		}
	}
	if invalid > 0 {
		return fmt.Errorf("%s not valid", readable.Count(invalid, "rule file"))
	}
	return nil
}

// readReports checks each of the files, and then compares them.
func readReports(paths []string) ([]fileReport, error) {
	reports := []fileReport{}
	var sets []*rules.Set
	for _, path := range paths {
		set, problems, err := readRules(path)
		if err != nil {
			return nil, err
		}
		report := fileReport{File: path, Valid: set != nil, Rules: []string{}, Problems: slices.Concat([]rules.Problem{}, problems)}
		if set != nil {
			report.set = set
			sets = append(sets, set)
			for _, rule := range set.Rules {
				report.Rules = append(report.Rules, rule.Name)
			}
		}
		reports = append(reports, report)
	}
	for _, p := range rules.Contradictions(sets) {
		i := slices.IndexFunc(reports, func(r fileReport) bool { return r.File == p.File })
		reports[i].Problems = append(reports[i].Problems, p)
		reports[i].Valid = reports[i].Valid && !p.Error
	}
	return reports, nil
}

// write prints problems to stderr, as compilers do, and the result to stdout.
func (r fileReport) write(stdout, stderr io.Writer) {
	for _, p := range r.Problems {
		fmt.Fprintln(stderr, printableLines(p.String()))
	}
	if r.Valid {
		fmt.Fprintf(stdout, "%s: valid, %s: %s\n", r.File, readable.Count(len(r.Rules), "rule"), strings.Join(r.Rules, ", "))
	}
	if r.Live != nil {
		r.Live.write(stdout)
	}
}

// printableLines applies readable.Printable to each line of s.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = readable.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

func printMetrics(w io.Writer, asJSON bool) error {
	type metric struct {
		Name    string `json:"name"`
		Formula string `json:"formula,omitempty"`
		About   string `json:"about"`
	}
	list := []metric{}
	table := &terminal.Table{Header: []string{"METRIC", "FORMULA", "MEANING"}, Whole: true}
	for _, v := range condition.Variables() {
		list = append(list, metric{v.Name, v.Formula, v.About})
		formula := v.Formula
		if formula == "" {
			formula = "a field of the report"
		}
		table.Add(v.Name, formula, v.About)
	}
	if asJSON {
		return terminal.WriteJSON(w, list)
	}
	if err := table.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nFields are summed over the rule's window before they are divided. The prefix previous. selects the window before it,\nover(\"last 14 days\"). another window, campaign. the creative's campaign, and account. all campaigns together.\nrank(ctr) is the rank among the campaign's creatives, 1 for the highest, and count() is how many there are.")
	return nil
}
