package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chromedp/chromedp"

	"usher"
)

// commandName matches the beginning of a command of the terminal.
const commandName = `usher (dead|doctor|feeds|inspect|jobs|lanes|ledger|migrate|rules|run|submit|suppress)\b`

// checkPlain fails the test if the page shows what only programmers know: commands, except folded
// ones, and the codes of classes, kinds and statuses.
func checkPlain(b *tab) {
	b.t.Helper()
	codes := []string{"ACTIVE", "INACTIVE"}
	for _, c := range usher.Classes() {
		if strings.Contains(string(c), "_") { // the others are words
			codes = append(codes, string(c))
		}
	}
	for _, k := range usher.Kinds() {
		codes = append(codes, regexp.QuoteMeta(string(k)))
	}
	pattern := commandName + "|`" + `|\b(` + strings.Join(codes, "|") + `)\b`
	text := eval[string](b, `document.body.innerText`)
	if at := regexp.MustCompile(pattern).FindStringIndex(text); at != nil {
		b.t.Errorf("%s shows %q in: %s", eval[string](b, "location.hash"), text[at[0]:at[1]], text[max(0, at[0]-120):min(len(text), at[1]+60)])
	}
}

// checkMeanings fails the test if the page has a figure that does not say on hover what it counts.
func checkMeanings(b *tab) {
	b.t.Helper()
	if names := eval[string](b, `[...document.querySelectorAll(".figure:not([title]) .name")].map(e => e.innerText).join()`); names != "" {
		b.t.Errorf("%s: nothing says what these figures count: %s", eval[string](b, "location.hash"), names)
	}
}

// checkSources checks functions of the page in its sources, which the console does not serve.
func checkSources(_ *devProcess, b *tab) {
	sources := httptest.NewServer(http.FileServer(http.Dir(filepath.Join("..", "..", "internal", "console", "static"))))
	b.t.Cleanup(sources.Close)
	b.do(chromedp.Navigate(sources.URL + "/icon.svg"))
	checkWords(b)
	checkProgress(b)
	checkPlainMessages(b)
}

// checkProgress checks what is said of a running job: percent, rate and time left.
func checkProgress(b *tab) {
	b.t.Helper()
	const text = `Promise.all([import("/ui.js"), import("/pages/jobs.js")]).then(([{html, render}, {Progress}]) => {
		const at = document.createElement("div");
		render(html(["<", " row=", " />"], Progress, {state: "running", read: 50000, started: new Date(Date.now() - 100000).toISOString(), parts: {total: 8, done: 2}}), at);
		return at.textContent; })`
	said, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](text, chromedp.EvalAwaitPromise))
	if want := "25 %, 2 of 8 parts · 50,000 rows · 500 rows/s · about 5 min 0 s left"; err != nil || !regexp.MustCompile(`^25 %, 2 of 8 parts · 50,000 rows · (500|49\d) rows/s · about (5 min 0|4 min 5\d) s left$`).MatchString(said) {
		b.t.Errorf("a running job says %q, want about %q; error: %v", said, want, err)
	}
}

// checkPlainMessages checks what the page makes of messages that name operations, fields and reasons.
func checkPlainMessages(b *tab) {
	b.t.Helper()
	for message, want := range map[string]string{
		"segments.get on /v3/segments/99: the platform answered 404": "the platform answered 404",
		"none of the first 80 rows has an id (invalid.shape 80)":     "none of the first 80 rows has an id (no id of a known shape 80)",
		"/profile is required; /source/url must be a string":         "“Kind of ids” is required; “File” must be a string",
		`open source "file:///data/segment/a.csv": there is none`:    `open source "file:///data/segment/a.csv": there is none`,
	} {
		said, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf(`import("/words.js").then(({plain}) => plain(%s))`, quoteJS(message)), chromedp.EvalAwaitPromise))
		if said != want || err != nil {
			b.t.Errorf("of %q the page makes %q, want %q; error: %v", message, said, want, err)
		}
	}
}

// checkWords checks what the page makes of the hints of all errors: sentences without commands.
func checkWords(b *tab) {
	b.t.Helper()
	reference, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "errors.md"))
	if err != nil {
		b.t.Fatal(err)
	}
	var hints []string
	for line := range strings.Lines(string(reference)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if hint := strings.TrimSuffix(cells[len(cells)-1], " |"); len(cells) == 2 && regexp.MustCompile(commandName).MatchString(hint) {
			hints = append(hints, hint)
		}
	}
	if len(hints) < 10 {
		b.t.Fatalf("the reference has %d hints with commands", len(hints))
	}
	list, err := json.Marshal(hints)
	if err != nil {
		b.t.Fatal(err)
	}
	said, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf(`import("/words.js").then(({withoutCommands}) => %s.map(withoutCommands))`, list), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	for i, text := range said {
		b.t.Logf("%s\n  → %s", hints[i], text)
		if regexp.MustCompile(commandName+`|^[,;:. ]|[,;: (]$| (or|and|if)$|\(\)`).MatchString(text) || strings.Count(text, "(") != strings.Count(text, ")") {
			b.t.Errorf("of the hint %q is left %q", hints[i], text)
		}
	}
}
