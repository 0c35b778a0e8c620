package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// recorded stores the records of jobs that have ended, one a minute until a time. They are copies of a
// job's record with another id, a name and a number, and another segment.
func (d *deployment) recorded(like, name string, n int, until time.Time, segment string) {
	d.t.Helper()
	state, err := d.js.KeyValue(d.t.Context(), "usher_state")
	if err != nil {
		d.t.Fatal(err)
	}
	e, err := state.Get(d.t.Context(), "jobs."+like)
	if err != nil {
		d.t.Fatal(err)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(e.Value(), &whole); err != nil {
		d.t.Fatal(err)
	}
	record := string(whole["record"])
	delete(whole, "record")
	rest, err := json.Marshal(whole)
	if err != nil {
		d.t.Fatal(err)
	}
	var times struct {
		Submitted time.Time `json:"submitted"`
		Started   time.Time `json:"started"`
		Finished  time.Time `json:"finished"`
	}
	if err := json.Unmarshal([]byte(record), &times); err != nil {
		d.t.Fatal(err)
	}
	js, err := jetstream.New(d.nc, jetstream.WithPublishAsyncMaxPending(1000))
	if err != nil {
		d.t.Fatal(err)
	}
	text := func(at time.Time) string { return `"` + at.Format(time.RFC3339Nano) + `"` }
	for i := range n {
		id, at := fmt.Sprintf("%s-%05d", name, i), until.UTC().Add(time.Duration(i-n)*time.Minute)
		of := strings.NewReplacer(`"`+like+`"`, `"`+id+`"`, text(times.Submitted), text(at), text(times.Started), text(at), text(times.Finished), text(at), `"segment":"1"`, `"segment":"`+segment+`"`).Replace(record)
		value := strings.TrimSuffix(string(rest), "}") + `,"record":` + of + "}"
		if _, err := js.PublishAsync("$KV.usher_state.jobs."+id, []byte(value), jetstream.WithStallWait(time.Minute)); err != nil {
			d.t.Fatal(err)
		}
	}
	<-js.PublishAsyncComplete()
}

// TestConsoleFindsAllJobs has 50,000 jobs on record at night, and 15,000 by day, of which the console keeps the newest 5,000 in memory.
// Lists, searches and pages of audiences cover all, and the worker stays small.
func TestConsoleFindsAllJobs(t *testing.T) {
	t.Parallel()
	many := 15_000
	if night {
		many = 50_000
	}
	d := newDeployment(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	settings := []string{"USHER_CONSOLE_LISTEN=" + address, "USHER_CONSOLE_USERS=" + usersFile(t)}
	first := d.worker("first", settings...)
	path := d.exports + "/few.csv"
	writeFile(t, path, rawID+"\n")
	d.publish(usher.SegmentAdd, d.addJob("like", path))
	d.publish(usher.SegmentAdd, d.addJob("unlike", d.exports+"/not-there.csv", job{"segment": "4"}))
	d.ended("like")
	d.ended("unlike")
	d.recorded("like", "ancient", 3, time.Now().AddDate(0, 0, -60), "77")
	d.recorded("like", "old", many, time.Now(), "1")
	first.kill()
	worker := d.worker("second", settings...)
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == 200 })

	count := func(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }
	peak := worker.peakMemory(t)
	b := newTab(newBrowser(t), t, "http://"+address)
	b.expected = "Failed to load resource" // which the browser logs of an unknown audience, and while NATS answers slowly
	b.open("")
	b.fill("Name", "anna")
	b.fill("Password", "correct horse")
	b.click("button", "Log in")
	b.waitForText("Overview")

	// A search covers all records, and says how far it has looked.
	b.open("#/jobs?text=old-00007")
	b.waitForText("old-00007", "1 of 1 job")
	b.waitForNoText("so far")
	began := time.Now()
	b.open("#/jobs?text=nowhere-at-all")
	b.waitForText("No job matches")
	t.Logf("a search without a result took %v", time.Since(began))
	b.open("#/jobs?target=segment%201&state=done")
	b.waitForText(fmt.Sprintf("50 of %s jobs", count(many+1)))
	b.waitFor(fmt.Sprintf(`[...document.querySelectorAll(".tabs button")].find((e) => e.innerText.startsWith("Done"))?.innerText.includes("%s")`, count(many+1)))
	b.screenshot("jobs-many")

	// The list goes on beyond what is in memory.
	b.open("#/jobs?after=" + time.Now().UTC().Add(-time.Duration(many-1000)*time.Minute).Format(time.RFC3339Nano) + "%20x")
	b.waitForText("old-00999", fmt.Sprintf("50 of %s jobs", count(many+5)))
	b.click("a", "Older")
	b.waitForText("old-00940")
	b.open("#/jobs?state=failed")
	b.waitForText("unlike", "1 of 1 job")

	// An audience whose jobs are all old.
	b.open("#/audiences")
	b.waitForText("Segment 77", "3 audiences")
	b.open("#/audiences/segment%2077")
	b.waitForText("of 1 row in the last export", "ancient-00002")
	b.screenshot("audience-old")
	b.open("#/audiences/segment%2078")
	b.waitForText("No job, ledger or feed of")
	b.waitForNoText("so far")

	// Whether a later job has done what a failed one should do is not known once newer jobs fill the memory.
	b.open("#/letters")
	b.waitForText("unlike", "The export is missing")
	b.waitForNoText("a later job")
	d.recorded("like", "newer", 13_000, time.Now().Add(13_000*time.Minute), "3") // it forgets some thousands at once
	eventually(t, "the console has forgotten what was submitted right after the failure", func() bool { return strings.Contains(fetch(b, "/api/letters"), `"knownSince"`) })
	b.do(chromedp.Reload())
	b.waitForText("Not known here whether a later job has done it", "A later job may have done this: usher has looked here only at jobs that were submitted since")
	b.screenshot("letters-unsure")
	b.open("#/jobs/unlike")
	b.waitForText("A later job may have done this")
	b.open("#/")
	b.waitForText("A later job may have done this")

	used := peak()
	t.Logf("the worker had at most %d MB of anonymous memory", used>>10)
	if used > 150<<10 {
		t.Errorf("the worker had %d MB of anonymous memory, want at most 150", used>>10)
	}
}

// peakMemory observes the anonymous memory of a process, and returns a function that returns the most, in
// KiB.
func (p *process) peakMemory(t *testing.T) func() int {
	t.Helper()
	most := make(chan int)
	ended := make(chan struct{})
	var observing sync.WaitGroup
	observing.Go(func() {
		peak := 0
		ticks := time.NewTicker(20 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				peak = max(peak, procStatusKB(p.cmd.Process.Pid, "RssAnon"))
			case most <- peak:
			case <-ended:
				return
			}
		}
	})
	t.Cleanup(func() { close(ended); observing.Wait() })
	return func() int { return <-most }
}
