package main_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
	"golang.org/x/crypto/bcrypt"

	"usher/internal/console"
	"usher/queues/status"
)

// canary is an id in one spelling, in one field of a job.
type canary struct {
	job         string // the job's id
	field, text string
	needle      string // its digits, in lower case
	kind        string
	body        []byte
}

// spellings returns the same id in the ways in which people write it.
func spellings(uuid string) []string {
	lower, bare := strings.ToLower(uuid), strings.ReplaceAll(uuid, "-", "")
	return []string{
		uuid, lower, bare, strings.ToLower(bare), "{" + uuid + "}", "urn:uuid:" + lower, "idfa" + uuid + "x", "x_" + lower + "_y",
		strings.ReplaceAll(uuid, "-", "_"), "idfa_" + strings.ReplaceAll(lower, "-", "_") + "_old", strings.ReplaceAll(uuid, "-", "%2D"),
		strings.ToLower(bare[:16]), "android" + strings.ToLower(bare[:16]) + "z", "x_" + bare[:16] + "_y",
	}
}

// fieldsOfCanaries returns a function for each field of a job. The function returns a job that
// has a text, a raw id, in this field. Some of the jobs are valid, others are not.
func fieldsOfCanaries(exports string) map[string]func(text string) (kind string, body job) {
	add := func(more job) (string, job) {
		j := job{"segment": "1", "profile": "idfa", "source": job{"url": "file://" + exports + "/some.csv"}}
		maps.Copy(j, more)
		return "segment.add", j
	}
	source := func(more job) (string, job) {
		s := job{"url": "file://" + exports + "/some.csv"}
		maps.Copy(s, more)
		return add(job{"source": s})
	}
	pause := func(more job) (string, job) {
		j := job{"campaign": "SANDBOX1-none"}
		maps.Copy(j, more)
		return "campaign.pause", j
	}
	evaluate := func(more job) (string, job) {
		j := job{"rules": "budgets"}
		maps.Copy(j, more)
		return "rules.evaluate", j
	}
	forget := func(more job) (string, job) {
		j := job{"ids": []string{rawID}, "reason": "a request"}
		maps.Copy(j, more)
		return "device.forget", j
	}
	metrics := func(name string) (string, job) {
		return evaluate(job{"metrics": job{"campaign": "SANDBOX1-summer", "at": time.Now().UTC(), "values": job{name: 1, "budget": 100}}})
	}
	return map[string]func(string) (string, job){
		"reason":          func(s string) (string, job) { return pause(job{"reason": "for " + s + ", really"}) },
		"actor":           func(s string) (string, job) { return pause(job{"actor": s}) },
		"reason, invalid": func(s string) (string, job) { return pause(job{"reason": s, "campaign": 1}) },
		"forgotten ids":   func(s string) (string, job) { return forget(job{"ids": []string{rawID, s}}) },
		"forget, reason":  func(s string) (string, job) { return forget(job{"reason": "for " + s, "actor": s}) },
		"forget, targets": func(s string) (string, job) { return forget(job{"targets": s}) },
		"rules":           func(s string) (string, job) { return evaluate(job{"rules": s}) },
		"rule":            func(s string) (string, job) { return evaluate(job{"rule": s}) },
		"asOf":            func(s string) (string, job) { return evaluate(job{"asOf": s}) },
		"asOf's fraction": func(s string) (string, job) { return evaluate(job{"asOf": "2026-01-01T00:00:00." + digitsOf(s) + "Z"}) },
		"metric":          metrics,
		"metric, valid": func(s string) (string, job) {
			return metrics("m_" + strings.NewReplacer("-", "_", "{", "", "}", "", ":", "", "%", "").Replace(s))
		},
		"kind":            func(s string) (string, job) { _, j := add(nil); return "segment." + s, j },
		"deadline":        func(s string) (string, job) { return add(job{"deadline": s}) },
		"profile":         func(s string) (string, job) { return add(job{"profile": s}) },
		"profile's type":  func(s string) (string, job) { return add(job{"profile": job{"type": s, "case": s}}) },
		"profile's field": func(s string) (string, job) { return add(job{"profile": job{"type": "idfa", s: true}}) },
		"metrics's field": func(s string) (string, job) {
			return evaluate(job{"metrics": job{"campaign": "SANDBOX1-summer", s: s}})
		},
		"field":            func(s string) (string, job) { return add(job{s: s}) },
		"field of source":  func(s string) (string, job) { return source(job{s: s}) },
		"input":            func(s string) (string, job) { return add(job{"input": s}) },
		"maxRejectPercent": func(s string) (string, job) { return add(job{"maxRejectPercent": s}) },
		"column":           func(s string) (string, job) { return source(job{"column": s}) },
		"typeColumn":       func(s string) (string, job) { return source(job{"typeColumn": s}) },
		"skip":             func(s string) (string, job) { return source(job{"skip": s}) },
		"sheet":            func(s string) (string, job) { return source(job{"sheet": s}) },
		"only, value":      func(s string) (string, job) { return source(job{"only": []string{"os=ios|" + s}}) },
		"only, column":     func(s string) (string, job) { return source(job{"only": []string{"os=ios", s + "=yes"}}) },
		"disregard":        func(s string) (string, job) { return source(job{"disregard": []string{s}}) },
		"disregarded file": func(s string) (string, job) { return source(job{"disregard": []string{"file:" + s}}) },
		"version":          func(s string) (string, job) { return source(job{"version": s, "incompleteLastRow": s}) },
		"holdout": func(s string) (string, job) {
			_, j := add(job{"holdout": job{"percent": 50, "key": s}})
			return "segment.mirror", j
		},
		"format": func(s string) (string, job) { return source(job{"format": s}) },
		"encoding": func(s string) (string, job) {
			return source(job{"encoding": s, "compression": s, "quote": s, "escape": s, "delimiter": s})
		},
	}
}

// digitsOf returns an id that consists of decimal digits, like one ANDROID_ID in 1,800.
func digitsOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	digits := make([]byte, 16)
	for i := range digits {
		digits[i] = '0' + sum[i]%10
	}
	return string(digits)
}

// headers returns exports whose header contains an id, as if the first row had been taken
// for the header.
func headers(text string) map[string]string {
	return map[string]string{
		"header.csv":       "idfa," + text + "\n" + rawID + ",x\n",
		"header.ndjson":    `{"idfa":"` + rawID + `","` + text + `":"x"}` + "\n",
		"undecided.csv":    text + ",second\n" + rawID + "," + rawID + "\n",
		"undecided.ndjson": `{"` + text + `":"` + rawID + `","b":"` + rawID + `"}` + "\n",
		"only.csv":         text + "\n" + rawID + "\n",
		"named.csv":        "idfa " + text + ",x\n" + rawID + ",y\n",
		"nested.ndjson":    `{"` + text + `":{"x":"` + rawID + `"}}` + "\n",
	}
}

func newCanaries(t *testing.T, exports string) []canary {
	t.Helper()
	var all []canary
	put := func(field, text, kind string, body job) {
		c := canary{job: fmt.Sprintf("c-%d", len(all)), field: field, text: text, kind: kind}
		body["id"] = c.job
		c.needle = digitsAndLetters(text)
		if field == "asOf's fraction" {
			c.needle = digitsOf(text)
		}
		c.body = []byte(asJSON(body))
		all = append(all, c)
	}
	next := func(i int) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "canary %d %d", i, len(all)))
		d := strings.ToUpper(hex.EncodeToString(sum[:16]))
		return d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:]
	}
	fields := fieldsOfCanaries(exports)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		for i := range spellings(next(0)) {
			text := spellings(next(i))[i]
			if field == "sheet" && len(text) > 31 {
				continue
			}
			kind, body := fields[field](text)
			put(field, text, kind, body)
		}
	}
	for i := range spellings(next(0)) {
		for _, name := range slices.Sorted(maps.Keys(headers(""))) {
			text := spellings(next(i))[i]
			path := filepath.Join(exports, fmt.Sprintf("%d-%s", i, name))
			writeFile(t, path, headers(text)[name])
			put(name, text, "segment.add", job{"segment": "1", "profile": "idfa", "source": job{"url": "file://" + path}})
		}
	}
	return all
}

// digitsAndLetters returns the lower-case letters and digits of a text.
func digitsAndLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(strings.ReplaceAll(text, "%2D", "")))
}

// Raw ids that a publisher puts into any field of a job, except in a name, must not be stored
// or shown.
func TestCanariesInEveryField(t *testing.T) {
	t.Parallel()
	rules, users, ledger := filepath.Join(t.TempDir(), "budgets.yaml"), usersFile(t), t.TempDir()
	writeFile(t, rules, budgets)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d := newDeployment(t, "USHER_LOG_LEVEL=debug", "USHER_RETRY_ATTEMPTS=2", "USHER_RETRY_FIRST=10ms", "USHER_RULES_FILES="+rules,
		"USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+users, "USHER_LEDGER_URL="+ledger)
	writeFile(t, filepath.Join(d.exports, "some.csv"), "idfa,os\n"+rawID+",ios\n")
	d.worker("worker")
	canaries := newCanaries(t, d.exports)
	for i, c := range canaries {
		if i%2 == 0 && c.field != "kind" { // the other half is submitted, and mostly refused at once
			eventually(t, "a submit is answered", func() bool {
				answer, err := d.nc.Request("usher.submit."+c.kind, c.body, 5*time.Second)
				return err == nil && !leaks(c, string(answer.Data)) && len(answer.Data) > 0
			})
		}
		if _, err := d.js.PublishMsg(t.Context(), &nats.Msg{Subject: "usher.jobs." + c.kind, Data: c.body}); err != nil {
			t.Fatal(err)
		}
	}
	const named = "0F1E2D3C-4B5A-4968-8776-A5B4C3D2E1F0"
	d.publish("campaign.pause", job{"id": named, "campaign": "SANDBOX1-none"})
	for _, c := range canaries {
		d.ended(c.job)
	}
	d.ended(named)
	canaries = append(canaries, d.actOn(t, canaries)...)
	places := d.everything("http://" + address)
	if places["ledger"] = textOf(t, ledger); len(places["ledger"]) == 0 {
		t.Error("nothing was forgotten")
	}
	for _, c := range canaries {
		if c.kind == "device.forget" && c.field == "forgotten ids" {
			out, _ := d.usher("jobs", "show", c.job, "--receipt") // some ids are none, so that there is no receipt
			places["receipts"] += out
		}
	}
	for name, place := range places {
		text := digitsAndLetters(place)
		for _, c := range canaries {
			if at := strings.Index(text, c.needle); at >= 0 {
				t.Errorf("%s has the id in %s, written %s: %s", name, c.field, c.text, text[max(0, at-60):min(len(text), at+60)])
			}
		}
	}
	if !strings.Contains(places["GET /api/jobs/"+named], named) || !strings.Contains(places["GET /metrics"], "usher_jobs_total") || len(places["stream KV_usher_state"]) < 10_000 {
		t.Error("the search is incomplete")
	}
}

// textOf returns the names and the contents of all files in a folder and below, also in
// hexadecimal digits.
func textOf(t *testing.T, folder string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&text, "%s %s\n%x\n", path, data, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// actOn lets an operator act with ids in the actors and reasons, and returns these.
func (d *deployment) actOn(t *testing.T, canaries []canary) []canary {
	t.Helper()
	var more []canary
	next := func() string {
		c := canary{field: "an operator's text", text: fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, len(more))))[:32]}
		c.needle = c.text
		more = append(more, c)
		return "for " + c.text
	}
	found := d.letters()
	for _, args := range [][]string{
		{"stop-switch", "on", "--yes"}, {"lanes", "pause", "bulk"}, {"lanes", "resume", "bulk"}, {"limits", "set", "--rate", "1000"},
		{"dead", "discard", fmt.Sprint(found[0].Seq), "--yes"}, {"dead", "replay", fmt.Sprint(found[1].Seq), "--yes"},
		{"dead", "edit", "--id", canaries[len(canaries)-1].job, "--set", "segment=2", "--yes"},
	} {
		if out, code := d.usher(append(args, "--actor", next(), "--reason", next())...); code != 0 {
			t.Errorf("usher %v exits with %d: %.300s", args, code, out)
		}
	}
	return more
}

func leaks(c canary, text string) bool { return strings.Contains(digitsAndLetters(text), c.needle) }

// everything returns all text that is stored or shown, by its place.
func (d *deployment) everything(site string) map[string]string {
	d.t.Helper()
	places := map[string]string{}
	var names []string
	streams := d.js.StreamNames(d.t.Context())
	for name := range streams.Name() { // to the end first: the list has a time limit
		names = append(names, name)
	}
	if err := streams.Err(); err != nil {
		d.t.Fatal(err)
	}
	for _, name := range names {
		places["stream "+name] = d.messages(name)
	}
	options, err := redis.ParseURL(d.redis.url())
	if err != nil {
		d.t.Fatal(err)
	}
	rdb := redis.NewClient(options)
	defer rdb.Close()
	keys, err := rdb.Keys(d.t.Context(), "*").Result()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, key := range keys {
		places["redis"] += key + " " + rdb.Get(d.t.Context(), key).Val() + fmt.Sprint(rdb.HGetAll(d.t.Context(), key).Val()) + "\n"
	}
	logs, err := filepath.Glob(filepath.Join(logDir(d.t), "worker*.log"))
	if err != nil || len(logs) == 0 {
		d.t.Fatal("there is no log", err)
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			d.t.Fatal(err)
		}
		places["log"] += string(text)
	}
	for _, args := range [][]string{{"jobs", "ls"}, {"jobs", "ls", "--json"}, {"dead", "ls"}, {"dead", "ls", "--json"}, {"dead", "groups"}, {"dead", "export"}} {
		out, code := d.usher(args...)
		if code != 0 {
			d.t.Errorf("usher %v exits with %d: %.300s", args, code, out)
		}
		places["usher "+strings.Join(args, " ")] = out
	}
	maps.Copy(places, d.pages(site))
	return places
}

// messages returns all messages of a stream.
func (d *deployment) messages(name string) string {
	d.t.Helper()
	stream, err := d.js.Stream(d.t.Context(), name)
	if err != nil {
		d.t.Fatal(err)
	}
	var text strings.Builder
	state := stream.CachedInfo().State
	for seq := state.FirstSeq; seq <= state.LastSeq; seq++ {
		m, err := stream.GetMsg(d.t.Context(), seq)
		if err != nil {
			continue // deleted
		}
		data := m.Data
		if packed, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			if data, err = io.ReadAll(packed); err != nil {
				d.t.Fatal(err)
			}
		}
		fmt.Fprintln(&text, m.Subject, m.Header, string(data))
	}
	return text.String()
}

// pages returns the responses of the console's API to an admin.
func (d *deployment) pages(site string) map[string]string {
	d.t.Helper()
	ask := d.visit(site)
	places := map[string]string{}
	paths := []string{"/metrics", "/readyz", "/api/overview", "/api/jobs?limit=1000", "/api/letters?limit=1000", "/api/letters/groups", "/api/rules", "/api/audit?limit=1000"}
	records, err := d.queue.Status().Records(d.t.Context(), status.Filter{})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, r := range records {
		paths = append(paths, "/api/jobs/"+r.ID)
	}
	for _, path := range paths {
		places["GET "+path] = ask("GET", path, "")
	}
	return places
}

// usersFile writes the password file with the user of visit. A hash with the cost of
// console.UserLine would take seconds under the race detector.
func usersFile(t *testing.T) string {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte("correct horse"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "users")
	writeFile(t, path, fmt.Sprintf("anna:%s:%s\n", console.Admin, hash))
	return path
}

// visit logs in to the console as an admin and returns a function that calls its API.
func (d *deployment) visit(site string) (ask func(method, path, body string) string) {
	d.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		d.t.Fatal(err)
	}
	client := &http.Client{Jar: jar, Timeout: patience}
	ask = func(method, path, body string) string {
		req, err := http.NewRequestWithContext(d.t.Context(), method, site+path, strings.NewReader(body))
		if err != nil {
			d.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(req)
		if err != nil {
			d.t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			d.t.Errorf("%s is answered %d, %v: %s", path, answer.StatusCode, err, text)
		}
		return string(text)
	}
	ask("POST", "/api/login", `{"User":"anna","Password":"correct horse"}`)
	return ask
}
