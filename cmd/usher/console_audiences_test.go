package main_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"usher"
)

// lateFeeds has a feed whose export is late, one that holds exports that are too small, and one of an export
// that cannot be read.
const lateFeeds = `feeds:
  - {name: crm-daily, watch: EXPORTS/daily.csv, every: 1s, settle: 1s, job: {kind: segment.mirror, segment: "2", profile: android_id}, expect: {by: "00:00"}}
  - {name: newsletter, watch: EXPORTS/news.csv, every: 1s, settle: 1s, job: {kind: segment.add, segment: "4", profile: idfa}, expect: {min_rows: 1000}}
  - {name: partner, watch: EXPORTS/partner.csv, every: 1s, settle: 1s, job: {kind: segment.add, segment: "1", profile: idfa}, expect: {min_rows: 1}}
`

// checkOverlaps mirrors a campaign without the members of a segment, and shows what both have in common.
func checkOverlaps(dev *devProcess, b *tab, phones []string) {
	path := dev.exports + "/prospects.csv"
	writeFile(b.t, path, "id\n"+strings.Join(phones, ""))
	for id, except := range map[string][]string{"prospects-a": nil, "prospects-b": {"segment/2"}} {
		prospects := dev.addJob(id, path, job{"profile": "android_id", "campaign": "SANDBOX1-spring", "force": true})
		if delete(prospects, "segment"); except != nil {
			prospects["campaign"], prospects["except"] = "SANDBOX1-summer", except
			prospects["holdout"] = job{"percent": 50, "key": "autumn"}
		}
		dev.publish(usher.TargetMirror, prospects)
		if r := dev.ended(id); r.State != usher.Done {
			b.t.Fatalf("%s: %+v", id, r.Error)
		}
	}
	b.open("#/audiences")
	b.click("a", "Devices of SANDBOX1-summer")
	b.waitForText("Left out by the last mirror", "Android customers (2): 1 id", "as of its generation 3", "50 % by the key “autumn”", "the same people")
	b.open("#/audiences/overlap")
	b.waitForText("Choose two audiences")
	b.click(".picks button", "Android customers (2)")
	b.click(".picks button", "Devices of SANDBOX1-spring")
	b.waitForText("Together", "In both", "members of at least one", "Only in Android customers (2)", "25.0 %", "3 only here, 1 in others, too")
	b.checkWidth()
	b.screenshot("overlaps")
	b.click(".picks button", "Devices of SANDBOX1-summer")
	b.waitForText("In all")
}

// checkAudiences shows what is known of a segment that mirrors fill, and of feeds whose exports are late
// or held, and acts on them.
func checkAudiences(dev *devProcess, b *tab) {
	path := dev.exports + "/mirrored.csv"
	phones := []string{"a1b2c3d4e5f60718\n", "b1b2c3d4e5f60719\n", "c1b2c3d4e5f6071a\n", "d1b2c3d4e5f6071b\n"}
	mirror := job{"segment": "2", "profile": "android_id", "maxRejectPercent": 100, "force": true, "acceptChange": true}
	for i, rows := range []string{phones[0] + phones[1], phones[0] + phones[1] + phones[2] + "null\n", phones[0]} {
		writeFile(b.t, path, "id\n"+rows)
		id := "mirror-" + string(rune('a'+i))
		dev.publish(usher.SegmentMirror, dev.addJob(id, path, mirror))
		if r := dev.ended(id); r.State != usher.Done {
			b.t.Fatalf("%s: %+v", id, r.Error)
		}
	}
	b.open("#/audiences")
	b.waitForText("Android customers (2)", "in the ledger", "+0 −2", "iOS customers (1)", "30 days")
	b.checkWidth()
	b.click("button", "Ids")
	b.waitFor(`document.querySelector("th[aria-sort=descending]")?.innerText.startsWith("Ids") && location.hash.includes("sort=-size")`)
	b.screenshot("audiences")
	b.click("a", "Android customers (2)")
	b.waitForText("Data quality", "mirror-c", "of 1 row in the last export", "By job", "Last good export", "Kind of ids")
	b.waitFor(`document.querySelectorAll(".uplot").length === 2`)
	b.screenshot("audience")
	checkOverlaps(dev, b, phones)
	b.open("#/jobs/mirror-c")
	b.waitForText("Android customers (2): +0, −2, now 1", "It has removed 66.6 % of the members. Without force", "New\nnone: all were members before")
	b.waitFor(`document.querySelector(".callout.bad").innerText.includes("−2")`)
	b.screenshot("mirror")
	b.open("#/jobs?text=android+customers")
	b.waitForText("Make Android customers (2) equal to an export", "+0, −2, now 1", "+1, −0, now 3; rejected: 1 placeholder")
	b.open("#/")
	b.waitForText("What changed", "Android customers (2)", "+0, −2, now 1")
	b.open("#/audiences/segment/2") // as commands name it
	b.waitForText("Android customers (2)", "Data quality")

	b.click("button", "Check against the platform")
	b.click("dialog button", "Check")
	b.waitForText("answers agree")
	b.click("dialog button", "Close")
	writeFile(b.t, path, "id\n"+phones[0]+phones[3])
	b.click("button", "Compare with an export")
	b.click("dialog button", "Compare")
	b.waitForText("compare-", "dry run", "Would be sent")
	b.waitFor(`document.querySelector("main").innerText.includes("done")`)
	b.click("a", "In the audit")
	b.waitForText("segment 2 compared with an export", "local")

	// The memory and the guard refuse a mirror together, and one fix answers both.
	writeFile(b.t, path, "android_id\n"+phones[1])
	dev.publish(usher.SegmentMirror, dev.addJob("mirror-d", path, job{"segment": "2", "profile": "android_id"}))
	dev.ended("mirror-d")
	b.open("#/letters?class=changed")
	b.click(".causes button", "Fix and replay")
	b.waitForText("1 job will be changed and published again")
	b.click("dialog label", "Also remove 1 of the members")
	b.waitForText("1 job will be changed and published again")
	b.screenshot("fix-both")
	b.click("dialog button", "Fix and replay 1 job")
	eventually(b.t, "the mirror is done", func() bool { return dev.record("mirror-d").State == usher.Done })

	writeFile(b.t, dev.exports+"/news.csv", rawID+"\n")
	writeFile(b.t, filepath.Join(dev.feeds, "crm.yaml"), strings.ReplaceAll(lateFeeds, "EXPORTS", "file://"+dev.exports))
	writeFile(b.t, dev.exports+"/partner.csv", "n,person\n1,"+rawID+"\n")
	b.open("#/")
	b.waitForText("The export of feed crm-daily is late", "An export of feed newsletter is held", "Approve export …", "An export of feed partner cannot be taken", "It cannot be approved")
	b.screenshot("overview-feeds")
	b.click(".incident button", "Approve export")
	b.click("dialog button", "Approve export")
	b.waitForNoText("An export of feed newsletter is held")
	writeFile(b.t, dev.exports+"/daily.csv", "id\n"+phones[0])
	b.click(".incident button", "Look now")
	b.click("dialog button", "Look now")
	b.waitForNoText("The export of feed crm-daily is late")
	b.open("#/audiences/segment%204")
	b.waitForText("Feed newsletter", "Last taken", "Pause feed …", "Last good export", "approved by local")
	b.click("button", "Pause feed")
	b.fill("Reason", "the newsletter is off")
	b.click("dialog button", "Pause feed")
	b.waitForText("Its feed is paused by local: the newsletter is off")
	b.open("#/audiences/segment%201")
	b.waitForText("Feed partner", "An export is held: it cannot be read", "Look now …", "Reject export …")
	b.waitForNoText("Approve export …")
	b.click("button", "Reject export")
	b.click("dialog button", "Reject export")
	b.waitForNoText("An export is held")

	// An export whose job has failed was not uploaded.
	writeFile(b.t, dev.exports+"/partner.csv", "not-an-id\n")
	b.open("#/audiences/segment/1")
	b.waitForText("Feed partner", "Not uploaded", "Its job has failed. ")
	b.screenshot("feed-failed")
	type point struct {
		At time.Time `json:"at"`
	}
	var page struct {
		Trend []point `json:"trend"`
	}
	byTime := func(a, b point) int { return a.At.Compare(b.At) }
	if err := json.Unmarshal([]byte(fetch(b, "/api/audiences/segment%201")), &page); err != nil || len(page.Trend) < 10 || !slices.IsSortedFunc(page.Trend, byTime) {
		b.t.Errorf("the quality of exports, of which some were replayed, is not in order: %v; error: %v", page.Trend, err)
	}
	b.open("#/audiences")
	b.waitForText("last job failed")
	b.open("#/")
	b.waitForText("Not uploaded: its job has failed. ")
	b.screenshot("overview-feed-failed")
	b.open("#/audiences/segment/1")
	b.waitForText("Not uploaded")
	writeFile(b.t, dev.exports+"/partner.csv", rawID+"\n")
	b.waitForNoText("Not uploaded")
	if out, code := dev.usher("dead", "discard", "--yes"); code != 0 {
		b.t.Errorf("dead discard: exit code %d\n%s", code, out)
	}
}
