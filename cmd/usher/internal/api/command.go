package api

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/rtb"
)

// Command returns usher api with a command AREA VERB for each operation of rtb's table.
func Command() *cobra.Command {
	api := command.Group("api", "Call any operation of the platform")
	api.AddCommand(apiAreas()...)
	api.Long = `Call an operation of the platform with the configured login and print the response: as
a table, or as the platform's JSON with --json. Parameters of the path are arguments or
flags; fields of a JSON body are flags, or the whole body is given by --body.

Passwords and card numbers cannot be given on the command line: they are read from a
file, from the environment, or from a prompt. api exits 1 with the platform's message
if the platform refuses the call, and 2 if the command line is wrong.`
	api.Example = `  usher api segments list
  usher api segments create --name "iOS customers" --type IDFA
  usher api campaigns get SANDBOX1-spring --json
  usher api campaigns put SANDBOX1-spring --body @campaign.json`
	api.PersistentFlags().String("login-username", "", "log in as this user instead of the configured one (platform.username)")
	api.PersistentFlags().String("login-advertiser", "", "log in for this advertiser instead of the configured one (platform.advertiser)")
	return api
}

func apiAreas() []*cobra.Command {
	var areas []*cobra.Command
	for _, op := range rtb.Operations() {
		area, _, _ := strings.Cut(op.Name, ".")
		at := slices.IndexFunc(areas, func(c *cobra.Command) bool { return c.Name() == area })
		if at < 0 {
			at = len(areas)
			areas = append(areas, command.Group(area, "Operations on "+area))
		}
		command.Add(areas[at], operationCommand(op))
	}
	for _, area := range areas {
		addPointers(area)
	}
	return areas
}

// apiCall is an operation with its input from the command line.
type apiCall struct {
	op     rtb.Operation
	inputs []*apiInput

	body    string // a JSON object, @FILE or -
	json    bool
	csv     bool
	secrets []string // values that must not be shown

	template  bool // print an example of the body instead of calling
	selected  selection
	chart     string // the field to draw as a chart, or ""
	creatives bool   // the chart has the creatives instead of the campaign
}

func operationCommand(op rtb.Operation) *cobra.Command {
	_, verb, _ := strings.Cut(op.Name, ".")
	call := &apiCall{op: op, inputs: apiInputs(op)}
	cmd := &cobra.Command{
		Use:     strings.Join(append([]string{verb}, call.usage()...), " "),
		Short:   op.Summary,
		Long:    call.long(),
		Aliases: otherNames(op.Name),
		Example: "  " + strings.Join(call.exampleLines(), "\n  "),
		Args:    command.RangeArgs(0, call.argumentNames()...),
		RunE:    call.run,
	}
	for _, in := range call.inputs {
		in.addFlag(cmd)
	}
	if call.bodyField() != nil {
		cmd.Flags().StringVar(&call.body, "body", "", "JSON body: `JSON`, @FILE, or - for stdin; may have comments and be what a read prints with --json; other flags add fields to it")
		cmd.Flags().BoolVar(&call.template, "body-template", false, "print a complete example of the body with comments, and call nothing")
		cmd.MarkFlagsMutuallyExclusive("body", "body-template")
	}
	call.addOutputFlags(cmd)
	call.completeWords(cmd)
	config.AddFlags(cmd, "platform")
	// The interface's spelling is accepted as well: --intelliPixelPath.
	cmd.Flags().SetNormalizeFunc(normalizeFlag)
	return cmd
}

// addOutputFlags adds the flags about the response.
func (c *apiCall) addOutputFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.json, "json", false, "print the data of the response as sent by the platform, or its whole answer if the call fails")
	if _, isList := c.list(); !isList {
		return
	}
	c.addListFlags(cmd)
	if c.listOfRecords() {
		cmd.Flags().BoolVar(&c.csv, "csv", false, "print the list as CSV with a header; nested lists follow their record as rows")
		cmd.MarkFlagsMutuallyExclusive("json", "csv")
		c.addChartFlags(cmd)
	}
}

func cmdPath(op rtb.Operation) string {
	return "usher api " + strings.Replace(op.Name, ".", " ", 1)
}

// pathInputs returns the parameters of the path, in its order.
func (c *apiCall) pathInputs() []*apiInput {
	var list []*apiInput
	for _, in := range c.inputs {
		if in.where == rtb.InPath {
			list = append(list, in)
		}
	}
	slices.SortStableFunc(list, func(a, b *apiInput) int {
		return strings.Index(c.op.Path, "{"+a.path[0]+"}") - strings.Index(c.op.Path, "{"+b.path[0]+"}")
	})
	return list
}

// argumentNames returns the names of the arguments: SEGMENT-ID.
func (c *apiCall) argumentNames() []string {
	var words []string
	for _, in := range c.pathInputs() {
		words = append(words, in.argumentName())
	}
	return words
}

// usage returns the argument names with brackets around optional ones.
func (c *apiCall) usage() []string {
	var words []string
	for _, in := range c.pathInputs() {
		word := in.argumentName()
		if !in.required {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	return words
}

// bodyField returns the field of the JSON body, or nil if the operation has none.
func (c *apiCall) bodyField() *rtb.Field {
	for i, f := range c.op.Fields {
		if f.Where == rtb.InBody {
			return &c.op.Fields[i]
		}
	}
	return nil
}

// long returns the operation's help.
func (c *apiCall) long() string {
	text := c.op.About
	var secrets []string
	for _, in := range c.inputs {
		if in.secret {
			secrets = append(secrets, fmt.Sprintf("%s is read from --%s-file, %s or %s_FILE", in.path[len(in.path)-1], in.flag, in.variable(), in.variable()))
		}
	}
	if len(secrets) > 0 {
		text += "\n\nNot on the command line: " + strings.Join(secrets, "; ") + ", or from a prompt."
	}
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		paragraphs = append(paragraphs, strings.Join(terminal.Wrap(paragraph, 80), "\n"))
	}
	return strings.Join(paragraphs, "\n\n") + "\n\n" + c.op.Method + " " + c.op.Path
}

// otherNames returns further names of an operation's verb.
func otherNames(operation string) []string {
	_, verb, _ := strings.Cut(operation, ".")
	switch operation {
	case "campaigns.put", "users.put":
		return []string{"create", "update"}
	case "creatives.push":
		return []string{"upload"}
	case "segments.update", "advertisers.update":
		return []string{"put"}
	case "reporting.transactions":
		return []string{"transaction"}
	}
	return map[string][]string{"list": {"ls"}, "get": {"show"}, "delete": {"rm"}}[verb]
}

// addPointers adds commands for words that people try and that stand for several
// operations. They only say which ones.
func addPointers(area *cobra.Command) {
	if area.Name() != "ssp" {
		return
	}
	for _, verb := range []string{"create", "update", "put", "get", "list"} {
		target := "put-publisher or put-adslot"
		switch verb {
		case "get":
			target = "publisher or adslot"
		case "list":
			target = "publisher or adslot, which read one: the platform does not list them"
		}
		area.AddCommand(&cobra.Command{
			Use: verb, Hidden: true, DisableFlagParsing: true,
			Short: "Use " + target, Long: "Use " + target + ".", Example: "  usher api ssp --help",
			RunE: func(*cobra.Command, []string) error {
				return command.Usagef("ssp has no %s: use %s", verb, target)
			},
		})
	}
}

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
