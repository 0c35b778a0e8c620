package main_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"usher"
)

// TestPictures writes pictures of all pages to the folder USHER_TEST_PICTURES, of a deployment
// with canned jobs: in light, in dark, and on a phone. make screenshots runs it.
func TestPictures(t *testing.T) {
	folder := os.Getenv("USHER_TEST_PICTURES")
	if folder == "" {
		t.Skip("make screenshots runs it")
	}
	t.Parallel()
	dev := startDev(t)
	b := newTab(newBrowser(t), t, dev.console)
	b.open(strings.TrimPrefix(dev.link, dev.console+"/"))
	b.waitForText("Nothing needs attention.")
	b.setColorScheme("light")
	dev.can(t, b)
	for name, path := range map[string]string{
		"overview": "#/", "audiences": "#/audiences", "audience": "#/audiences/segment%202", "jobs": "#/jobs", "job": "#/jobs?job=newsletter-11", "mirror": "#/jobs/readers-tuesday",
		"letters": "#/letters", "campaigns": "#/campaigns", "campaign": "#/campaigns/SANDBOX1-summer", "rules": "#/rules", "run": "#/rules/runs/spent-autumn",
		"why": "#/rules/why/summer-1", "backtest": "#/rules/backtest?file=budgets&from=2014-03-17&to=2014-04-20", "audit": "#/audit",
	} {
		for look, setting := range map[string]struct {
			width, height int64
			scheme        string
		}{"light": {1280, 860, "light"}, "dark": {1280, 860, "dark"}, "phone": {390, 844, "light"}} {
			b.setWindowSize(setting.width, setting.height)
			b.setColorScheme(setting.scheme)
			b.open("#/audit")
			b.open(path)
			b.waitUntilLoaded()
			b.waitFor(`[...document.querySelectorAll(".chart")].every((c) => c.querySelector("canvas"))`)
			b.checkWidth()
			eval[bool](b, hideFolder(dev.exports))
			picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, name+"-"+look+".png"), small(t, picture), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// can makes jobs, dead letters, held runs and feeds, as they are after a day.
func (dev *devProcess) can(t *testing.T, b *tab) {
	ids := newExport(t, dev.exports, 400, 18)
	rows := strings.Split(strings.TrimSpace(string(readFile(t, ids.path))), "\n")
	for i := range 12 {
		path := filepath.Join(dev.exports, fmt.Sprintf("newsletter-%02d.csv", i))
		junk := strings.Repeat("00000000-0000-0000-0000-000000000000\n", 3+i%5) + strings.Repeat("not-an-id\n", 2+i%3)
		writeFile(t, path, strings.Join(rows[:200+15*i], "\n")+"\n"+junk)
		id := fmt.Sprintf("newsletter-%02d", i)
		dev.publish(usher.SegmentAdd, dev.addJob(id, path, job{"maxRejectPercent": 100}))
		dev.ended(id)
	}
	for i, n := range []int{40, 44, 43, 52, 61, 58, 66} {
		path := filepath.Join(dev.exports, "customers.csv")
		var text strings.Builder
		for k := range n {
			fmt.Fprintf(&text, "%016x\n", 0x11b2c3d4e5f60000+k*7919)
		}
		writeFile(t, path, "id\n"+text.String()+strings.Repeat("null\n", i%3))
		id := fmt.Sprintf("customers-%d", i)
		dev.publish(usher.SegmentMirror, dev.addJob(id, path, job{"segment": "2", "profile": "android_id", "maxRejectPercent": 100, "force": true, "acceptChange": true}))
		dev.ended(id)
	}
	// On Tuesday the export of readers has lost nearly all of its rows.
	monday := filepath.Join(dev.exports, "readers.csv")
	lines := []string{"idfa"}
	for k := range 20_331 {
		lines = append(lines, fmt.Sprintf("%08X-00A1-4B2C-9D3E-%012X", 0x5f000000+k*7919, k*104729))
	}
	writeFile(t, monday, strings.Join(lines, "\n")+"\n")
	dev.publish(usher.SegmentMirror, dev.addJob("readers-monday", monday, job{"segment": "4"}))
	dev.ended("readers-monday")
	writeFile(t, monday, strings.Join(lines[:5], "\n")+"\n"+rawID+"\n")
	dev.publish(usher.SegmentMirror, dev.addJob("readers-tuesday", monday, job{"segment": "4", "force": true, "acceptChange": true}))
	if r := dev.ended("readers-tuesday"); r.Consequence == nil || r.Consequence.Now != 5 {
		t.Fatal(recordText(r))
	}
	for i := range 14 {
		dev.publish(usher.SegmentAdd, dev.addJob(fmt.Sprintf("loyalty-%02d", i), dev.exports+"/newsletter-00.csv", job{"segment": "99"}))
		dev.ended(fmt.Sprintf("loyalty-%02d", i))
	}
	dev.publish(usher.SegmentAdd, dev.addJob("visitors", dev.exports+"/visitors.csv"))
	dev.ended("visitors")
	for campaign, kind := range map[string]string{"summer": "spent-summer", "autumn": "spent-autumn"} {
		dev.publish(usher.RulesEvaluate, job{"id": kind, "rules": "budgets", "metrics": job{"campaign": "SANDBOX1-" + campaign, "at": time.Now().UTC(), "values": job{"grossMediaSpend": 99, "budget": 100}}})
		dev.ended(kind)
	}
	writeFile(t, filepath.Join(dev.feeds, "crm.yaml"), strings.ReplaceAll(lateFeeds, "EXPORTS", "file://"+dev.exports))
	b.waitForText("The export of feed crm-daily is late", "waits for approval")
	b.open("#/campaigns")
	b.waitForText("9 campaigns")
	b.waitForNoText("being read")
}

// hideFolder names the folder of the exports as people would.
func hideFolder(folder string) string {
	return fmt.Sprintf(`(() => { const w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); while (w.nextNode()) w.currentNode.data = w.currentNode.data.replaceAll(%q, "s3://crm"); return true; })()`, "file://"+folder)
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// small encodes a picture with the 256 colours that it has most of.
func small(t *testing.T, data []byte) []byte {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	pixels := image.NewRGBA(picture.Bounds())
	draw.Draw(pixels, pixels.Bounds(), picture, image.Point{}, draw.Src)
	counts := map[color.RGBA]int{}
	each := func(visit func(x, y int, c color.RGBA)) {
		for y := range pixels.Bounds().Dy() {
			for x := range pixels.Bounds().Dx() {
				visit(x, y, pixels.RGBAAt(x, y))
			}
		}
	}
	each(func(_, _ int, c color.RGBA) { counts[c]++ })
	colors := slices.SortedFunc(maps.Keys(counts), func(a, c color.RGBA) int { return counts[c] - counts[a] })
	var palette color.Palette
	for _, c := range colors[:min(len(colors), 256)] {
		palette = append(palette, c)
	}
	nearest := map[color.RGBA]uint8{}
	for _, c := range colors {
		nearest[c] = uint8(palette.Index(c))
	}
	reduced := image.NewPaletted(pixels.Bounds(), palette)
	each(func(x, y int, c color.RGBA) { reduced.SetColorIndex(x, y, nearest[c]) })
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, reduced); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
