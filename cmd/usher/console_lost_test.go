package main_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"usher"
)

// TestConsoleShowsWhatIsLost cuts NATS, Redis, the platform and the page's own connection, one
// after the other. The page says what is lost and since when, greys figures that are old, and
// recovers by itself. USHER_TEST_OUTAGE=60s makes each outage that long.
func TestConsoleShowsWhatIsLost(t *testing.T) {
	atNight(t)
	t.Parallel()
	d := newDeployment(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	worker := d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t))
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == 200 })
	d.publish(usher.SegmentAdd, d.inlineJob("first"))
	d.ended("first")
	b := newTab(newBrowser(t), t, "http://"+address)
	b.expected = "Failed to load resource" // which the browser logs of each request that fails
	b.open("")
	b.fill("Name", "anna")
	b.fill("Password", "correct horse")
	b.click("button", "Log in")
	current := func() {
		t.Helper()
		b.waitForText("1 worker, heard", "as of")
		b.waitFor(`!document.querySelector(".lost .callout")`)
		b.waitFor(`!document.querySelector("main.stale")`)
	}
	current()
	b.windowScreenshot("current")
	for _, c := range []struct {
		name     string
		cut, end func()
		shown    []string
		stale    bool
	}{
		{"nats", func() { d.nats.signal(syscall.SIGSTOP) }, func() { d.nats.signal(syscall.SIGCONT) },
			[]string{"NATS does not respond since ", "; figures are from ", "Check that the NATS servers are up", "In the terminal"}, true},
		{"redis", func() { d.redis.signal(syscall.SIGSTOP) }, func() { d.redis.signal(syscall.SIGCONT) },
			[]string{"Redis does not respond since ", "Pauses and resumes wait"}, false},
		{"platform", func() {
			d.control("POST", "faults", job{"op": "segments.list", "kind": "status", "status": 503, "times": 1000}, nil)
		},
			func() { d.control("DELETE", "faults", nil, nil) },
			[]string{"The platform cannot be used since ", "Jobs wait, and continue when it works again", "the platform answered 503"}, false},
		{"login", func() {
			d.control("POST", "faults", job{"op": "*", "kind": "status", "status": 401, "times": 1_000_000}, nil)
		},
			func() { d.control("DELETE", "faults", nil, nil) },
			[]string{"The platform refuses usher's login since ", "Jobs wait, pauses too", "platform.password", "the platform answered 401", "Nothing else needs attention."}, false},
		{"page", func() { worker.signal(syscall.SIGSTOP) }, func() { worker.signal(syscall.SIGCONT) },
			[]string{"This page has no connection to usher since ", "; figures are from "}, true},
	} {
		c.cut()
		b.waitForText(c.shown...)
		b.waitFor(fmt.Sprintf(`!!document.querySelector("main.stale") === %t`, c.stale))
		b.windowScreenshot("lost-" + c.name)
		if c.name == "nats" {
			eval[bool](b, `!fetch("/api/jobs/first").then(async (r) => { window.answer = r.status + " " + (await r.json()).error; })`)
			b.waitFor(`window.answer?.startsWith("503 NATS does not respond since ") && window.answer.includes("usher doctor")`)
		}
		lastFor(t, os.Getenv("USHER_TEST_OUTAGE"))
		b.waitForText(c.shown...)
		c.end()
		current()
	}
}

// lastFor waits for a duration such as 60s, if it is set.
func lastFor(t *testing.T, text string) {
	t.Helper()
	if text == "" {
		return
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	<-time.After(duration)
}
