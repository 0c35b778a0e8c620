package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Short == "" {
			t.Errorf("%s has no short help", cmd.CommandPath())
		}
		if cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
			return // cobra's own
		}
		if !cmd.HasSubCommands() && cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s has no long help or no example", cmd.CommandPath())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.Contains(f.Usage, "; ;") {
				t.Errorf("%s --%s has no help, or an empty piece: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand())
}

func TestHelpIsWrapped(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"submit"}, {"inspect"}, {"run"}, {"dead", "ls"}, {"jobs", "ls"}} {
		var out bytes.Buffer
		root := rootCommand()
		root.SetArgs(append(args, "--help"))
		root.SetOut(&out)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > 150 {
				t.Errorf("%v --help has a line of %d characters: %s", args, len(line), line)
			}
		}
	}
}
