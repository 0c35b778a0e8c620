package command

import (
	"strings"

	"github.com/spf13/cobra"
)

func UnknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return Usagef("unknown command %q for %q%s", word, cmd.CommandPath(), DidYouMean(word, names))
}

// Group is a command that only holds others.
func Group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return UnknownCommand(cmd, args[0])
			}
			names := make([]string, 0, len(cmd.Commands()))
			for _, sub := range cmd.Commands() {
				names = append(names, sub.Name())
			}
			return Usagef("which of them? %s takes one of: %s", cmd.CommandPath(), strings.Join(names, ", "))
		},
		Args: cobra.ArbitraryArgs,
	}
	cmd.AddCommand(subs...)
	return cmd
}
