package main_test

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
)

// A job whose source drips says how much has come and how fast, as do /readyz, the overview and an alert. It
// does not keep the slot of others for longer than a minute, which package places tests with its own clock.
func TestDrippingSourceIsShown(t *testing.T) {
	t.Parallel()
	row := "6d92078a-8246-4ba4-ae5b-76104861e7dc\n"
	release := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := strings.Repeat(row, 200)
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Length", "7400")
		_, _ = w.Write([]byte(data[:1000]))
		_ = http.NewResponseController(w).Flush()
		select {
		case <-release:
			_, _ = w.Write([]byte(data[1000:]))
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDeployment(t, "USHER_SOURCES_HTTPS_CA="+ca, "USHER_SOURCES_ALLOW="+server.URL+"/in/")
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	alerts, received := webhook(t)
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t), "USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json")
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	d.publish(usher.SegmentAdd, job{"id": "drip", "segment": "1", "profile": "idfa", "source": job{"url": server.URL + "/in/export.txt"}})
	eventually(t, "its record has bytes and rate", func() bool {
		r := d.record("drip")
		return r.State == usher.Running && r.Why != nil && strings.Contains(*r.Why, "kB/s, 1000 bytes so far; sources.min_rate is 10 kB/s")
	})
	if out, _ := d.usher("jobs", "show", "drip"); !strings.Contains(out, "1000 bytes so far") {
		t.Errorf("jobs show prints %s", out)
	}
	ask := d.visit("http://" + address)
	eventually(t, "the overview names it", func() bool {
		return strings.Contains(ask("GET", "/api/overview", ""), `"says":"The source of job drip delivers too slowly"`)
	})
	const says = "kB/s, 1000 bytes so far; sources.min_rate is 10 kB/s"
	eventually(t, "/readyz names it", func() bool {
		status, body := readyz(t, address)
		return status == http.StatusOK && strings.Contains(body, `"sources":"job drip since `) && strings.Contains(body, says)
	})
	eventually(t, "an alert names it", func() bool {
		return strings.Contains(received(), `"title":"The source of job drip delivers too slowly: `) && strings.Contains(received(), says)
	})
	close(release)
	if r := d.ended("drip"); r.State != usher.Done {
		t.Errorf("the job is %s", recordText(r))
	}
	eventually(t, "the alert ends", func() bool { return strings.Contains(received(), "The job has ended: done.") })
	if _, body := readyz(t, address); !strings.Contains(body, `"sources":"ok"`) {
		t.Errorf("/readyz says %s", body)
	}
}
