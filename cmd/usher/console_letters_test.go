package main_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"usher"
)

// checkLetters edits, replays and discards dead letters.
func checkLetters(dev *devProcess, b *tab) {
	b.open("#/")
	b.waitForText("The platform does not know the target: segment 99", "Add to segment 99: the platform answered 404", "The export is missing", "since", "5 jobs", "5 in 1 h", "Fix and replay")
	b.screenshot("overview-incidents")
	b.open("#/letters")
	b.waitForText("Causes", "The export is missing", "Then replay; if its name is wrong, set the right file with Fix and replay.", "lost-00")
	b.screenshot("letters")
	checkStill(b)

	// Correct a job where it failed, on its page.
	dev.publish(usher.SegmentAdd, dev.addJob("elsewhere", dev.exports+"/few.csv", job{"segment": "98"}))
	dev.ended("elsewhere")
	b.open("#/jobs/elsewhere")
	b.click(".callout button", "Fix and replay")
	b.waitForText("Nothing: it is repaired elsewhere")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.click(".head button", "Fix and replay …")
	b.fill("New value", "1")
	b.screenshot("job-fix")
	b.click("dialog button", "Fix and replay 1 job")
	b.waitForText("run 2", "done after")
	if r := dev.ended("elsewhere"); r.State != usher.Done || r.Run != 2 {
		b.t.Errorf("the job is %s in run %d", r.State, r.Run)
	}

	// Correct the segment of five jobs and replay them, by two clicks on the overview.
	b.open("#/")
	b.click(".incident button", "Fix and replay")
	b.waitForText("Nothing: it is repaired elsewhere")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.waitFor(`[...document.querySelectorAll(".incident")].some(e => e.innerText.includes("segment 99"))`)
	eval[bool](b, `[...document.querySelectorAll(".incident")].find(e => e.innerText.includes("segment 99")).querySelector("button").click() === undefined`)
	b.waitForText("nowhere-", "type the new value")
	b.fill("New value", "1")
	b.waitForText("5 jobs will be changed and published again")
	b.screenshot("fix")
	b.click("dialog button", "Fix and replay 5 jobs")
	b.waitForText("Replay finished", "5 jobs changed, 5 of 5 replayed", "5 done")
	b.screenshot("overview-replayed")
	for i := range 5 {
		eventually(b.t, "the replayed jobs are done", func() bool {
			r := dev.record(fmt.Sprintf("nowhere-%d", i))
			return r.State == usher.Done && r.Run == 2
		})
	}

	// Edit the selected letters: the selection survives, and holds the letters under their new numbers.
	b.open("#/letters?class=source_missing")
	b.waitForText("lost-19")
	b.click("input", "Select this page")
	b.click("button", "Edit …")
	b.fill("Field", "maxRejectPercent")
	b.fill("Value", "5")
	b.fill("Reason", "a try")
	b.click("dialog button", "Preview")
	b.waitForText("20 letters to be edited", "/maxRejectPercent")
	b.click("dialog button", "Edit 20 letters")
	b.waitForText("20 letters edited", "20 letters selected")
	b.open("#/jobs")
	b.waitForText("All jobs and their results")
	b.do(chromedp.NavigateBack())
	b.waitForText("20 letters selected")

	checkBack(b)

	// They fail again: a link leads to them.
	b.click("button", "Fix and replay …")
	b.waitForText("20 jobs will be published again as they are")
	b.click("dialog button", "Replay 20 jobs")
	b.waitForText("20 failed again")
	b.screenshot("failed-again")
	b.waitFor(`document.querySelector(".causes li").getBoundingClientRect().bottom < 900`)
	b.waitFor(`document.querySelector(".causes").getBoundingClientRect().bottom < document.querySelector(".replay").getBoundingClientRect().top`)
	b.click("a", "20 failed again")
	b.waitForText("failed again after a replay", "lost-19")
	b.click("button", "Hide")

	// Create the missing file, start a slow replay of one page and stop it.
	writeFile(b.t, dev.exports+"/missing.csv", rawID+"\n")
	b.open("#/letters?class=source_missing")
	b.waitForText("lost-19")
	b.click("input", "Select this page")
	b.waitForText("20 letters selected")
	b.click("button", "Fix and replay …")
	b.waitForText("20 jobs will be published again")
	b.screenshot("replay")
	b.click("summary", "Pace")
	b.fill("Jobs a second", "0.5")
	b.click("dialog button", "Replay 20 jobs")
	b.waitForText("Replaying …", "1 of 20 replayed")
	b.screenshot("replaying")
	b.click("button", "Stop")
	b.waitForText("Replay stopped", "the other letters were kept")

	// Open one letter, and discard all remaining ones.
	b.click("td button", "lost-19")
	b.waitForText("It can be discarded", "has uploaded this export,", "Discard this letter …")
	b.screenshot("letter")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.click("button", "Select all")
	b.click("button", "Discard …")
	if eval[bool](b, `!document.querySelector("dialog button[type=submit]").disabled`) {
		b.t.Error("letters can be discarded without a reason")
	}
	b.fill("Reason", "of no use any more")
	b.click("dialog button", "Discard")
	b.waitForText("discarded", "No dead letter matches")
	if left := dev.letters(); len(left) != 0 {
		b.t.Errorf("%d letters are left", len(left))
	}
}

// checkStill checks that nothing jumps on a phone while the page of letters loads, whichever answer is late.
func checkStill(b *tab) {
	b.t.Helper()
	b.setWindowSize(360, 800)
	for _, late := range []string{"/api/letters?", "/api/letters/groups", "/api/replays", "/api/overview"} {
		script, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(`window.shift = 0;
			new PerformanceObserver((list) => list.getEntries().forEach((e) => { window.shift += e.value; })).observe({ type: "layout-shift", buffered: true });
			const ask = window.fetch;
			window.fetch = async (path, ...rest) => { if (path.startsWith(%q)) await new Promise((go) => setTimeout(go, 500)); return ask(path, ...rest); };`, late)})
		if err != nil {
			b.t.Fatal(err)
		}
		b.do(chromedp.Reload())
		b.waitForText("Causes", "lost-00", "as of")
		b.waitFor(`!!document.querySelector(".nav .count")`)
		b.waitUntilLoaded()
		drawn := `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(window.shift))))`
		if shift, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](drawn, chromedp.EvalAwaitPromise)); err != nil || shift > 0.01 {
			b.t.Errorf("the page jumps by %g while %s is late; error: %v", shift, late, err)
		}
		if _, err := chromedp.Call(b.ctx, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams(script)); err != nil {
			b.t.Fatal(err)
		}
	}
	b.windowScreenshot("letters-phone")
	b.setWindowSize(1280, 900)
}

// checkBack checks that no dialog stays when Back leaves its page, which may be the same one with another
// filter. The selection stays.
func checkBack(b *tab) {
	b.t.Helper()
	for _, open := range []func(){
		func() { b.click(".causes button", "Fix and replay") },
		func() { b.press("?") },
		func() { eval[bool](b, `window.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true}))`) },
	} {
		b.open("#/letters")
		b.waitForText("Failed jobs by cause")
		b.open("#/letters?class=source_missing")
		b.waitForText("lost-19")
		open()
		b.waitFor(`!!document.querySelector("dialog[open]")`)
		b.do(chromedp.NavigateBack())
		b.waitFor(`location.hash === "#/letters" && !document.querySelector("dialog")`)
	}
	b.open("#/overview")
	b.waitFor(`location.hash === "#/" && document.querySelector("h1").innerText === "Overview"`)
	b.open("#/letters?class=source_missing")
	b.waitForText("20 letters selected")
}

// checkSuperseded lets go of uploads that a removal has superseded, in one act; other letters stay.
func checkSuperseded(dev *devProcess, b *tab) {
	many := 30
	if night {
		many = 755
	}
	path := dev.exports + "/some.csv"
	for i := range many {
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("before-%02d", i), path))
	}
	eventually(b.t, "all jobs are dead letters", func() bool { return len(dev.letters()) == many })
	writeFile(b.t, path, rawID+"\n")
	dev.publish(usher.SegmentRemove, dev.addJob("opt-out", path))
	dev.ended("opt-out")
	dev.publish(usher.SegmentAdd, dev.addJob("after", dev.exports+"/nothing.csv"))
	eventually(b.t, "another job has failed since", func() bool { return len(dev.letters()) == many+1 })
	b.open("#/letters")
	b.waitFor(`document.querySelector("td .id")?.innerText === "after"`) // newest first
	b.waitFor(`document.querySelector("td .id")?.getBoundingClientRect().bottom < 900`)

	checkAnnounced(dev, b)
	b.click("button", "Select all")
	b.click("button", "Fix and replay …")
	skipped := fmt.Sprintf("%d letters skipped", many)
	b.waitForText("2 jobs will be published again", skipped, "would put back ids that job opt-out has taken out of segment 1 since")
	b.waitForNoText("--force")
	b.screenshot("superseded")
	b.fill("What to change", "source.column") // until it has a value, there is no plan
	b.waitForText("type the new value", skipped, "would put back ids that job opt-out has taken out of segment 1 since")
	b.fill("What to change", "")
	b.waitForText("2 jobs will be published again")
	b.click("dialog label", "Replay also")
	b.waitForText(fmt.Sprintf("%d jobs will be published again", many+2))
	b.click("dialog label", "Replay also")
	b.waitForText(skipped)
	b.click("dialog button", "Let them go")
	b.waitForText("Let go what newer jobs have superseded?", fmt.Sprintf("%d letters will be discarded for good", many))
	b.waitFor(`document.querySelectorAll("dialog")[1].innerText.includes("would put back ids that job opt-out has taken out of segment 1 since")`)
	b.screenshot("let-go")
	b.click("dialog button[type=submit]", "Let them go")
	b.waitForText(fmt.Sprintf("%d letters let go", many))
	b.waitForNoText("before-")
	if left := dev.letters(); len(left) != 2 {
		b.t.Errorf("%d letters are left, want 2", len(left))
	}
	b.click("button", "Select all")
	b.click("button", "Discard …")
	b.fill("Reason", "tidy up")
	b.click("dialog button", "Discard")
	b.waitForText("No dead letter")
}

// checkNamed corrects letters whose error names the value, or several, and shows the command for what a person is
// about to do.
func checkNamed(dev *devProcess, b *tab) {
	for i := range 2 {
		path := fmt.Sprintf("%s/named-%d.csv", dev.exports, i)
		writeFile(b.t, path, "first,second\n"+strings.Repeat(rawID+",6D92078A-8246-4BA4-AE5B-76104861E7DD\n", 3))
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("named-%d", i), path))
	}
	eventually(b.t, "both jobs are dead letters", func() bool { return len(dev.letters()) == 2 })
	b.open("#/letters")
	b.waitForText("named-1")
	b.click(".causes summary", "In the terminal")
	b.waitForText("--set source.column=1 && usher dead replay --group ", "--set source.column=2 && usher dead replay --group ")
	b.waitForNoText("&& usher dead edit")
	b.click("input", "Select this page")
	b.click(".selection button", "Fix and replay …")
	b.waitForText("none of its 2 columns has a known name for device ids", "type the new value", "Column of ids: 1", "Column of ids: 2")
	b.click("dialog button", "Column of ids: 2")
	b.waitForText("2 jobs will be changed and published again")
	b.click("dialog summary", "In the terminal")
	b.waitFor(`document.querySelector("dialog details.terminal").innerText.includes("--set source.column=2\nusher dead replay SEQ…")`)
	b.screenshot("fix-named")
	b.click("dialog button", "Fix and replay 2 jobs")
	eventually(b.t, "both jobs are done", func() bool {
		return dev.record("named-0").State == usher.Done && dev.record("named-1").State == usher.Done
	})

	// The value stands there if the error names one.
	path := dev.exports + "/named.csv"
	writeFile(b.t, path, "idfa,consent\n"+strings.Repeat(rawID+",yes\n", 3)+rawID+",no\n")
	dev.publish(usher.SegmentAdd, dev.addJob("consented", path))
	dev.ended("consented")
	b.open("#/jobs/consented")
	b.click(".head button", "Fix and replay …")
	b.waitForText("1 job will be changed and published again", "says no in 1 of 4 sampled rows", "Columns that decide nothing: consent")
	b.click("dialog summary", "In the terminal")
	b.waitFor(`document.querySelector("dialog details.terminal").innerText.includes("usher dead edit --id consented --set source.only=consent=yes && usher dead replay --id consented")`)
	b.screenshot("fix-value")
	b.click("dialog button", "Fix and replay 1 job")
	eventually(b.t, "the job is done", func() bool { return dev.record("consented").State == usher.Done })
}

// checkNeedless discards a letter whose export a later job has uploaded, and one of a mirror that a later one has
// superseded; neither is red, and neither can be replayed by mistake.
func checkNeedless(dev *devProcess, b *tab) {
	path := dev.exports + "/again.csv"
	dev.publish(usher.SegmentAdd, dev.addJob("too-early", path))
	dev.ended("too-early")
	b.open("#/")
	b.waitForText("The export is missing")
	writeFile(b.t, path, rawID+"\n")
	dev.publish(usher.SegmentAdd, dev.addJob("in-time", path))
	dev.ended("in-time")
	b.waitForNoText("The export is missing")
	b.waitFor(`!document.querySelector(".nav .count")`)
	b.open("#/letters")
	b.waitForText("Nothing is left to do: the later job in-time has uploaded this export,", "Can be discarded")
	if eval[bool](b, `[...document.querySelectorAll(".causes button")].some((e) => e.innerText.startsWith("Fix and replay"))`) {
		b.t.Error("a needless letter can be replayed")
	}
	b.screenshot("needless")
	b.open("#/jobs/too-early")
	b.waitForText("Nothing is left to do", "Discard its letter …")
	b.waitForNoText("Fix and replay")
	b.screenshot("job-needless")
	b.click("button", "Discard its letter …")
	b.click("dialog button", "Discard 1 letter")
	b.waitForText("Its dead letter was discarded")
	b.screenshot("job-discarded")

	gone := dev.addJob("older", dev.exports+"/nowhere.csv")
	dev.publish(usher.SegmentAdd, gone)
	dev.ended("older")
	dev.publish(usher.SegmentRemove, dev.addJob("opt-out-2", path))
	dev.ended("opt-out-2")
	b.open("#/jobs/older")
	b.waitForText("A replay would undo what a later job did: it would put back ids that job opt-out-2 has taken out of segment 1 since")
	b.waitForNoText("Fix and replay")
	b.open("#/letters")
	b.waitForText("A replay would undo what a later job did")
	b.screenshot("superseded-letter")
	b.click(".causes button", "Discard …")
	b.click("dialog button", "Discard 1 letter")
	b.waitForText("No dead letter")
}

// checkAnnounced checks that a failure appears as soon as the stream of changes announces it: the page has no
// timer that would ask.
func checkAnnounced(dev *devProcess, b *tab) {
	b.t.Helper()
	without, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "window.setInterval = () => 0"})
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Reload())
	b.waitFor(`document.querySelector("td .id")?.innerText === "after"`)
	eval[bool](b, `!new MutationObserver(() => { if (document.querySelector("td .id")?.innerText === "latest") window.shown ??= Date.now(); }).observe(document.body, { childList: true, subtree: true, characterData: true })`)
	dev.publish(usher.SegmentAdd, dev.addJob("latest", dev.exports+"/nothing.csv"))
	failed := dev.ended("latest").Finished
	b.waitFor("window.shown > 0")
	b.t.Logf("a failure is on screen %.0f ms after it", eval[float64](b, "window.shown")-float64(failed.UnixMilli()))
	if _, err := chromedp.Call(b.ctx, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams(without)); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Reload())
	b.waitForText("latest")
}
