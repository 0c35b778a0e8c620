package main_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"usher"
	"usher/queues/audit"
)

// rawID is an id that usher must not show.
const rawID = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

// TestConsole uses the console of a running `usher dev` in Chromium and saves
// screenshots in artifacts/. Each step depends on the previous steps. Those at night check what
// the page itself does, without usher's part: layouts, keys, history, colours, slow links.
func TestConsole(t *testing.T) {
	t.Parallel()
	dev, browser := startDev(t), newBrowser(t)
	for _, step := range []struct {
		name  string
		run   func(*devProcess, *tab)
		night bool
	}{
		{"link", checkLogin, false}, {"jobs", checkJobs, false}, {"parts", checkParts, false}, {"cancel", cancelJob, false},
		{"letters", checkLetters, false}, {"superseded", checkSuperseded, false}, {"named", checkNamed, false}, {"needless", checkNeedless, false}, {"many letters", checkManyLetters, true},
		{"campaigns", checkCampaigns, false}, {"switch", checkStopSwitch, false}, {"rules", checkRules, false}, {"audit", checkAudit, false},
		{"overview", checkOverview, false}, {"audiences", checkAudiences, false},
		{"held shrink", checkHeldShrink, false}, {"new memory", checkNewMemory, false}, {"superseded pause", checkSupersededPause, false},
		{"phone", checkPhoneLayout, true}, {"navigation", checkNavigation, true}, {"far away", checkFarAway, true}, {"sources", checkSources, false}, {"keyboard", checkKeyboard, true}, {"axe", checkAxe, true},
		{"raw ids", checkNoIDsShown, false}, {"logout", checkLogout, false},
	} {
		if step.night && !night {
			continue
		}
		ok := t.Run(step.name, func(t *testing.T) {
			dev.t = t
			step.run(dev, newTab(browser, t, dev.console))
		})
		if !ok {
			break
		}
	}
}

// checkLogin logs in with the link, which works once.
func checkLogin(dev *devProcess, b *tab) {
	b.open(strings.TrimPrefix(dev.link, dev.console+"/"))
	b.waitForText("Overview", "Nothing needs attention.", "NATS", "Redis", "Platform", "1 worker", "as of")
	b.screenshot("overview-empty")
	if left := eval[string](b, "location.href"); strings.Contains(left, "login") {
		b.t.Errorf("the address still contains the token of the link: %s", left)
	}
	checkMenu(b)
}

// checkMenu checks that the menu has all pages in windows of all widths, and that there is room between
// their names.
func checkMenu(b *tab) {
	b.t.Helper()
	for _, width := range []int64{320, 360, 480, 600, 601, 800, 861, 1280} {
		b.setWindowSize(width, 800)
		if wrong := eval[[]string](b, crowded); len(wrong) > 0 {
			b.windowScreenshot("failed")
			b.t.Errorf("in a window of %d px, the menu is crowded: %s", width, strings.Join(wrong, ", "))
		}
	}
	b.setWindowSize(1280, 900)
}

// crowded returns the pages of the menu whose names are not in the window, or closer than 4 px to the name of
// the page before.
const crowded = `(() => {
	const names = [...document.querySelectorAll(".nav a")].map((a) => {
		const range = document.createRange();
		range.selectNodeContents(a.querySelector("span:not(.count)"));
		return [a.innerText.split("\n")[0], range.getBoundingClientRect()];
	});
	if (names.length !== 8) return [names.length + " pages"];
	return names.filter(([, r], i) => {
		const before = names[i - 1]?.[1];
		return r.left < 4 || r.right > innerWidth - 4 || r.bottom > innerHeight || before && Math.abs(before.top - r.top) < 4 && r.left - before.right < 4;
	}).map(([name]) => name);
})()`

// checkJobs checks that the list of jobs is updated and can be filtered.
func checkJobs(dev *devProcess, b *tab) {
	b.open("#/jobs")
	b.waitForText("No jobs yet")
	path := dev.exports + "/few.csv"
	writeFile(b.t, path, rawID+"\n00000000-0000-0000-0000-000000000000\nnot-an-id-1234567\n"+rawID+"\n")
	dev.publish(usher.SegmentAdd, dev.addJob("crm-first", path))
	b.waitForText("crm-first", "done")
	b.click("a", "crm-first")
	b.waitForText("Where every row went", "= 4 rows read", "Timeline", "zero id", "Open page", "done after")
	b.waitFor(`location.hash.includes("job=crm-first") && document.querySelectorAll(".phases i.running").length === 1`)
	b.windowScreenshot("job-drawer")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector(".drawer") && document.activeElement.innerText === "crm-first"`)
	b.open("#/jobs/crm-first")
	b.waitForText("Where every row went")
	b.screenshot("job")
	checkUnderstood(dev, b)
	for i := range 20 {
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("crm-%02d", i), path))
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("lost-%02d", i), dev.exports+"/missing.csv"))
	}
	for i := range 5 {
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("nowhere-%d", i), path, job{"segment": "99"}))
	}
	dev.ended("crm-19")
	dev.ended("lost-19")
	dev.ended("nowhere-4")
	b.open("#/jobs")
	b.waitForText("nowhere-4", "The export is missing")
	b.screenshot("jobs")
	b.click("button", "Failed")
	b.waitForNoText("crm-19")
	b.fill("Search id, target, error …", "lost-07")
	b.waitForNoText("lost-08")
	b.waitForText("lost-07", "1 of 1 job")
	b.fill("Kind", "target.add")
	b.waitForText("No job matches")

	// Back takes back one choice after the other; what was typed is one.
	b.do(chromedp.NavigateBack())
	b.waitForText("lost-07", "1 of 1 job")
	b.do(chromedp.NavigateBack())
	b.waitForText("lost-08")
	b.waitFor(`location.hash === "#/jobs?state=failed"`)
	b.do(chromedp.NavigateBack())
	b.waitForText("crm-19")
	b.open("#/jobs?target=segment%2099&span=24")
	b.waitForText("5 of 5 jobs", "segment 99 ×", "Last 24 hours")
	b.open("#/jobs?span=days&from=2020-01-01&to=2020-01-31")
	b.waitForText("No job matches")
	b.waitFor(`document.querySelector("input[type=date]").value === "2020-01-01"`)
	// Repeated, because the list may be some seconds old.
	eventually(b.t, "each job is on one of three pages", func() bool {
		paged, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`(async () => { const seen = []; let next = "", pages = 0;
			do { const list = await (await fetch("/api/jobs?limit=20&after=" + encodeURIComponent(next))).json(); seen.push(...list.jobs.map((j) => j.id)); next = list.next; pages++; } while (next);
			return pages + " pages, " + new Set(seen).size + " of " + seen.length; })()`, chromedp.EvalAwaitPromise))
		return err == nil && paged == "3 pages, 47 of 47"
	})
	checkTimes(b)
}

// checkTimes switches the times of all pages to UTC. A reload keeps that.
func checkTimes(b *tab) {
	b.open("#/jobs/crm-first")
	b.waitForText("Timeline")
	if label := eval[string](b, `document.querySelector("button[aria-label^='Times in']").getAttribute("aria-label")`); label != "Times in UTC" {
		b.click("button", label)
	}
	b.waitFor(`/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/.test(document.querySelector("time")?.title)`)
	b.do(chromedp.Reload())
	b.waitForText("Timeline", "UTC")
	b.waitFor(`!!document.querySelector("button[aria-label='Times in UTC']")`)
}

// checkUnderstood checks that the page of a job says how its export was read.
func checkUnderstood(dev *devProcess, b *tab) {
	path := dev.exports + "/systems.csv"
	writeFile(b.t, path, "os;Geräte-ID\nios;"+rawID+"\nandroid;\n")
	dev.publish(usher.SegmentAdd, dev.addJob("crm-systems", path, job{"source": job{"url": "file://" + path, "typeColumn": "os"}}))
	dev.ended("crm-systems")
	b.open("#/jobs/crm-systems")
	b.waitForText("How the export was read", "csv, utf-8", "semicolon", "double, escape double", "Geräte-ID, column 2", "Types in")
	b.screenshot("job-understood")
	b.checkWidth()
}

// checkParts checks the page of a running job that has parts.
func checkParts(dev *devProcess, b *tab) {
	e := newExport(b.t, dev.exports, 20_000, 11)
	dev.publish(usher.SegmentAdd, dev.addJob("large", e.path))
	b.open("#/jobs/large")
	b.waitForText("Parts", "done", "= 20,", "rows read")
	b.screenshot("job-parts")
}

// cancelJob cancels a waiting job.
func cancelJob(dev *devProcess, b *tab) {
	dev.control("POST", "faults", job{"op": "campaigns.lock", "kind": "status", "status": 400, "times": 1000}, nil)
	dev.publish(usher.CampaignPause, job{"id": "to-cancel", "campaign": "SANDBOX1-autumn"})
	b.open("#/jobs/to-cancel")
	b.waitForText("The platform's lock on SANDBOX1-autumn is held by somebody else")
	b.screenshot("job-waiting")
	b.click("button", "Cancel job")
	b.waitFor(`!!document.querySelector("dialog[open]")`)
	b.screenshot("dialog")
	b.fill("Reason", "came too late")
	b.click("dialog button", "Cancel job")
	b.waitForText("cancelled")
	if r := dev.ended("to-cancel"); r.State != usher.Cancelled {
		b.t.Errorf("the job is %s, not cancelled", r.State)
	}
	for _, id := range []string{"also-1", "also-2", "also-3"} {
		dev.publish(usher.CampaignPause, job{"id": id, "campaign": "SANDBOX1-autumn"})
	}
	b.open("#/jobs?text=also-")
	b.waitForText("also-1", "also-2", "also-3")
	b.click("input", "Select all jobs on this page that have not ended")
	b.click("input", "Select job also-2")
	b.waitForText("2 jobs selected")
	b.click("button", "Cancel 2 jobs …")
	b.fill("Reason", "all too late")
	b.click("dialog button", "Cancel 2 jobs")
	b.waitForText("2 jobs cancelled")
	for _, id := range []string{"also-1", "also-3"} {
		if r := dev.ended(id); r.State != usher.Cancelled {
			b.t.Errorf("%s is %s, not cancelled", id, r.State)
		}
	}
	if err := dev.queue.Cancel(b.t.Context(), "also-2", audit.Act{Actor: "test"}); err != nil {
		b.t.Error(err)
	}
	dev.ended("also-2")
	dev.control("DELETE", "faults", nil, nil)
}

// checkCampaigns pauses a creative and resumes all creatives.
func checkCampaigns(_ *devProcess, b *tab) {
	b.open("#/campaigns")
	b.waitForText("SANDBOX1-autumn", "9 campaigns")
	b.waitForNoText("being read")
	b.waitForText("5 active")
	b.screenshot("campaigns")
	b.click("a", "SANDBOX1-autumn")
	b.waitForText("Creatives", "active", "usher has not changed its creatives.")
	first := eval[string](b, `document.querySelector("tbody tr td.strong a").innerText`)
	b.click("input", "Select "+first)
	b.click("button", "Pause 1 …")
	b.waitForText("Pause 1 creative?")
	b.fill("Reason", "the client asked for it")
	b.click("dialog button", "Pause")
	b.waitForText("active → paused", "the client asked for it", "local")
	b.waitFor(`[...document.querySelectorAll("tbody tr")].some(r => r.innerText.includes("paused"))`)
	b.screenshot("campaign")
	b.open("#/campaigns?only=paused")
	b.waitForText("3 active, 1 paused", "local", "1 campaign")
	b.click("button", "Campaign")
	b.waitFor(`location.hash.includes("sort=name") && location.hash.includes("only=paused")`)
	b.checkWidth()
	b.open("#/campaigns/SANDBOX1-autumn")
	b.click("button", "Resume all …")
	b.fill("Reason", "the client thanks")
	b.click("dialog button", "Resume")
	b.waitForText("paused → active", "the client thanks")
}

// checkStopSwitch stops and restarts all campaign actions.
func checkStopSwitch(dev *devProcess, b *tab) {
	b.open("#/rules")
	b.waitForText("Campaign actions")
	b.click("button", "Stop all campaign actions")
	b.fill("Reason", "incident 12")
	b.click("dialog button", "Stop")
	b.waitForText("Campaign actions are stopped", "incident 12")
	b.screenshot("rules-stopped")
	if _, stopped, err := dev.queue.Settings().Stopped(b.t.Context()); err != nil || !stopped {
		b.t.Errorf("the stop switch is on: %t, want true; error: %v", stopped, err)
	}
	b.click("button", "Start campaign actions")
	b.waitForText("Stopped by local", ": incident 12")
	again := usher.Setting{Kind: usher.StopSwitch}
	if err := dev.queue.Settings().Set(b.t.Context(), again, audit.Act{Actor: "bob", Reason: "incident 13"}); err != nil {
		b.t.Fatal(err)
	}
	b.expected = "409"
	b.click("dialog button", "Start") // of a stop that is no longer the one that is set
	b.waitForText("it was set again meanwhile", "by bob: incident 13")
	b.click("dialog button", "Cancel")
	b.click("button", "Start campaign actions")
	b.waitForText("Stopped by bob", ": incident 13")
	b.screenshot("rules-start")
	b.click("dialog button", "Start")
	b.waitForText("Stop all campaign actions")
	b.screenshot("rules")
}

// checkAudit searches the audit and exports it.
func checkAudit(dev *devProcess, b *tab) {
	b.open("#/audit?limit=200")
	b.waitForText("incident 12", "the client asked for it", "rule budgets/stop run now")
	b.screenshot("audit")
	for _, reason := range []string{"of no use any more", "Segment set to 1", "came too late"} { // before hundreds of replays
		b.open("#/audit?match=" + url.QueryEscape(reason))
		b.waitForText(reason)
	}
	b.open("#/audit")
	b.fill("Search actor, reason, creative, job …", "thanks")
	b.waitForNoText("incident 12")
	b.waitForText("the client thanks")
	for format, prefix := range map[string]string{"ndjson": `{"at":`, "csv": "at,actor,reason"} {
		text := fetch(b, "/api/audit/export?match=client&format="+format)
		if !strings.HasPrefix(text, prefix) || !strings.Contains(text, "the client asked for it") || strings.Contains(text, "incident") {
			b.t.Errorf("the export as %s is %.200s", format, text)
		}
	}
	entries := 0
	if err := dev.queue.Audit().Each(b.t.Context(), audit.Filter{Actor: "local"}, func(usher.Audit) error { entries++; return nil }); err != nil || entries < 10 {
		b.t.Errorf("%d audit entries of the actor local, want at least 10; error: %v", entries, err)
	}
}

// fetch returns the API's response to a request of the page.
func fetch(b *tab, path string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf("fetch(%s).then(a => a.text())", quoteJS(path)), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// checkOverview checks the overview in both colour schemes, and the controls of
// lanes and the rate limit.
func checkOverview(_ *devProcess, b *tab) {
	b.open("#/")
	b.waitForText("Nothing needs attention.", "What changed", "What the rules did", "What feeds took", "Throughput", "Lanes", "audience", "200", "1 worker")
	b.screenshot("overview")
	background := func() string { return eval[string](b, "getComputedStyle(document.body).backgroundColor") }
	light := background()
	b.setColorScheme("dark")
	if dark := background(); dark == light {
		b.t.Errorf("the background is %s in both colour schemes", dark)
	}
	b.waitFor(`document.querySelectorAll(".uplot").length === 2`)
	checkSchemeFollowed(b)
	b.click("button", "Pause or resume")
	b.fill("Lane", "bulk")
	b.fill("Reason", "the disk is full")
	b.click("dialog button", "Pause")
	b.waitForText("paused by local: the disk is full", "Lane bulk is paused")
	b.click("button", "Pause or resume")
	b.fill("Reason", "it is not")
	b.click("dialog button", "Resume")
	b.waitForNoText("paused by local")
	b.click("button", "Set the limit")
	b.fill("Limit", "1500")
	b.fill("Reason", "slower for a while")
	b.click("dialog button", "Set")
	b.waitForText("1,500 calls/s", "set by hand")
	b.screenshot("overview-dark")
	b.open("#/jobs/large")
	b.waitForText("rows read")
	b.screenshot("job-dark")
	b.click("button", "Light colours")
	if now := background(); now != light {
		b.t.Errorf("after the toggle the background is %s, not %s", now, light)
	}
	b.do(chromedp.Reload())
	b.waitForText("rows read")
	if now := background(); now != light {
		b.t.Error("the chosen colours are lost after a reload")
	}
	eval[bool](b, `localStorage.clear() === undefined`)
}

// checkSchemeFollowed checks that the button of colours follows the system's scheme while
// the page is drawn. Reading matches of a MediaQueryList between a change and its event
// makes Chromium send no event.
func checkSchemeFollowed(b *tab) {
	eval[bool](b, `(window.reading = setInterval(() => matchMedia("(prefers-color-scheme: dark)").matches, 0)) > 0`)
	b.waitFor("window.reading > 0")
	for range 10 {
		b.setColorScheme("light")
		b.waitFor(`!!document.querySelector("button[aria-label='Dark colours']")`)
		b.setColorScheme("dark")
		b.waitFor(`!!document.querySelector("button[aria-label='Light colours']")`)
	}
	eval[bool](b, `clearInterval(window.reading) === undefined`)
}

// pages returns the path of each page.
func pages() []string {
	return []string{"#/", "#/jobs", "#/jobs/crm-first", "#/jobs/large", "#/letters", "#/audiences", "#/feeds", "#/audiences/segment%202", "#/audiences/overlap?of=segment%202,target%20SANDBOX1-spring", "#/campaigns", "#/campaigns/SANDBOX1-autumn", "#/rules", "#/rules/runs/spent-autumn", "#/rules/why/autumn-1", "#/rules/backtest?file=budgets&from=2014-03-17&to=2014-04-20", "#/audit"}
}

// waitUntilLoaded blocks until the page has loaded its data.
func (b *tab) waitUntilLoaded() {
	b.t.Helper()
	b.waitFor(`!document.querySelector(".loading") && !!document.querySelector("h1")`)
}

// checkFarAway opens every page, and acts, while each response takes 200 ms longer.
func checkFarAway(dev *devProcess, b *tab) {
	_, err := chromedp.Call(b.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 200, DownloadThroughput: -1, UploadThroughput: -1}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, path := range pages() {
		b.open(path)
		b.waitUntilLoaded()
		b.waitForText("as of")
		b.waitFor(`!document.querySelector(".lost .callout") && !document.querySelector("main.stale")`)
	}
	if took := eval[float64](b, `Math.min(...performance.getEntriesByType("resource").filter((r) => r.name.includes("/api/") && !r.name.endsWith("/live")).map((r) => r.duration))`); took < 200 {
		b.t.Errorf("a response took %g ms: the link is not slow", took)
	}
	checkColdStart(b)
	checkStopSwitch(dev, b)
}

// checkColdStart checks that a page which the browser has never seen asks for nothing twice, and
// for all of its data as soon as its script has run, before any of it has come: three round trips
// after the connection.
func checkColdStart(b *tab) {
	b.t.Helper()
	for _, path := range []string{"#/jobs", "#/letters", "#/audiences", "#/campaigns", "#/rules", "#/audit", "#/"} {
		b.do(chromedp.Navigate("about:blank"))
		if _, err := chromedp.Call(b.ctx, network.ClearBrowserCache, cdp.Empty{}); err != nil {
			b.t.Fatal(err)
		}
		b.open(path)
		b.waitUntilLoaded()
		asked := eval[[]string](b, `performance.getEntriesByType("resource").map((r) => r.name.replace(location.origin, ""))`)
		slices.Sort(asked)
		if once := slices.Compact(slices.Clone(asked)); len(once) != len(asked) || slices.Contains(asked, "/api/session") {
			b.t.Errorf("%s asks for %v", path, asked)
		}
		if late := eval[[]string](b, askedLater); len(late) > 0 {
			b.t.Errorf("%s asks for %v only after other data has come", path, late)
		}
		b.t.Logf("%s: first rows after %.0f ms, with %s", path, eval[float64](b, "performance.now()"), strings.Join(asked, " "))
	}
}

// askedLater returns what a page has asked for after the first data has come: one more round trip. The slow
// link delays the end of a response.
const askedLater = `(() => {
	const asked = performance.getEntriesByType("resource").filter((r) => r.name.includes("/api/") && !r.name.endsWith("/live"));
	const first = Math.min(...asked.map((r) => r.responseEnd));
	return asked.filter((r) => r.startTime > first).map((r) => r.name.replace(location.origin, ""));
})()`

// checkPhoneLayout checks that every page fits the window of a phone.
func checkPhoneLayout(dev *devProcess, b *tab) {
	dev.publish(usher.SegmentAdd, dev.addJob("gone", dev.exports+"/a-file-with-a-rather-long-name-that-is-not-there.csv", job{"maxRejectPercent": 50, "source": job{
		"url": "file://" + dev.exports + "/a-file-with-a-rather-long-name-that-is-not-there.csv", "incompleteLastRow": "drop", "disregard": []string{"consent"},
	}}))
	dev.ended("gone")
	b.setWindowSize(360, 800)
	b.open("#/letters")
	b.click("td button.id", "gone")
	b.waitForText("Rejected rows allowed, in percent")
	b.checkWidth()
	if narrow := eval[[]string](b, narrowValues); len(narrow) > 0 {
		b.windowScreenshot("failed")
		b.t.Errorf("long names leave less than half of the width to %s", strings.Join(narrow, ", "))
	}
	b.windowScreenshot("phone-letter")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.setWindowSize(390, 844)
	for _, path := range pages() {
		b.open(path)
		b.waitUntilLoaded()
		b.checkWidth()
		checkPlain(b)
		checkMeanings(b)
		b.windowScreenshot("phone-" + strings.Trim(strings.NewReplacer("#/", "", "/", "-").Replace(strings.Split(path, "?")[0]), "-"))
	}
	b.setWindowSize(320, 640)
	for _, path := range pages() {
		b.open(path)
		b.waitUntilLoaded()
		b.checkWidth()
	}
}

// narrowValues returns the values of lists of facts that have less than half of the width of their list.
const narrowValues = `[...document.querySelectorAll("dialog dl.facts dd")].filter((d) => d.getBoundingClientRect().width < d.parentElement.getBoundingClientRect().width / 2).map((d) => d.innerText)`

// checkLogout logs out. The page and the API then require a login.
func checkLogout(dev *devProcess, b *tab) {
	b.open("#/jobs")
	b.waitUntilLoaded()
	b.click("button", "Log out")
	b.waitForText("Open the link")
	b.screenshot("login")
	b.expected = "401"
	if text := fetch(b, "/api/jobs"); !strings.Contains(text, "log in first") {
		b.t.Errorf("after the logout the API responds %s", text)
	}
	b.open(strings.TrimPrefix(dev.link, dev.console+"/"))
	b.waitForText("this link has been used")
}
