package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// DidYouMean is "; did you mean …?" with the nearest choice, or nothing where
// none is near.
func DidYouMean(word string, choices []string) string {
	// Of a short word nothing is left after three changes.
	if near := Nearest(word, choices, min(3, len(word)/2)); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Nearest is the choice that is no more than so many changes away, or that
// begins with word; "" for none.
func Nearest(word string, choices []string, changes int) string {
	probe := &cobra.Command{}
	for _, choice := range choices {
		probe.AddCommand(&cobra.Command{Use: choice, Run: func(*cobra.Command, []string) {}})
	}
	// Cobra suggests all up to a distance, in no order: the first that come up as
	// it grows are the nearest.
	for probe.SuggestionsMinimumDistance = 1; probe.SuggestionsMinimumDistance <= changes; probe.SuggestionsMinimumDistance++ {
		if near := probe.SuggestionsFor(word); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}

// SuggestFlag is the nearest flag to the one that an error names.
func SuggestFlag(cmd *cobra.Command, err error) string {
	_, word, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return ""
	}
	if word == "type" && cmd.Flags().Lookup("profile") != nil {
		return `; did you mean "--profile"?` // the type of ids, unlike the flag that is spelt alike
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := DidYouMean(word, names)
	return strings.Replace(near, `"`, `"--`, 1)
}

// AcceptedBy makes an error of a flag's value say what the flag takes, where
// the flag library only says that it could not parse it.
func AcceptedBy(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	wants := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint": "a whole number from 0 on",
		"float64": "a number", "duration": "a duration such as 500ms, 30s or 24h", "bool": "true or false",
	}[invalid.GetFlag().Value.Type()]
	if wants == "" {
		return err
	}
	return fmt.Errorf("invalid argument %q for --%s: it takes %s", invalid.GetValue(), invalid.GetFlag().Name, wants)
}
