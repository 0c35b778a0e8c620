package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// eachCommand calls visit with cmd and all commands below it that are not hidden.
func eachCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	if cmd.Hidden && cmd.Name() != "completion" {
		return
	}
	visit(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, visit)
	}
}

// listedCommands returns the commands of the page of commands: those that do something
// themselves, without those below usher api, which have a page of their own.
func listedCommands() []*cobra.Command {
	var list []*cobra.Command
	eachCommand(rootCommand(), func(cmd *cobra.Command) {
		switch {
		case cmd.CommandPath() == "usher api":
			list = append(list, cmd)
		case runsItself(cmd) && cmd.Parent().Name() != "completion" && !isOperation(cmd):
			list = append(list, cmd)
		}
	})
	return list
}

// runsItself reports whether a command is more than a group of other commands.
func runsItself(cmd *cobra.Command) bool {
	return !cmd.HasSubCommands() || cmd.Flags().Lookup("json") != nil
}

// isOperation reports whether a command is below usher api.
func isOperation(cmd *cobra.Command) bool { return strings.HasPrefix(cmd.CommandPath(), "usher api ") }

// exitCodes says what each exit code of the program means.
var exitCodes = []struct{ code, about string }{
	{"0", "success"},
	{"1", "failure: an invalid file (for `inspect`, one that a job would not send) or id (`hash --explain`), a job that is invalid, does not exist or was cancelled, a wait that ended before its job, an undo of a run whose jobs have not all changed what they will, an act whose question got no answer"},
	{"2", "an error in the command line"},
	{"3", "the job that was waited for ended in the dead letters"},
}

func commandsPage() string {
	p := newPage("Commands", `
`+"`usher COMMAND --help`"+` has the flags of a command, and examples. The commands below `+"`usher api`"+`, one for each operation of the platform, have [their own page](api.md).

Data goes to stdout. Progress and logs go to stderr: progress is a bar on a terminal, and lines otherwise. Tables fit the terminal, or the variable `+"`COLUMNS`"+` if it is set. `+"`NO_COLOR`"+` is supported. Commands that only read take `+"`--json`"+`, and `+"`--absolute`"+` prints times as dates. Acts that ask take `+"`--yes`"+`; without an answer they do nothing. Every key of the [configuration](configuration.md) may also come from the environment.
`)
	p.table("exit code", "")
	for _, e := range exitCodes {
		p.row(e.code, e.about)
	}
	p.linef("")
	p.table("command", "")
	for _, cmd := range listedCommands() {
		p.row(code(strings.TrimSuffix(cmd.UseLine(), " [flags]")), cmd.Short)
	}
	return p.String()
}

// manPage returns the man page usher(1) of the packages, which lists the same commands.
func manPage() string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	root := rootCommand()
	line(`.\" Generated from the code by go generate ./cmd/usher. Do not edit.`)
	line(`.TH USHER 1 "" "usher" "User Commands"`)
	line(".SH NAME\nusher \\- %s", roff(root.Short))
	line(".SH SYNOPSIS\n.B usher\n.I COMMAND\n[flags]")
	line(".SH DESCRIPTION\n%s\n.PP\n.B usher COMMAND \\-\\-help\nhas the flags of a command, and examples.", roff(root.Long))
	line(".SH COMMANDS")
	for _, cmd := range listedCommands() {
		line(".TP\n.B %s\n%s", roff(strings.TrimSuffix(cmd.UseLine(), " [flags]")), roff(cmd.Short))
	}
	line(".SH EXIT STATUS")
	for _, e := range exitCodes {
		line(".TP\n.B %s\n%s", e.code, roff(strings.ReplaceAll(e.about, "`", "")))
	}
	line(".SH FILES\n.I usher.yaml\nThe configuration, in the working directory or as \\-\\-config says.")
	return text.String()
}

// roff escapes text for a man page.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// helpTexts returns all that the help of a command says, for tests of its prose.
func helpTexts(cmd *cobra.Command) string {
	var text strings.Builder
	fmt.Fprintln(&text, cmd.Short)
	fmt.Fprintln(&text, cmd.Long)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { fmt.Fprintln(&text, f.Usage) })
	return text.String()
}
