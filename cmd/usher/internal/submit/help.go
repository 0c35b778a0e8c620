package submit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/queues/schema"
)

// offered returns the kinds that people and programs publish: all but those of rules only.
func offered() []string {
	return slices.DeleteFunc(command.Kinds(), func(kind string) bool { return usher.Kind(kind).OfRulesOnly() })
}

// addHelp makes the help of a kind name only the flags that the kind takes, and the help without a
// kind name the kinds and the flags that all of them take.
func addHelp(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if kind := kindOf(cmd); kind != "" {
			describeKind(cmd, kind)
		} else {
			describeKinds(cmd)
		}
		cmd.Parent().HelpFunc()(cmd, args)
	})
}

// kindOf returns the first kind of job among the arguments of submit, or "".
func kindOf(cmd *cobra.Command) usher.Kind {
	for _, word := range cmd.Flags().Args() {
		if slices.Contains(command.Kinds(), word) {
			return usher.Kind(word)
		}
	}
	return ""
}

// BeforeCompletion hides the flags that a kind of job does not take, before a shell completes the
// last word of a command line below root. If the line is not one of submit with a kind, it does
// nothing. Cobra has no such hook for the names of flags.
func BeforeCompletion(root *cobra.Command, line []string) {
	cmd, args, err := root.Find(line[:max(len(line)-1, 0)])
	if err != nil || cmd.Name() != "submit" {
		return
	}
	_ = cmd.ParseFlags(args) // cobra reports what is wrong with them
	if kind := kindOf(cmd); kind != "" {
		hideOthers(cmd, aboutKind(schema.Load(), kind))
	}
}

// about is what the schema of a kind says to people.
type about struct {
	Description string                     `json:"description"`
	Required    []string                   `json:"required"`
	Properties  map[string]json.RawMessage `json:"properties"`
}

func aboutKind(schemas *schema.Schemas, kind usher.Kind) (a about) {
	text, _ := schemas.Text(kind)
	_ = json.Unmarshal(text, &a) // the schemas are part of the program
	return a
}

// describeKind narrows the help of submit to a kind.
func describeKind(cmd *cobra.Command, kind usher.Kind) {
	a := aboutKind(schema.Load(), kind)
	var required []string
	for _, field := range a.Required {
		if flag := flagOf("/" + field); flag != "" && flag != "--id" {
			required = append(required, flag)
		}
	}
	_, takesFile := a.Properties["source"]
	cmd.Use, cmd.Short = "submit "+string(kind), a.Description
	if takesFile {
		cmd.Use += " [FILE]"
	}
	cmd.Long = strings.Join(terminal.Wrap(a.Description, 92), "\n")
	if len(required) > 0 {
		cmd.Long += "\n\nRequired: " + strings.Join(required, ", ") + "."
	}
	cmd.Long += "\n\n'usher submit --help' says what holds for all kinds of jobs."
	hideOthers(cmd, a)
	var examples []string
	for line := range strings.SplitSeq(cmd.Example, "\n") {
		if strings.Contains(line, " "+string(kind)+" ") {
			examples = append(examples, line)
		}
	}
	cmd.Example = strings.Join(examples, "\n")
}

// describeKinds lists the kinds in the help of submit.
func describeKinds(cmd *cobra.Command) {
	var list strings.Builder
	common := map[string]int{} // in how many kinds a field is
	schemas := schema.Load()
	for _, kind := range offered() {
		a := aboutKind(schemas, usher.Kind(kind))
		for field := range a.Properties {
			common[field]++
		}
		sentence, _, _ := strings.Cut(strings.TrimSuffix(a.Description, "."), ". ")
		short, _, _ := strings.Cut(sentence, ": ")
		fmt.Fprintf(&list, "  %-16s %s\n", kind, short)
	}
	cmd.Long += "\n\nThe kinds, whose flags 'usher submit KIND --help' lists:\n\n" + strings.TrimSuffix(list.String(), "\n")
	hide(cmd, func(field string) bool { return common[field] < len(offered()) })
}

// hideOthers hides the flags of a job that a kind does not take.
func hideOthers(cmd *cobra.Command, a about) {
	hide(cmd, func(field string) bool { _, takes := a.Properties[field]; return !takes })
}

// hide hides the flags of a job whose field is not taken.
func hide(cmd *cobra.Command, hidden func(field string) bool) {
	for flag, field := range fieldByFlag() {
		cmd.Flags().Lookup(flag).Hidden = hidden(field)
	}
}
