package main

import (
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher/queues/store"
)

func routesPage(t *testing.T) string {
	t.Helper()
	p := newPage("HTTP routes", `
## Jobs

At `+"`intake.listen`"+`, with a bearer token. [openapi.json](openapi.json) describes requests and responses, and [Jobs from your own program](../guide/jobs.md#jobs-over-http) has an example.
`)
	p.table("method", "path", "")
	p.routes(t, "internal/intake", func(r route) []string {
		return []string{code(r.method), code(r.path), map[string]string{
			"POST /v1/jobs/{kind}":      "publish a job, or one in a CloudEvent. 202 with `{\"id\":\"…\"}` once JetStream has it, and its path in `Location`. It is checked and stored as by `usher.submit`: of inline ids only digests",
			"GET /v1/jobs":              "the jobs that the token may read, newest first: state, kind, limit, cursor. `next` is the cursor of the next page, empty at the end",
			"GET /v1/jobs/{id}":         "the record of a job, as `usher jobs show ID --json` prints it; with wait=30s, when it has ended or the time is over, at most 60 s",
			"POST /v1/jobs/{id}/cancel": "cancel a job: 200 with its record. The body may be `{\"reason\":\"…\"}`; the audit names the token",
			"GET /v1/schemas/{kind}":    "the JSON Schema of a kind",
			"POST /v1/outcomes":         "store [numbers from outside](../guide/outcomes.md): an object with rows, or a file; advertiser, complete, knownAt",
		}[r.method+" "+r.path]}
	})
	p.WriteString(aboutIntake)
	p.linef("\n## Health and metrics\n\nAt `console.listen`, without a login.\n")
	p.table("method", "path", "")
	p.row("`GET`", "`/healthz`", "200 while the process runs")
	p.row("`GET`", "`/readyz`", "200 while NATS, Redis and the platform respond, NATS and Redis take writes, and the platform accepts the login; otherwise 503, which names what does not, since when, what waits, and what to do")
	p.row("`GET`", "`/metrics`", "[metrics](metrics.md) for Prometheus")
	p.readiness()
	p.linef("\n## Console\n\nAt `console.listen`. Reads need a session; changes need its token and a request of the same origin as well. An operator may do what a viewer may, and an admin what an operator may.\n")
	p.table("method", "path", "lowest role", "")
	p.routes(t, "internal/console", func(r route) []string {
		return []string{code(r.method), code(r.path), strings.ToLower(r.role), r.about}
	})
	return p.String()
}

// aboutIntake says which answers and tokens jobs over HTTP have.
const aboutIntake = `
Errors are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):

| status | |
|---|---|
| 400 | the job is not valid; ` + "`errors`" + ` has the place and the rule of each issue |
| 401 | without a known token |
| 403 | the token does not name the job's kind or advertiser (a job without ` + "`advertiser` is of `platform.advertiser`" + `) |
| 404, 405 | unknown kind, job, schema or path; a method that the path does not take |
| 408 | the body came too slowly: it may take 30 s, and a second more for each 64 KiB |
| 409 | the id is on record with another body; a job to be cancelled has ended |
| 413 | more than 64 MiB<!-- internal/intake/body.go: bodyLimit     = 64 << 20 -->, or more than NATS takes |
| 429 | above ` + "`intake.rate`. `Retry-After`" + ` says when to try again |
| 503 | NATS is away, or its stream is full; within 15 s, with ` + "`Retry-After`. Send the job again with the same `id`" + ` |

The token file has a line ` + "`name:kinds:advertisers:hash`" + ` for each token: lists with commas, empty for all, and the token's SHA-256. ` + "`usher intake token NAME --kind K --advertiser A`" + ` appends such a line. A token reads and cancels the jobs that were submitted with its name, which a record shows as ` + "`publisher`; a fifth field, `all` (`--all`)" + `, lets it read and cancel those of others, too, of its kinds and advertisers. Workers see a change of the file within a second. Then a damaged line grants nothing and is logged; without a readable file no token is valid, and the answer is 503.

Requests are logged with route, status, token name and job id, never with a body or a token.
`

// readiness adds what the body of /readyz names beside the status.
func (p *page) readiness() {
	p.linef("\nThe body of `/readyz` also says what leaves the status as it is, because it would not help to take the worker out of service. What cannot be read is `not known`.\n")
	p.table("field", "is `ok`, or names")
	p.row("`pauses`", "the oldest pause, resume, budget or bid that takes longer than 30 s, and what it waits for. Its age counts from its publish until the platform was asked and shows the change")
	p.row("`workers`", "a worker that was killed, or that NATS does not hear for 10 s, and the jobs that it ran, which go on elsewhere after `nats.ack_wait`. It is named until it is back or another worker is started in its place, as Kubernetes does, for a day at most. A worker that was stopped is not lost")
	p.row("`sources`", "a source of this worker's jobs that has delivered less than `sources.min_rate` for 30 s")
	p.row("`platform`, beside 200", "an operation of the platform that fails while others work, its last error, what waits for it and what to do. It fails after three failures in a row, or five in ten calls, or while a call has waited for its answer for 30 s and no later one has succeeded; it works again after three successes, or after a minute without a failure in which it has worked, here or for another worker. The status is 503 only when a call that probes the platform fails as well")
	p.row("`streams`", "a stream that has used 80 % of `nats.max_bytes`, and from 95 % on may refuse jobs, which publishers must send again; and records that NATS does not take because its `max_payload` was lowered: when it is raised again, workers notice within seconds")
	p.row("`clock`", "a clock that differs from NATS's by more than 2 s. A worker compares them every 3 s, and logs it")
}

// route is an entry of a table of routes.
type route struct{ method, path, role, about string }

// routes adds the routes of a package's routes.go.
func (p *page) routes(t *testing.T, folder string, cells func(route) []string) {
	t.Helper()
	found := 0
	eachNode(t, folder, func(n ast.Node) {
		list, ok := n.(*ast.CompositeLit)
		if !ok || len(list.Elts) < 3 {
			return
		}
		var texts, names []string
		for _, element := range list.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			if text, ok := literal(element); ok {
				texts = append(texts, text)
			} else if name := printed(element); strings.HasPrefix(name, "http.Method") {
				texts = append(texts, strings.ToUpper(strings.TrimPrefix(name, "http.Method")))
			} else {
				names = append(names, name)
			}
		}
		if len(texts) < 2 || !slices.Contains([]string{"GET", "POST", "PUT", "DELETE"}, texts[0]) || !strings.HasPrefix(texts[1], "/") {
			return
		}
		found++
		p.row(cells(route{texts[0], texts[1], names[0], texts[len(texts)-1]})...)
	})
	if found == 0 {
		t.Errorf("%s has no routes", folder)
	}
}

// subjectsPage describes subjects and streams, and the permissions of deploy/nats.conf.
func subjectsPage(t *testing.T) string {
	t.Helper()
	n := store.Names{}
	p := newPage("NATS subjects and permissions", `
With `+"`namespace: NS`"+`, subjects begin with `+"`NS.`"+`, and streams and buckets with `+"`NS_`"+`. `+"`usher migrate`"+` declares streams, consumers and buckets.

## Subjects
`)
	p.table("subject", "who publishes", "")
	p.row(code("usher.submit.<kind>"), "publishers", "request: the job is checked, then published to `usher.runs.<kind>`; the reply has its id, or the errors")
	p.row(code(n.Job("<kind>")), "publishers", "a job; JetStream's PubAck is the promise. A message with a header that begins with `Usher-` is refused")
	p.row(code(n.Run("<kind>")), "usher", "replays, jobs of rules, jobs from `usher.submit`. Headers of usher are read only here")
	p.row(code(n.Parts("<job>")), "usher", "parts of a cut job")
	p.row(code(n.Released("<lane>")), "usher", "the sequence of a job's message: the job need not wait any longer for others on its target. Those on `"+n.ReleasedFirst("<lane>")+"` go first")
	p.row(code(n.Event("<job>")), "usher", "each change of a job's state: [Event](records.md#event)")
	p.row(code(n.Audit("<campaign>")), "usher", "each change of a creative: [Audit](records.md#audit). `usher.audit._letters`, `usher.audit._switch` and the like have what people did")
	p.row(code("usher.dead.<kind>.<class>"), "usher", "[dead letters](records.md#deadletter)")
	p.row(code(n.Workers()), "usher", "request: workers say who they are")
	p.row(code(n.Arrived()), "usher", "a worker announces that requests that were on their way have arrived")
	p.linef("\n## Streams and buckets\n")
	p.table("name", "kept", "")
	p.row(code(n.JobsStream()), "until the job is settled, at most `nats.max_bytes`", "jobs on segments, targets and devices; a full stream refuses them")
	p.row(code(n.CampaignsStream()), "the same", "jobs on campaigns and of rules, so that NATS takes a pause while the other stream is full of uploads. Its sequences begin at "+strconv.FormatUint(store.FirstCampaign, 10)+", so that no job has the id `seq-<sequence>` of one on the other stream")
	p.row(code(n.ReleasedStream()), "until a slot has the job, and it has ended or waits again", "which jobs need not wait any longer for others on their target")
	p.row(code(n.PartsStream()), "until the part is settled", "parts of cut jobs")
	p.row(code(n.DeadStream()), "90 days", "dead letters")
	p.row(code(n.EventsStream()), "400 days", "events and audit")
	p.row(code(n.StateBucket()), "100 days", "records, parts, leases, workers, sessions of the console")
	p.row(code(n.RulesBucket()), "as long as needed", "runs and memory of rules, states of feeds, heads of ledgers, names of segments, what people set at run time; the stop switch is the key `stop`")
	p.WriteString(aboutAccounts)
	p.linef("\n## Permissions\n\nThe users of [deploy/nats.conf](../../deploy/nats.conf). admin, worker and ops are in the account `USHER`, publishers in `PUBLISHERS`.\n")
	p.row("user", "may publish to", "may subscribe to")
	p.linef("|---|---|---|")
	p.row("admin: `usher migrate`, `usher doctor`, `usher backup`, `usher restore`", "everything", "everything")
	text, err := os.ReadFile(atRoot("deploy/nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range []struct{ name, begin string }{
		{"worker: `usher run`", "\nWORKER = {"}, {"ops: the other commands", "\nOPS = {"}, {"publisher: CRM systems, budget engines", "{user: publisher,"},
	} {
		_, block, _ := strings.Cut(string(text), user.begin)
		p.row(user.name, subjectList(block, "publish:"), subjectList(block, "subscribe:"))
	}
	return p.String()
}

// subjectList returns the subjects of the first list behind a key.
func subjectList(block, key string) string {
	_, list, _ := strings.Cut(block, key)
	list, _, _ = strings.Cut(list, "]")
	var subjects []string
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(regexp.MustCompile(`#.*`).ReplaceAllString(list, ""), -1) {
		subjects = append(subjects, fmt.Sprintf("`%s`", m[1]))
	}
	return strings.Join(subjects, " ")
}

// aboutAccounts says how to write the accounts of deploy/nats.conf in other ways.
const aboutAccounts = `
## Accounts

[deploy/nats.conf](../../deploy/nats.conf) has the accounts ` + "`USHER` and `PUBLISHERS`" + `. [NATS for production](../guide/nats.md#accounts) says why.

| | |
|---|---|
| Inboxes | A publisher may subscribe only to its own inbox, ` + "`_INBOX_<user>.>`. Its client must use that prefix: `nats.CustomInboxPrefix(\"_INBOX_crm\")` in Go, `inbox_prefix=\"_INBOX_crm\"` in Python, `inboxPrefix: \"_INBOX_crm\"` in Node, `nats --inbox-prefix _INBOX_crm`. With the right to subscribe to `_INBOX.>`" + `, it would receive the answers to all others. |
| Another publisher | A further line in ` + "`users` of `PUBLISHERS`" + `, with its own inbox. Publishers of one account may send messages to each other's inboxes. Give a publisher that must not do so its own account, and name that account in ` + "`accounts`" + ` of the two exports. |
| A namespace | With ` + "`namespace: NS`, the subjects of exports, imports and permissions begin with `NS.`: `NS.usher.submit.>`, `NS.usher.jobs.>`" + `. Installations that share servers should have an account each. |
| JWT accounts | The same exports, imports and permissions, with ` + "`nsc add export --service`, `nsc add import --service` and `nsc add user --allow-pub … --allow-sub …`" + `. |
| The NATS Helm chart | Its value ` + "`config.merge` takes the same `accounts`" + `, and variables for passwords. |
`
