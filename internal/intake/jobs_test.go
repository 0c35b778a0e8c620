package intake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"usher"
	"usher/internal/intake"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A job that was accepted is on the stream, its record can be read, and a worker takes it.
func TestJobIsStoredAndShown(t *testing.T) {
	t.Parallel()
	d := open(t)
	if id := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob, "Content-Type", "application/json").accepted(t); id != "j1" {
		t.Errorf("id %q", id)
	}
	if n := d.broker.Pending(t, "USHER_JOBS"); n != 1 {
		t.Errorf("%d messages", n)
	}
	show := func() usher.Record {
		t.Helper()
		answer := d.send(t, "GET", "/v1/jobs/j1", "")
		var r usher.Record
		if err := json.Unmarshal([]byte(answer.body), &r); err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" {
			t.Fatal(answer.Status, answer.body)
		}
		want := queuetest.JSON(t, queuetest.Record(t, d.queue, "j1"))
		if answer.body != want {
			t.Errorf("the record is %s\nwant what `usher jobs show --json` prints: %s", answer.body, want)
		}
		return r
	}
	if r := show(); r.State != usher.Queued {
		t.Errorf("state %s", r.State)
	}
	l := queuetest.NewSlot(t, d.queue, lanes.Audience).Take(t)
	if l.Work().ID != "j1" {
		t.Errorf("job %q was taken", l.Work().ID)
	}
	if err := l.End(queuetest.Done(3)); err != nil {
		t.Fatal(err)
	}
	if r := show(); r.State != usher.Done || r.Tally.Accepted != 3 {
		t.Errorf("state %s, tally %+v", r.State, r.Tally)
	}
	d.send(t, "GET", "/v1/jobs/nobody", "").refused(t, http.StatusNotFound)
	d.send(t, "GET", "/v1/jobs/..%2Fj1", "").refused(t, http.StatusNotFound)
}

// A job without an id has that of its place on its stream.
func TestJobWithoutID(t *testing.T) {
	t.Parallel()
	d := open(t)
	id := d.send(t, "POST", "/v1/jobs/campaign.pause", `{"campaign":"SANDBOX1-x"}`).accepted(t)
	if id != "seq-1000000000000000" {
		t.Errorf("id %q", id)
	}
	if r := queuetest.Record(t, d.queue, id); r.State != usher.Queued {
		t.Errorf("state %s", r.State)
	}
}

// The same job again has no effect. Another job with its id is refused, also if both come
// at the same time.
func TestIdentity(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob).accepted(t)
	if id := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob).accepted(t); id != "j1" {
		t.Errorf("id %q", id)
	}
	p := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn("j1", "2")).refused(t, http.StatusConflict)
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "/id" {
		t.Errorf("errors %+v", p.Errors)
	}
	if n := d.broker.Pending(t, "USHER_JOBS"); n != 1 {
		t.Errorf("%d messages", n)
	}

	const rounds, rivals = 10, 4
	for round := range rounds {
		var mu sync.Mutex
		counts := map[int]int{}
		var sending sync.WaitGroup
		for rival := range rivals {
			sending.Go(func() {
				answer := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn(fmt.Sprintf("race-%d", round), fmt.Sprint(rival)))
				mu.Lock()
				defer mu.Unlock()
				counts[answer.StatusCode]++
			})
		}
		sending.Wait()
		if counts[http.StatusAccepted] != 1 || counts[http.StatusConflict] != rivals-1 {
			t.Errorf("round %d: %v, want one accepted and the others 409", round, counts)
		}
	}
}

// Issues are those of usher.submit, with the place of each.
func TestInvalidJobs(t *testing.T) {
	t.Parallel()
	d := open(t)
	const canary = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	for _, c := range []struct{ name, kind, body, pointer string }{
		{"missing field", "segment.add", `{"profile":"idfa","source":{"url":"/x"}}`, "/segment"},
		{"typo", "segment.add", `{"segment":"1","profil":"idfa","source":{"url":"/x"}}`, "/profil"},
		{"not JSON", "segment.add", `segment=1`, ""},
		{"nothing", "segment.add", ``, ""},
		{"two values", "segment.add", queuetest.AddJob + queuetest.AddJob, ""},
		{"field of another kind", "campaign.pause", `{"campaign":"SANDBOX1-x","segment":"1"}`, "/segment"},
		{"relative path", "segment.add", `{"segment":"1","profile":"idfa","source":{"url":"crm.csv"}}`, "/source/url"},
		{"relative file URL", "segment.add", `{"segment":"1","profile":"idfa","source":{"url":"file:crm.csv"}}`, "/source/url"},
		{"http", "segment.add", `{"segment":"1","profile":"idfa","source":{"url":"HTTP://crm.example/crm.csv"}}`, "/source/url"},
		{"relative path with a colon", "segment.mirror", `{"segment":"1","profile":"idfa","source":{"url":"crm/6:00.csv"}}`, "/source/url"},
		{"no id at all", "segment.add", `{"segment":"1","profile":"idfa","source":{"ids":["nothing"]}}`, "/source/ids"},
		{"id of a wrong type", "segment.add", `{"segment":"1","profile":"idfa","source":{"ids":["` + canary + `",7]}}`, "/source/ids/1"},
	} {
		answer := d.send(t, "POST", "/v1/jobs/"+c.kind, c.body)
		p := answer.refused(t, http.StatusBadRequest)
		found := false
		for _, issue := range p.Errors {
			found = found || issue.Pointer == c.pointer && issue.Message != ""
		}
		if !found || strings.Contains(answer.body, canary) {
			t.Errorf("%s: %s, want an issue at %q", c.name, answer.body, c.pointer)
		}
		direct, err := d.queue.Submit(t.Context(), usher.Kind(c.kind), []byte(c.body))
		if err != nil || queuetest.JSON(t, direct.Errors) != queuetest.JSON(t, p.Errors) {
			t.Errorf("%s: %s, but usher.submit says %+v, %v", c.name, answer.body, direct.Errors, err)
		}
	}
	if n := d.broker.Pending(t, "USHER_JOBS"); n != 0 {
		t.Errorf("%d invalid jobs were published", n)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob).accepted(t)
	d.send(t, "POST", "/v1/jobs/j1/cancel", `{"because":1}`).refused(t, http.StatusBadRequest)
	answer := d.send(t, "POST", "/v1/jobs/j1/cancel", `{"reason":"wrong file"}`)
	var r usher.Record
	if err := json.Unmarshal([]byte(answer.body), &r); err != nil || answer.StatusCode != http.StatusOK || r.State != usher.Cancelled {
		t.Fatal(answer.Status, answer.body)
	}
	d.send(t, "POST", "/v1/jobs/j1/cancel", "").refused(t, http.StatusConflict)
	d.send(t, "POST", "/v1/jobs/nobody/cancel", "").refused(t, http.StatusNotFound)
	queuetest.NewSlot(t, d.queue, lanes.Audience).None(t)
	var acts []string
	err := d.queue.Audit().Newest(t.Context(), audit.Filter{}, func(a usher.Audit) bool {
		acts = append(acts, a.Actor+": "+a.Reason)
		return true
	})
	if err != nil || len(acts) != 1 || acts[0] != "crm: wrong file" {
		t.Errorf("audit %q, %v", acts, err)
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, kind := range kinds() {
		answer := d.send(t, "GET", "/v1/schemas/"+string(kind), "")
		want, _ := d.queue.Schemas().Text(kind)
		var is, should any
		if json.Unmarshal([]byte(answer.body), &is) != nil || json.Unmarshal(want, &should) != nil || queuetest.JSON(t, is) != queuetest.JSON(t, should) {
			t.Errorf("%s: %s", kind, answer.body)
		}
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/schema+json" {
			t.Errorf("%s: %s with %s", kind, answer.Status, answer.Header.Get("Content-Type"))
		}
	}
	d.send(t, "GET", "/v1/schemas/segment.sub", "").refused(t, http.StatusNotFound)
}

// Unknown paths, kinds and methods.
func TestRoutes(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"POST", "/v1/jobs/segment.sub", http.StatusNotFound, ""},
		{"POST", "/v1/jobs/", http.StatusNotFound, ""},
		{"POST", "/v1/jobs", http.StatusMethodNotAllowed, "GET"},
		{"GET", "/v1/jobs?states=done", http.StatusBadRequest, ""},
		{"GET", "/v1/jobs?state=over", http.StatusBadRequest, ""},
		{"GET", "/v1/jobs?kind=segment.sub", http.StatusNotFound, ""},
		{"GET", "/v1/jobs?limit=0", http.StatusBadRequest, ""},
		{"GET", "/v1/jobs?cursor=x", http.StatusBadRequest, ""},
		{"GET", "/v1/jobs/j1?wait=2m", http.StatusBadRequest, ""},
		{"GET", "/v1/jobs/j1?wait=soon", http.StatusBadRequest, ""},
		{"GET", "/", http.StatusNotFound, ""},
		{"GET", "//v1/jobs/j1", http.StatusNotFound, ""},
		{"GET", "/v1/jobs/../jobs/j1", http.StatusNotFound, ""},
		{"GET", "/v1/jobs/j1/", http.StatusNotFound, ""},
		{"PUT", "/v1/jobs/segment.add", http.StatusMethodNotAllowed, "GET, POST"},
		{"DELETE", "/v1/jobs/j1", http.StatusMethodNotAllowed, "GET, POST"},
		{"GET", "/v1/jobs/j1/cancel", http.StatusMethodNotAllowed, "POST"},
		{"POST", "/v1/schemas/segment.add", http.StatusMethodNotAllowed, "GET"},
	} {
		answer := d.send(t, c.method, c.path, "")
		answer.refused(t, c.status)
		if answer.Header.Get("Allow") != c.allow {
			t.Errorf("%s %s: Allow %q, want %q", c.method, c.path, answer.Header.Get("Allow"), c.allow)
		}
	}
}

// A page of the list.
type page struct {
	Jobs []usher.Record `json:"jobs"`
	Next string         `json:"next"`
}

func (d *testIntake) page(t *testing.T, token, query string) page {
	t.Helper()
	answer := d.sendAs(t, token, "GET", "/v1/jobs"+query, "")
	var p page
	if answer.StatusCode != http.StatusOK || json.Unmarshal([]byte(answer.body), &p) != nil {
		t.Fatalf("%s: %s", answer.Status, answer.body)
	}
	return p
}

// A token lists the jobs that it has submitted, newest first and page by page; one that may read those of
// others lists them, too, of its kinds and advertisers.
func TestList(t *testing.T) {
	t.Parallel()
	d := open(t)
	other, all, pauses := d.add(t, intake.Grant{Name: "other"}), d.add(t, intake.Grant{Name: "ops", All: true}), d.add(t, intake.Grant{Name: "engine", Kinds: []usher.Kind{usher.CampaignPause}, All: true})
	d.reload(t, pauses)
	for i := range 7 {
		d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn(fmt.Sprintf("crm-%d", i), "1")).accepted(t)
	}
	answer := d.sendAs(t, other, "POST", "/v1/jobs/campaign.pause", `{"id":"theirs","campaign":"SANDBOX1-x"}`)
	if answer.accepted(t); answer.Header.Get("Location") != "/v1/jobs/theirs" {
		t.Errorf("Location %q", answer.Header.Get("Location"))
	}
	var ids []string
	for query, pages := "?limit=3", 0; ; pages++ {
		p := d.page(t, d.token, query)
		for _, r := range p.Jobs {
			if ids = append(ids, r.ID); r.Publisher != "crm" {
				t.Errorf("%s is by %q", r.ID, r.Publisher)
			}
		}
		if p.Next == "" {
			if pages != 2 {
				t.Errorf("%d pages", pages+1)
			}
			break
		}
		query = "?limit=3&cursor=" + p.Next
	}
	if want := []string{"crm-6", "crm-5", "crm-4", "crm-3", "crm-2", "crm-1", "crm-0"}; !slices.Equal(ids, want) {
		t.Errorf("listed %q", ids)
	}
	if p := d.page(t, all, ""); len(p.Jobs) != 8 || p.Jobs[0].ID != "theirs" {
		t.Errorf("all: %d jobs", len(p.Jobs))
	}
	if p := d.page(t, pauses, ""); len(p.Jobs) != 1 || p.Jobs[0].ID != "theirs" {
		t.Errorf("pauses: %+v", p.Jobs)
	}
	if p := d.page(t, all, "?state=done&state=failed"); len(p.Jobs) != 0 {
		t.Errorf("ended: %+v", p.Jobs)
	}
	d.sendAs(t, other, "GET", "/v1/jobs/crm-1", "").refused(t, http.StatusForbidden)
	d.sendAs(t, other, "POST", "/v1/jobs/crm-1/cancel", "").refused(t, http.StatusForbidden)
	if answer := d.sendAs(t, all, "GET", "/v1/jobs/crm-1", ""); answer.StatusCode != http.StatusOK {
		t.Errorf("%s", answer.Status)
	}
}

// A request may wait until a job has ended.
func TestWaitForJob(t *testing.T) {
	t.Parallel()
	d := open(t)
	id := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob).accepted(t)
	var waiting sync.WaitGroup
	waiting.Go(func() {
		answer := d.send(t, "GET", "/v1/jobs/"+id+"?wait=60s", "")
		var r usher.Record
		if json.Unmarshal([]byte(answer.body), &r) != nil || r.State != usher.Cancelled {
			t.Errorf("%s: %s", answer.Status, answer.body)
		}
	})
	d.send(t, "POST", "/v1/jobs/"+id+"/cancel", "")
	waiting.Wait()
	other := d.send(t, "POST", "/v1/jobs/segment.add", queuetest.JobOn("never", "1")).accepted(t)
	answer := d.send(t, "GET", "/v1/jobs/"+other+"?wait=10ms", "")
	var r usher.Record
	if json.Unmarshal([]byte(answer.body), &r) != nil || r.State != usher.Queued {
		t.Errorf("%s: %s", answer.Status, answer.body)
	}
}
