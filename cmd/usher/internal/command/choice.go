package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is the value of a flag that takes one of a few words.
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
	if err := CheckWord(word, c.accepts); err != nil {
		return err
	}
	*c.into = word
	return nil
}

// choices is the value of a flag that takes several of a few words: the flag is
// repeated, or the words are separated by commas.
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
		if err := CheckWord(word, c.accepts); err != nil {
			return err
		}
		*c.into = append(*c.into, word)
	}
	return nil
}

// CheckWord returns an error that names the accepted words unless word is one of
// them.
func CheckWord(word string, accepts []string) error {
	if slices.Contains(accepts, word) {
		return nil
	}
	return fmt.Errorf("accepted are %s%s", strings.Join(accepts, ", "), DidYouMean(word, accepts))
}

// ChoiceVar adds a flag that takes one of the words in accepts. *into is its default.
func ChoiceVar(cmd *cobra.Command, into *string, name, about string, accepts ...string) {
	cmd.Flags().Var(choice{into, accepts}, name, about+": "+strings.Join(accepts, ", "))
	complete(cmd, name, accepts)
}

// ChoicesVar adds a flag that takes several of the words in accepts.
func ChoicesVar(cmd *cobra.Command, into *[]string, name, about string, accepts ...string) {
	cmd.Flags().Var(choices{into, accepts}, name, about+": "+strings.Join(accepts, ", "))
	complete(cmd, name, accepts)
}

// complete registers the words for the shell's completion.
func complete(cmd *cobra.Command, flag string, words []string) {
	// It fails only if the flag does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}
