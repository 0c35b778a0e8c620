package main_test

import (
	"strings"

	"github.com/chromedp/chromedp/kb"
)

// checkKeyboard checks that the console can be used without a mouse.
func checkKeyboard(_ *devProcess, b *tab) {
	b.open("#/")
	b.waitUntilLoaded()
	b.press(keyTab)
	if at := b.focused(); at != "Skip to content" {
		b.t.Errorf("Tab moves the focus to %q first", at)
	}
	b.tabTo("Jobs")
	if outline := eval[string](b, "getComputedStyle(document.activeElement).outlineStyle"); outline == "none" {
		b.t.Error("the focused element has no outline")
	}
	b.press(keyEnter)
	b.waitForText("All jobs and their results")
	if at := b.focused(); at != "Jobs" {
		b.t.Errorf("after a change of the page the focus is on %q", at)
	}
	b.tabTo("Search id, target, error …")
	b.press("c", "r", "m", "-", "f")
	b.waitForNoText("crm-19")
	b.waitForText("crm-first")
	b.tabTo("crm-first")
	b.press(keyEnter)
	b.waitForText("Where every row went")

	b.open("#/letters")
	b.waitForText("gone")
	b.tabTo("gone")
	b.press(keyEnter)
	b.waitForText("Edit this job …")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	if at := b.focused(); at != "gone" {
		b.t.Errorf("after the dialog is closed the focus is on %q", at)
	}
	b.tabTo("Select letter ")
	b.press(" ")
	b.waitForText("1 letter selected")
	checkKeys(b)
	b.tabTo("Fix and replay …")
	b.press(keyEnter)
	b.waitForText("1 job will be published again")
	if eval[bool](b, `!document.activeElement.closest("dialog")`) {
		b.t.Error("the focus is not in the dialog")
	}
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
}

// checkKeys goes to pages, rows and settings by single keys. The selection of the dead letter
// survives.
func checkKeys(b *tab) {
	at := func(text string) {
		b.waitFor(`document.querySelector(".at")?.innerText.includes(` + quoteJS(text) + `)`)
	}
	b.press("?")
	b.waitForText("Next and previous row", "g u", "Audit")
	b.screenshot("keys")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.press("g", "j")
	b.waitFor(`document.querySelector("h1").innerText === "Jobs" && document.querySelectorAll("tbody tr").length > 5`)
	b.press("j", "j", "k")
	first := eval[string](b, `document.querySelector("tbody tr .id").innerText`)
	at(first)
	b.press(keyEnter)
	b.waitFor(`document.activeElement.matches(".drawer h2") && document.activeElement.innerText === ` + quoteJS(first))
	b.press(keyEscape)
	b.waitFor(`!document.querySelector(".drawer")`)
	b.press("z")
	b.waitFor(`[...document.querySelectorAll("tbody tr")].every(r => r.offsetHeight >= 36 && r.offsetHeight <= 37)`)
	b.windowScreenshot("compact")
	b.press("z", "/")
	b.waitFor(`document.activeElement.type === "search"`)
	eval[bool](b, `window.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true}))`)
	b.waitFor(`!!document.activeElement.closest("dialog.palette")`)
	b.press("a", "u", "t", "u", "m", "n")
	b.waitFor(`document.querySelector("[role=option]")?.innerText.includes("SANDBOX1-autumn")`)
	b.screenshot("palette")
	b.press(keyEnter)
	b.waitFor(`document.querySelector("h1").innerText === "SANDBOX1-autumn"`)
	b.press("g", "h")
	b.waitForText("Workers", "works", "audience 2", "1 worker")
	b.press("g", "l")
	b.waitForText("1 letter selected")
}

// tabTo presses Tab until the element whose label starts with name has the focus.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	for range 80 {
		if strings.HasPrefix(b.focused(), name) {
			return
		}
		b.press(kb.Tab)
	}
	b.screenshot("failed")
	b.t.Fatalf("Tab does not reach %q", name)
}
