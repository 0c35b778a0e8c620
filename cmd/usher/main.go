// Command usher uploads exports of device ids, as digests, to a real-time-bidding
// platform, and pauses and resumes campaign creatives.
//
//	main.go      main and exit codes
//	root.go      the tree of commands
//	run.go       usher run, and the wiring of all parts on one screen
//	worker.go    the worker, as configured; alerting.go: its alerts; outcomes.go: numbers from
//	             outside, which it stores; advertisers.go: those that jobs may name
//	garbage.go   how often the worker collects garbage
//	platform.go  the clients of the platform, as configured
//	metrics.go   the metrics of the process
//	tracing.go   traces
//	version.go   usher version
//
// Below internal are the packages that commands share (command, config, connect,
// terminal), and a package for each group of commands.
package main

//go:generate go test -tags grpcnotrace,disable_grpc_modules -vet=off -trimpath -run ^TestReference$ . -update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"usher/cmd/usher/internal/command"
)

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs a command line and returns its exit code.
func execute(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return command.OK
	}
	var exit *command.ExitError
	if !errors.As(err, &exit) {
		exit = &command.ExitError{Code: command.UsageError, Err: err}
		if started(cmd) {
			exit.Code = command.Failed
		}
	}
	if exit.Err != nil {
		fmt.Fprintf(errs, "usher: %v\n", exit.Err)
	}
	if exit.Code == command.UsageError {
		fmt.Fprintf(errs, "See '%s --help'.\n", cmd.CommandPath())
	}
	return exit.Code
}
