package main_test

import (
	"os"
	"path/filepath"
	"strings"

	"usher"
)

// checkNoIDsShown submits jobs that contain raw ids and secrets, and checks that
// neither the API, the pages nor the log contain them.
func checkNoIDsShown(dev *devProcess, b *tab) {
	const canary, secret = "0F1E2D3C-4B5A-4968-8776-A5B4C3D2E1F0", "s3cr3t-in-a-query"
	path := dev.exports + "/canary.csv"
	writeFile(b.t, path, canary+"\n"+canary[1:]+"\n")
	inline := job{"id": "canary-inline", "segment": "1", "profile": "idfa", "source": job{"ids": []string{canary, "x" + canary}}}
	dev.publish(usher.SegmentAdd, inline)
	dev.publish(usher.SegmentAdd, dev.addJob("canary-file", path))
	dev.publish(usher.SegmentAdd, dev.addJob("canary-wrong-type", path, job{"profile": "aaid"}))
	dev.publish(usher.SegmentAdd, job{"id": "canary-invalid", "segment": 1, canary: canary, "source": job{"ids": []string{canary}, "format": []string{canary}}})
	dev.publish(usher.SegmentAdd, job{"id": "canary-query", "segment": "1", "profile": "idfa", "source": job{"url": "https://example.org/x.csv?sig=" + secret}})
	if _, err := dev.js.Publish(b.t.Context(), "usher.jobs.segment.add", []byte("no JSON "+canary)); err != nil {
		b.t.Fatal(err)
	}
	for _, id := range []string{"canary-inline", "canary-file", "canary-query"} {
		dev.ended(id)
	}
	eventually(b.t, "the invalid jobs are dead letters", func() bool { return len(dev.letters()) >= 4 })
	b.open("#/letters")
	b.waitForText("canary-invalid", "canary-query")
	paths := []string{
		"/api/overview", "/api/jobs", "/api/letters", "/api/letters/groups", "/api/replays", "/api/audiences", "/api/audiences/segment%201", "/api/campaigns",
		"/api/campaigns/SANDBOX1-autumn", "/api/rules", "/api/rules/runs/spent-autumn", "/api/rules/why/autumn-1", "/api/audit", "/api/audit/export?format=csv", "/api/audit/export?format=ndjson", "/api/session", "/api/workers",
	}
	for _, id := range []string{"canary-inline", "canary-file", "canary-wrong-type", "canary-query", "canary-invalid"} {
		paths = append(paths, "/api/jobs/"+id)
	}
	b.expected = "404" // some of the jobs have no record
	output := ""
	for _, path := range paths {
		output += fetch(b, path)
	}
	for _, path := range append(pages(), "#/jobs/canary-file", "#/jobs/canary-inline") {
		b.open(path)
		b.waitUntilLoaded()
		output += eval[string](b, "document.documentElement.outerHTML")
	}
	if log, err := os.ReadFile(filepath.Join(logDir(dev.logs), "dev.log")); err == nil {
		output += string(log)
	}
	for _, word := range []string{canary, canary[1:], rawID, strings.ReplaceAll(canary, "-", ""), secret, "password\""} {
		if i := strings.Index(strings.ToUpper(output), strings.ToUpper(word)); i >= 0 {
			b.t.Errorf("%s appears in the output: %s", word, output[max(i-150, 0):min(i+80, len(output))])
		}
	}
}
