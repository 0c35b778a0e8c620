package main_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
)

// TestConsole looks at the console as people do: in Chromium, on what a real
// `usher dev` is doing. Its pictures are kept below artifacts/.
func TestConsole(t *testing.T) {
	t.Parallel()
	h, browser := newHouse(t), newBrowser(t)
	b := newTab(t, browser, h.console)

	// The link lets one browser in, once.
	b.open(strings.TrimPrefix(h.link, h.console+"/"))
	b.sees("Overview", "Nothing needs you.", "live")
	b.shot("overview-empty")
	if left := eval[string](b, "location.href"); strings.Contains(left, "login") {
		t.Errorf("the link's token stays in the address: %s", left)
	}

	// A job shows while it runs, by itself.
	b.open("#/jobs")
	b.sees("No jobs yet")
	path := h.exports + "/few.csv"
	writeFile(t, path, "6D92078A-8246-4BA4-AE5B-76104861E7DC\nnot-an-id\n")
	h.publish(usher.SegmentAdd, h.addJob("first", path))
	b.sees("first", "Done")
	b.click("a", "first")
	b.sees("Where every row went", "= 2 rows read", "Timeline")
	b.shot("job")
	for i := range 20 {
		h.publish(usher.SegmentAdd, h.addJob(fmt.Sprintf("job-%02d", i), path))
		h.publish(usher.SegmentAdd, h.addJob(fmt.Sprintf("lost-%02d", i), h.exports+"/missing.csv"))
	}
	h.ended("job-19")
	h.ended("lost-19")
	b.open("#/jobs")
	b.sees("lost-19", "source_missing")
	b.shot("jobs")
	b.open("#/")
	b.sees("20 failed jobs of 1 cause")
	b.shot("overview")
	b.size(390, 844)
	for _, place := range []string{"#/", "#/jobs", "#/jobs/first"} {
		b.open(place)
		b.until(`!document.querySelector(".loading") && !!document.querySelector("h1")`)
		b.fits()
	}
	b.open("#/")
	b.sees("20 failed jobs")
	b.shot("phone-overview")
	b.open("#/jobs")
	b.sees("lost-19")
	b.shot("phone-jobs")
}
