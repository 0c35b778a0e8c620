package main_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestConsoleAfterRestarts restarts usher dev. Its link and its sessions stay valid, and an open page
// goes on by itself.
func TestConsoleAfterRestarts(t *testing.T) {
	t.Parallel()
	data, out := t.TempDir(), filepath.Join(logDir(t), "dev.log")
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	start := func(links int) (dev *process, link string) {
		t.Helper()
		dev = startProcess(t, "dev", []string{asUsher + "=1"}, commandProgram(t), "dev", "--data", data,
			"--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0", "--intake", "", "--console", address)
		eventually(t, "usher dev prints the console's link", func() bool {
			text, _ := os.ReadFile(out)
			found := []string{}
			for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
				if _, path, ok := strings.Cut(lines.Text(), "Open the console by this link, which works once: http://"+address+"/"); ok {
					found = append(found, path)
				}
			}
			if len(found) == links {
				link = found[links-1]
			}
			return link != ""
		})
		return dev, link
	}
	stop := func(dev *process) {
		t.Helper()
		dev.signal(syscall.SIGINT)
		if code := dev.exit(t); code != 0 {
			t.Fatalf("usher dev has ended with the code %d", code)
		}
	}

	dev, link := start(1)
	stop(dev)
	dev, newer := start(2)
	b := newTab(newBrowser(t), t, "http://"+address)
	b.expected = "Failed to load resource" // which the browser logs of each request that fails
	b.open("")
	b.waitForText("Log in to see what usher does", "Open the link")
	b.open(link)
	b.waitForText("Overview", "Nothing needs attention.")

	eval[bool](b, `window.same = true`)
	stop(dev)
	b.waitForText("This page has no connection to usher since")
	start(3)
	b.waitForNoText("This page has no connection to usher since")
	b.waitForText("Overview", "Nothing needs attention.", "as of")
	b.waitFor(`window.same`) // the page was not loaded again
	b.open(newer)
	b.waitForText("Overview", "Nothing needs attention.")
	if address := eval[string](b, "location.hash"); address != "#/" {
		t.Errorf("a link leads somebody who is logged in to %s", address)
	}
	b.click("button", "Log out")
	b.waitForText("You have logged out.")
	b.screenshot("login")
	b.open(newer)
	b.waitForText("Overview", "Nothing needs attention.")

	// Another tab logs out.
	eval[bool](b, `fetch("/api/session").then((r) => r.json()).then((s) => fetch("/api/logout", { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": s.csrf }, body: "{}" })) !== null`)
	b.open("#/jobs")
	b.waitForText("Your session has ended: you have logged out in another tab.")
}
