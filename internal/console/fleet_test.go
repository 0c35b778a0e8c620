package console_test

import (
	"net/http"
	"testing"

	"usher"
	"usher/internal/console"
	"usher/queues/audit"
	"usher/queues/queuetest"
)

// An answer to a question about a stop ends that one and no later one. A request that names none, as those of
// 1.0.0 did, ends whichever is set; its reason is recorded.
func TestStart(t *testing.T) {
	t.Parallel()
	q := queuetest.New(t).Queue(t)
	v := newSite(t, func(o *console.Options) { o.Settings = q.Settings() }).loginAs("anna")
	stop := func(reason string) {
		t.Helper()
		if err := q.Settings().Set(t.Context(), usher.Setting{Kind: usher.StopSwitch}, audit.Act{Actor: "bob", Reason: reason}); err != nil {
			t.Fatal(err)
		}
	}
	start := func(body string, status int, on bool) {
		t.Helper()
		w := v.request("POST", "/api/start", body, nil)
		set, err := q.Settings().Get(t.Context(), usher.StopSwitch, "")
		if err != nil || w.Code != status || (set != nil) != on {
			t.Errorf("%s: status %d, %s; the switch is %+v, %v", body, w.Code, w.Body, set, err)
		}
	}
	stop("incident 12")
	shown := v.request("GET", "/api/stop", "", nil).Body.String()
	stop("incident 13")
	start(shown, http.StatusConflict, true)
	start(v.request("GET", "/api/stop", "", nil).Body.String(), http.StatusOK, false)
	for _, body := range []string{"", "{}", `{"reason":"incident 13 is over"}`} {
		stop("incident 13")
		start(body, http.StatusOK, false)
	}
	var last usher.Audit
	err := q.Audit().Newest(t.Context(), audit.Filter{}, func(a usher.Audit) bool { last = a; return false })
	if err != nil || last.Reason != "incident 13 is over" {
		t.Errorf("the last entry is %+v, %v", last, err)
	}
}
