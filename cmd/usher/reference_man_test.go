package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage returns the man page usher(1), with all commands but those below usher api.
func manPage() string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	root := rootCommand(false)
	line(`.\" Generated from the code by go generate ./cmd/usher. Do not edit.`)
	line(`.TH USHER 1 "" "usher" "User Commands"`)
	line(".SH NAME\nusher \\- %s", roff(root.Short))
	line(".SH SYNOPSIS\n.B usher\n.I COMMAND\n[flags]")
	line(".SH DESCRIPTION\n%s", roff(root.Long))
	line(".SH COMMANDS")
	eachCommand(root, func(cmd *cobra.Command) {
		if !cmd.HasParent() || cmd.Parent().Name() == "completion" {
			return
		}
		line(".SS %s\n.nf\n%s\n.fi", roff(cmd.UseLine()), roff(strings.TrimSpace(cmd.Long+"\n\n"+cmd.Example)))
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden {
				kind, usage := pflag.UnquoteUsage(f)
				line(".TP\n.B \\-\\-%s %s\n%s", roff(f.Name), roff(kind), roff(usage))
			}
		})
	})
	line(".SH EXIT STATUS\n0 success; 1 failure; 2 an error in the command line; 3 the job that was waited for ended in the dead letters.")
	line(".SH FILES\n.I usher.yaml\nThe configuration, in the working directory or as \\-\\-config says.")
	return text.String()
}

// roff escapes text for a man page.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
