package main_test

import (
	"fmt"

	"github.com/chromedp/chromedp"

	"usher"
)

// checkManyLetters fixes and replays 400 dead letters by three clicks, after it has paged through
// them. Ten jobs fail again, and a link leads to their letters.
func checkManyLetters(dev *devProcess, b *tab) {
	const many, again = 400, 10
	path := dev.exports + "/few.csv"
	for i := range many {
		from := path
		if i < again {
			from = dev.exports + "/not-there.csv"
		}
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("many-%03d", i), from, job{"segment": "98"}))
	}
	eventually(b.t, "all jobs are dead letters", func() bool { return len(dev.letters()) == many })

	// The page of the list stands in the address, and the selection survives.
	b.open("#/letters?match=segment+98")
	b.waitForText("page 1 of 8")
	b.click("input", "Select this page")
	b.click("a", "Older")
	b.waitForText("page 2 of 8")
	b.waitFor(`!document.querySelector("[inert]")`)
	first := eval[string](b, `document.querySelector("td .id").innerText`)
	b.click("input", "Select this page")
	b.waitForText("100 letters selected")
	b.do(chromedp.Reload())
	b.waitForText("page 2 of 8", first)
	b.click("a", "Older")
	b.waitForText("page 3 of 8")
	b.do(chromedp.NavigateBack())
	b.waitForText("page 2 of 8", first)
	b.click("a", "Newer")
	b.waitForText("page 1 of 8")

	b.open("#/")
	b.waitForText("The platform does not know the target: segment 98")
	b.click(".incident button", "Fix and replay")
	b.waitForText("type the new value")
	b.fill("New value", "1")
	b.waitForText("400 jobs will be changed and published again")
	b.click("dialog button", "Fix and replay 400 jobs")
	b.waitForText("400 jobs changed")
	b.screenshot("many-replaying")
	b.open("#/jobs")
	b.waitForText("All jobs and their results")
	eventually(b.t, "only the jobs that fail again are dead letters", func() bool { return len(dev.letters()) == again })
	b.open("#/")
	b.waitForText("Replay finished", "400 of 400 replayed", "390 done", "10 failed again")
	b.screenshot("many-replayed")
	b.click("a", "10 failed again")
	b.waitForText("failed again after a replay", "The export is missing", "many-009")
	b.waitFor(`document.querySelectorAll("td .id").length === 10`)
	b.click("button", "Select all")
	b.click("button", "Discard …")
	b.fill("Reason", "they are not needed")
	b.click("dialog button", "Discard")
	b.waitForText("10 letters discarded", "No dead letter matches")
	b.open("#/audit?match=they+are+not+needed")
	b.waitForText("they are not needed")
}
