package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
)

// Command returns usher doctor of a version of usher.
func Command(version string) *cobra.Command {
	var repair bool
	var monitors, routes []string
	return command.View[command.Nothing, []queues.CheckResult]{About: command.About{
		Use:   "doctor",
		Short: "Check every connection and setting",
		Long: `Check NATS, the account on it, usher's streams and stored values, Redis, the login to
the platform, their clocks, whether they are encrypted, the versions and files of workers, and
the locations and files in the configuration, and say what to do about each problem. It
exits 1 if it finds a problem, or if a check receives no response; a warning is not a
problem, nor is what it could not check, which is unknown. Each check has its own time
limit. A clock that differs from this machine's by more than 2 s is a warning, one by
more than 30 s a problem.

NATS shows no user whether it syncs to the disk and how full its disk is. Run doctor on
each of its machines with --monitor, the address of its monitoring port. doctor also
tries, as a stranger, whether other servers could join the cluster, and whether Redis and
its Sentinels need a login.

doctor writes only a heartbeat to NATS, and a key to Redis and a file at ledger.url that
it removes again, unless --repair is given: then it removes stored values that are
damaged, such as a truncated record of a job; --json names all of them. The records of
jobs that wait or run, targets and the memory of rules are rebuilt, from the messages of
the jobs, from the records and from the audit. The record of a job that has ended is not:
the job runs again if its id is submitted again. Each repair is written to the audit.`,
		Example: `  usher doctor --config usher.yaml
  usher doctor --monitor http://127.0.0.1:8222
  usher doctor --repair`,
		Flags: func(cmd *cobra.Command) {
			cmd.Flags().BoolVar(&repair, "repair", false, "remove damaged values from NATS")
			cmd.Flags().StringSliceVar(&monitors, "monitor", nil, "URLs of the monitoring ports of NATS servers, separated by commas")
			cmd.Flags().StringSliceVar(&routes, "routes", nil, "host:port where servers of the NATS cluster meet, separated by commas (default port 6222 of each server)")
			config.AddFlags(cmd, "nats", "redis", "platform", "username", "advertiser", "namespace")
		},
		JSON: "an array of results",
	}, Load: func(ctx context.Context, c *command.Call, _ command.Nothing) ([]queues.CheckResult, error) {
		settings, err := config.Load(c.Cmd, os.LookupEnv)
		if err != nil {
			return nil, err
		}
		e := &examination{config: settings, user: os.Geteuid(), limits: usual, repair: repair, clocks: clocks{now: time.Now}, version: version, monitors: monitors, routes: routes}
		results := e.examine(ctx)
		for _, warning := range config.UnknownVariables(os.Environ()) {
			results = append(results, checked("environment", errors.New(warning), ""))
		}
		return results, nil
	}, Print: printResults, Failure: conclude}.Command()
}

// What the text of a warning, and of what doctor could not check, begins with.
const (
	warning    = "warning: "
	notChecked = "not checked"
)

// word returns the word before a result, and its text.
func word(f *queues.CheckResult) (word, says string) {
	switch {
	case f.OK && strings.HasPrefix(f.Says, warning):
		return "warning", strings.TrimPrefix(f.Says, warning)
	case f.OK && strings.HasPrefix(f.Says, notChecked):
		return "unknown", f.Says
	case f.OK:
		return "ok", f.Says
	case f.NoResponse:
		return "no response", f.Says
	}
	return "problem", f.Says
}

// printResults prints the results, and how many there are of each word.
func printResults(c *command.Call, results []queues.CheckResult) error {
	table, counts := terminal.Table{}, map[string]int64{}
	for i := range results {
		word, says := word(&results[i])
		counts[word]++
		table.Add(word, results[i].What, says)
	}
	if err := table.Write(c.Out()); err != nil {
		return err
	}
	var summary []string
	for _, word := range []string{"ok", "warning", "unknown", "problem", "no response"} {
		if counts[word] > 0 {
			summary = append(summary, readable.Number(counts[word])+" "+word)
		}
	}
	return c.Println(readable.Count(int64(len(results)), "check") + ": " + strings.Join(summary, ", "))
}

// conclude returns an error if there is a problem, or a check without a response.
func conclude(_ *command.Call, results []queues.CheckResult) error {
	var problems, silent int64
	for _, f := range results {
		switch {
		case f.NoResponse:
			silent++
		case !f.OK:
			problems++
		}
	}
	switch {
	case silent == 0 && problems == 0:
		return nil
	case silent == 0:
		return fmt.Errorf("doctor found %s", readable.Count(problems, "problem"))
	case problems == 0:
		return fmt.Errorf("doctor cannot tell whether all is well: %s received no response", readable.Count(silent, "check"))
	}
	return fmt.Errorf("doctor found %s, and %s received no response", readable.Count(problems, "problem"), readable.Count(silent, "check"))
}
