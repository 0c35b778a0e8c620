package command

import (
	"github.com/spf13/cobra"

	"usher/internal/readable"
)

// NoArgs accepts no arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no arguments, only flags: %s", cmd.CommandPath(), cmd.UseLine())
	}
	return nil
}

// ExactArgs accepts one argument for each word. The words are those of the
// command's usage; the error names the missing one.
func ExactArgs(words ...string) cobra.PositionalArgs {
	return RangeArgs(len(words), words...)
}

// RangeArgs accepts at least the first least of words, and at most all of them.
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
