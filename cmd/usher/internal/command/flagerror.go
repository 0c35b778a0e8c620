package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagError makes the flag library's error about cmd's flags a usage error. It
// adds the values that a flag accepts, or the nearest flag to an unknown one. If an
// unknown command precedes the flag, the error is about that command.
func FlagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return UnknownCommand(cmd, args[0])
	}
	return Usagef("%w%s", explainValue(err), suggestFlag(cmd, err))
}

// suggestFlag returns the nearest flag to the unknown one that err names.
func suggestFlag(cmd *cobra.Command, err error) string {
	_, word, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return ""
	}
	if word == "type" && cmd.Flags().Lookup("profile") != nil {
		return `; did you mean "--profile"?` // rather than --type-column, whose name is only similar
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return strings.Replace(DidYouMean(word, names), `"`, `"--`, 1)
}

// explainValue adds the values that a flag accepts to an error that only says that
// a value could not be parsed.
func explainValue(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	accepted := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint": "a whole number, 0 or more",
		"float64": "a number", "duration": "a duration such as 500ms, 30s or 24h", "bool": "true or false",
	}[invalid.GetFlag().Value.Type()]
	if accepted == "" {
		return err
	}
	return fmt.Errorf("invalid argument %q for --%s: it takes %s", invalid.GetValue(), invalid.GetFlag().Name, accepted)
}
