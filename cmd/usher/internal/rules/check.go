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

// checkedFile is what `usher rules check --json` says of a file.
type checkedFile struct {
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
		Long: `Reads rule files as a worker would and says all that is wrong or doubtful in them:
where it stands, and what to write instead. It needs neither NATS nor a platform.
A file with errors is not valid (exit code 1); warnings are for you to judge.

--schema prints the JSON Schema of rule files for editors; --metrics prints all
that conditions may read.`,
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was found as JSON")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of rule files")
	cmd.Flags().BoolVar(&metrics, "metrics", false, "list what conditions may read")
	cmd.MarkFlagsMutuallyExclusive("schema", "metrics")
	return cmd
}

func checkFiles(cmd *cobra.Command, paths []string, asJSON bool) error {
	list := []checkedFile{}
	invalid := 0
	for _, path := range paths {
		set, problems, err := readRules(path)
		if err != nil {
			return err
		}
		checked := checkedFile{File: path, Valid: set != nil, Rules: []string{}, Problems: problems}
		if problems == nil {
			checked.Problems = []rules.Problem{}
		}
		if set == nil {
			invalid++
		} else {
			for _, rule := range set.Rules {
				checked.Rules = append(checked.Rules, rule.Name)
			}
		}
		list = append(list, checked)
	}
	if asJSON {
		if err := terminal.WriteJSON(cmd.OutOrStdout(), list); err != nil {
			return err
		}
	} else {
		for _, checked := range list {
			checked.write(cmd.OutOrStdout(), cmd.ErrOrStderr())
		}
	}
	if invalid > 0 {
		return fmt.Errorf("%s not valid", readable.Count(int64(invalid), "rule file"))
	}
	return nil
}

// write says what was found: problems to stderr, as compilers do, the result to
// stdout.
func (c checkedFile) write(out, errs io.Writer) {
	for _, p := range c.Problems {
		fmt.Fprintln(errs, printableLines(p.String()))
	}
	if c.Valid {
		fmt.Fprintf(out, "%s: valid, %s: %s\n", c.File, readable.Count(int64(len(c.Rules)), "rule"), strings.Join(c.Rules, ", "))
	}
}

// printableLines is printable, line by line.
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
	g := &terminal.Table{Header: []string{"METRIC", "IS", "MEANS"}}
	for _, v := range rules.Variables() {
		list = append(list, metric{v.Name, v.Formula, v.About})
		formula := v.Formula
		if formula == "" {
			formula = "a field of the report"
		}
		g.Add(v.Name, formula, v.About)
	}
	if asJSON {
		return terminal.WriteJSON(w, list)
	}
	if err := g.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nEach is summed over the rule's window first and divided after; with previous. before it, it is that of the window before.")
	return nil
}
