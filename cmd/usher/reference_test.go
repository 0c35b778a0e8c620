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
	p.WriteString(aboutIdentity)
	text, _ := schema.Load().Text(usher.SegmentAdd)
	add := parseSchema(t, text)
	p.linef("\n## The field profile\n\n%s\n", add.Properties["profile"].resolve(add).Description)
	p.table("field", "type", "")
	p.nested(add, add.Properties["profile"].resolve(add), "profile")
	p.linef("\n## The field source\n\n%s [Exports](exports.md) has the details.\n", add.Properties["source"].resolve(add).Description)
	p.table("field", "type", "")
	p.nested(add, add.Properties["source"].resolve(add), "source")
	p.WriteString(aboutWithheld)
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

// aboutIdentity says which ids and headers a job may have.
const aboutIdentity = `
## Ids, headers and CloudEvents

- An id has 1–128 characters of ` + "`A-Za-z0-9._-`, without a dot at either end or two dots in a row. Without `id`, the job's id is the header `ce-id`, otherwise `Nats-Msg-Id`, otherwise `seq-<stream sequence>`. Ids that usher itself gives are refused: `seq-<number>`, `rule-<file>-<rule>-<time>`, `feed-<name>-<version>` and `forget-<digits>`" + `.
- All publishers share the message IDs of NATS: ` + "`\"duplicate\":true` in a PubAck may mean that another message had this `Nats-Msg-Id`, which `usher.submit` and HTTP notice. A NATS cluster refuses a message with error 10158 while it stores another one with the same `Nats-Msg-Id`" + `: publish it again.
- A job may come as a CloudEvent 1.0, in either mode of its NATS binding: binary, with ` + "`ce-…` headers and the job as the body, or structured, with the header `content-type: application/cloudevents+json` and the job in the envelope's `data`. The event's `id` becomes the job's id if the job has none; its `traceparent`" + ` is kept. HTTP takes both forms as well.
- Headers whose names begin with ` + "`Usher-` are reserved for usher. A message with one is refused as `invalid_job`" + `.
`

// aboutWithheld says whom the exceptions and the holdout of a mirror leave out.
const aboutWithheld = `
## The fields except and holdout

Both are of mirrors. The ids that they leave out count as withheld, under ` + "`except:segment/1` and `holdout:autumn`. `usher jobs show`, `usher audiences show`" + ` and the page of the audience say how many they are, and as of which generation of the other target.

- ` + "`except`" + ` takes up to 10 targets. Their members are left out as they are when the mirror compares: those of the newest generation and of what other jobs have added since, without those that have lapsed. An id that is only perhaps a member, because a job has not ended as it should, is left out, too. A target without a ledger is never an empty exception: the job ends as ` + "`ledger_broken`" + `. Exceptions may be chained, but targets that except each other are refused, by name.
- Who is held out of the other target is no member of it. Give both the same key, so that these people are held out here, too.
- Who is held out depends on nothing but the id and the key: it is the same in each segment, on each day and on each worker. So the same key keeps the same people out of all segments; another key chooses others. In Python, an id is held out of 10 % if ` + "`int.from_bytes(hmac.digest(b\"autumn\", digest.encode(), \"sha256\")[:8]) < 0.10 * 2**64`" + `.
- ` + "`usher ledger export segment/4 --holdout`" + ` prints the digests that are held out, and without the flag those of the members. A forgotten id is in neither.
- The next mirror leaves out only what its own job says, and warns (` + "`not_withheld`) of what the one before has left out and it does not. A rollback leaves out what the newest mirror has left out, and so does `usher ledger diff`" + ` without the flags.
- A mirror that would leave out everybody is refused, also with ` + "`force`" + `.
`

func feedsPage(t *testing.T) string {
	t.Helper()
	s := parseSchema(t, feeds.Schema())
	p := newPage("Feed files", s.Description+`

A file has a list, `+"`feeds`"+`:

`+"```yaml\n"+feedExample+"```"+`

These are the fields of a feed. The [guide](../guide/feeds.md) sets one up, and the file's [JSON Schema](schemas/feeds.schema.json) is for editors.
`)
	if _, problems := feeds.Load("example", []byte(feedExample)); len(problems) > 0 {
		t.Errorf("the example is refused: %v", problems)
	}
	p.fields(s, s.Defs["feed"], "")
	p.WriteString(aboutFeeds)
	return p.String()
}

// feedExample is a feed file.
const feedExample = `feeds:
  - name: crm
    watch: /exports/crm/*.csv
    job: {kind: segment.mirror, segment: "4", profile: idfa}
`

// aboutFeeds says what feeds take, hold and leave.
const aboutFeeds = `
## What a feed takes

- **An export.** ` + "`watch` takes what a source's [`url`](exports.md#places)" + ` takes. A folder, or whatever has ` + "`done_marker: _SUCCESS`" + `, is one export: all its files together, at most 5,000. With a ` + "`*`" + `, each file is a separate export, of which there may be a million, taken 4,000 at a time; a mirror takes only the newest by name, and never goes back to an older one that lay beside it. Upper and lower case differ: ` + "`feeds show` names `WEEK1.CSV` as `not taken` by `*.csv`" + `.
- **A version** is names, sizes and ETags; for local files names, sizes and modification times. The job of a version reads only that version. If the files change before the job reads them, it fails as ` + "`source_broken`" + `, and the new version gets another job. A version that comes back, such as yesterday's object in a bucket, has its job already; ` + "`feeds show`" + ` says so. The content of the last export under another name is another version and gets a job, too; ` + "`feeds show` says so as `same content`, and the job's `new`" + ` is 0.
- **A whole export.** An export counts as whole when its marker exists, or when it was unchanged for ` + "`settle`" + `. A marker vouches for one version only: if a file was written after the marker, or the files have changed and the marker has not, the export must also be unchanged for ` + "`settle`. Names that begin with `.` or `_` and names of files that are being written (`.part`, `.tmp` …)" + ` are not read.

## What a feed holds

- **Expectations.** An export that has not come by ` + "`by` makes the feed `late`. One with fewer rows than `min_rows`, or whose number of rows differs by more than `max_change`" + ` from the last one, is held until somebody approves it. After an approval, the next export is compared with two sizes: that of the approved export, and that of the last export before it that nobody had to approve. ` + "`max_change`" + ` holds it only if it is too far from both.
- **The memory.** A feed reads each export to its end before it publishes the job. If an export [differs](../concepts/ledger.md#the-memory) from how the last good one was read, it is ` + "`held: memory`, with each difference in words. `usher feeds approve`" + ` takes this version, and the next one is then compared with it; a feed cannot accept differences by itself. Every export becomes the memory when its job is done, if need be by a replay: if the job of an approved one fails, the last good export stays the one before. A job whose own fields about reading are changed in the feed file begins a new memory, which ` + "`feeds show` says as `new memory`. A feed of `segment.remove` or `device.forget`" + ` is never held for a difference: it only shows it, because nothing may delay an opt-out.
- **What cannot be read** is ` + "`held: unreadable`" + `, because its job would fail at once. It cannot be approved, and neither can an export without rows.

## States

| state | meaning |
|---|---|
| ` + "`watching`" + ` | a worker looks at the place, and nothing is wrong |
| ` + "`job failed`, `job cancelled`" + ` | the last export was not uploaded, or not to its end: its job has failed, or somebody has cancelled it. ` + "`feeds show` has the job, why it has failed, the commands that change and replay it, and what to set in the feed file so that the next export does not fail alike. When a replay has done the job, the state is `watching`" + ` again |
| ` + "`blind`" + ` | the last look could not see what is in the place: a server or bucket does not answer, a login is refused, its folder does not exist (a mount that is not there), or workers may not read the place, which must be in ` + "`sources.allow`, or in a folder of `usher dev --allow`. `feeds show`" + ` has the reason and since when |
| ` + "`no worker`" + ` | no worker has looked for a minute after it should have. Until the minute is over, the state is the one before, and ` + "`next look`" + ` is in the past. A feed that was taken out of its file leaves the lists after three hours |
| ` + "`held: …`" + ` | an export waits for ` + "`approve` or `reject`; with `no worker`" + `, no worker looks at the feed either |
| ` + "`held: unreadable`" + ` | an export cannot be read, so that its job would fail at once |
| ` + "`wrong`" + ` | the feed file was changed and is invalid, so that its last valid version is in use; or the feed has the name or the target of another one, or a place outside of ` + "`sources.allow`" + `, or a target that the platform does not have, or that takes no such ids, or an advertiser that it refuses. A file is checked like this each time that it changes, and its targets again each hour (each minute while one is wrong) |
| ` + "`late`" + ` | no export has come by ` + "`by`" + `, also at once if the feed begins after that time |
| ` + "`paused`" + ` | somebody has paused it, until ` + "`resume`" + ` |

A feed that is not in ` + "`ls` was never seen by a worker; `feeds show` and `feeds run` then fail at once. If a worker had it once, `feeds run`" + ` fails after a minute without one.

## What becomes of an export

With ` + "`after: {move: …}`" + `, an export is moved when its job is done, its marker first. If the other folder already has a file of that name, that file stays, and the moved file gets another name: its version, a hyphen, and its old name. Both places must be in ` + "`sources.allow`" + `, and usher must be allowed to write there.
`
