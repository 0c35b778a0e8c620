package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag's value that is one of a few words.
type choice struct {
	into    *string
	accepts []string
}

func (c choice) String() string {
	if c.into == nil {
		return ""
	}
	return *c.into
}

func (choice) Type() string { return "word" }

func (c choice) Set(word string) error {
	if err := oneOf(word, c.accepts); err != nil {
		return err
	}
	*c.into = word
	return nil
}

// choices is a flag's value that is some of a few words: repeated, or with
// commas.
type choices struct {
	into    *[]string
	accepts []string
}

func (c choices) String() string {
	if c.into == nil {
		return ""
	}
	return strings.Join(*c.into, ",")
}

func (choices) Type() string { return "words" }

func (c choices) Set(list string) error {
	for word := range strings.SplitSeq(list, ",") {
		if err := oneOf(word, c.accepts); err != nil {
			return err
		}
		*c.into = append(*c.into, word)
	}
	return nil
}

func oneOf(word string, accepts []string) error {
	if slices.Contains(accepts, word) {
		return nil
	}
	return fmt.Errorf("accepted are %s%s", strings.Join(accepts, ", "), didYouMean(word, accepts))
}

// choiceFlag adds a flag that takes one of a few words; into holds its default.
func choiceFlag(cmd *cobra.Command, into *string, name, about string, accepts ...string) {
	cmd.Flags().Var(choice{into, accepts}, name, about+": "+strings.Join(accepts, ", "))
	complete(cmd, name, accepts)
}

// choicesFlag adds a flag that takes some of a few words.
func choicesFlag(cmd *cobra.Command, into *[]string, name, about string, accepts ...string) {
	cmd.Flags().Var(choices{into, accepts}, name, about+": "+strings.Join(accepts, ", "))
	complete(cmd, name, accepts)
}

func complete(cmd *cobra.Command, flag string, words []string) {
	// It fails only for a flag that there is not.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

// none is an Args check of commands that take flags only.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no arguments, only flags: %s", cmd.CommandPath(), cmd.UseLine())
	}
	return nil
}

// exactly is an Args check that names what is missing or too much. The words
// are those of the command's usage.
func exactly(words ...string) cobra.PositionalArgs {
	return between(len(words), words...)
}

// between takes at least the first least of words, and no more than all.
func between(least int, words ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s is missing: %s", words[len(args)], cmd.UseLine())
		case len(args) > len(words):
			return usage("%s too many: %s", plural(int64(len(args)-len(words)), "argument"), cmd.UseLine())
		}
		return nil
	}
}
