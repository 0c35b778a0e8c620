package main_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
)

// A platform that refuses every login, which it accepted before, is told everywhere: in the log,
// by /readyz, the console, a metric and an alert. Jobs wait until a login works, and none fails.
func TestRefusedLoginIsShown(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	alerts, received := webhook(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t),
		"USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json", "USHER_ALERTS_EVERY=1s")
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	d.publish(usher.CampaignPause, job{"id": "before", "campaign": "SANDBOX1-spring"})
	d.ended("before")

	d.control("POST", "faults", job{"op": "*", "kind": "status", "status": 401, "times": 1_000_000}, nil)
	d.publish(usher.CampaignPause, job{"id": "pause", "campaign": "SANDBOX1-summer"})
	eventually(t, "the worker is not ready, and says why", func() bool {
		status, body := readyz(t, address)
		return status == http.StatusServiceUnavailable && strings.Contains(body, `"redis":"ok","platform":"`) && strings.Contains(body, "answered 401") &&
			strings.Contains(body, ", since ") && strings.Contains(body, "Jobs wait, pauses too") && strings.Contains(body, "platform.password")
	})
	eventually(t, "the console says so", func() bool {
		health := ask("GET", "/api/health", "")
		return strings.Contains(health, `"name":"Platform","ok":false,"since":`) && strings.Contains(health, `"says":"The platform refuses usher's login"`) &&
			strings.Contains(health, "answered 401") && strings.Contains(health, "Jobs wait, pauses too") && strings.Contains(health, "platform.password")
	})
	if log := d.log("worker"); !strings.Contains(log, `level=WARN msg="the platform refuses usher's login`) {
		t.Errorf("the log does not say so:\n%s", log)
	}
	if metrics := ask("GET", "/metrics", ""); !strings.Contains(metrics, "\nusher_platform_up 0\n") {
		t.Error("usher_platform_up is not 0")
	}
	if text := ask("GET", "/api/overview", ""); !strings.Contains(text, `"up":false`) {
		t.Error("the overview says that the platform is up")
	}
	eventually(t, "an alert says so", func() bool { return strings.Contains(received(), `"title":"The platform refuses usher's login"`) })
	d.publish(usher.CampaignPause, job{"id": "later", "campaign": "SANDBOX1-autumn"})
	eventually(t, "a job that waits says why", func() bool {
		r := d.record("later")
		return r.State == usher.Retrying && strings.Contains(*r.Why, "the platform does not accept our login")
	})

	d.control("DELETE", "faults", nil, nil)
	for _, id := range []string{"pause", "later"} {
		if r := d.ended(id); r.State != usher.Done || r.Attempts > 3 { // those before the breaker opened
			t.Errorf("job %s: %s", id, recordText(r))
		}
	}
	eventually(t, "the worker is ready again", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	if health := ask("GET", "/api/health", ""); !strings.Contains(health, `"name":"Platform","ok":true}`) {
		t.Errorf("the console says %s", health)
	}
}

// A pause that fails because one endpoint of the platform answers 503 is named while it fails, by
// /readyz, the overview, a metric and an alert, although the platform responds to everything else.
// The worker stays ready.
func TestPauseWithoutEffectIsShown(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	alerts, received := webhook(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t), "USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json")
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	other := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("other", "USHER_CONSOLE_LISTEN="+other)
	eventually(t, "the other worker is ready", func() bool { status, _ := readyz(t, other); return status == http.StatusOK })
	d.control("POST", "faults", job{"op": "campaigns.set-status", "kind": "status", "status": 503, "times": 1_000_000}, nil)
	d.publish(usher.CampaignPause, job{"id": "pause", "campaign": "SANDBOX1-spring"})
	for _, campaign := range []string{"summer", "autumn", "winter", "video", "brand"} { // so that both workers have some
		d.publish(usher.CampaignPause, job{"id": campaign, "campaign": "SANDBOX1-" + campaign})
	}
	const says = "The pause of campaign SANDBOX1-spring is not in effect"
	eventually(t, "/readyz names it", func() bool {
		status, body := readyz(t, address)
		return status == http.StatusOK && strings.Contains(body, `"platform":"campaigns.set-status fails since `) && strings.Contains(body, `"pauses":"`+says) && strings.Contains(body, "answered 503")
	})
	eventually(t, "so does the other worker", func() bool {
		_, body := readyz(t, other)
		return strings.Contains(body, `"platform":"campaigns.set-status fails since `)
	})
	eventually(t, "the overview names it first", func() bool {
		return strings.Contains(ask("GET", "/api/overview", ""), `"needs":[{"level":"bad","says":"`+says+`","about":"`)
	})
	eventually(t, "an alert names it", func() bool { return strings.Contains(received(), `"title":"`+says) })
	eventually(t, "an alert names what fails at the platform", func() bool {
		return strings.Contains(received(), `"title":"The platform's campaigns.set-status fails: `)
	})
	if text := ask("GET", "/api/overview", ""); !strings.Contains(text, `"says":"The platform's campaigns.set-status fails"`) {
		t.Error("the overview does not say what fails at the platform")
	}
	for _, line := range []string{`usher_platform_operation_up{operation="campaigns.set-status"} 0`, `usher_platform_operation_up{operation="campaigns.lock"} 1`, "usher_platform_up 1"} {
		if !strings.Contains(ask("GET", "/metrics", ""), "\n"+line+"\n") {
			t.Errorf("the metrics do not have %s", line)
		}
	}
	age := func() (seconds float64) {
		_, text, _ := strings.Cut(ask("GET", "/metrics", ""), "\nusher_pause_oldest_uneffective_seconds ")
		_, _ = fmt.Sscan(text, &seconds)
		return seconds
	}
	if got := age(); got < 60 {
		t.Errorf("the metric is %g, although the alert was sent", got)
	}
	if text, _ := d.usher("lanes", "ls"); !strings.Contains(text, "1m") {
		t.Errorf("usher lanes ls does not say how old the pause is:\n%s", text)
	}
	d.control("DELETE", "faults", nil, nil)
	if r := d.ended("pause"); r.State != usher.Done {
		t.Error(recordText(r))
	}
	eventually(t, "the metric is 0", func() bool { return age() == 0 })
	if _, body := readyz(t, address); !strings.Contains(body, `"pauses":"ok"`) {
		t.Errorf("/readyz says %s", body)
	}
	for _, at := range []string{address, other} { // also the one on which the last pause has not ended
		eventually(t, "no worker says that the operation fails", func() bool {
			_, body := readyz(t, at)
			return strings.Contains(body, `"platform":"ok"`)
		})
	}
}

// An endpoint of the platform that takes requests and never answers is named by /readyz, the overview and an
// alert: what is broken, since when, what waits for it, and what to do. What works is not called broken.
func TestHangingEndpointIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		operation, delays string
		needing, other    func(d *deployment, id string) // publish a job that calls the operation, and one that does not
	}{
		{"campaigns.set-status", "Pauses and resumes wait; other operations may work.", pauseCampaign, addToSegment},
		{"segments.upload", "Uploads to segments, removals from them and mirrors wait; other operations may work.", addToSegment, pauseCampaign},
	} {
		t.Run(c.operation, func(t *testing.T) {
			t.Parallel()
			d := newDeployment(t)
			alerts, received := webhook(t)
			address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
			d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t), "USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json")
			eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
			ask := d.visit("http://" + address)
			d.control("POST", "faults", job{"op": c.operation, "kind": "hang", "times": 1_000_000}, nil)
			began := time.Now()
			c.needing(d, "hangs")
			const do = "Jobs that need it are tried again. Ask the platform's support."
			named := map[string]func() bool{
				"/readyz": func() bool {
					status, body := readyz(t, address)
					return status == http.StatusOK && strings.Contains(body, `"redis":"ok","platform":"`+c.operation+" ") && strings.Contains(body, " since 2") && strings.Contains(body, c.delays+" "+do)
				},
				"the overview": func() bool {
					text := ask("GET", "/api/overview", "")
					return strings.Contains(text, `"level":"bad","says":"The platform's `+c.operation+" ") && strings.Contains(text, `"hint":"`+c.delays+" "+do)
				},
				"an alert": func() bool {
					text := received()
					return strings.Contains(text, `"kind":"platform_operation"`) && strings.Contains(text, `"title":"The platform's `+c.operation+" ") && strings.Contains(text, c.delays) && strings.Contains(text, do)
				},
			}
			for _, where := range slices.Sorted(maps.Keys(named)) {
				eventually(t, where+" names it", named[where])
				t.Logf("%s names it after %s", where, time.Since(began).Round(time.Second))
			}
			_, body := readyz(t, address)
			if changes := c.operation == "campaigns.set-status"; changes != strings.Contains(body, "is not in effect since ") || changes != strings.Contains(body, "act on the platform itself") {
				t.Errorf("/readyz says %s", body)
			}
			eventually(t, "why names it", func() bool {
				r := d.record("hangs")
				return r.Why != nil && strings.Contains(*r.Why, c.operation)
			})

			c.other(d, "works")
			if r := d.ended("works"); r.State != usher.Done {
				t.Errorf("a job that does not need it is %s", recordText(r))
			}
			metrics, health := ask("GET", "/metrics", ""), ask("GET", "/api/health", "")
			if down := regexp.MustCompile(`usher_platform_operation_up\{operation="(.+)"\} 0`).FindAllStringSubmatch(metrics, -1); len(down) != 1 || down[0][1] != c.operation || !strings.Contains(metrics, "\nusher_platform_up 1\n") {
				t.Errorf("the metrics say that %q fail:\n%s", down, metrics)
			}
			if strings.Contains(health, `"ok":false`) || strings.Contains(received(), `"kind":"platform_down"`) {
				t.Errorf("more is called broken than is: %s, %s", health, received())
			}

			d.control("DELETE", "faults", nil, nil)
			c.needing(d, "after")
			if r := d.ended("after"); r.State != usher.Done {
				t.Error(recordText(r))
			}
			eventually(t, "/readyz names it no more", func() bool {
				_, body := readyz(t, address)
				return strings.Contains(body, `"platform":"ok"`)
			})
		})
	}
}

func pauseCampaign(d *deployment, id string) {
	d.publish(usher.CampaignPause, job{"id": id, "campaign": "SANDBOX1-spring"})
}

func addToSegment(d *deployment, id string) {
	d.publish(usher.SegmentAdd, d.addJob(id, newExport(d.t, d.exports, 100, 1).path))
}

// A 200 that is not the platform's answer, such as the page of a proxy, counts as a failure
// everywhere: for the operation, in the metrics by status, and in why the job waits.
func TestUnreadableSuccessIsAFailure(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_RETRY_FIRST=100ms")
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t))
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	d.control("POST", "faults", job{"op": "segments.upload", "kind": "status", "status": 200, "body": "<html>Welcome to the hotel</html>", "times": 1_000_000}, nil)
	e := newExport(t, d.exports, 100, 1)
	d.publish(usher.SegmentAdd, d.addJob("upload", e.path))
	eventually(t, "why says it while the job runs", func() bool {
		r := d.record("upload")
		return r.State == usher.Running && r.Why != nil && strings.Contains(*r.Why, "the platform's segments.upload fails since ") && strings.Contains(*r.Why, "its body is not the JSON of an answer")
	})
	metrics := ask("GET", "/metrics", "")
	if !strings.Contains(metrics, `usher_platform_requests_total{operation="segments.upload",status="unreadable"}`) ||
		strings.Contains(metrics, `usher_platform_requests_total{operation="segments.upload",status="200"}`) || !strings.Contains(metrics, `usher_platform_operation_up{operation="segments.upload"} 0`) {
		t.Error("the metrics count it as a success")
	}
	d.control("DELETE", "faults", nil, nil)
	if r := d.ended("upload"); r.State != usher.Done {
		t.Error(recordText(r))
	}
}

// While Redis is down, an alert says that pauses wait, and jobs that wait for locks are tried
// seldom, however many there are. They end when it is back.
func TestWaitsForRedis(t *testing.T) {
	t.Parallel()
	const slots, jobs = 4, 20
	d := newDeployment(t)
	alerts, received := webhook(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, fmt.Sprint("USHER_LANES_CAMPAIGN=", slots),
		"USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json", "USHER_ALERTS_EVERY=1s")
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	start := time.Now()
	d.redis.kill()
	eventually(t, "the worker notices", func() bool { status, _ := readyz(t, address); return status == http.StatusServiceUnavailable })
	for i := range jobs {
		d.publish(usher.CampaignPause, job{"id": fmt.Sprint("pause-", i), "campaign": "SANDBOX1-spring"})
	}
	eventually(t, "an alert says so", func() bool {
		return strings.Contains(received(), `"title":"Pauses and resumes wait: Redis does not respond"`)
	})
	tried, most := strings.Count(d.log("worker"), "msg=begins"), slots*(2+int(time.Since(start)/(5*time.Second)))
	if tried == 0 || tried > most {
		t.Errorf("the jobs were tried %d times in %s, want at most %d", tried, time.Since(start), most)
	}
	d.redis.start(t)
	for i := range jobs {
		if r := d.ended(fmt.Sprint("pause-", i)); r.State != usher.Done {
			t.Errorf("job %s: %s", r.ID, recordText(r))
		}
	}
}

// webhook returns the URL of a webhook, and what was posted to it.
func webhook(t *testing.T) (url string, received func() string) {
	t.Helper()
	var mu sync.Mutex
	var all strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.Copy(&all, r.Body) // a message that is cut off fails the test
	}))
	t.Cleanup(server.Close)
	return server.URL, func() string {
		mu.Lock()
		defer mu.Unlock()
		return all.String()
	}
}
