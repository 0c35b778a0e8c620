package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Short == "" {
			t.Errorf("%s has no short help", cmd.CommandPath())
		}
		if cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
			return // cobra's own
		}
		if runsItself(cmd) && cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s has no long help or no example", cmd.CommandPath())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.Contains(f.Usage, "; ;") {
				t.Errorf("%s --%s has no help, or an empty piece: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand())
}

func TestHelpIsWrapped(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"submit"}, {"inspect"}, {"run"}, {"dead", "ls"}, {"jobs", "ls"}} {
		var out bytes.Buffer
		root := rootCommand()
		root.SetArgs(append(args, "--help"))
		root.SetOut(&out)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > 150 {
				t.Errorf("%v --help has a line of %d characters: %s", args, len(line), line)
			}
		}
	}
}

// Without a command, usher prints the commands with which people begin, in the groups of the README.
func TestFrontPage(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	if code := execute(t.Context(), nil, strings.NewReader(""), &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, errs.String())
	}
	if lines := strings.Count(out.String(), "\n"); lines > 25 {
		t.Errorf("the front page has %d lines:\n%s", lines, out.String())
	}
	readme, err := os.ReadFile(atRoot("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range regexp.MustCompile(`\*\*(You [^.*]*)\.\*\*`).FindAllStringSubmatch(string(readme), -1) {
		if !strings.Contains(out.String(), "\n"+title[1]+"\n") {
			t.Errorf("the front page lacks the README's %q:\n%s", title[1], out.String())
		}
	}
}

// A shell offers the flags that the help of a kind lists, and all flags if there is no kind yet.
func TestCompletionOfKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line     string
		has, not string // words, separated by blanks
	}{
		{"submit segment.add --", "--segment --profile --column --wait --nats --absolute", "--force --campaign --metrics --targets"},
		{"submit --reason x campaign.pause --", "--campaign --creative --deadline", "--segment --column"},
		{"submit campaign.pause --campaign SANDBOX1-summer --c", "--creative --config", "--column --campaign"},
		{"submit no.kind --", "--segment --campaign", ""},
		{"submit --", "--segment --campaign", ""},
		{"jobs ls --", "--json", "--segment"},
	} {
		var out, errs strings.Builder
		if code := execute(t.Context(), append([]string{"__complete"}, strings.Fields(c.line)...), strings.NewReader(""), &out, &errs); code != 0 {
			t.Fatalf("%s: exit code %d, %s", c.line, code, errs.String())
		}
		for word := range strings.FieldsSeq(c.has) {
			if !strings.Contains("\n"+out.String(), "\n"+word+"\t") {
				t.Errorf("%s lacks %s:\n%s", c.line, word, out.String())
			}
		}
		for word := range strings.FieldsSeq(c.not) {
			if strings.Contains("\n"+out.String(), "\n"+word+"\t") {
				t.Errorf("%s has %s:\n%s", c.line, word, out.String())
			}
		}
	}
}

// The help of a kind lists the flags of its schema only, and kinds of rules only are not offered.
func TestHelpOfKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args     []string
		has, not string // words, separated by blanks
	}{
		{[]string{"submit", "--help"}, "segment.add device.forget --id --wait", "campaign.budget campaign.bid --segment --column"},
		{[]string{"submit", "segment.add", "--help"}, "--segment --profile --column --wait FILE", "--force --campaign --metrics --targets"},
		{[]string{"submit", "--help", "campaign.pause"}, "--campaign --creative", "--segment --column FILE"},
		{[]string{"help", "submit", "rules.evaluate"}, "--rules --as-of", "--segment --creative"},
	} {
		var out, errs strings.Builder
		if code := execute(t.Context(), c.args, strings.NewReader(""), &out, &errs); code != 0 {
			t.Fatalf("%v: exit code %d, %s", c.args, code, errs.String())
		}
		for word := range strings.FieldsSeq(c.has) {
			if !strings.Contains(out.String(), word) {
				t.Errorf("%v lacks %s:\n%s", c.args, word, out.String())
			}
		}
		for word := range strings.FieldsSeq(c.not) {
			if strings.Contains(out.String(), word) && (!strings.HasPrefix(word, "--") || strings.Contains(out.String(), "\n      "+word+" ")) {
				t.Errorf("%v has %s:\n%s", c.args, word, out.String())
			}
		}
	}
}
