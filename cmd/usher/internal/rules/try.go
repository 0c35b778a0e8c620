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
		Short: "Run the tests that stand beside the rules",
		Long: `Runs the cases below tests: in rule files: each gives figures and where a creative
stands, and says what is to be decided. It needs neither NATS nor a platform; a
case that does not pass, or a file without any, makes the exit code 1, so it is
made for CI.

  tests:
    - name: stops at 95 percent
      campaign: SANDBOX1-summer          # default: the account's code and -test
      creative: summer-1                 # default: test
      status: ACTIVE                     # default
      rules: [stop-at-daily-budget]      # those that vote; default: all of the file
      metrics: {grossMediaSpend: 96, budget: 100}   # of the window: fields of the report
      previous: {grossMediaSpend: 80}    # of the window before
      lifetime: {grossMediaSpend: 960, lifetimeBudget: 1000}   # of all days
      paused_by: stop-at-daily-budget    # that rule paused it, and nobody touched it
      expect: pause                      # pause, resume, none, held or unknown
      rule: stop-at-daily-budget         # that must decide; default: any`,
		Example: "  usher rules test rules/*.yaml",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("FILE is missing: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return testFiles(cmd, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print how each went as JSON")
	return cmd
}

// triedTest is a test as `usher rules test --json` prints it.
type triedTest struct {
	File string `json:"file"`
	rules.TestResult
}

func testFiles(cmd *cobra.Command, paths []string, asJSON bool) error {
	list := []triedTest{}
	for _, path := range paths {
		tried, err := testFile(cmd, path)
		if err != nil {
			return err
		}
		list = append(list, tried...)
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
		return fmt.Errorf("%d of %s did not pass", failed, readable.Count(int64(len(list)), "test"))
	}
	return nil
}

// testFile runs the tests of a rule file. A file without tests is an error.
func testFile(cmd *cobra.Command, path string) ([]triedTest, error) {
	set, err := loadRules(cmd, path)
	if err != nil {
		return nil, err
	}
	results, err := set.RunTests(cmd.Context())
	if err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s has no tests: write some below tests:, see usher rules test --help", path)
	}
	var tried []triedTest
	for _, v := range results {
		tried = append(tried, triedTest{path, v})
	}
	return tried, nil
}

func writeTests(w io.Writer, list []triedTest) {
	for _, t := range list {
		if t.Passed {
			fmt.Fprintf(w, "ok    %s: %s\n", t.File, readable.Printable(t.Test))
		} else {
			fmt.Fprintf(w, "FAIL  %s:%d: %s: %s\n", t.File, t.Line, readable.Printable(t.Test), readable.Printable(t.Message))
		}
	}
}
