package queues_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// unnamed returns queuetest.AddJob without its id.
func unnamed() string { return strings.Replace(queuetest.AddJob, `"id":"j1",`, "", 1) }

// A job may be the data of an event. It has the event's id unless it has its own.
func TestCloudEventsInStructuredMode(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	event := func(data string) string {
		return `{"specversion":"1.0","id":"from-event","source":"/crm","type":"segment.add","time":"2026-03-01T00:00:00Z","traceparent":"` + trace + `",` + data + `}`
	}
	for _, c := range []struct{ name, contentType, body, id string }{
		{"data", "application/cloudevents+json; charset=utf-8", event(`"datacontenttype":"application/json","data":` + unnamed()), "from-event"},
		{"its own id", "application/cloudevents+json", event(`"data":` + queuetest.AddJob), "j1"},
		{"base64", "application/cloudevents+json", strings.Replace(event(`"data_base64":"`+base64.StdEncoding.EncodeToString([]byte(unnamed()))+`"`), "from-event", "coded", 1), "coded"},
	} {
		b.Publish(t, usher.SegmentAdd, c.body, "Content-Type", c.contentType)
		l := lane.Take(t)
		if l.Work().ID != c.id || l.Work().Job.Segment != "1" {
			t.Errorf("%s: job %q on segment %q", c.name, l.Work().ID, l.Work().Job.Segment)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Errorf("%d dead letters: %+v", len(found), found)
	}
}

// A message that claims to be a CloudEvent and is not one is an invalid job. Its letter
// contains no device id.
func TestBrokenCloudEvents(t *testing.T) {
	t.Parallel()
	const canary = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	inline := `{"segment":"1","profile":"idfa","source":{"ids":["` + canary + `"]}}`
	for i, c := range []struct{ contentType, body, want string }{
		{"application/cloudevents+json", `"` + canary + `"`, "its body is not one in JSON"},
		{"application/cloudevents+json", `{"id":"e","data":` + inline + `}`, "specversion is not 1.0"},
		{"application/cloudevents+json", `{"specversion":"1.0","data":` + inline + `}`, "has no id"},
		{"application/cloudevents+json", `{"specversion":"1.0","id":"e","subject":"` + canary + `"}`, "has no data"},
		{"application/cloudevents+json", `{"specversion":"1.0","id":"e","datacontenttype":"text/csv","data":"` + canary + `"}`, "datacontenttype is not application/json"},
		{"application/cloudevents-batch+json", `[{"specversion":"1.0","id":"e","data":` + inline + `}]`, "publish one event a message"},
		{"application/cloudevents+json", `{"specversion":"1.0","id":"e","data":{"segment":"1","x":"` + canary + `"}}`, "the job is not valid"},
	} {
		b.Publish(t, usher.SegmentAdd, c.body, "content-type", c.contentType)
		b.Publish(t, usher.SegmentAdd, unnamed(), "Nats-Msg-Id", fmt.Sprintf("well-%d", i)) // delivered after the other has become a dead letter
		if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
		found := queuetest.Letters(t, q)
		last := found[len(found)-1]
		if last.Class != usher.InvalidJob || !strings.Contains(last.Message, c.want) {
			t.Errorf("%s: the letter says %s: %s", c.body, last.Class, last.Message)
		}
		shown, err := json.Marshal(last)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(strings.ToUpper(string(shown)), canary) {
			t.Errorf("%s: the letter holds the id: %s", c.body, shown)
		}
	}
}

func TestSubmitTakesCloudEvents(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	go func() { _ = q.ServeSubmit(t.Context(), "1.0.0") }()
	ask := func(body string) queues.Answer {
		msg := nats.NewMsg("usher.submit.segment.add")
		msg.Header.Set("content-type", "application/cloudevents+json")
		msg.Data = []byte(body)
		reply, err := b.Conn.RequestMsgWithContext(t.Context(), msg)
		for errors.Is(err, nats.ErrNoResponders) { // the endpoint is not up yet
			reply, err = b.Conn.RequestMsgWithContext(t.Context(), msg)
		}
		if err != nil {
			t.Fatal(err)
		}
		var a queues.Answer
		if err := json.Unmarshal(reply.Data, &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(`{"specversion":"1.0","id":"e1","data":` + unnamed() + `}`); a.ID != "e1" || len(a.Errors) != 0 {
		t.Errorf("the answer is %+v", a)
	}
	if a := ask(`{"specversion":"1.0","id":"e1"}`); a.ID != "" || len(a.Errors) != 1 {
		t.Errorf("the answer to an event without data is %+v", a)
	}
}
