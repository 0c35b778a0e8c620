package main_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"syscall"
	"testing"
	"time"

	"usher"
)

// TestConsoleAfterCrashes kills a worker that runs parts of a job, and stops Redis twice. The job's page says
// which parts lost their workers, and the chart says each kind of event once.
func TestConsoleAfterCrashes(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500", "USHER_SOURCES_PART_BYTES=65536")
	e := newExport(t, d.exports, 20_000, 7)
	d.slow(500 * time.Millisecond)
	d.publish(usher.SegmentAdd, d.addJob("cut", e.path))
	killed := d.worker("killed")
	eventually(t, "parts are running", func() bool { return d.uploads() > 3 })
	killed.kill()
	d.slow(5 * time.Second) // the page is read while the job runs, also by a slow browser
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("other", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t))
	eventually(t, "another worker has taken the lost parts", func() bool { return d.record("cut").Crashes > 0 })
	b := newTab(newBrowser(t), t, "http://"+address)
	b.open("")
	b.fill("Name", "anna")
	b.fill("Password", "correct horse")
	b.click("button", "Log in")
	b.waitForText("Overview")
	b.open("#/jobs/cut")
	b.waitForText("Workers crashed while they ran part ", " once", "Each goes on where it stopped.")
	b.waitFor(`/\d+ crash/.test(document.querySelector(".facts").innerText)`)
	b.screenshot("job-crashes")
	d.slow(0)
	if r := d.ended("cut"); len(r.CrashedParts) == 0 || r.CrashedParts[0].Crashes == 0 {
		t.Errorf("the record of the ended job names no part that crashed: %s", recordText(r))
	}
	b.waitForText("done", "Workers crashed while they ran part ", " once", "Each went on where it stopped.")
	b.screenshot("job-crashed")
	if shown, code := d.usher("jobs", "show", "cut"); code != 0 || !regexp.MustCompile(`(?m)^run .* crash(es)?: \d+ of part \d+`).MatchString(shown) {
		t.Errorf("jobs show does not say which parts crashed:\n%s", shown)
	}

	ask := d.visit("http://" + address)
	lasting := func() (since time.Time) {
		var answer struct {
			Marks []struct {
				At    time.Time  `json:"at"`
				Until *time.Time `json:"until"`
				Kind  string     `json:"kind"`
			} `json:"marks"`
		}
		if err := json.Unmarshal([]byte(ask("GET", "/api/marks", "")), &answer); err != nil {
			t.Fatal(err)
		}
		for _, m := range answer.Marks {
			if m.Kind == "outage" && m.Until == nil {
				since = m.At
			}
		}
		return since
	}
	for range 2 {
		d.redis.signal(syscall.SIGSTOP)
		eventually(t, "the outage is long enough to be shown", func() bool { at := lasting(); return !at.IsZero() && time.Since(at) > 4*time.Second })
		d.redis.signal(syscall.SIGCONT)
		eventually(t, "the outage is over", func() bool { return lasting().IsZero() })
	}
	b.open("#/")
	b.waitForText("Redis does not respond for ", "; once before")
	b.waitFor(`[...document.querySelectorAll(".marks li")].filter((e) => e.innerText.includes("Redis")).length === 1`)
	b.screenshot("overview-events")
}
