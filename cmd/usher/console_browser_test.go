package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/internal/sandbox"
	"usher/pipeline"
	"usher/queues"
)

// devProcess is a running `usher dev` with its own platform, and the link to the
// console that it printed.
type devProcess struct {
	*deployment
	console, link string
	rules, feeds  string     // the folders of rule files and of feed files
	logs          *testing.T // the test whose log folder has dev.log
}

// budgets has a rule that acts and a rule that needs approval.
const budgets = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop
    scope: {campaigns: ["SANDBOX1-summer"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
    schedule: "17 3 29 2 *" # not while the test runs
  - name: ask
    scope: {campaigns: ["SANDBOX1-autumn"], keep_active: 1}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    mode: approve
`

// startDev starts usher dev. The deployment uses the NATS and Redis servers of the
// process.
func startDev(t *testing.T) *devProcess {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{ApprovalDelay: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment{t: t, box: box, server: httptest.NewServer(box), exports: t.TempDir()}
	t.Cleanup(func() { d.server.Close(); _ = box.Close() })
	rules := filepath.Join(t.TempDir(), "budgets.yaml")
	writeFile(t, rules, budgets)
	feeds := t.TempDir()
	ready, out := filepath.Join(t.TempDir(), "ready.json"), filepath.Join(logDir(t), "dev.log")
	d.env = []string{asUsher + "=1", "USHER_PLATFORM_RATE=2000", "USHER_LOG_FORMAT=text", "USHER_RETRY_ATTEMPTS=2", "USHER_RETRY_FIRST=100ms", "USHER_SOURCES_PART_BYTES=65536"}
	startProcess(t, "dev", d.env, commandProgram(t), "dev", "--data", t.TempDir(), "--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0",
		"--console", "127.0.0.1:0", "--platform", d.server.URL, "--allow", d.exports, "--rules", filepath.Dir(rules), "--feeds", feeds, "--ready-file", ready)
	var addresses struct {
		NATS    string `json:"nats"`
		Console string `json:"console"`
	}
	eventually(t, "usher dev is up", func() bool {
		data, err := os.ReadFile(ready)
		return err == nil && json.Unmarshal(data, &addresses) == nil
	})
	h := &devProcess{deployment: d, console: addresses.Console, rules: filepath.Dir(rules), feeds: feeds, logs: t}
	eventually(t, "usher dev prints the console's link", func() bool {
		data, _ := os.ReadFile(out)
		lines := bufio.NewScanner(strings.NewReader(string(data)))
		for lines.Scan() {
			if _, link, found := strings.Cut(lines.Text(), "Open the console by this link, which works once: "); found {
				h.link = link
			}
		}
		return h.link != ""
	})
	d.env = append(d.env, "USHER_NATS_URL="+addresses.NATS)
	if d.nc, err = nats.Connect(addresses.NATS, nats.Timeout(patience)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.nc.Close)
	if d.js, err = jetstream.New(d.nc); err != nil {
		t.Fatal(err)
	}
	o := queues.Options{HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	if d.queue, err = queues.Open(t.Context(), d.nc, o); err != nil {
		t.Fatal(err)
	}
	return h
}

// newBrowser starts Chromium with a new profile and stops it after the test. It
// returns the context of the first tab.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium-headless-shell") // starts in a third of the time of chromium
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	if err != nil {
		t.Fatal("Chromium is needed: apt-get install chromium-headless-shell")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.WindowSize(1280, 900),
	}
	for _, off := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(off, true))
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	browser, closeBrowser := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(browser)
		closeBrowser()
		end()
	})
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return browser
}

// tab is a tab of the browser. It records the errors and warnings that the page
// logs.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu       sync.Mutex
	problems []string
	expected string // problems that contain it do not fail the test; "": none
}

// newTab opens a tab and closes it after the test. The test fails if the page logs
// an error or a warning, such as a violation of its content security policy.
func newTab(browser context.Context, t *testing.T, base string) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(browser)
	b := &tab{t: t, ctx: ctx, base: base}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	var listening sync.WaitGroup
	listening.Go(func() {
		for m, err := range chromedp.Console(ctx) {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" {
				b.mu.Lock()
				b.problems = append(b.problems, m.String())
				b.mu.Unlock()
			}
		}
	})
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		end()
		listening.Wait()
		for _, p := range b.problems {
			if b.expected == "" || !strings.Contains(p, b.expected) {
				t.Errorf("the page logged: %s", p)
			}
		}
	})
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.screenshot("failed")
		b.t.Fatal(err)
	}
}

// open navigates to a path of the console such as #/jobs.
func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.base + "/" + path))
}

// waitForText blocks until the page shows each of the texts.
func (b *tab) waitForText(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		b.waitFor(fmt.Sprintf("document.body && document.body.innerText.includes(%s)", quoteJS(text)))
	}
}

// waitForNoText blocks until the page does not show the text.
func (b *tab) waitForNoText(text string) {
	b.t.Helper()
	b.waitFor(fmt.Sprintf("!document.body.innerText.includes(%s)", quoteJS(text)))
}

// waitFor blocks until a JavaScript condition holds in the page.
func (b *tab) waitFor(condition string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](condition, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(0))); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		b.screenshot("failed")
		b.t.Fatalf("timed out waiting for %s: %v\n%s", condition, err, text)
	}
}

// eval returns the value of a JavaScript expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// click clicks the element that matches the selector and has the text or label.
func (b *tab) click(selector, text string) {
	b.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%s)].find(e => !e.disabled && e.offsetParent !== null && (e.innerText.trim().startsWith(%s) || e.getAttribute("aria-label") === %s))`,
		quoteJS(selector), quoteJS(text), quoteJS(text))
	b.waitFor("!!" + find)
	eval[bool](b, find+".click() === undefined")
}

// fill sets the value of the field with the label.
func (b *tab) fill(label, text string) {
	b.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("input,textarea,select")].find(e => e.offsetParent !== null && (e.getAttribute("aria-label") === %[1]s || e.closest("label")?.innerText.trim().startsWith(%[1]s)))`, quoteJS(label))
	b.waitFor("!!" + find)
	eval[bool](b, fmt.Sprintf(`(e => { e.focus(); e.value = %[2]s;
		e.dispatchEvent(new Event(e.tagName === "SELECT" ? "change" : "input", {bubbles: true})); return true; })(%[1]s)`, find, quoteJS(text)))
}

// press presses keys in sequence.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

const (
	keyTab    = kb.Tab
	keyEnter  = kb.Enter
	keyEscape = kb.Escape
)

// focused returns the label or text of the element that has the keyboard focus.
func (b *tab) focused() string {
	b.t.Helper()
	return eval[string](b, `(e => (e.getAttribute("aria-label") || e.innerText || e.placeholder || e.tagName).trim())(document.activeElement)`)
}

func (b *tab) setWindowSize(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

func (b *tab) setColorScheme(name string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// checkWidth fails the test if the page is wider than the window.
func (b *tab) checkWidth() {
	b.t.Helper()
	if excess := eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); excess > 0 {
		culprit := eval[string](b, `(() => { const w = document.documentElement.clientWidth; const all = [...document.querySelectorAll("main *, header *")].filter(e => e.getBoundingClientRect().right > w + 1 && !e.closest(".scroll")); return all.slice(0, 3).map(e => e.outerHTML.slice(0, 120)).join("\n"); })()`)
		b.screenshot("failed")
		b.t.Errorf("%s is %d px wider than the window: %s", eval[string](b, "location.hash"), excess, culprit)
	}
}

// screenshot saves a picture of the whole page in artifacts/, which git ignores. Without
// go test -v it saves only those of failures.
func (b *tab) screenshot(name string) {
	b.t.Helper()
	b.saveScreenshot(name, chromedp.FullScreenshot(100))
}

// windowScreenshot saves a picture of the visible part of the page.
func (b *tab) windowScreenshot(name string) {
	b.t.Helper()
	b.saveScreenshot(name, chromedp.CaptureScreenshot())
}

func (b *tab) saveScreenshot(name string, capture chromedp.Action[[]byte]) {
	b.t.Helper()
	if !testing.Verbose() && name != "failed" {
		return
	}
	picture, err := chromedp.Run(b.ctx, capture)
	if err != nil {
		b.t.Errorf("take screenshot %s: %v", name, err)
		return
	}
	dir := filepath.Join("..", "..", "artifacts")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "console-"+name+".png"), picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// quoteJS returns text as a JavaScript string literal.
func quoteJS(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return string(data)
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
