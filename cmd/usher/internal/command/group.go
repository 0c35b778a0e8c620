package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"usher/cmd/usher/internal/terminal"
)

// Group returns a command that only contains other commands.
func Group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return UnknownCommand(cmd, args[0])
			}
			return Usagef("COMMAND is missing: %s takes one of: %s", cmd.CommandPath(), strings.Join(names(cmd), ", "))
		},
	}
	Add(cmd, subs...)
	return cmd
}

// Add adds subs to a group. The group's examples are the first ones of its first two
// commands.
func Add(group *cobra.Command, subs ...*cobra.Command) {
	for _, sub := range subs {
		example, _, _ := strings.Cut(sub.Example, "\n")
		switch {
		case group.Example == "":
			group.Example = example
		case !strings.Contains(group.Example, "\n"):
			group.Example += "\n" + example
		}
	}
	group.AddCommand(subs...)
}

// UnknownCommand returns the error for a word that is not a command below cmd.
func UnknownCommand(cmd *cobra.Command, word string) error {
	near := DidYouMean(word, names(cmd))
	for _, sub := range cmd.Commands() {
		if slices.Contains(sub.SuggestFor, word) {
			near = fmt.Sprintf("; did you mean %q?", sub.Name())
		}
	}
	return Usagef("unknown command %q for %q%s", word, cmd.CommandPath(), near)
}

// names returns the names of the commands below cmd.
func names(cmd *cobra.Command) []string {
	var list []string
	for _, sub := range cmd.Commands() {
		list = append(list, sub.Name())
	}
	return list
}

// WrapHelp makes root and all commands below it wrap the help of flags. A usage template
// with FlagUsagesWrapped would link text/template, which prevents the linker from
// removing unused methods: the binary would be 40 % larger.
func WrapHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.Join(terminal.Wrap(f.Usage, 72), "\n") })
		help(cmd, args)
	})
}
