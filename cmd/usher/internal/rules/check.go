package rules

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
)

// fileReport is the result for a file, as printed by `usher rules check --json`.
type fileReport struct {
	File     string          `json:"file"`
	Valid    bool            `json:"valid"`
	Rules    []string        `json:"rules"`
	Problems []rules.Problem `json:"problems"`
}

func rulesCheck() *cobra.Command {
	var asJSON, schema, metrics bool
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check rule files",
		Long: `Read rule files as a worker does and print every error and warning, with its position
and what to write instead. The command needs neither NATS nor the platform. A file
with errors is not valid (exit code 1). A warning does not make a file invalid.

--schema prints the JSON Schema of rule files for editors. --metrics prints the
metrics that conditions may read.`,
		Example: `  usher rules check rules/*.yaml
  usher rules check --metrics
  usher rules check --schema > rules.schema.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case schema || metrics:
				return command.NoArgs(cmd, args)
			case len(args) == 0:
				return command.Usagef("FILE is missing: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case schema:
				_, err := cmd.OutOrStdout().Write(rules.Schema())
				return err
			case metrics:
				return printMetrics(cmd.OutOrStdout(), asJSON)
			}
			return checkFiles(cmd, args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of files with their problems")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of rule files")
	cmd.Flags().BoolVar(&metrics, "metrics", false, "list the metrics that conditions may read")
	cmd.MarkFlagsMutuallyExclusive("schema", "metrics")
	return cmd
}

func checkFiles(cmd *cobra.Command, paths []string, asJSON bool) error {
	reports := []fileReport{}
	invalid := 0
	for _, path := range paths {
		report, err := checkFile(path)
		if err != nil {
			return err
		}
		if !report.Valid {
			invalid++
		}
		reports = append(reports, report)
	}
	if asJSON {
		if err := terminal.WriteJSON(cmd.OutOrStdout(), reports); err != nil {
			return err
		}
	} else {
		for _, report := range reports {
			report.write(cmd.OutOrStdout(), cmd.ErrOrStderr())
		}
	}
	if invalid > 0 {
		return fmt.Errorf("%s not valid", readable.Count(int64(invalid), "rule file"))
	}
	return nil
}

func checkFile(path string) (fileReport, error) {
	set, problems, err := readRules(path)
	if err != nil {
		return fileReport{}, err
	}
	report := fileReport{File: path, Valid: set != nil, Rules: []string{}, Problems: problems}
	if problems == nil {
		report.Problems = []rules.Problem{}
	}
	if set != nil {
		for _, rule := range set.Rules {
			report.Rules = append(report.Rules, rule.Name)
		}
	}
	return report, nil
}

// write prints problems to stderr, as compilers do, and the result to stdout.
func (r fileReport) write(stdout, stderr io.Writer) {
	for _, p := range r.Problems {
		fmt.Fprintln(stderr, printableLines(p.String()))
	}
	if r.Valid {
		fmt.Fprintf(stdout, "%s: valid, %s: %s\n", r.File, readable.Count(int64(len(r.Rules)), "rule"), strings.Join(r.Rules, ", "))
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
	table := &terminal.Table{Header: []string{"METRIC", "FORMULA", "MEANING"}}
	for _, v := range rules.Variables() {
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
	fmt.Fprintln(w, "\nFields are summed over the rule's window before they are divided. The prefix previous. selects the window before it.")
	return nil
}
