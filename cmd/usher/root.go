package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/api"
	"usher/cmd/usher/internal/audiences"
	"usher/cmd/usher/internal/backup"
	"usher/cmd/usher/internal/bench"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/console"
	"usher/cmd/usher/internal/dead"
	"usher/cmd/usher/internal/demo"
	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/doctor"
	"usher/cmd/usher/internal/feeds"
	"usher/cmd/usher/internal/inspect"
	"usher/cmd/usher/internal/intake"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/ledger"
	"usher/cmd/usher/internal/outcomes"
	"usher/cmd/usher/internal/rules"
	"usher/cmd/usher/internal/sandbox"
	"usher/cmd/usher/internal/settings"
	"usher/cmd/usher/internal/starter"
	"usher/cmd/usher/internal/submit"
	"usher/cmd/usher/internal/suppress"
)

// rootCommand returns the tree of all commands.
func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "usher",
		Short: "Load audiences: device ids in, segments and campaign targeting out",
		Long: `usher uploads exports of device ids, as MD5 digests, into segments and campaign
targeting of a real-time-bidding platform, and pauses and resumes campaign
creatives. Jobs arrive over NATS JetStream, locks and limits are shared through
Redis, and failed jobs are kept and can be replayed.`,
		Example: `  usher demo                                   show usher from end to end
  usher dev --data ./usher-data                run all parts in one process until Ctrl-C
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
		RunE: func(cmd *cobra.Command, _ []string) error { return writeFront(cmd) },
	}
	command.AddAbsolute(root)
	root.SetFlagErrorFunc(command.FlagError)
	root.AddCommand(
		runCommand(), dev.Command(runWorker), demo.Command(runWorker), sandbox.Command(), starter.Command(version()), starter.MigrateCommand(), doctor.Command(version()), backup.Command(version()), backup.RestoreCommand(), bench.Command(runWorker),
		submit.Command(), jobs.Command(), dead.Command(), ledger.Command(), audiences.Command(), suppress.Command(), repairCommand(), settings.LanesCommand(), settings.LimitsCommand(), settings.StopSwitchCommand(), settings.Command(), rules.Command(), outcomes.Command(), feeds.Command(), console.Command(), intake.Command(),
		inspect.Command(), inspect.HashCommand(), api.Command(), versionCommand(),
	)
	root.SetHelpCommand(helpCommand(root))
	markStarted(root)
	addCompletion(root)
	command.WrapHelp(root)
	root.PersistentPreRun = func(cmd *cobra.Command, args []string) {
		if cmd.Name() == cobra.ShellCompRequestCmd {
			submit.BeforeCompletion(root, args)
		}
	}
	return root
}

// repairCommand returns usher repair.
func repairCommand() *cobra.Command {
	return command.Group("repair", "Rebuild what was lost or damaged", rules.RepairMemory(), suppress.RepairCommand(), rules.RepairOrder())
}

// front are the commands with which people begin, in the groups of the README.
var front = []struct {
	title    string
	commands []string
}{
	{"You have a CRM system", []string{"inspect", "submit", "jobs", "feeds", "audiences"}},
	{"You buy media", []string{"rules", "api"}},
	{"You run it", []string{"doctor", "dead", "stop-switch", "lanes", "run"}},
	{"To try it", []string{"demo", "dev"}},
}

// writeFront prints the commands with which people begin.
func writeFront(root *cobra.Command) error {
	var text strings.Builder
	text.WriteString("usher loads audiences, and pauses and resumes campaigns, on a real-time-bidding platform.\n")
	for _, group := range front {
		fmt.Fprintf(&text, "\n%s\n", group.title)
		for _, name := range group.commands {
			cmd, _, err := root.Find([]string{name})
			if err != nil {
				return err
			}
			fmt.Fprintf(&text, "  %-12s %s\n", name, cmd.Short)
		}
	}
	text.WriteString("\n'usher help' lists all commands; 'usher COMMAND --help' has flags and examples.\n")
	_, err := io.WriteString(root.OutOrStdout(), text.String())
	return err
}

// addCompletion adds cobra's command completion with examples.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	cmd.Example = `  source <(usher completion bash)
  usher completion fish > ~/.config/fish/completions/usher.fish`
}

// helpCommand replaces cobra's help command, which prints the help of the root
// command for an unknown one.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", Long: "Print what a command does, and its flags.",
		Example: "  usher help dead replay",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 && cmd.HasSubCommands() {
				return command.UnknownCommand(cmd, rest[0])
			}
			_ = cmd.ParseFlags(rest)  // the help of submit depends on the kind
			cmd.InitDefaultHelpFlag() // otherwise the flags lack --help
			return cmd.Help()
		},
	}
}

// startedAnnotation marks a command whose RunE was called. An earlier error is an error of
// the command line.
const startedAnnotation = "started"

// markStarted makes cmd and all commands below it set their startedAnnotation.
func markStarted(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		markStarted(sub)
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			cmd.Annotations = map[string]string{startedAnnotation: "yes"}
			return run(cmd, args)
		}
	}
}

// started reports whether cmd's RunE was called.
func started(cmd *cobra.Command) bool { return cmd.Annotations[startedAnnotation] != "" }
