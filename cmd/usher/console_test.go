package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"usher"
	"usher/queues"
	"usher/queues/rulings"
)

// rawID is an id that must be seen nowhere.
const rawID = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

// TestConsole looks at the console as people do: in Chromium, on what a real
// `usher dev` is doing. Its pictures are kept below artifacts/. The steps go on
// from each other, as somebody's day does.
func TestConsole(t *testing.T) {
	t.Parallel()
	h, browser := newHouse(t), newBrowser(t)
	for _, step := range []struct {
		name string
		look func(*house, *tab)
	}{
		{"link", lookIn}, {"jobs", lookAtJobs}, {"cut job", lookAtParts}, {"cancel", cancelByHand},
		{"letters", lookAtLetters}, {"campaigns", lookAtCampaigns}, {"switch", throwSwitch}, {"rules", lookAtRules}, {"audit", lookAtAudit},
		{"overview", lookAtOverview}, {"phone", lookByPhone}, {"keyboard", lookByKeyboard}, {"canaries", lookForIDs}, {"leave", leave},
	} {
		ok := t.Run(step.name, func(t *testing.T) {
			h.t = t
			step.look(h, newTab(browser, t, h.console))
		})
		if !ok {
			break
		}
	}
}

// lookIn opens the link, which lets one browser in, once.
func lookIn(h *house, b *tab) {
	b.open(strings.TrimPrefix(h.link, h.console+"/"))
	b.sees("Overview", "Nothing needs attention.", "live")
	b.shot("overview-empty")
	if left := eval[string](b, "location.href"); strings.Contains(left, "login") {
		b.t.Errorf("the link's token stays in the address: %s", left)
	}
}

// lookAtJobs sees jobs come and end, by themselves.
func lookAtJobs(h *house, b *tab) {
	b.open("#/jobs")
	b.sees("No jobs yet")
	path := h.exports + "/few.csv"
	writeFile(b.t, path, rawID+"\n00000000-0000-0000-0000-000000000000\nnot-an-id-1234567\n"+rawID+"\n")
	h.publish(usher.SegmentAdd, h.addJob("crm-first", path))
	b.sees("crm-first", "done")
	b.click("a", "crm-first")
	b.sees("Where every row went", "= 4 rows read", "Timeline", "zero id")
	b.shot("job")
	for i := range 20 {
		h.publish(usher.SegmentAdd, h.addJob(fmt.Sprintf("crm-%02d", i), path))
		h.publish(usher.SegmentAdd, h.addJob(fmt.Sprintf("lost-%02d", i), h.exports+"/missing.csv"))
	}
	for i := range 5 {
		h.publish(usher.SegmentAdd, h.addJob(fmt.Sprintf("nowhere-%d", i), path, job{"segment": "99"}))
	}
	h.ended("crm-19")
	h.ended("lost-19")
	h.ended("nowhere-4")
	b.open("#/jobs")
	b.sees("nowhere-4", "source_missing")
	b.shot("jobs")
	b.click("button", "Failed")
	b.misses("crm-19")
	b.fill("Search id, target, error …", "lost-07")
	b.misses("lost-08")
	b.sees("lost-07", "1 of 1 job")
	b.fill("Kind", "target.add")
	b.sees("No job matches")
}

// lookAtParts follows a job that goes in parts, while it runs.
func lookAtParts(h *house, b *tab) {
	e := newExport(b.t, h.exports, 20_000, 11)
	h.publish(usher.SegmentAdd, h.addJob("large", e.path))
	b.open("#/jobs/large")
	b.sees("Parts", "done", "= 20,", "rows read")
	b.shot("job-parts")
}

// cancelByHand ends a job that waits.
func cancelByHand(h *house, b *tab) {
	if err := rulings.NewStopSwitch(h.queue).Stop(b.t.Context(), "a test of waiting", "tests"); err != nil {
		b.t.Fatal(err)
	}
	h.publish(usher.CampaignPause, job{"id": "to-cancel", "campaign": "SANDBOX1-autumn"})
	b.open("#/jobs/to-cancel")
	b.sees("the stop switch is on: a test of waiting")
	b.shot("job-waiting")
	b.click("button", "Cancel job")
	b.until(`!!document.querySelector("dialog[open]")`)
	b.shot("dialog")
	b.fill("Reason", "came too late")
	b.click("dialog button", "Cancel job")
	b.sees("cancelled")
	if r := h.ended("to-cancel"); r.State != usher.Cancelled {
		b.t.Errorf("the job is %s", r.State)
	}
	if err := rulings.NewStopSwitch(h.queue).Start(b.t.Context(), "tests"); err != nil {
		b.t.Fatal(err)
	}
}

// lookAtLetters finds three causes, mends one, and replays, edits and discards.
func lookAtLetters(h *house, b *tab) {
	b.open("#/letters")
	b.sees("Causes", "source_missing", "not_found", "lost-00")
	b.shot("letters")

	// Five jobs name a segment that there is not: all of them get another.
	b.open("#/letters?class=not_found")
	b.sees("nowhere-0")
	b.misses("lost-00")
	b.click("button", "Select all 5")
	b.sees("5 letters selected, all that match")
	b.click("button", "Edit …")
	b.fill("Field", "segment")
	b.fill("Value", "1")
	b.fill("Reason", "the segment was renamed")
	b.click("dialog button", "See what would change")
	b.sees("5 letters to be edited", "/segment")
	b.click("dialog button", "Edit 5 letters")
	b.sees("5 letters edited")
	b.sees("segment 1")
	b.click("button", "Select all 5")
	b.click("button", "Replay …")
	b.sees("5 jobs will be published again")
	b.shot("replay")
	b.fill("Reason", "mended")
	b.click("dialog button", "Replay 5 jobs")
	b.sees("Replay finished", "5 of 5 replayed", "No dead letter matches")
	for i := range 5 {
		eventually(b.t, "the replayed jobs are done", func() bool {
			r := h.record(fmt.Sprintf("nowhere-%d", i))
			return r.State == usher.Done && r.Run == 2
		})
	}

	// The missing file comes; two are chosen by hand, slowly, and stopped.
	writeFile(b.t, h.exports+"/missing.csv", rawID+"\n")
	b.open("#/letters?class=source_missing")
	b.sees("lost-19")
	b.click("input", "Select this page")
	b.sees("20 letters selected")
	b.click("button", "Replay …")
	b.sees("20 jobs will be published again")
	b.fill("Pace", "0.5")
	b.click("dialog button", "Replay 20 jobs")
	b.sees("Replaying …", "1 of 20 replayed")
	b.shot("replaying")
	b.click("button", "Stop")
	b.sees("Replay stopped", "the other letters were kept")

	// One is looked at; the others are discarded, with a reason.
	b.click("td button", "lost-19")
	b.sees("Edit this job …")
	b.shot("letter")
	b.keys(keyEscape)
	b.until(`!document.querySelector("dialog")`)
	b.click("button", "Select all")
	b.click("button", "Discard …")
	if eval[bool](b, `!document.querySelector("dialog button[type=submit]").disabled`) {
		b.t.Error("letters can be discarded without a reason")
	}
	b.fill("Reason", "of no use any more")
	b.click("dialog button", "Discard")
	b.sees("discarded", "No dead letter matches")
	if left := h.letters(); len(left) != 0 {
		b.t.Errorf("%d letters are left", len(left))
	}
}

// lookAtCampaigns pauses a creative by hand, and resumes all.
func lookAtCampaigns(_ *house, b *tab) {
	b.open("#/campaigns")
	b.sees("SANDBOX1-autumn")
	b.shot("campaigns")
	b.click("a", "SANDBOX1-autumn")
	b.sees("Creatives", "ACTIVE", "usher has not changed its creatives.")
	first := eval[string](b, `document.querySelector("tbody tr td.strong a").innerText`)
	b.click("input", "Select "+first)
	b.click("button", "Pause 1 …")
	b.sees("Pause 1 creative?")
	b.fill("Reason", "the client asked for it")
	b.click("dialog button", "Pause")
	b.sees("ACTIVE → INACTIVE", "the client asked for it", "local")
	b.until(`[...document.querySelectorAll("tbody tr")].some(r => r.innerText.includes("INACTIVE"))`)
	b.shot("campaign")
	b.click("button", "Resume all …")
	b.fill("Reason", "the client thanks")
	b.click("dialog button", "Resume")
	b.sees("INACTIVE → ACTIVE", "the client thanks")
}

// throwSwitch stops all campaign actions and lets them go on.
func throwSwitch(h *house, b *tab) {
	b.open("#/rules")
	b.sees("Campaign actions")
	b.click("button", "Stop all campaign actions")
	b.fill("Reason", "incident 12")
	b.click("dialog button", "Stop")
	b.sees("Campaign actions are stopped", "incident 12")
	b.shot("rules-stopped")
	if _, stopped, err := rulings.NewStopSwitch(h.queue).Stopped(b.t.Context()); err != nil || !stopped {
		b.t.Errorf("stopped: %t, %v", stopped, err)
	}
	b.click("button", "Start campaign actions")
	b.click("dialog button", "Start")
	b.sees("Stop all campaign actions")
	b.shot("rules")
}

// lookAtRules sees a rule pause, approves what another one asks for, undoes it,
// and tries the rules on the past.
func lookAtRules(h *house, b *tab) {
	spent := func(id, campaign string) job {
		return job{"id": id, "rules": "budgets", "metrics": job{"campaign": campaign, "at": time.Now().UTC(), "values": job{"grossMediaSpend": 99, "budget": 100}}}
	}
	b.open("#/rules")
	b.sees("budgets/stop", "budgets/ask", "pause when grossMediaSpend >= 0.95 * budget", "17 3 29 2 *", "No runs yet")
	h.publish(usher.RulesEvaluate, spent("spent-summer", "SANDBOX1-summer"))
	h.publish(usher.RulesEvaluate, spent("spent-autumn", "SANDBOX1-autumn"))
	b.sees("spent-summer", "A run of budgets waits for approval")
	b.shot("rules-held")
	b.open("#/")
	b.sees("1 run of rules to be approved or rejected")
	b.open("#/rules")
	b.click("a", "A run of budgets waits")
	b.sees("This run waits for approval", "autumn-1", "held")
	b.shot("run-held")
	b.click("button", "Approve …")
	b.fill("Reason", "yes, it is spent")
	b.click("dialog button", "Approve")
	b.sees("approved", "local: yes, it is spent")
	b.open("#/rules/why/autumn-1")
	b.sees("ACTIVE → INACTIVE", "Paused by the rule budgets/ask")
	b.shot("why")
	b.open("#/rules/runs/spent-autumn")
	b.click("button", "Undo …")
	b.fill("Reason", "the budget was raised")
	b.click("dialog button", "Undo")
	b.sees("Undoing run")
	b.open("#/campaigns/SANDBOX1-autumn")
	b.sees("Rules in scope", "budgets/ask", "undo of spent-autumn")
	b.open("#/rules/backtest?file=budgets&from=2014-03-17&to=2014-04-20")
	b.sees("Spend by day", "What would have changed", "Saved")
	b.shot("backtest")
}

// lookAtAudit finds who did what, and takes it along.
func lookAtAudit(h *house, b *tab) {
	b.open("#/audit")
	b.sees("incident 12", "the client asked for it", "of no use any more", "the segment was renamed", "came too late")
	b.shot("audit")
	b.fill("Search actor, reason, creative, job …", "thanks")
	b.misses("incident 12")
	b.sees("the client thanks")
	for format, begins := range map[string]string{"ndjson": `{"at":`, "csv": "at,actor,reason"} {
		text := fetch(b, "/api/audit/export?match=client&format="+format)
		if !strings.HasPrefix(text, begins) || !strings.Contains(text, "the client asked for it") || strings.Contains(text, "incident") {
			b.t.Errorf("the export as %s is %.200s", format, text)
		}
	}
	seen := 0
	if err := h.queue.Audit().Each(b.t.Context(), queues.AuditFilter{Actor: "local"}, func(usher.Audit) error { seen++; return nil }); err != nil || seen < 10 {
		b.t.Errorf("%d entries of the one who acted: %v", seen, err)
	}
}

// fetch is what an address of the API answers to the page.
func fetch(b *tab, path string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf("fetch(%s).then(a => a.text())", quote(path)), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// lookAtOverview sees it in both schemes, and by the toggle.
func lookAtOverview(_ *house, b *tab) {
	b.open("#/")
	b.sees("Nothing needs attention.", "Throughput", "Lanes", "audience", "200")
	b.shot("overview")
	paper := func() string { return eval[string](b, "getComputedStyle(document.body).backgroundColor") }
	light := paper()
	b.scheme("dark")
	if dark := paper(); dark == light {
		b.t.Errorf("the page is %s in both colour schemes", dark)
	}
	b.until(`document.querySelectorAll(".uplot").length === 2`)
	b.click("button", "Pause lane bulk")
	b.fill("Reason", "the disk is full")
	b.click("dialog button", "Pause")
	b.sees("paused by local: the disk is full", "Lane bulk is paused")
	b.click("button", "Resume lane bulk")
	b.fill("Reason", "it is not")
	b.click("dialog button", "Resume")
	b.misses("paused by local")
	b.click("button", "Set the limit")
	b.fill("Limit", "1500")
	b.fill("Reason", "slower for a while")
	b.click("dialog button", "Set")
	b.sees("1,500 calls/s", "set by hand")
	b.shot("overview-dark")
	b.open("#/jobs/large")
	b.sees("rows read")
	b.shot("job-dark")
	b.click("button", "Light colours")
	if now := paper(); now != light {
		b.t.Errorf("the toggle makes the page %s, light is %s", now, light)
	}
	b.do(chromedp.Reload())
	b.sees("rows read")
	if now := paper(); now != light {
		b.t.Error("the choice of colours is forgotten")
	}
	eval[bool](b, `localStorage.clear() === undefined`)
}

// pages returns the paths of all pages.
func pages() []string {
	return []string{"#/", "#/jobs", "#/jobs/crm-first", "#/jobs/large", "#/letters", "#/campaigns", "#/campaigns/SANDBOX1-autumn", "#/rules", "#/rules/runs/spent-autumn", "#/rules/why/autumn-1", "#/rules/backtest?file=budgets&from=2014-03-17&to=2014-04-20", "#/audit"}
}

// shown waits until a page has what it shows.
func (b *tab) shown() {
	b.t.Helper()
	b.until(`!document.querySelector(".loading") && !!document.querySelector("h1")`)
}

// lookByPhone sees that every page fits a phone's window.
func lookByPhone(h *house, b *tab) {
	h.publish(usher.SegmentAdd, h.addJob("gone", h.exports+"/a-file-with-a-rather-long-name-that-is-not-there.csv"))
	h.ended("gone")
	b.size(390, 844)
	for _, place := range pages() {
		b.open(place)
		b.shown()
		b.fits()
		b.window("phone-" + strings.Trim(strings.NewReplacer("#/", "", "/", "-").Replace(strings.Split(place, "?")[0]), "-"))
	}
	b.size(320, 640)
	for _, place := range pages() {
		b.open(place)
		b.shown()
		b.fits()
	}
}

// lookByKeyboard cancels nothing, but gets everywhere without a mouse.
func lookByKeyboard(_ *house, b *tab) {
	b.open("#/")
	b.shown()
	b.keys(keyTab)
	if at := b.focused(); at != "Skip to content" {
		b.t.Errorf("the first thing that the keyboard reaches is %q", at)
	}
	b.tabTo("Jobs")
	if seen := eval[string](b, "getComputedStyle(document.activeElement).outlineStyle"); seen == "none" {
		b.t.Error("the focus cannot be seen")
	}
	b.keys(keyEnter)
	b.sees("All jobs and their results")
	if at := b.focused(); at != "Jobs" {
		b.t.Errorf("after the page has changed the focus is at %q", at)
	}
	b.tabTo("Search id, target, error …")
	b.keys("c", "r", "m", "-", "f")
	b.misses("crm-19")
	b.tabTo("crm-first")
	b.keys(keyEnter)
	b.sees("Where every row went")

	b.open("#/letters")
	b.sees("gone")
	b.tabTo("gone")
	b.keys(keyEnter)
	b.sees("Edit this job …")
	b.keys(keyEscape)
	b.until(`!document.querySelector("dialog")`)
	if at := b.focused(); at != "gone" {
		b.t.Errorf("after the dialog the focus is at %q", at)
	}
	b.tabTo("Select letter ")
	b.keys(" ")
	b.sees("1 letter selected")
	b.tabTo("Replay …")
	b.keys(keyEnter)
	b.sees("1 job will be published again")
	if eval[bool](b, `!document.activeElement.closest("dialog")`) {
		b.t.Error("the dialog has not taken the focus")
	}
	b.keys(keyEscape)
	b.until(`!document.querySelector("dialog")`)
}

// tabTo presses Tab, or Shift-Tab where that is nearer, until what has that name
// has the focus.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	for range 80 {
		if strings.HasPrefix(b.focused(), name) {
			return
		}
		b.keys(kb.Tab)
	}
	b.shot("failed")
	b.t.Fatalf("the keyboard does not get to %q", name)
}

// lookForIDs plants raw ids and secrets wherever a stranger can, and looks for
// them in all that the API says.
func lookForIDs(h *house, b *tab) {
	const canary, secret = "0F1E2D3C-4B5A-4968-8776-A5B4C3D2E1F0", "s3cr3t-in-a-query"
	path := h.exports + "/canary.csv"
	writeFile(b.t, path, canary+"\n"+canary[1:]+"\n")
	inline := job{"id": "canary-inline", "segment": "1", "profile": "idfa", "source": job{"ids": []string{canary, "x" + canary}}}
	h.publish(usher.SegmentAdd, inline)
	h.publish(usher.SegmentAdd, h.addJob("canary-file", path))
	h.publish(usher.SegmentAdd, h.addJob("canary-wrong-type", path, job{"profile": "aaid"}))
	h.publish(usher.SegmentAdd, job{"id": "canary-invalid", "segment": 1, canary: canary, "source": job{"ids": []string{canary}, "format": []string{canary}}})
	h.publish(usher.SegmentAdd, job{"id": "canary-query", "segment": "1", "profile": "idfa", "source": job{"url": "https://example.org/x.csv?sig=" + secret}})
	if _, err := h.js.Publish(b.t.Context(), "usher.jobs.segment.add", []byte("no JSON "+canary)); err != nil {
		b.t.Fatal(err)
	}
	for _, id := range []string{"canary-inline", "canary-file", "canary-query"} {
		h.ended(id)
	}
	eventually(b.t, "the letters are there", func() bool { return len(h.letters()) >= 4 })
	b.open("#/letters")
	b.sees("canary-invalid", "canary-query")
	paths := []string{
		"/api/overview", "/api/jobs", "/api/letters", "/api/letters/groups", "/api/letters/plan", "/api/replays", "/api/campaigns",
		"/api/campaigns/SANDBOX1-autumn", "/api/rules", "/api/rules/runs/spent-autumn", "/api/rules/why/autumn-1", "/api/audit", "/api/audit/export?format=csv", "/api/audit/export?format=ndjson", "/api/session",
	}
	for _, id := range []string{"canary-inline", "canary-file", "canary-wrong-type", "canary-query", "canary-invalid"} {
		paths = append(paths, "/api/jobs/"+id)
	}
	b.expected = "404" // of jobs that were never on record
	seen := ""
	for _, path := range paths {
		seen += fetch(b, path)
	}
	for _, place := range append(pages(), "#/jobs/canary-file", "#/jobs/canary-inline") {
		b.open(place)
		b.shown()
		seen += eval[string](b, "document.documentElement.outerHTML")
	}
	if log, err := os.ReadFile(filepath.Join(logDir(h.logs), "dev.log")); err == nil {
		seen += string(log)
	}
	for _, word := range []string{canary, canary[1:], rawID, strings.ReplaceAll(canary, "-", ""), secret, "password\""} {
		if i := strings.Index(strings.ToUpper(seen), strings.ToUpper(word)); i >= 0 {
			b.t.Errorf("%s is shown: %s", word, seen[max(i-150, 0):min(i+80, len(seen))])
		}
	}
}

// leave ends the session: the page, and its API, are closed then.
func leave(h *house, b *tab) {
	b.open("#/jobs")
	b.shown()
	b.click("button", "Log out")
	b.sees("Open the link")
	b.shot("login")
	b.expected = "401"
	if text := fetch(b, "/api/jobs"); !strings.Contains(text, "log in first") {
		b.t.Errorf("after leaving the API says %s", text)
	}
	b.open(strings.TrimPrefix(h.link, h.console+"/"))
	b.sees("this link was already used")
}
