package main_test

import (
	"fmt"
	"path/filepath"
	"strings"

	"usher"
)

// shopFeed has a feed that mirrors a campaign's devices and holds an export that is much smaller.
const shopFeed = `feeds:
  - {name: shop, watch: EXPORTS/shop.csv, every: 1s, settle: 1s, job: {kind: target.mirror, campaign: SANDBOX1-brand, profile: android_id}, expect: {max_change: 20%}}
`

// checkHeldShrink lets a feed hold an export that has shrunk. Its page says that an approval does not answer the
// guard, and what does once the job has failed; the last good export stays the one before.
func checkHeldShrink(dev *devProcess, b *tab) {
	path := dev.exports + "/shop.csv"
	write := func(from, to int) {
		var text strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&text, "%016x,%d\n", 0x21b2c3d4e5f60000+i*7919, i)
		}
		writeFile(b.t, path, "android_id,n\n"+text.String())
	}
	write(0, 10)
	writeFile(b.t, filepath.Join(dev.feeds, "shop.yaml"), strings.ReplaceAll(shopFeed, "EXPORTS", "file://"+dev.exports))
	b.open("#/feeds")
	b.click("a", "Devices of SANDBOX1-brand")
	b.waitForText("Feed shop", "+10, −0, now 10", "Last good export")
	good := eval[string](b, lastGood)
	write(6, 10)
	b.waitForText("An export is held", "a change of 60.0 %", "its job still fails as shrink if it would remove more than 20 % of the members, unless the job gets force")
	b.screenshot("feed-held")
	b.click("button", "Approve export")
	b.click("dialog button", "Approve export")
	b.waitForText("Not uploaded", "The audience would shrink too much: ", "would remove 6 of 10 members (60.0 %), more than “Removals allowed, in percent” 20")
	failed := eval[string](b, `[...document.querySelectorAll("dd")].find((d) => d.innerText.startsWith("Its job has failed")).querySelector("a").href.split("/").at(-1)`)
	b.click("summary", "In the terminal")
	b.waitForText(fmt.Sprintf("usher dead edit --id %[1]s --set acceptChange=true --set force=true && usher dead replay --id %[1]s", failed))
	b.screenshot("feed-shrunk")
	if now := eval[string](b, lastGood); now != good {
		b.t.Errorf("the last good export is that of job %s, want %s: the later one was not uploaded", now, good)
	}

	b.open("#/jobs/" + failed)
	b.click(".head button", "Fix and replay …")
	b.waitForText("1 job will be changed and published again")
	b.click("dialog button", "Fix and replay 1 job")
	b.waitForText("devices of SANDBOX1-brand: +0, −6, now 4", "It has removed 60 % of the members. Without force, it may remove 20 %")
	b.screenshot("shrunk")

	// An export that cannot be read is held, with how the last good one was read.
	b.open("#/audiences/target/SANDBOX1-brand")
	b.waitFor(lastGood + " === " + quoteJS(failed))
	writeFile(b.t, path, "n,person\n1,2\n")
	b.waitForText("An export is held: it cannot be read", "set job.source.column to one of: 1 (n), 2 (person)", "the last good export, that of job "+failed+", was csv with ANDROID_IDs in column \"android_id\"")
	b.screenshot("feed-unreadable")
	b.click("button", "Reject export")
	b.click("dialog button", "Reject export")
	b.waitForNoText("An export is held")
}

// lastGood returns the job of the last good export on the page of an audience.
const lastGood = `([...document.querySelectorAll(".card")].find((c) => c.innerText.startsWith("Last good export"))?.querySelector("dd a").innerText ?? "")`

// checkNewMemory leaves out the condition of the mirror before. The job's page and that of the audience say whom
// it uploads because of that.
func checkNewMemory(dev *devProcess, b *tab) {
	path := dev.exports + "/members.csv"
	writeFile(b.t, path, "android_id,consent\n31b2c3d4e5f60718,yes\n31b2c3d4e5f60719,yes\n31b2c3d4e5f6071a,yes\n31b2c3d4e5f6071b,no\n")
	mirror := func(id string, source job) {
		source["url"] = "file://" + path
		j := dev.addJob(id, path, job{"profile": "android_id", "campaign": "SANDBOX1-winter", "source": source})
		delete(j, "segment")
		dev.publish(usher.TargetMirror, j)
		if r := dev.ended(id); r.State != usher.Done {
			b.t.Fatalf("%s: %+v", id, r.Error)
		}
	}
	mirror("members-with", job{"only": []string{"consent=yes"}})
	mirror("members-without", job{"disregard": []string{"consent"}})
	says := "job members-with left out 1 row by “Only rows with” consent=yes, and this job has no such condition, so that it uploads rows like them"
	b.open("#/jobs/members-without")
	b.waitForText("devices of SANDBOX1-winter: +1, −0, now 4", "Warnings", says)
	b.screenshot("new-memory")
	b.open("#/audiences/target%20SANDBOX1-winter")
	b.waitForText("Last good export", "New memory", says)
}

// checkSupersededPause shows letters of pauses that a newer job has superseded: their dialogs say by which job, and
// why they are left out.
func checkSupersededPause(dev *devProcess, b *tab) {
	dev.control("POST", "faults", job{"op": "campaigns.lock", "kind": "status", "status": 403, "times": 1000}, nil)
	for _, creative := range []string{"retarget-1", "retarget-2"} {
		dev.publish(usher.CampaignPause, job{"id": "pause-" + creative, "campaign": "SANDBOX1-retarget", "creatives": []string{creative}})
		if r := dev.ended("pause-" + creative); r.State != usher.Failed {
			b.t.Fatalf("the pause of %s is %s, want failed", creative, r.State)
		}
	}
	dev.control("DELETE", "faults", nil, nil)
	dev.publish(usher.CampaignResume, job{"id": "resume-retarget-1", "campaign": "SANDBOX1-retarget", "creatives": []string{"retarget-1"}})
	dev.ended("resume-retarget-1")
	says := "job resume-retarget-1 has set creative retarget-1 to ACTIVE since"
	b.open("#/letters")
	b.click("td button.id", "pause-retarget-1")
	b.waitFor(`document.querySelector("dialog .callout.warn")?.innerText.includes("It is superseded")`)
	b.waitForText("A replay would undo what a later job did: " + says)
	b.screenshot("superseded-pause")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.click("input", "Select this page")
	b.click(".selection button", "Fix and replay …")
	b.waitForText("1 job will be published again", "1 letter skipped", "1: is superseded: "+says, "(pause-retarget-1)")
	b.screenshot("superseded-skipped")
	b.click("dialog button", "Let them go …")
	b.waitForText("Let go what newer jobs have superseded?", "1: is superseded: "+says)
	b.click("dialog button[type=submit]", "Let them go")
	b.waitForText("1 letter let go")
	b.waitForNoText("pause-retarget-1")
	b.click("td button.id", "pause-retarget-2")
	b.waitForText("Letter ")
	b.press(keyEscape)
	b.waitFor(`!document.querySelector("dialog")`)
	b.click(".causes button", "Fix and replay")
	b.waitForText("1 job will be published again")
	b.click("dialog button", "Replay 1 job")
	b.waitForText("No dead letter")
}
