package intake_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"usher"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// unnamed returns queuetest.AddJob without its id.
func unnamed() string { return strings.Replace(queuetest.AddJob, `"id":"j1",`, "", 1) }

// An event in either mode is a job with the event's id, unless the job has its own.
func TestCloudEvents(t *testing.T) {
	t.Parallel()
	d := open(t)
	lane := queuetest.NewSlot(t, d.queue, lanes.Audience)
	structured := func(id, data string) string {
		return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/crm","type":"segment.add","traceparent":%q,%s}`, id, trace, data)
	}
	for _, c := range []struct {
		name, body, id string
		headers        []string
	}{
		{"structured", structured("structured-1", `"datacontenttype":"application/json","data":`+unnamed()), "structured-1", []string{"Content-Type", "application/cloudevents+json; charset=UTF-8"}},
		{"structured with an id", structured("structured-2", `"data":`+queuetest.AddJob), "j1", []string{"Content-Type", "application/cloudevents+json"}},
		{"structured in base64", structured("structured-3", `"data_base64":"`+base64.StdEncoding.EncodeToString([]byte(unnamed()))+`"`), "structured-3", []string{"Content-Type", "application/cloudevents+json"}},
		{"binary", unnamed(), "binary-1", []string{"Content-Type", "application/json", "ce-specversion", "1.0", "ce-id", "binary-1", "ce-source", "/crm", "ce-type", "segment.add", "ce-traceparent", trace}},
		{"binary, percent-encoded", unnamed(), "binary-2", []string{"ce-specversion", "1.0", "ce-id", "binary%2D2", "ce-source", "/crm", "ce-type", "x", "traceparent", trace}},
		{"binary, quoted", unnamed(), "binary-3", []string{"ce-specversion", `"1.0"`, "ce-id", `"binary\-3"`, "ce-source", "/crm", "ce-type", "x", "traceparent", trace}},
	} {
		if id := d.send(t, "POST", "/v1/jobs/segment.add", c.body, c.headers...).accepted(t); id != c.id {
			t.Errorf("%s: id %q", c.name, id)
		}
		l := lane.Take(t)
		if w := l.Work(); w.ID != c.id || w.Job.Segment != "1" || w.Trace != trace {
			t.Errorf("%s: job %q on segment %q with the trace %q", c.name, w.ID, w.Job.Segment, w.Trace)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

// A body that claims to be an event and is not, and a batch of events, are refused.
func TestBrokenCloudEvents(t *testing.T) {
	t.Parallel()
	d := open(t)
	const canary = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	for name, c := range map[string]struct {
		body    string
		headers []string
	}{
		"no envelope":       {queuetest.AddJob, []string{"Content-Type", "application/cloudevents+json"}},
		"a text":            {`"` + canary + `"`, []string{"Content-Type", "application/cloudevents+json"}},
		"no id":             {`{"specversion":"1.0","data":` + unnamed() + `}`, []string{"Content-Type", "application/cloudevents+json"}},
		"an older version":  {`{"specversion":"0.3","id":"e","data":` + unnamed() + `}`, []string{"Content-Type", "application/cloudevents+json"}},
		"no data":           {`{"specversion":"1.0","id":"e"}`, []string{"Content-Type", "application/cloudevents+json"}},
		"data in XML":       {`{"specversion":"1.0","id":"e","datacontenttype":"text/xml","data":"<job/>"}`, []string{"Content-Type", "application/cloudevents+json"}},
		"an id of words":    {`{"specversion":"1.0","id":"a b","data":` + unnamed() + `}`, []string{"Content-Type", "application/cloudevents+json"}},
		"a batch":           {`[]`, []string{"Content-Type", "application/cloudevents-batch+json"}},
		"binary, version":   {unnamed(), []string{"ce-specversion", "0.3", "ce-id", "e"}},
		"binary, id":        {unnamed(), []string{"ce-specversion", "1.0", "ce-id", "a%20b"}},
		"a header of usher": {unnamed(), []string{"Usher-Run", "7"}},
		"compressed":        {unnamed(), []string{"Content-Encoding", "gzip"}},
	} {
		answer := d.send(t, "POST", "/v1/jobs/segment.add", c.body, c.headers...)
		if p := answer.refused(t, http.StatusBadRequest); len(p.Errors) == 0 || strings.Contains(answer.body, canary) {
			t.Errorf("%s: %s", name, answer.body)
		}
	}
	if n := d.broker.Pending(t, "USHER_JOBS"); n != 0 {
		t.Errorf("%d messages", n)
	}
}

// A body that claims to be an event is either stored as a job with a valid id, or refused
// with what is wrong.
func FuzzCloudEvents(f *testing.F) {
	d := open(f)
	f.Add("application/cloudevents+json", "", "", `{"specversion":"1.0","id":"e","source":"/crm","type":"x","data":`+unnamed()+`}`)
	f.Add("application/cloudevents+json", "a", "1.0", `{"specversion":"1.0","id":"e","data_base64":"`+base64.StdEncoding.EncodeToString([]byte(unnamed()))+`"}`)
	f.Add("application/json", "binary%2D1", "1.0", unnamed())
	f.Add("", `"a\-b"`, `"1.0"`, queuetest.AddJob)
	f.Add("application/cloudevents-batch+json", "%", "", "[]")
	f.Fuzz(func(t *testing.T, contentType, id, version, body string) {
		for _, value := range []string{contentType, id, version} {
			if strings.ContainsFunc(value, unicode.IsControl) {
				return // no client sends it
			}
		}
		answer := d.send(t, "POST", "/v1/jobs/segment.add", body, "Content-Type", contentType, "ce-id", id, "ce-specversion", version)
		switch answer.StatusCode {
		case http.StatusAccepted:
			if id := answer.accepted(t); !usher.ValidID(id) || queuetest.Record(t, d.queue, id).Kind != usher.SegmentAdd {
				t.Errorf("id %q", id)
			}
		case http.StatusBadRequest, http.StatusConflict:
			if p := answer.refused(t, answer.StatusCode); len(p.Errors) == 0 {
				t.Error("the response does not say what is wrong: ", answer.body)
			}
		default:
			t.Errorf("%s: %s", answer.Status, answer.body)
		}
	})
}
