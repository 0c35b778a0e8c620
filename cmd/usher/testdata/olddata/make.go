//go:build ignore

// Make writes the data folders that TestOldData opens. It drives the usher
// binary of an older version; see README.md beside it.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

func main() {
	log.SetFlags(0)
	program := flag.String("usher", "", "the usher binary of the older version")
	out := flag.String("o", "", "the archive to write")
	flag.Parse()
	dir, err := os.MkdirTemp("", "usher-olddata-*")
	check(err)
	defer os.RemoveAll(dir)
	m := &maker{program: *program, dir: dir, store: newStore()}
	check(os.Mkdir(filepath.Join(dir, "rules"), 0o700))
	for name, text := range rules {
		check(os.WriteFile(filepath.Join(dir, "rules", name), []byte(text), 0o600))
	}
	m.makeStopped()
	m.makeKilled()
	check(pack(*out, dir, "stopped", "killed", "answers.json"))
}

// rules are the rule files that the older version acts by.
var rules = map[string]string{
	"budgets.yaml": `account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
    schedule: "17 3 29 2 *"
`,
	"careful.yaml": `account: SANDBOX1
timezone: Europe/London
rules:
  - name: ask
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    mode: approve
`,
}

// makeStopped makes the folder of a process that was stopped by SIGTERM, and
// the answers that the older version gives when it opens a copy of it.
func (m *maker) makeStopped() {
	m.start("stopped")
	m.ended("", "limits", "set", "--rate", "500/s", "--reason", "the night is quiet", "--actor", "ann")
	m.makeUploads()
	m.makeCampaigns()
	m.makeRuns()
	m.makeLetters()
	m.makeWaiting()
	check(m.dev.Process.Signal(syscall.SIGTERM))
	time.Sleep(time.Second)
	m.stop(syscall.SIGINT) // the second signal makes it return its upload at once

	check(os.CopyFS(filepath.Join(m.dir, "copy"), os.DirFS(filepath.Join(m.dir, "stopped"))))
	m.start("copy")
	m.writeAnswers()
	m.stop(syscall.SIGTERM)
}

// makeUploads makes jobs of all kinds of uploads that are done.
func (m *maker) makeUploads() {
	m.store.put("few.txt", export("few", 700)+junk)
	m.store.put("large.txt", export("large", 4_500))
	m.store.put("gone.txt", export("large", 10))
	m.ended("done", "submit", "segment.add", "s3://crm/few.txt", "--id", "add", "--segment", "1", "--profile", "idfa")
	m.ended("done", "submit", "segment.add", "s3://crm/few.txt", "--id", "dry", "--segment", "1", "--profile", "idfa", "--dry-run")
	m.ended("done", "submit", "segment.add", "--id", "inline", "--segment", "1", "--profile", "idfa", "--ids", deviceID("inline", 1), "--ids", deviceID("inline", 2), "--ids", "neither")
	m.ended("done", "submit", "segment.add", "s3://crm/large.txt", "--id", "cut", "--segment", "2", "--profile", "aaid")
	m.ended("failed", "submit", "segment.add", "s3://crm/behind.txt", "--id", "behind", "--segment", "2", "--profile", "aaid")
	m.ended("done", "submit", "segment.remove", "s3://crm/gone.txt", "--id", "remove", "--segment", "2", "--profile", "aaid")
	m.ended("done", "submit", "target.add", "s3://crm/few.txt", "--id", "target-add", "--campaign", "SANDBOX1-autumn", "--profile", "idfa")
	m.ended("done", "submit", "target.replace", "s3://crm/few.txt", "--id", "target-replace", "--campaign", "SANDBOX1-autumn", "--profile", "idfa")
	m.ended("done", "submit", "target.add", "s3://crm/gone.txt", "--id", "target-more", "--campaign", "SANDBOX1-brand", "--profile", "idfa")
	m.ended("done", "submit", "target.clear", "--id", "target-clear", "--campaign", "SANDBOX1-brand")
}

// makeCampaigns makes pauses by a person. The pause "older" is refused, and a newer job
// sets the same creative afterwards.
func (m *maker) makeCampaigns() {
	m.ended("done", "submit", "campaign.pause", "--id", "hand", "--campaign", "SANDBOX1-spring", "--creative", "spring-1", "--reason", "by hand", "--actor", "ann")
	m.fault(`{"op":"*.set-status","status":400,"times":100,"body":{"status":"fail","data":{"errors":[{"code":"E10059","description":"from ACTIVE to INACTIVE is not possible"}]}}}`)
	m.ended("failed", "submit", "campaign.pause", "--id", "older", "--campaign", "SANDBOX1-loyalty", "--creative", "loyalty-1", "--actor", "ann")
	m.control(http.MethodDelete, "faults", "")
	m.ended("done", "submit", "campaign.pause", "--id", "newer-pause", "--campaign", "SANDBOX1-loyalty", "--creative", "loyalty-1", "--actor", "bob")
	m.ended("done", "submit", "campaign.resume", "--id", "newer", "--campaign", "SANDBOX1-loyalty", "--creative", "loyalty-1", "--actor", "bob")
}

// makeRuns makes rule runs: done, undone, approved, rejected, one to be undone
// and one to be approved.
func (m *maker) makeRuns() {
	m.event("budgets", "high", "SANDBOX1-spring", 97)
	m.until(`"state": "done"`, "jobs", "show", "high.SANDBOX1-spring.pause", "--json")
	m.event("budgets", "low", "SANDBOX1-spring", 10)
	m.until(`"state": "done"`, "jobs", "show", "low.SANDBOX1-spring.resume", "--json")
	m.event("careful", "asked", "SANDBOX1-summer", 97)
	m.run("rules", "approve", "asked", "--actor", "ann", "--reason", "it is right")
	m.until(`"state": "done"`, "jobs", "show", "asked.SANDBOX1-summer.pause", "--json")
	m.run("rules", "undo", "asked", "--actor", "bob")
	m.until(`ACTIVE`, "rules", "why", "summer-1")
	m.until(`"state": "done"`, "jobs", "ls", "--kind", "campaign.resume", "--limit", "1", "--json")
	m.event("careful", "unwanted", "SANDBOX1-winter", 97)
	m.run("rules", "reject", "unwanted", "--actor", "ann")
	m.event("careful", "held", "SANDBOX1-launch", 97)
	m.event("budgets", "acted", "SANDBOX1-video", 97)
	m.until(`"state": "done"`, "jobs", "show", "acted.SANDBOX1-video.pause", "--json")
}

// makeLetters makes dead letters, and replays and discards some of them.
func (m *maker) makeLetters() {
	m.ended("failed", "submit", "segment.add", "s3://crm/late.txt", "--id", "late", "--segment", "1", "--profile", "idfa")
	m.store.put("late.txt", export("late", 20))
	m.run("dead", "replay", "--id", "late", "--yes", "--wait")
	m.ended("failed", "submit", "segment.add", "s3://crm/missing.txt", "--id", "missing", "--segment", "1", "--profile", "idfa")
	m.ended("failed", "submit", "segment.add", "s3://crm/few.txt", "--id", "nowhere", "--segment", "77", "--profile", "idfa")
	m.run("dead", "edit", "--id", "nowhere", "--set", "segment=1", "--actor", "ann", "--reason", "merged", "--yes")
	m.ended("failed", "submit", "segment.add", "s3://crm/few.txt", "--id", "discarded", "--segment", "78", "--profile", "idfa")
	m.run("dead", "discard", "--id", "discarded", "--yes")
	m.store.put("words.txt", strings.Repeat("neither a word\n", 50))
	m.ended("failed", "submit", "segment.add", "s3://crm/words.txt", "--id", "words", "--segment", "1", "--profile", "idfa", "--format", "text")
	m.ended("failed", "submit", "segment.add", "s3://elsewhere/few.txt", "--id", "outside", "--segment", "1", "--profile", "idfa")
	m.store.put("quotes.csv", "id;note\n"+strings.ReplaceAll(export("quotes", 4_000), "\n", ";x\n")+deviceID("quotes", 0)+";\"open\n"+strings.ReplaceAll(export("quotes", 10), "\n", ";x\n"))
	m.ended("failed", "submit", "segment.add", "s3://crm/quotes.csv", "--id", "quotes", "--segment", "2", "--profile", "aaid", "--column", "id", "--format", "csv", "--delimiter", ";")
	m.publish("segment.add", `{"id":"invalid","segment":"1","colour":"red"}`, nil)
	m.publish("segment.add", `this is not JSON`, nil)
	m.until(`"invalid_job",`, "dead", "ls", "--limit", "100", "--json")
	m.until(`"id": null`, "dead", "ls", "--json")
}

// makeWaiting leaves work on the streams: parts, a retry, queued jobs and replays, and an
// upload that is running when the process is stopped.
func (m *maker) makeWaiting() {
	m.run("rules", "stop", "--reason", "incident 12", "--actor", "ann")
	m.run("submit", "campaign.pause", "--id", "stopped", "--campaign", "SANDBOX1-retarget", "--actor", "ann")
	m.until(`"state": "retrying"`, "jobs", "show", "stopped", "--json")
	m.run("lanes", "pause", "campaign", "--actor", "ann")

	// Letters of jobs that wait on the stream again at the end.
	m.ended("failed", "submit", "segment.add", "s3://crm/again.txt", "--id", "again", "--segment", "1", "--profile", "idfa")
	m.ended("failed", "submit", "segment.add", "s3://crm/again.txt", "--id", "again-edited", "--segment", "79", "--profile", "idfa")
	m.run("dead", "edit", "--id", "again-edited", "--set", "segment=4", "--actor", "ann", "--yes")
	m.store.put("again.txt", export("again", 30))

	m.store.put("parts.txt", export("parts", 8_800))
	m.control(http.MethodPut, "latency", `{"delayMs":300}`)
	m.run("submit", "segment.add", "s3://crm/parts.txt", "--id", "parts", "--segment", "4", "--profile", "idfa")
	m.until(`"batches": `, "jobs", "show", "parts", "--json")
	m.wait("a part of job parts is done", func() bool { return m.job("parts").Parts.Done > 0 })
	m.run("lanes", "pause", "bulk", "--actor", "ann", "--reason", "the disk is full")
	m.wait("the other parts wait", func() bool {
		before := m.job("parts")
		time.Sleep(2 * time.Second)
		now := m.job("parts")
		return now.Batches == before.Batches && now.Parts.Done < now.Parts.Total
	})

	m.store.put("retry.txt", export("retry", 1_000))
	m.store.broken.Store(true)
	m.run("submit", "segment.add", "s3://crm/retry.txt", "--id", "retry", "--segment", "1", "--profile", "idfa")
	m.until(`"state": "retrying"`, "jobs", "show", "retry", "--json")
	m.store.broken.Store(false)

	m.store.put("halfway.txt", export("halfway", 1_700))
	m.control(http.MethodPut, "latency", `{"delayMs":1500}`)
	m.run("submit", "segment.add", "s3://crm/halfway.txt", "--id", "halfway", "--segment", "1", "--profile", "idfa")
	m.until(`"state": "running"`, "jobs", "show", "halfway", "--json")
	m.run("lanes", "pause", "audience", "--actor", "ann", "--reason", "a test of old data")
	m.run("submit", "segment.add", "s3://crm/few.txt", "--id", "queued", "--segment", "4", "--profile", "idfa")
	m.run("submit", "segment.add", "--id", "queued-inline", "--segment", "1", "--profile", "idfa", "--ids", deviceID("queued", 1), "--ids", "neither")
	m.run("submit", "segment.remove", "s3://crm/few.txt", "--id", "queued-remove", "--segment", "4", "--profile", "idfa")
	m.run("submit", "segment.add", "s3://crm/gone.txt", "--id", "queued-behind", "--segment", "4", "--profile", "idfa")
	m.run("submit", "segment.add", "s3://crm/few.txt", "--id", "cancelled", "--segment", "1", "--profile", "idfa")
	m.run("jobs", "cancel", "cancelled", "--actor", "ann", "--reason", "not needed")
	m.publish("segment.add", `{"id":"published","segment":"1","profile":"idfa","source":{"url":"s3://crm/few.txt"}}`, nil)
	m.publish("segment.add", `{"id":"published-header","segment":"1","profile":"idfa","source":{"url":"s3://crm/few.txt"}}`, nats.Header{"Usher-Record": {"1"}})
	m.publish("segment.add", `{"segment":"1","profile":"idfa","source":{"url":"s3://crm/few.txt"}}`, nats.Header{"Nats-Msg-Id": {"published-msg-id"}})
	m.run("dead", "replay", "--id", "again", "--yes", "--actor", "ann")
	m.run("dead", "replay", "--id", "again-edited", "--yes", "--actor", "ann")
	m.wait("job halfway has a checkpoint", func() bool { return m.job("halfway").Batches > 0 })
}

// makeKilled makes the folder of a process that was killed while it uploaded.
func (m *maker) makeKilled() {
	m.start("killed")
	m.control(http.MethodPut, "latency", `{"delayMs":300}`)
	m.run("submit", "segment.add", "s3://crm/parts.txt", "--id", "parts", "--segment", "4", "--profile", "idfa")
	m.wait("a part of job parts is done", func() bool { return m.job("parts").Parts.Done > 0 })
	m.run("submit", "segment.add", "s3://crm/halfway.txt", "--id", "halfway", "--segment", "1", "--profile", "idfa")
	m.wait("job halfway has a checkpoint", func() bool { return m.job("halfway").Batches > 0 })
	if parts, halfway := m.job("parts"), m.job("halfway"); parts.State != "running" || halfway.State != "running" {
		log.Fatalf("the jobs ended before the kill: parts is %s, halfway is %s", parts.State, halfway.State)
	}
	m.stop(syscall.SIGKILL)
}

// An answer is what a command of the older version printed.
type answer struct {
	Args []string        `json:"args"`
	Out  json.RawMessage `json:"out"`
}

func (m *maker) writeAnswers() {
	var answers []answer
	for _, args := range [][]string{
		{"jobs", "ls", "--limit", "1000"}, {"dead", "ls"}, {"dead", "groups"}, {"limits", "show"}, {"rules", "runs"},
		{"rules", "run", "high"}, {"rules", "run", "low"}, {"rules", "run", "asked"}, {"rules", "run", "held"}, {"rules", "run", "acted"},
		{"rules", "why", "spring-1"}, {"rules", "why", "spring-2"}, {"rules", "why", "summer-1"}, {"rules", "why", "loyalty-1"}, {"rules", "why", "video-1"},
	} {
		answers = append(answers, answer{args, []byte(m.run(append(args, "--json")...))})
	}
	data, err := json.MarshalIndent(answers, "", "\t")
	check(err)
	check(os.WriteFile(filepath.Join(m.dir, "answers.json"), data, 0o600))
}
