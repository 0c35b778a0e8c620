// Command usher seats audiences: it turns exports of device ids into digests on
// a real-time-bidding platform, and pauses and resumes campaign creatives.
//
//	main.go      main, the root command, exit codes
//	config.go    flags, environment, file, defaults: nobody else reads them
//	settings.go  every key, its default and what it is for
//	run.go       usher run, and the wiring of everything on one screen
//	platform.go  the clients of the platform, as configured
//	embedded.go  NATS and Redis in process
//	dev.go       usher dev: the same parts, staying up
//	demo.go      usher demo
//	console.go   the console's address: the console, /healthz, /readyz
//	api.go       usher api: a command per operation of the platform
//	…            and a file per further command
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/api"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/console"
	"usher/cmd/usher/internal/dead"
	"usher/cmd/usher/internal/demo"
	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/doctor"
	"usher/cmd/usher/internal/hash"
	"usher/cmd/usher/internal/inspect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/lanes"
	"usher/cmd/usher/internal/limits"
	"usher/cmd/usher/internal/migrate"
	"usher/cmd/usher/internal/rules"
	"usher/cmd/usher/internal/sandbox"
	"usher/cmd/usher/internal/submit"
)

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs the command line and returns its exit code.
func execute(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := rootCommand(slices.Contains(args, "api"))
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	ran, err := root.ExecuteContextC(ctx)
	if err == nil {
		return command.OK
	}
	var exit *command.ExitError
	if !errors.As(err, &exit) {
		exit = &command.ExitError{Code: command.UsageError, Err: err}
		if ran.RunE != nil && ran.Annotations[ranAnnotation] != "" {
			exit.Code = command.Failed
		}
	}
	if exit.Err != nil {
		fmt.Fprintf(errs, "usher: %v\n", exit.Err)
	}
	if exit.Code == command.UsageError {
		fmt.Fprintf(errs, "See '%s --help'.\n", ran.CommandPath())
	}
	return exit.Code
}

// ranAnnotation marks a command whose own code was reached: its errors are not
// the command line's.
const ranAnnotation = "ran"

// rootCommand is the tree of all commands. Those below usher api, one an operation
// of the platform, are there with operations: most command lines name none, and
// would wait for them longer than for hashing a hundred thousand ids.
func rootCommand(operations bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "usher",
		Short: "Seat audiences: device ids in, segments and campaign targeting out",
		Long: `usher uploads exports of device ids, as MD5 digests, into segments and campaign
targeting of a real-time-bidding platform, and pauses and resumes campaign
creatives: jobs come over NATS JetStream, locks and limits are shared through
Redis, what failed is kept and can be replayed.`,
		Example: `  usher demo                                   everything in one process, 30 seconds
  usher dev --data ./usher-data                the same parts, staying up
  usher submit segment.add --segment 1 --profile idfa export.csv --wait`,
		SilenceUsage: true, SilenceErrors: true,
		Version:           version(),
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &command.ExitError{Code: command.UsageError, Err: fmt.Errorf("%w%s", command.AcceptedBy(err), command.SuggestFlag(cmd, err))}
	})
	root.AddCommand(runCommand(), dev.Command(run), demo.Command(run), submit.Command(), jobs.Command(), dead.Command(), lanes.Command(), limits.Command(),
		rules.Command(), inspect.Command(), hash.Command(), api.Command(operations), sandbox.Command(), console.Command(), migrate.Command(), doctor.Command(), versionCommand())
	root.SetHelpCommand(helpCommand(root))
	markRan(root)
	return root
}

// helpCommand is cobra's, which would take a command that there is not for a
// question about all.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", Long: "Prints what a command does, and its flags.",
		Example: "  usher help dead replay",
		RunE: func(_ *cobra.Command, args []string) error {
			asked, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return command.UnknownCommand(asked, rest[0])
			}
			asked.InitDefaultHelpFlag() // else it is not among the flags
			return asked.Help()
		},
	}
}

// markRan wraps every command so that its own errors are told from the command
// line's.
func markRan(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		markRan(sub)
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			cmd.Annotations = map[string]string{ranAnnotation: "yes"}
			return run(cmd, args)
		}
	}
}
