package queues_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/status"
)

const pauseSpring = `{"id":%q,"campaign":"SANDBOX1-spring","creatives":["spring-1"]}`

// A publisher's headers are not believed: its message is a dead letter, whatever the
// header and its case.
func TestHeadersOfPublishersAreRefused(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	headers := []string{
		"Usher-Order", "9000000000000000000", "usher-order", "9000000000000000000", "Usher-Run", "2", "USHER-RUN", "2",
		"Usher-Dropped", `{"read":1000000000,"invalid":{"shape":1000000000}}`, "Usher-Replay", "x", "Usher-Edited", `{"by":"ann","run":1}`, "Usher-Other", "",
	}
	for i := 0; i < len(headers); i += 2 {
		publishRaw(t, b, usher.CampaignPause, `{"campaign":"SANDBOX1-spring"}`, headers[i], headers[i+1])
	}
	lane.None(t)
	found := queuetest.Letters(t, q)
	if len(found) != len(headers)/2 {
		t.Errorf("%d letters of %d messages", len(found), len(headers)/2)
	}
	for _, l := range found {
		if l.Class != usher.InvalidJob || !strings.Contains(l.Message, "Usher-") || !strings.Contains(l.Hint, "without Usher-") {
			t.Errorf("letter %s", queuetest.JSON(t, l))
		}
	}
}

// A publisher cannot make a job the newest one of a creative for ever.
func TestForgedOrder(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	b.Publish(t, usher.CampaignPause, strings.Replace(pauseSpring, "%q", `"forged"`, 1), "Usher-Order", "9000000000000000000")
	lane.None(t)
	b.Publish(t, usher.CampaignResume, strings.Replace(pauseSpring, "%q", `"real"`, 1))
	resume := lane.Take(t)
	if w := resume.Work(); w.ID != "real" || w.Order != firstCampaign+1 {
		t.Errorf("took %s with order %d, want real with order %d", w.ID, w.Order, firstCampaign+1)
	}
	entry, err := resume.ClaimChange(t.Context(), "spring-1", "ACTIVE", usher.CreativeEntry{}, usher.CreativeState{}, false)
	if err != nil || entry.Job != "real" || entry.Order != firstCampaign+1 {
		t.Errorf("the creative's entry is %+v, %v; want that of the resume", entry, err)
	}
}

// An order that is above that of every job is lifted: later jobs set the creative again, older ones
// do not.
func TestLiftOrder(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	b.Publish(t, usher.CampaignPause, strings.Replace(pauseSpring, "%q", `"before"`, 1))
	before := lane.Take(t)
	forged := usher.CreativeEntry{Order: 9e18, Wanted: "INACTIVE", Job: "forged", ChangedOrder: 9e18, Left: usher.CreativeState{Status: "INACTIVE"}}
	if err := q.Store().State.Put(t.Context(), "creatives.spring-1", &forged); err != nil {
		t.Fatal(err)
	}
	if stuck, err := q.Creatives().Stuck(t.Context(), "spring-1"); err != nil || stuck == nil || stuck.Order != forged.Order {
		t.Errorf("the stuck order is %+v, %v", stuck, err)
	}
	act := audit.Act{Actor: "ann", Reason: "incident 12"}
	if stuck, err := q.Creatives().LiftOrder(t.Context(), "spring-1", act); err != nil || stuck.Job != "forged" {
		t.Fatalf("lifted %+v, %v", stuck, err)
	}
	for _, creative := range []string{"spring-1", "unknown"} {
		if _, err := q.Creatives().LiftOrder(t.Context(), creative, act); !errors.Is(err, queues.ErrNotStuck) {
			t.Errorf("lifting the order of %s: %v, want ErrNotStuck", creative, err)
		}
	}
	b.Publish(t, usher.CampaignResume, strings.Replace(pauseSpring, "%q", `"after"`, 1))
	after := lane.Take(t)
	state := usher.CreativeState{Status: "ACTIVE"}
	entry := claim(t, after, "ACTIVE", state)
	if entry.Job != "after" || entry.Order != firstCampaign+1 || entry.ChangedOrder != firstCampaign+1 || entry.Left != state {
		t.Errorf("the entry after the lift and a resume is %+v, want that of the resume", entry)
	}
	if entry := claim(t, before, "INACTIVE", state); entry.Job != "after" {
		t.Errorf("a job from before the lift has the entry: %+v", entry)
	}
	var audited []usher.Audit
	err := q.Audit().Each(t.Context(), audit.Filter{Creative: "spring-1"}, func(a usher.Audit) error {
		audited = append(audited, a)
		return nil
	})
	if err != nil || len(audited) != 1 || audited[0].Actor != "ann" || audited[0].Reason != "incident 12" || !strings.Contains(audited[0].Before, "forged") {
		t.Errorf("the audit is %s, %v; want one entry of the lift", queuetest.JSON(t, audited), err)
	}
}

// claim claims a creative for a job that has read the creative's entry.
func claim(t *testing.T, l *queues.Lease, wanted string, now usher.CreativeState) usher.CreativeEntry {
	t.Helper()
	known, err := l.Entries(t.Context(), []string{"spring-1"})
	if err != nil {
		t.Fatal(err)
	}
	entry, err := l.ClaimChange(t.Context(), "spring-1", wanted, known["spring-1"], now, wanted == now.Status)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// A publisher cannot put another body under the id of a job that has ended.
func TestForgedRun(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	before := queuetest.JSON(t, queuetest.Record(t, q, "j1"))
	for _, body := range []string{queuetest.AddJob, queuetest.JobOn("j1", "99")} {
		b.Publish(t, usher.SegmentAdd, body, "Usher-Run", "2", "Usher-Edited", `{"by":"ann","at":"2026-01-01T00:00:00Z","run":1,"fields":["/segment"]}`)
	}
	lane.None(t)
	if after := queuetest.JSON(t, queuetest.Record(t, q, "j1")); after != before {
		t.Errorf("the record is\n%s, was\n%s", after, before)
	}
	for _, l := range queuetest.Letters(t, q) {
		if l.Class == usher.InvalidJob && (l.Run != 1 || l.Edited != nil) {
			t.Errorf("letter %s repeats the publisher's header", queuetest.JSON(t, l))
		}
	}
}

// A publisher cannot report rows that were dropped.
func TestForgedTally(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob, "Usher-Dropped", `{"read":1000000000,"invalid":{"shape":1000000000}}`)
	lane.None(t)
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Failed || r.Error.Class != usher.InvalidJob || r.Tally.Read != 0 {
		t.Errorf("record %s, want failed as invalid_job without a row", queuetest.JSON(t, r))
	}
}

// A publisher cannot keep a job of usher from being published by using its message ID.
func TestMessageIDOfAPublisher(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		ended bool
	}{{"waits", false}, {"ended", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			lane := queuetest.NewSlot(t, q, lanes.Campaign)
			b.Publish(t, usher.CampaignResume, `{"id":"other","campaign":"SANDBOX1-spring"}`, "Nats-Msg-Id", "rule-1.pause")
			other := lane.Take(t)
			if c.ended {
				if err := other.End(queuetest.Done(0)); err != nil {
					t.Fatal(err)
				}
			}
			own := []queues.NewJob{{Kind: usher.CampaignPause, Job: usher.Job{ID: "rule-1.pause", Campaign: "SANDBOX1-spring"}}}
			if err := q.PublishJobs(t.Context(), own); err != nil {
				t.Fatal(err)
			}
			pause := lane.Take(t)
			if w := pause.Work(); w.ID != "rule-1.pause" || w.Kind != usher.CampaignPause {
				t.Errorf("took job %s of kind %s, want the pause of usher", w.ID, w.Kind)
			}
			if err := pause.End(queuetest.Done(0)); err != nil {
				t.Fatal(err)
			}
			if err := q.PublishJobs(t.Context(), own); err != nil { // repeated, it has no effect
				t.Fatal(err)
			}
			lane.None(t)
		})
	}
}

// A request to usher.submit with a header of usher is refused.
func TestSubmitRefusesHeadersOfUsher(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	serve, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- q.ServeSubmit(serve, "1.0.0") }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	for _, header := range []string{"Usher-Order", "usher-RUN"} {
		msg := nats.NewMsg("usher.submit.segment.add")
		msg.Data, msg.Header[header] = []byte(queuetest.AddJob), []string{"2"}
		if answer := request(t, b, msg); !strings.Contains(answer, `"errors"`) || !strings.Contains(answer, "Usher-") {
			t.Errorf("a submit with %s: %s", header, answer)
		}
	}
	msg := nats.NewMsg("usher.submit.segment.add")
	msg.Data = []byte(queuetest.AddJob)
	if answer := request(t, b, msg); answer != `{"id":"j1"}` {
		t.Errorf("a submit without headers: %s", answer)
	}
}

// publishRaw publishes with a header whose name is not canonicalized.
func publishRaw(t *testing.T, b *queuetest.Broker, kind usher.Kind, body, name, value string) {
	t.Helper()
	msg := &nats.Msg{Subject: "usher.jobs." + string(kind), Data: []byte(body), Header: nats.Header{name: {value}}}
	if _, err := b.JS.PublishMsg(t.Context(), msg, jetstream.WithRetryAttempts(0)); err != nil {
		t.Fatal(err)
	}
}

func request(t *testing.T, b *queuetest.Broker, msg *nats.Msg) string {
	t.Helper()
	for {
		answer, err := b.Conn.RequestMsgWithContext(t.Context(), msg)
		if err == nil {
			return string(answer.Data)
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

// A publisher cannot stop a lane by headers that NATS's clients and servers use among themselves.
func TestHeadersForNATSClients(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]string{
		"pin": "Nats-Pin-Id: x", "busy": "Status: 100", "no messages": "Status: 404", "timeout": "Status: 408",
		"deleted": "Status: 409\r\nDescription: Consumer Deleted", "no responders": "Status: 503", "other": "Status: 7",
	} {
		for body, class := range map[string]usher.Class{"": usher.InvalidJob, fmt.Sprintf(pauseSpring, "stranger"): ""} {
			t.Run(fmt.Sprintf("%s/%d", name, len(body)), func(t *testing.T) {
				t.Parallel()
				b := queuetest.New(t)
				q := b.Queue(t)
				lane := queuetest.NewSlot(t, q, lanes.Campaign)
				b.PublishRaw(t, "usher.jobs.campaign.pause", "NATS/1.0\r\n"+header+"\r\n\r\n", body)
				if class == "" {
					if w := lane.TakeWork(t); w.ID != "stranger" {
						t.Errorf("took %s, want stranger", w.ID)
					}
				}
				b.Publish(t, usher.CampaignPause, fmt.Sprintf(pauseSpring, "next"))
				if w := lane.TakeWork(t); w.ID != "next" {
					t.Errorf("took %s, want next", w.ID)
				}
				lane.None(t)
				letters := queuetest.Letters(t, q)
				if class != "" && (len(letters) != 1 || letters[0].Class != class) {
					t.Errorf("letters %s, want one of class %s", queuetest.JSON(t, letters), class)
				}
				if n := b.Pending(t, "USHER_JOBS"); n > 0 {
					t.Errorf("%d messages are left", n)
				}
			})
		}
	}
}

// A publisher cannot keep a submitted job from being published by using the message ID that usher
// gives it.
func TestMessageIDOfASubmittedJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		ended bool
	}{{"waits", false}, {"ended", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			lane := queuetest.NewSlot(t, q, lanes.Campaign)
			body := fmt.Sprintf(pauseSpring, "daily")
			sum := q.ReadJob(usher.CampaignPause, body).Sum
			b.Publish(t, usher.CampaignResume, `{"id":"other","campaign":"SANDBOX1-spring"}`, "Nats-Msg-Id", "daily/1/"+sum[:16])
			other := lane.Take(t)
			if c.ended {
				if err := other.End(queuetest.Done(0)); err != nil {
					t.Fatal(err)
				}
			}
			answer, err := q.Submit(t.Context(), usher.CampaignPause, []byte(body))
			if err != nil || answer.ID != "daily" || answer.Known {
				t.Fatalf("the answer is %+v, %v", answer, err)
			}
			if w := lane.TakeWork(t); w.ID != "daily" || w.Kind != usher.CampaignPause {
				t.Errorf("took job %s of kind %s, want the pause", w.ID, w.Kind)
			}
			if answer, err := q.Submit(t.Context(), usher.CampaignPause, []byte(body)); err != nil || !answer.Known {
				t.Errorf("submitted again, the answer is %+v, %v; want known", answer, err)
			}
			lane.None(t)
		})
	}
}

// A publisher cannot keep a letter from being replayed by using the message ID of the replay.
func TestMessageIDOfAReplay(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("other", "99"), "Nats-Msg-Id", queues.RerunID("j1", 2))
	if w := lane.TakeWork(t); w.ID != "other" {
		t.Fatalf("took %s, want other", w.ID)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if w := lane.TakeWork(t); w.ID != "j1" || w.Run != 2 {
		t.Errorf("took run %d of %s, want run 2 of j1", w.Run, w.ID)
	}
	lane.None(t)
}

// A publisher cannot take an id that usher will give to a job itself.
func TestReservedIDs(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	reserved := []string{
		"seq-99", "rule-budgets-stop-20300101T0600Z", "rule-budgets-stop-20300101T0600Z.SANDBOX1-spring.pause",
		"feed-crm-ghijklmnopqrstuvghijklmn", "forget-0123456789abcdef01234567",
	}
	for _, id := range reserved {
		b.Publish(t, usher.CampaignPause, fmt.Sprintf(pauseSpring, id))
		b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":%q,"unknown":1}`, id))
		b.Publish(t, usher.CampaignPause, `{"campaign":"SANDBOX1-spring"}`, "ce-id", id)
		answer, err := q.Submit(t.Context(), usher.CampaignPause, fmt.Appendf(nil, pauseSpring, id))
		if err != nil || len(answer.Errors) != 1 || !strings.Contains(answer.Errors[0].Message, id) {
			t.Errorf("submit of %s answers %+v, %v", id, answer, err)
		}
	}
	lane.None(t)
	found := queuetest.Letters(t, q)
	if len(found) != 3*len(reserved) {
		t.Errorf("%d letters of %d messages", len(found), 3*len(reserved))
	}
	for _, l := range found {
		if l.ID != nil || l.Class != usher.InvalidJob || !strings.Contains(l.Message, "usher gives to jobs itself") {
			t.Errorf("letter %s", queuetest.JSON(t, l))
		}
	}
	if records, err := q.Status().Records(t.Context(), status.Filter{}); err != nil || len(records) > 0 {
		t.Errorf("records %s, %v", queuetest.JSON(t, records), err)
	}
	for _, id := range []string{"seq-a", "rule-1", "rule-a-20300101T0600Z-copy", "feed-2026-11-27", "forget-me"} {
		b.Publish(t, usher.CampaignPause, fmt.Sprintf(pauseSpring, id))
		if w := lane.TakeWork(t); w.ID != id {
			t.Errorf("took %s, want %s", w.ID, id)
		}
	}
}

// A publisher cannot fill the disk with the bodies of messages that are no jobs.
func TestLargeRefusedBody(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":"large","campaign":"SANDBOX1-spring","reason":%q}`, strings.Repeat("because ", 100_000)))
	b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":"small","campaign":"SANDBOX1-spring","reason":%q}`, strings.Repeat("because ", 1_000)))
	lane.None(t)
	for _, l := range queuetest.Letters(t, q) {
		if kept := len(l.Job) > 0; kept != (*l.ID == "small") || kept == strings.Contains(l.Message, "SHA-256") {
			t.Errorf("the letter of %s has %d bytes of the job: %s", *l.ID, len(l.Job), l.Message)
		}
	}
	letters, err := b.JS.Stream(t.Context(), "USHER_DEAD")
	if err != nil {
		t.Fatal(err)
	}
	if n := letters.CachedInfo().State.Bytes; n > 20_000 {
		t.Errorf("the letters take %d bytes", n)
	}
}

// Large submits of one publisher do not keep those of others waiting.
func TestSubmitsAtOnce(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	b.Options.HashInline = func(j *usher.Job) (usher.Tally, error) {
		if j.ID == "large" {
			close(entered)
			<-leave
		}
		return pipeline.HashInline(j)
	}
	q := b.Queue(t)
	serving, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- q.ServeSubmit(serving, "1.0.0") }()
	var requests sync.WaitGroup
	request := func(id string) {
		msg := nats.NewMsg("usher.submit.segment.add")
		msg.Data = fmt.Appendf(nil, `{"id":%q,"segment":"1","profile":"idfa","source":{"ids":["8D1C2B3A-4E5F-4A6B-9C7D-8E9F0A1B2C3D"]}}`, id)
		for { // until it is served
			answer, err := b.Conn.RequestMsgWithContext(t.Context(), msg)
			if errors.Is(err, nats.ErrNoResponders) {
				continue
			}
			if err != nil || string(answer.Data) != fmt.Sprintf(`{"id":%q}`, id) {
				t.Errorf("the submit of %s is answered by %v, %v", id, answer, err)
			}
			return
		}
	}
	requests.Go(func() { request("large") })
	<-entered
	request("small")
	close(leave)
	requests.Wait()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
