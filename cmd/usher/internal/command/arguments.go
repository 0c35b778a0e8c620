package command

import (
	"github.com/spf13/cobra"

	"usher/internal/readable"
)

// NoArgs is an Args check of commands that take flags only.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no arguments, only flags: %s", cmd.CommandPath(), cmd.UseLine())
	}
	return nil
}

// ExactArgs is an Args check that names what is missing or too much. The words
// are those of the command's usage.
func ExactArgs(words ...string) cobra.PositionalArgs {
	return RangeArgs(len(words), words...)
}

// RangeArgs takes at least the first least of words, and no more than all.
func RangeArgs(least int, words ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return Usagef("%s is missing: %s", words[len(args)], cmd.UseLine())
		case len(args) > len(words):
			return Usagef("%s too many: %s", readable.Count(int64(len(args)-len(words)), "argument"), cmd.UseLine())
		}
		return nil
	}
}
