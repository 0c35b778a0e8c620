package rules

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
)

func rulesTest() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Run the tests in rule files",
		Long: `Run the tests that rule files list under the key tests. Each test gives metrics and the
state of a creative, and the decision that is expected. The command needs neither NATS
nor the platform. The exit code is 1 if a test does not pass or a file has no tests,
so that it can be used in CI.

  tests:
    - name: stops at 95 percent
      campaign: SANDBOX1-summer          # default: the code of the account, and -test
      creative: summer-1                 # default: test
      type: IMAGE                        # for types in scope; default: any
      status: ACTIVE                     # default
      age: 3d                            # for min_age; default: 90d
      rules: [stop-at-daily-budget]      # rules that decide; default: all rules of the file
      metrics: {grossMediaSpend: 96, budget: 100}   # fields of the report, over the window
      previous: {grossMediaSpend: 80}    # over the window before
      lifetime: {grossMediaSpend: 960, lifetimeBudget: 1000}   # over all days
      days: [{grossMediaSpend: 95, budget: 100}, {}]   # the days of for: yesterday, the day before; {} has no row; default: metrics
      paused_by: stop-at-daily-budget    # rule whose pause nobody has changed
      date: 2026-06-30                   # the day, for labels; default: any
      at: "23:10"                        # time of the day; default: its end
      budget: 100                        # or bid: of rules with budget or bid, the number before the decision
      to: 80                             # the number that it must set; default: any
      changed_by: cheaper-clicks         # rule that set the number last, and nobody has changed it
      expect: pause                      # pause, resume, decrease, increase, none, held, notify or unknown
      rule: stop-at-daily-budget         # rule that must decide; default: any`,
		Example: "  usher rules test rules/*.yaml",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("FILE is missing: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return testFiles(cmd, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of test results")
	return cmd
}

// testReport is the result of a test, as printed by `usher rules test --json`.
type testReport struct {
	File string `json:"file"`
	rules.TestResult
}

func testFiles(cmd *cobra.Command, paths []string, asJSON bool) error {
	list := []testReport{}
	for _, path := range paths {
		reports, err := testFile(cmd, path)
		if err != nil {
			return err
		}
		list = append(list, reports...)
	}
	if asJSON {
		if err := terminal.WriteJSON(cmd.OutOrStdout(), list); err != nil {
			return err
		}
	} else {
		writeTests(cmd.OutOrStdout(), list)
	}
	failed := 0
	for _, t := range list {
		if !t.Passed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s did not pass", failed, readable.Count(len(list), "test"))
	}
	return nil
}

// testFile runs the tests of a rule file. A file without tests is an error.
func testFile(cmd *cobra.Command, path string) ([]testReport, error) {
	set, err := loadRules(cmd, path)
	if err != nil {
		return nil, err
	}
	results, err := set.RunTests(cmd.Context())
	if err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s has no tests: add some under the key tests, see 'usher rules test --help'", path)
	}
	var reports []testReport
	for _, result := range results {
		reports = append(reports, testReport{path, result})
	}
	return reports, nil
}

func writeTests(w io.Writer, list []testReport) {
	for _, t := range list {
		if t.Passed {
			fmt.Fprintf(w, "ok    %s: %s\n", t.File, readable.Printable(t.Test))
		} else {
			fmt.Fprintf(w, "FAIL  %s:%d: %s: %s\n", t.File, t.Line, readable.Printable(t.Test), readable.Printable(t.Message))
		}
	}
}
