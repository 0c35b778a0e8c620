package main_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// axeScript is axe-core, which .ci/setup has fetched. It is no part of usher.
var axeScript = filepath.Join("..", "..", ".tools", "axe.min.js")

// violations runs axe-core in the page and describes what violates a rule: one line for each.
const violations = `axe.run(document, {resultTypes: ["violations"], %s}).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + (n.any[0]?.message ?? n.all[0]?.message ?? "")).join(" | ")).join("\n"))`

// checkAxe runs axe-core on each page, in light and dark, on a wide screen and on a phone.
func checkAxe(_ *devProcess, b *tab) {
	script, err := os.ReadFile(axeScript)
	if err != nil {
		b.t.Skip("axe-core is not there, see .ci/setup: ", err)
	}
	for _, width := range []int64{1440, 390} {
		b.setWindowSize(width, 900)
		for _, path := range pages() {
			b.setColorScheme("light")
			b.open("#/") // a new page, so that its first render is checked
			b.open(path)
			b.waitUntilLoaded()
			if !eval[bool](b, `"axe" in window`) {
				eval[bool](b, string(script)+"; true")
			}
			for scheme, options := range map[string]string{"light": "", "dark": `runOnly: ["color-contrast"]`} { // the rest does not depend on colours
				b.setColorScheme(scheme)
				found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf(violations, options), chromedp.EvalAwaitPromise))
				if err != nil {
					b.t.Fatal(err)
				}
				if found != "" {
					b.t.Errorf("%s, %s, %d px:\n%s", path, scheme, width, found)
				}
			}
		}
	}
	b.setColorScheme("light")
}
