package rules

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/internal/readable"
	"usher/internal/rules"
)

func rulesTest() *cobra.Command {
	return command.View[command.Nothing, []testReport]{
		About: command.About{
			Use:   "test FILE…",
			Short: "Run the tests in rule files",
			Long: `Run the tests that rule files list under the key tests. Each test gives metrics and the
state of a creative, and the decision that is expected. The command needs neither NATS
nor the platform; if NATS can be reached, it warns of numbers from outside that nobody
has ever delivered. The exit code is 1 if a test does not pass or a file has no tests,
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
      over: {yesterday: {grossMediaSpend: 40}}   # over other windows; default: metrics
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
			Args:    command.FilesUnless(),
			JSON:    "an array of test results",
		},
		Load: func(_ context.Context, c *command.Call, _ command.Nothing) ([]testReport, error) {
			list := []testReport{}
			for _, path := range c.Args {
				reports, err := testFile(c.Cmd, path)
				if err != nil {
					return nil, err
				}
				list = append(list, reports...)
			}
			return list, nil
		},
		Print:   writeTests,
		Failure: testVerdict,
	}.Command()
}

// testReport is the result of a test, as printed by `usher rules test --json`.
type testReport struct {
	File string `json:"file"`
	rules.TestResult
}

// testVerdict returns an error if a test did not pass.
func testVerdict(_ *command.Call, list []testReport) error {
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
	problems, err := undelivered(cmd, set)
	if err == nil { // tests need no server
		for _, p := range problems {
			fmt.Fprintln(cmd.ErrOrStderr(), printableLines(p.String()))
		}
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

func writeTests(c *command.Call, list []testReport) error {
	for _, t := range list {
		if t.Passed {
			fmt.Fprintf(c.Out(), "ok    %s: %s\n", t.File, readable.Printable(t.Test))
		} else {
			fmt.Fprintf(c.Out(), "FAIL  %s:%d: %s: %s\n", t.File, t.Line, readable.Printable(t.Test), readable.Printable(t.Message))
		}
	}
	return nil
}
