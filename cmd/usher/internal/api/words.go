package api

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// capitals matches the words of the interface in a comment: IDFA, INTELLI_PIXEL.
var capitals = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[A-Z][A-Z_]+\b`) })

// words returns the words that the shell completes for an input: those that its comment
// names, except abbreviations.
func (in *apiInput) words() []string {
	switch {
	case in.path[len(in.path)-1] == "realm":
		return []string{"ADMIN", "VIEW", "AGENCYADMIN"}
	case in.kind == boolInput:
		return []string{"true", "false"}
	case in.kind != textInput || in.secret:
		return nil
	case strings.HasPrefix(in.path[len(in.path)-1], "deduct"):
		return []string{"true", "false"}
	}
	var words []string
	for _, word := range capitals().FindAllString(in.about, -1) {
		if !slices.Contains([]string{"URL", "ISO", "ZIP", "IAB", "ID", "USD", "YYYY", "MM", "DD", "CPM"}, word) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// completeWords registers the words of flags and arguments for the shell.
func (c *apiCall) completeWords(cmd *cobra.Command) {
	for _, in := range c.inputs {
		if words := in.words(); len(words) > 0 {
			complete(cmd, in.flag, words)
		}
	}
	arguments := c.pathInputs()
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(arguments) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return arguments[len(args)].words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// complete registers the words of a flag for the shell.
func complete(cmd *cobra.Command, flag string, words []string) {
	// It fails only if the flag does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}
