package main

import (
	"encoding/json"
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
)

// metric is a metric of /metrics.
type metric struct{ name, help, labels string }

// metricsInCode returns all metrics that the code declares, by name.
func metricsInCode(t *testing.T) []metric {
	t.Helper()
	var all []metric
	eachNode(t, "", func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		m := metric{}
		var labels []string
		for i, arg := range call.Args {
			if options, ok := arg.(*ast.CompositeLit); ok {
				m = m.readOptions(options)
				labels = append(labels, elements(options)...)
				continue
			}
			text, ok := literal(arg)
			switch {
			case !ok:
			case i == 0 && isMetric(text):
				m.name = text
			case m.help == "":
				m.help = text
			default:
				labels = append(labels, text)
			}
		}
		if m.name != "" && m.help != "" {
			m.labels = strings.Join(labels, ", ")
			if strings.HasPrefix(m.name, "usher_feed_") {
				m.labels = "feed"
			}
			all = append(all, m)
		}
	})
	slices.SortFunc(all, func(a, b metric) int { return strings.Compare(a.name, b.name) })
	return slices.Compact(all)
}

func isMetric(name string) bool { return regexp.MustCompile(`^usher_[a-z_]+$`).MatchString(name) }

// readOptions returns m with the name and help in the options of a metric.
func (m metric) readOptions(options *ast.CompositeLit) metric {
	for _, element := range options.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		text, _ := literal(pair.Value)
		switch printed(pair.Key) {
		case "Name":
			if isMetric(text) {
				m.name = text
			}
		case "Help":
			m.help = text
		}
	}
	return m
}

// elements returns the strings in a list of strings.
func elements(list *ast.CompositeLit) []string {
	var words []string
	for _, element := range list.Elts {
		if text, ok := literal(element); ok {
			words = append(words, text)
		}
	}
	return words
}

func metricsPage(t *testing.T) string {
	t.Helper()
	p := newPage("Metrics", `
`+"`GET /metrics`"+` at `+"`console.listen`"+` serves these to Prometheus, with those of the Go runtime and the process. All workers report the same numbers about what lies in NATS (`+"`usher_lane_…`, `usher_dead_letters`, `usher_feed_…`, `usher_rule_blind`, `usher_rule_orphaned`, `usher_rule_took_back`"+`), so take their maximum. A histogram has the series `+"`…_bucket`, `…_sum` and `…_count`"+`. [alerts.yml](../../deploy/prometheus/alerts.yml) and the [dashboard](../../deploy/grafana/dashboards/usher.json) use them.`)
	p.table("metric", "labels", "")
	for _, m := range metricsInCode(t) {
		p.row(code(m.name), m.labels, m.help)
	}
	return p.String()
}

// alertRule is a rule of alerts.yml.
type alertRule struct {
	Alert  string `json:"alert"`
	Expr   string `json:"expr"`
	For    string `json:"for"`
	Labels struct {
		Severity string `json:"severity"`
	} `json:"labels"`
	Annotations struct {
		Summary string `json:"summary"`
		Runbook string `json:"runbook"`
	} `json:"annotations"`
}

// share matches an expression that is true once 30 % of the time in its window is bad.
var share = regexp.MustCompile(`(?:avg_over_time\(.*\[(\w+)\]\)+ (?:< 0\.7|> 0\.3)|quantile_over_time\(0\.7, .*\[(\w+)\]\)+ >)`)

// after returns how long the rule's metric is bad before the alert fires, or "".
func (r *alertRule) after(t *testing.T) string {
	t.Helper()
	var after time.Duration
	add := func(text string, percent int) {
		if d, err := time.ParseDuration(text); err != nil {
			t.Errorf("%s: %v", r.Alert, err)
		} else {
			after += d * time.Duration(percent) / 100
		}
	}
	if r.For != "" {
		add(r.For, 100)
	}
	if m := share.FindStringSubmatch(r.Expr); m != nil && !strings.Contains(r.Expr, " or ") { // otherwise another condition may hold earlier
		add(m[1]+m[2], 30)
	}
	if after == 0 {
		return ""
	}
	return strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(after.String())
}

func alertRules(t *testing.T) []alertRule {
	t.Helper()
	text, err := os.ReadFile(atRoot("deploy/prometheus/alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := yaml.Parser().Unmarshal(text)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(parsed)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []alertRule `json:"rules"`
		} `json:"groups"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var all []alertRule
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

func alertsPage(t *testing.T) string {
	t.Helper()
	p := newPage("Alerts", `
## Prometheus

[alerts.yml](../../deploy/prometheus/alerts.yml) has these rules. `+"`page`"+` is for a person who must act now, `+"`ticket`"+` for working hours. `+"`after`"+` is how long what is wrong must last, counted from the first scrape that shows it: the rule's `+"`for`"+`, and 30 % of the window that it averages over. Scrapes show that a worker is lost from 10 s after it was last heard.
`)
	p.table("alert", "severity", "after", "when", "what to do")
	for _, r := range alertRules(t) {
		template := regexp.MustCompile(`\{\{.*?\}\}`)
		p.row(code(r.Alert), r.Labels.Severity, r.after(t), template.ReplaceAllString(r.Annotations.Summary, "…"), template.ReplaceAllString(r.Annotations.Runbook, "…"))
	}
	p.linef(`
## Webhook and mail

usher sends these to ` + "`alerts.webhook`" + ` and by ` + "`alerts.smtp`" + `. An incident has one message when it opens and one when it is solved, whatever the number of workers; a channel that failed is tried again after ` + "`alerts.every`" + `. More than five messages at a time are sent as one. An alert about NATS cannot be recorded, so every worker sends it. What is wrong is looked for every 10 s, so people know within a minute, except of what waits for hours of the clock or for ` + "`alerts.stalled`" + `.

| kind | opens when | is solved when | level |
|---|---|---|---|
| ` + "`dead_letters`" + ` | jobs fail by a new cause | no letter of the cause is left for 2 min; a cause that still grows after a day is reported again (` + "`grown`" + `) | warning |
| ` + "`rule_run`" + ` | a run waits for approval | it is approved or rejected | warning |
| ` + "`rule_finding`" + ` | a rule with ` + "`notify`" + ` decides, or a rule has taken back what somebody had changed on the platform | it has no end (` + "`finding`" + `) | warning |
| ` + "`rule_blind`" + ` | a rule is UNKNOWN because its report lacks rows or numbers, or has several currencies, on something that is ACTIVE and had spend in the last 7 days; or a creative stays paused because the rule that paused it is in no file any more | it decides again, or the report is complete; or somebody resumes the creative, or a rule has ` + "`formerly`" + `; or no worker uses the file any more whose run found it | warning |
| ` + "`members_lapse`" + ` | members of a segment with durationInDays leave it by the end of tomorrow, because nothing uploads them again | none do any more | warning |
| ` + "`feed_blind`" + ` | a feed cannot look at its place | it can, or it is paused | warning |
| ` + "`feed_late`" + `, ` + "`feed_held`" + ` | an export has not come in time, or waits for approval | it comes, or is approved or rejected | warning |
| ` + "`campaign_waits`" + ` | the oldest pause, resume, budget or bid was published a minute ago and is not in effect, whatever it waits for | for a minute, none was late | fault |
| ` + "`stream_full`" + ` | a stream of jobs or parts has used 80 %% of ` + "`nats.max_bytes`" + `, and again at 95 %%, when it may refuse jobs | for a minute, it had room | fault |
| ` + "`lane_stalled`" + ` | the oldest job of a lane other than that of campaigns waits longer than ` + "`alerts.stalled`" + ` | it does not any more, or the lane is paused | fault |
| ` + "`worker_lost`" + ` | a worker was not heard for 30 s, and did not say that it stops: it was killed, or cannot reach NATS | it is back, or another worker is started in its place; after a day without either, it is named no more | warning |
| ` + "`source_slow`" + ` | the source of a job has delivered less than ` + "`sources.min_rate`" + ` for 30 s | for a minute it was fast enough, or the job has ended | warning |
| ` + "`platform_down`" + ` | all calls of a worker have failed for 20 s, five at least (one without a response fails after ` + "`platform.timeout`" + `, 15 s at most while no job runs), or the platform refuses its login | no worker has seen either for a minute | fault |
| ` + "`platform_operation`" + ` | an operation of the platform has failed for 30 s, by the outcomes of its calls, or has not answered one for 30 s, although others may work | for a minute, it failed for no worker | fault |
| ` + "`redis_down`" + ` | Redis has not responded to a worker for 30 s, or has refused its login, so pauses and resumes wait | no worker has seen that for a minute | fault |
| ` + "`nats_copies`" + ` | a NATS server with a copy of the stream of jobs has been away for 30 s, although NATS takes jobs | no worker has seen that for a minute | warning |
| ` + "`nats_writes`" + ` | NATS takes no writes of a worker, or the worker is not connected to it | it takes them again | fault |

In ` + "`alerts.quiet`" + ` only faults are sent. When the quiet hours end, the others are sent as one message.

### The format json

` + "`POST`" + ` with one object. Fields that are empty are left out; new fields may be added.

| field | is |
|---|---|
| ` + "`version`" + ` | 1 |
| ` + "`event`" + ` | ` + "`opened`, `grown`, `solved`, `finding`, or `summary`" + ` of several messages |
| ` + "`incident`" + ` | the name of the incident, the same in all of its messages |
| ` + "`kind`, `level`" + ` | see above |
| ` + "`title`, `details`" + ` | what is wrong in one line, and what is known about it |
| ` + "`since`, `until`" + ` | when it began, and when it was solved, in UTC |
| ` + "`count`, `counted`" + ` | how many, and of what: 1200, dead letter |
| ` + "`action`" + ` | what to do |
| ` + "`link`" + ` | the page of the console, if ` + "`console.url`" + ` is set |
| ` + "`items`" + ` | of a summary: the messages, with these fields except ` + "`version` and `text`" + ` |
| ` + "`text`" + ` | the whole message as text |

A receiver that answers 400, 413 or 422 refuses the message, which is given up after three times. After any other failure the message is kept and sent again.`)
	return p.String()
}
