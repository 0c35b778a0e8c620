package main_test

import "github.com/chromedp/chromedp"

// checkNavigation checks what stands in the address and in the history: the order of tables, and
// how far a page was scrolled.
func checkNavigation(_ *devProcess, b *tab) {
	b.open("#/jobs")
	b.waitUntilLoaded()
	b.click("th button", "Rows")
	b.waitFor(`location.hash.includes("sort=-rows") && document.querySelector("th[aria-sort=descending]").innerText.startsWith("Rows")`)
	rows := `[...document.querySelectorAll("td[data-name=Rows]")].map(e => Number(e.innerText.replace(/\D/g, "")))`
	b.waitFor(`(r => r.length > 3 && r.every((n, i) => i === 0 || n <= r[i - 1]))(` + rows + `)`)
	b.click("th button", "Rows")
	b.waitFor(`(r => r.every((n, i) => i === 0 || n >= r[i - 1]))(` + rows + `)`)

	b.setWindowSize(1280, 400)
	b.open("#/audit")
	b.open("#/jobs")
	b.waitUntilLoaded()
	eval[bool](b, `window.scrollTo(0, 300) === undefined`)
	b.waitFor(`history.state?.y === 300`)
	eval[bool](b, `(location.hash = "#/workers") !== ""`)
	b.waitForText("The processes that carry out jobs")
	b.waitFor(`window.scrollY === 0`)
	eval[bool](b, `history.back() === undefined`)
	b.waitForText("All jobs and their results")
	b.waitFor(`window.scrollY === 300`)
	b.setWindowSize(1280, 900)

	b.open("#/campaigns/SANDBOX1-autumn")
	b.waitForText("Creatives by day", "paused at the end of the day")
	b.waitFor(`[...document.querySelectorAll(".cell.changed, .cell.pause")].some(e => e.title.includes("active → paused by ask"))`)
	b.screenshot("campaign-days")
	b.open("#/")
	b.waitForText("1 worker started")
	b.screenshot("overview-marks")
	b.click("button", "24 h")
	b.waitFor(`location.hash === "#/?span=day"`)
	b.do(chromedp.Reload())
	b.waitFor(`document.querySelector(".tabs button[aria-pressed=true]")?.innerText === "24 h"`)
}
