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

At `+"`intake.listen`"+`, with a bearer token. [openapi.json](openapi.json) describes requests and responses, [Jobs from your own program](../guide/jobs.md#jobs-over-http) the errors.
`)
	p.table("method", "path", "")
	p.routes(t, "internal/intake", func(r route) []string {
		return []string{code(r.method), code(r.path), map[string]string{
			"POST /v1/jobs/{kind}": "publish a job, or one in a CloudEvent", "GET /v1/jobs": "the jobs that the token may read, newest first: state, kind, limit, cursor", "GET /v1/jobs/{id}": "the record of a job; with wait=30s, when it has ended or the time is over",
			"POST /v1/jobs/{id}/cancel": "cancel a job, with a reason", "GET /v1/schemas/{kind}": "the JSON Schema of a kind",
			"POST /v1/outcomes": "store [numbers from outside](../guide/outcomes.md): an object with rows, or a file; advertiser, complete, knownAt",
		}[r.method+" "+r.path]}
	})
	p.linef("\n## Health and metrics\n\nAt `console.listen`, without a login.\n")
	p.table("method", "path", "")
	p.row("`GET`", "`/healthz`", "200 while the process runs")
	p.row("`GET`", "`/readyz`", "200 while NATS, Redis and the platform respond and the platform accepts the login; otherwise 503, which names what does not, since when, what waits, and what to do. The body also names operations of the platform that fail while others work, and the oldest pause, resume, budget or bid that is late, streams that are 80 % full, sources of this worker's jobs that deliver too slowly, workers that are lost, and a clock that is wrong, which leaves the status as it is")
	p.row("`GET`", "`/metrics`", "[metrics](metrics.md) for Prometheus")
	p.linef("\n## Console\n\nAt `console.listen`. Reads need a session; changes need its token and a request of the same origin as well. An operator may do what a viewer may, and an admin what an operator may.\n")
	p.table("method", "path", "lowest role", "")
	p.routes(t, "internal/console", func(r route) []string {
		return []string{code(r.method), code(r.path), strings.ToLower(r.role), r.about}
	})
	return p.String()
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
	p.linef("\n## Permissions\n\nThe users of [deploy/nats.conf](../../deploy/nats.conf). admin, worker and ops are in the account `USHER`, publishers in `PUBLISHERS`; [NATS for production](../guide/nats.md#accounts) says why.\n")
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
