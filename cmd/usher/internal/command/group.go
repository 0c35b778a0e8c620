package command

import (
	"strings"

	"github.com/spf13/cobra"
)

// Group returns a command that only holds others.
func Group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return UnknownCommand(cmd, args[0])
			}
			return Usagef("which of them? %s takes one of: %s", cmd.CommandPath(), strings.Join(names(cmd), ", "))
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// UnknownCommand returns the error for a word that is no command of cmd.
func UnknownCommand(cmd *cobra.Command, word string) error {
	return Usagef("unknown command %q for %q%s", word, cmd.CommandPath(), DidYouMean(word, names(cmd)))
}

// names returns the names of the commands below cmd.
func names(cmd *cobra.Command) []string {
	var list []string
	for _, sub := range cmd.Commands() {
		list = append(list, sub.Name())
	}
	return list
}
