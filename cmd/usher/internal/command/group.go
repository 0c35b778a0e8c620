package command

import (
	"fmt"
	"slices"
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
			return Usagef("COMMAND is missing: %s takes one of: %s", cmd.CommandPath(), strings.Join(names(cmd), ", "))
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// UnknownCommand returns the error for a word that is no command of cmd.
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
