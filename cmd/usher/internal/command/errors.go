package command

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"usher/internal/readable"
)

// Exit codes.
const (
	OK         = 0
	Failed     = 1 // the file or job is invalid or does not exist, or the command failed
	UsageError = 2 // the command line is wrong
	DeadLetter = 3 // the job that was waited for ended as a dead letter
)

// An ExitError sets the program's exit code.
type ExitError struct {
	Code int
	Err  error // nil: print nothing
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Usagef returns an error of the command line itself.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: UsageError, Err: fmt.Errorf(format, args...)}
}

// FileError returns the error about a file that the command line names. It says what to
// do, and names the file only once.
func FileError(path string, err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: check the path", path, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w: make it readable for this user", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

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

// DidYouMean returns "; did you mean …?" with the nearest of choices, or "" if none
// is near.
func DidYouMean(word string, choices []string) string {
	// Three edits change a short word beyond recognition.
	if near := Nearest(word, choices, min(3, len(word)/2)); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Nearest returns the choice with the smallest edit distance to word, if that is
// at most edits, and "" otherwise. Case is ignored. A choice that begins with word
// counts as one edit away.
func Nearest(word string, choices []string, edits int) string {
	if near := readable.NearestWithin(word, choices, min(edits, 1)); near != "" || edits < 1 {
		return near
	}
	for _, choice := range choices {
		if strings.HasPrefix(strings.ToLower(choice), strings.ToLower(word)) {
			return choice
		}
	}
	return readable.NearestWithin(word, choices, edits)
}

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

// FilesUnless accepts one file or more, or none if a flag is set that needs none.
func FilesUnless(flags ...*bool) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if slices.ContainsFunc(flags, func(flag *bool) bool { return *flag }) {
			return NoArgs(cmd, args)
		}
		if len(args) == 0 {
			return Usagef("FILE is missing: %s", cmd.UseLine())
		}
		return nil
	}
}

// RangeArgs accepts at least the first least of words, and at most all of them.
func RangeArgs(least int, words ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return Usagef("%s is missing: %s", words[len(args)], cmd.UseLine())
		case len(args) > len(words):
			return Usagef("%s too many: %s", readable.Count(len(args)-len(words), "argument"), cmd.UseLine())
		}
		return nil
	}
}
