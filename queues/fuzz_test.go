package queues

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/schema"
	"usher/queues/store"
)

// newOffline returns a Queue that can read messages and entries, and nothing else.
func newOffline(t testing.TB) *Queue {
	t.Helper()
	schemas := schema.Load()
	o := Options{Logger: slog.New(slog.DiscardHandler)}.withDefaults()
	messages := &message.Reader{Schemas: schemas}
	return &Queue{
		options: o, logger: o.Logger, now: time.Now, schemas: schemas, metrics: newMetrics(nil, usher.Kinds()),
		messages: messages, records: &records.Records{Messages: messages, Now: time.Now, Logger: o.Logger},
		live: map[string]*Lease{}, abandoned: map[string]bool{},
	}
}

// checkMessage checks what read returns for any message.
func checkMessage(t *testing.T, m *message.Message) {
	t.Helper()
	if m.ID != "" && !usher.ValidID(m.ID) {
		t.Errorf("the id is %q", m.ID)
	}
	if m.Invalid != nil && (m.Invalid.Class != usher.InvalidJob || m.Invalid.Message == "" || m.Invalid.Hint == "") {
		t.Errorf("it is invalid: %+v", m.Invalid)
	}
	if m.Invalid == nil && (m.ID == "" || m.Sum == "" || m.Run < 1 || m.Kept == nil) {
		t.Errorf("a valid message is %+v", m)
	}
	if m.Shown != nil && string(message.Redact(m.Shown)) != string(m.Shown) {
		t.Errorf("redacted twice, %s is %s", m.Shown, message.Redact(m.Shown))
	}
	if err := m.Dropped.Check(); err != nil {
		t.Error(err)
	}
	data, err := json.Marshal(letterOf(m, time.Now()).DeadLetter)
	if err != nil || !json.Valid(data) {
		t.Errorf("the letter is %s, %v", data, err)
	}
}

// FuzzMessage reads arbitrary bodies, on any subject, also as CloudEvents.
func FuzzMessage(f *testing.F) {
	for _, seed := range []struct{ kind, contentType, body string }{
		{"segment.add", "", `{"id":"a","segment":"1","profile":"idfa","source":{"url":"/x","skip":"#"}}`},
		{"segment.add", "", `{"segment":"1","profile":{"type":"idfa","case":"upper"},"source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`},
		{"campaign.pause", "application/cloudevents+json", `{"specversion":"1.0","id":"e","traceparent":"x","data":{"campaign":"c","reason":"6D92078A82464BA4AE5B76104861E7DC"}}`},
		{"campaign.pause", "application/cloudevents+json; charset=utf-8", `{"specversion":"1.0","id":"e","data_base64":"e30="}`},
		{"rules.evaluate", "application/cloudevents-batch+json", `[]`},
		{"rules.evaluate", "", `{"rules":"r","asOf":"2026-01-01T00:00:00.1234567890123456Z","metrics":{"campaign":"c","at":"2026-01-01T00:00:00Z","values":{"x":1e9}}}`},
		{"segment.6d92078a82464ba4", "", `{"id":["x"]}`}, {"", "", `null`},
	} {
		f.Add(seed.kind, seed.contentType, []byte(seed.body))
	}
	q := newOffline(f)
	f.Fuzz(func(t *testing.T, kind, contentType string, body []byte) {
		m := q.messages.Read("usher.jobs."+kind, nats.Header{"Content-Type": {contentType}}, body, 7, time.Unix(1, 0))
		checkMessage(t, m)
		if m.Kind != usher.Kind(kind) && m.Kind != store.UnknownKind {
			t.Errorf("the kind is %q", m.Kind)
		}
	})
}

// FuzzHeaders reads arbitrary headers, from publishers and from usher itself.
func FuzzHeaders(f *testing.F) {
	const tally = `{"read":1,"accepted":0,"duplicate":0,"suppressed":0,"junk":{"empty":1},"invalid":{},"refused":{}}`
	f.Add(true, "2", "7", tally, `{"run":1,"by":"x","fields":["/segment"]}`, "replay", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "ce", "msg")
	f.Add(false, "-1", "18446744073709551615", `{"read":-1}`, `null`, "", "00-x", "a..b", "/invalid/1")
	q := newOffline(f)
	f.Fuzz(func(t *testing.T, ours bool, run, order, dropped, edited, replay, trace, event, id string) {
		header := nats.Header{}
		for name, value := range map[string]string{
			message.HeaderRun: run, message.HeaderOrder: order, message.HeaderDropped: dropped, message.HeaderEdited: edited, message.HeaderReplay: replay,
			message.HeaderTrace: trace, message.HeaderEventID: event, message.HeaderMsgID: id,
		} {
			if value != "" {
				header.Set(name, value)
			}
		}
		subject := "usher.jobs.target.clear"
		if ours {
			subject = "usher.runs.target.clear"
		}
		m := q.messages.Read(subject, header, []byte(`{"campaign":"c"}`), 7, time.Unix(1, 0))
		checkMessage(t, m)
		if !ours && run+order+dropped+edited+replay != "" && m.Invalid == nil {
			t.Errorf("a publisher's headers are accepted: %v", header)
		}
		if m.Trace != "" && (len(m.Trace) != 55 || strings.ContainsAny(m.Trace, " \r\n")) {
			t.Errorf("the trace is %q", m.Trace)
		}
	})
}

// FuzzEntry reads arbitrary values of the state bucket as what they may be.
func FuzzEntry(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"run":1,"state":"running","holder":"x/y","bits":"AQ==","record":{"id":"a","kind":"segment.add","job":{"segment":"1"},"parts":{"total":3}}}`,
		`{"run":1,"state":"done","progress":{"checkpoint":{"sketch":"AAAA","tally":{"read":9999999,"accepted":9999999}}},"record":{"job":"x"}}`, "\x1f\x8b\x08\x00",
		`{"run":-1,"record":{"warnings":[{}],"error":{}},"ranges":[{"from":-1,"to":-2}]}`,
	} {
		f.Add([]byte(seed))
	}
	q := newOffline(f)
	f.Fuzz(func(t *testing.T, value []byte) {
		stored := &store.Entry{Key: "jobs.a", Revision: 1, Value: value}
		var job records.Job
		if stored.Decode(&job) == nil {
			q.records.Refresh(&job)
			_ = job.Target()
			_ = job.EndedParts()
			if data, err := json.Marshal(&job); err != nil {
				t.Errorf("what was read cannot be written: %v, %s", err, data)
			}
		}
		_ = stored.Decode(&records.Part{})
		_ = stored.Decode(&records.Ending{})
		_ = stored.Decode(&usher.CreativeEntry{})
		_ = stored.Decode(&usher.Setting{})
	})
}
