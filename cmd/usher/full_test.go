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
// alert say so, and what to do, from 80 % and again from 95 % on, before NATS refuses the first pause, and
// while it does. The worker stays ready.
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
	n := 0
	fill := func(until float64) {
		t.Helper()
		for ; used() < until; n++ {
			if err := publish(n); err != nil {
				t.Fatal("NATS refuses a pause before the stream is full: ", err)
			}
		}
	}
	shown := func(level, text string) {
		t.Helper()
		const do = "See why its jobs do not end, or raise nats.max_bytes and run usher migrate."
		eventually(t, "/readyz says "+text, func() bool {
			status, body := readyz(t, address)
			return status == http.StatusOK && strings.Contains(body, `"streams":"stream USHER_CAMPAIGNS is `+text) && strings.Contains(body, do)
		})
		eventually(t, "the overview says "+text, func() bool {
			return strings.Contains(ask("GET", "/api/overview", ""), `"needs":[{"level":"`+level+`","says":"NATS's stream USHER_CAMPAIGNS is `+text) && strings.Contains(ask("GET", "/api/overview", ""), do)
		})
		eventually(t, "an alert says "+text, func() bool {
			return strings.Contains(received(), `"title":"NATS's stream USHER_CAMPAIGNS is `+text) && strings.Contains(received(), do)
		})
	}
	fill(0.785) // a pause takes less than 1 %
	if _, body := readyz(t, address); !strings.Contains(body, `"streams":"ok"`) || strings.Contains(ask("GET", "/api/overview", ""), "USHER_CAMPAIGNS") {
		t.Errorf("a stream that has room is named: %s", body)
	}
	fill(0.80)
	shown("warn", "80 % full; when it is full, it refuses pauses")
	fill(0.95)
	shown("bad", "95 % full, and may refuse pauses")
	for publish(n) == nil {
		n++
	}
	eventually(t, "/readyz says that the stream is full", func() bool {
		status, body := readyz(t, address)
		return status == http.StatusOK && (strings.Contains(body, "is 99 % full, and may refuse pauses") || strings.Contains(body, "is 100 % full, and may refuse pauses"))
	})
	if out, code := d.usher("lanes", "resume", "campaign", "--reason", "test"); code != 0 {
		t.Fatal(out)
	}
	eventually(t, "the stream has room again", func() bool {
		_, body := readyz(t, address)
		return used() < 0.5 && strings.Contains(body, `"streams":"ok"`)
	})
}
