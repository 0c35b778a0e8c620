package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/internal/feeds"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues/schema"
)

// referenceFolder has the pages and JSON Schemas that TestReference generates.
const referenceFolder = "docs/reference/"

// TestReference compares the pages of the reference with the code that they are generated
// from. With -update, it writes them.
func TestReference(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"configuration.md": configurationPage(),
		"commands.md":      commandsPage(),
		"api.md":           operationsPage(),
		"jobs.md":          jobsPage(t),
		"rules.md":         rulesPage(t),
		"feeds.md":         feedsPage(t),
		"records.md":       recordsPage(t),
		"errors.md":        errorsPage(t),
		"metrics.md":       metricsPage(t),
		"alerts.md":        alertsPage(t),
		"http.md":          routesPage(t),
		"nats.md":          subjectsPage(t),
		"chart.md":         chartPage(t),
		"usher.1":          manPage(),

		"schemas/rules.schema.json": string(rules.Schema()),
		"schemas/feeds.schema.json": string(feeds.Schema()),
	}
	for _, kind := range usher.Kinds() {
		text, _ := schema.Load().Text(kind)
		pages[fmt.Sprintf("schemas/%s.schema.json", kind)] = string(text)
	}
	update := flag.Lookup("update").Value.String() == "true"
	for name, want := range pages {
		want = strings.TrimRight(want, "\n") + "\n"
		file := atRoot(referenceFolder + name)
		if update {
			if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s%s is not up to date: run go generate ./cmd/usher (%v)", referenceFolder, name, err)
		}
	}
}

// page builds a page of the reference.
type page struct {
	strings.Builder

	shared bool // the fields source and profile have sections of their own
}

// newPage returns a page with its title, and a remark that it is generated.
func newPage(title, about string) *page {
	p := &page{}
	p.linef("<!-- Generated from the code by go generate ./cmd/usher. Do not edit. -->\n\n# %s\n\n%s\n", title, strings.TrimSpace(about))
	return p
}

func (p *page) linef(format string, args ...any) { fmt.Fprintf(&p.Builder, format+"\n", args...) }

// row adds the row of a table.
func (p *page) row(cells ...string) {
	for i, c := range cells {
		cells[i] = cell(c)
	}
	p.linef("%s", strings.TrimRight("| "+strings.Join(cells, " | "), " ")+" |")
}

// table begins a table.
func (p *page) table(heads ...string) {
	p.row(heads...)
	p.linef("|%s", strings.Repeat("---|", len(heads)))
}

// cell returns text as a cell of a table: outside of code, < begins no HTML.
func cell(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", "&lt;", "*", `\*`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

// code returns text as code, or "" for "".
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func configurationPage() string {
	p := newPage("Configuration", `
Flags override environment variables, these override the configuration file, and the file overrides defaults. The file is `+"`usher.yaml`"+` in the working directory, or the one that `+"`--config`"+` names. [deploy/usher.yaml](../../deploy/usher.yaml) has every key with its default and an explanation.

If a value is not accepted, usher does not start and names the key. A variable whose name is nearly that of a key causes a warning. The default addresses are those on which `+"`usher dev`"+` listens. `+"`usher demo`"+` reads no configuration.`)
	p.table("key", "variable", "default", "what it is for")
	var fromFile []string
	for _, k := range config.Keys() {
		p.row(code(k.Name), code(k.Variable), code(k.Default), k.About)
		if k.FromFile {
			fromFile = append(fromFile, code(k.Variable+"_FILE"))
		}
	}
	p.linef("\nPasswords, and URLs that may hold one, may come from a file, which these variables name: %s.", strings.Join(fromFile, ", "))
	return p.String()
}

func operationsPage() string {
	p := newPage("Operations of the platform", `
`+"`usher api AREA VERB`"+` calls one operation of the platform. Each command has flags and examples in its `+"`--help`"+`; the examples run as printed with `+"`usher sandbox`"+`.

It prints a table, or the platform's JSON with `+"`--json`"+` (also that of a refusal), CSV, or a chart (`+"`--chart impressions`"+`). Lists take `+"`--search`, `--limit` and `--fields`. `--body-template`"+` prints a complete body with comments, and `+"`--body`"+` takes it, or what `+"`get --json`"+` printed. A wrong type and a mistyped field are named by their path. If the answer to a call is lost, usher says what may have happened and how to look.`)
	p.table("command", "request", "")
	for _, o := range rtb.Operations() {
		area, verb, _ := strings.Cut(o.Name, ".")
		p.row(code("usher api "+area+" "+verb), code(o.Method+" "+o.Path), o.Summary)
	}
	return p.String()
}

func jobsPage(t *testing.T) string {
	t.Helper()
	p := newPage("Jobs", `
A job is JSON, published to the NATS subject `+"`usher.jobs.<kind>`"+`, requested from `+"`usher.submit.<kind>`"+`, or sent to [`+"`POST /v1/jobs/<kind>`"+`](http.md). Unknown fields are errors. [Jobs from your own program](../guide/jobs.md) says which way to choose. `+"`usher submit KIND --schema`"+` prints the JSON Schema of a kind; they are also in [schemas](schemas). [asyncapi.json](asyncapi.json) describes jobs over NATS, [openapi.json](openapi.json) jobs over HTTP.`)
	text, _ := schema.Load().Text(usher.SegmentAdd)
	add := parseSchema(t, text)
	p.linef("\n## The field profile\n\n%s\n", add.Properties["profile"].resolve(add).Description)
	p.table("field", "type", "")
	p.nested(add, add.Properties["profile"].resolve(add), "profile")
	p.linef("\n## The field source\n\n%s [Exports](exports.md) has the details.\n", add.Properties["source"].resolve(add).Description)
	p.table("field", "type", "")
	p.nested(add, add.Properties["source"].resolve(add), "source")
	p.shared = true
	for _, kind := range usher.Kinds() {
		text, _ := schema.Load().Text(kind)
		s := parseSchema(t, text)
		p.linef("\n## %s\n\n%s [JSON Schema](schemas/%s.schema.json)\n", kind, s.Description, kind)
		p.fields(s, s, "")
		if len(s.Examples) > 0 {
			var example bytes.Buffer
			if err := json.Indent(&example, s.Examples[0], "", "  "); err != nil {
				t.Fatal(err)
			}
			p.linef("\n```json\n%s\n```", example.String())
		}
	}
	return p.String()
}

func feedsPage(t *testing.T) string {
	t.Helper()
	s := parseSchema(t, feeds.Schema())
	p := newPage("Feed files", s.Description+`

The [guide](../guide/feeds.md) has an example. The file's [JSON Schema](schemas/feeds.schema.json) is for editors.
`)
	p.fields(s, s.Defs["feed"], "")
	return p.String()
}
