package main_test

import (
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

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
	eval[bool](b, `(location.hash = "#/letters") !== ""`)
	b.waitForText("Failed jobs by cause")
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
	checkPrint(b)
	b.click("button", "24 h")
	b.waitFor(`location.hash === "#/?span=day"`)
	b.do(chromedp.Reload())
	b.waitFor(`document.querySelector(".tabs button[aria-pressed=true]")?.innerText === "24 h"`)
}

// checkPrint checks that a page on paper is light and has no navigation and no buttons.
func checkPrint(b *tab) {
	b.t.Helper()
	for media, hidden := range map[string]string{"print": "true", "": "false"} {
		if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
		}); err != nil {
			b.t.Fatal(err)
		}
		b.waitFor(`(getComputedStyle(document.querySelector(".side")).display === "none") === ` + hidden)
		b.waitFor(`(getComputedStyle(document.documentElement).colorScheme === "light") === ` + hidden)
	}
	b.setColorScheme("light")
}
