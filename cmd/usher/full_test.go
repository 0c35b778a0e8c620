package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"usher"
	"usher/pipeline"
	"usher/queues"
)

// While a stream fills up with pauses that nobody carries out, /readyz, the overview, a metric and an
// alert say so, before NATS refuses the first pause and while it does. The worker stays ready.
func TestFullStreamIsShown(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	if err := queues.Declare(t.Context(), d.js, queues.Options{AckWait: ackWait, MaxBytes: 100_000, HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}); err != nil {
		t.Fatal(err)
	}
	alerts, received := webhook(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t), "USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json", "USHER_ALERTS_EVERY=1s")
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	if out, code := d.usher("lanes", "pause", "campaign", "--reason", "test"); code != 0 {
		t.Fatal(out)
	}
	used := func() (share float64) {
		_, text, _ := strings.Cut(ask("GET", "/metrics", ""), "\nusher_stream_used_ratio{stream=\"USHER_CAMPAIGNS\"} ")
		_, _ = fmt.Sscan(text, &share)
		return share
	}
	publish := func(i int) error {
		_, err := d.js.Publish(t.Context(), "usher.jobs."+string(usher.CampaignPause), []byte(fmt.Sprintf(`{"id":"pause-%d","campaign":"SANDBOX1-spring","reason":"%s"}`, i, strings.Repeat("x", 500))))
		return err
	}
	shown := func(text string) {
		t.Helper()
		eventually(t, "/readyz says "+text, func() bool {
			status, body := readyz(t, address)
			return status == http.StatusOK && strings.Contains(body, `"streams":"stream USHER_CAMPAIGNS is `) && strings.Contains(body, text)
		})
		eventually(t, "the overview says "+text, func() bool {
			_, needs, _ := strings.Cut(ask("GET", "/api/overview", ""), `"needs":`)
			return strings.Contains(needs, "NATS's stream USHER_CAMPAIGNS is ") && strings.Contains(needs, text)
		})
		eventually(t, "an alert says "+text, func() bool { return strings.Contains(received(), text) })
	}
	n := 0
	for ; used() < 0.82; n++ {
		if err := publish(n); err != nil {
			t.Fatal("NATS refuses a pause before the stream is full: ", err)
		}
	}
	shown("when it is full, it refuses pauses")
	for publish(n) == nil {
		n++
	}
	shown(" % full, and refuses pauses")
	if out, code := d.usher("lanes", "resume", "campaign", "--reason", "test"); code != 0 {
		t.Fatal(out)
	}
	eventually(t, "the stream has room again", func() bool {
		_, body := readyz(t, address)
		return used() < 0.5 && strings.Contains(body, `"streams":"ok"`)
	})
}
