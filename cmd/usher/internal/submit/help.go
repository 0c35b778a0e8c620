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
	return slices.DeleteFunc(command.Kinds(), func(kind string) bool { return usher.Kind(kind).Field() != "" })
}

// addHelp makes the help of a kind name only the flags that the kind takes, and the help without a
// kind name the kinds and the flags that all of them take.
func addHelp(cmd *cobra.Command) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		kinds := slices.DeleteFunc(slices.Clone(cmd.Flags().Args()), func(word string) bool { return !slices.Contains(command.Kinds(), word) })
		if len(kinds) > 0 {
			describeKind(cmd, usher.Kind(kinds[0]))
		} else {
			describeKinds(cmd)
		}
		cmd.Parent().HelpFunc()(cmd, args)
	})
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
	hide(cmd, func(field string) bool { _, takes := a.Properties[field]; return !takes })
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

// hide hides the flags of a job whose field is not taken.
func hide(cmd *cobra.Command, hidden func(field string) bool) {
	for flag, field := range fieldByFlag() {
		cmd.Flags().Lookup(flag).Hidden = hidden(field)
	}
}
