package queues_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// While the stream of uploads is full, NATS takes pauses of publishers, of usher.submit, of rules and
// of replays, and they run.
func TestPausesBesideFullStream(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	b.Publish(t, usher.CampaignPause, `{"id":"failed","campaign":"c1","reason":"budget"}`)
	ends(t, takes(t, lane, "failed"), queuetest.Failed(usher.Refused))
	fill(t, b)

	const pause = `{"campaign":"c2","reason":"budget"}`
	ack, err := b.JS.Publish(t.Context(), "usher.jobs.campaign.pause", []byte(pause))
	if err != nil {
		t.Fatal(err)
	}
	published := fmt.Sprintf("seq-%d", ack.Sequence)
	ends(t, takes(t, lane, published), queuetest.Done(1))
	answer, err := q.Accept(t.Context(), queues.Submission{Kind: usher.CampaignPause, Body: []byte(pause)})
	if err != nil || answer.ID == "" {
		t.Fatalf("%+v, %v", answer, err)
	}
	ends(t, takes(t, lane, answer.ID), queuetest.Done(1))
	if err := q.PublishJobs(t.Context(), []queues.NewJob{{Kind: usher.RulesEvaluate, Job: usher.Job{ID: "rules", Rules: "budgets"}}}); err != nil {
		t.Fatal(err)
	}
	rules := queuetest.NewSlot(t, q, lanes.Rules).Take(t)
	if id := rules.Work().ID; id != "rules" {
		t.Errorf("job %s came", id)
	}
	ends(t, rules, queuetest.Done(1))
	b.PublishRun(t, usher.CampaignPause, `{"id":"failed","campaign":"c1","reason":"budget"}`, "Usher-Run", "2", "Usher-Order", fmt.Sprint(firstCampaign))
	l := takes(t, lane, "failed")
	if w := l.Work(); w.Run != 2 {
		t.Errorf("it is run %d", w.Run)
	}
	ends(t, l, queuetest.Done(1))
	if left := b.Pending(t, "USHER_CAMPAIGNS"); left != 0 {
		t.Errorf("%d messages are left", left)
	}
}

// firstCampaign is the sequence of the first job on a campaign.
const firstCampaign = 1_000_000_000_000_000

// fill publishes uploads until NATS takes no more.
func fill(t *testing.T, b *queuetest.Broker) {
	t.Helper()
	b.Configure(t, "USHER_JOBS", func(c *jetstream.StreamConfig) { c.MaxBytes = 20_000 })
	for n := 0; ; n++ {
		_, err := b.JS.Publish(t.Context(), "usher.jobs.segment.add", []byte(queuetest.JobOn(fmt.Sprintf("add-%d", n), "1")))
		if refusal := new(jetstream.APIError); errors.As(err, &refusal) && refusal.ErrorCode == 10077 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Jobs without an id on different streams have different ids, and each is found by its id.
func TestIDsOfStreams(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	for range 2 {
		b.Publish(t, usher.CampaignPause, `{"campaign":"c1","reason":"budget"}`)
		b.Publish(t, usher.SegmentAdd, `{"segment":"1","profile":"idfa","source":{"url":"file:///exports/a"}}`)
	}
	for id, kind := range map[string]usher.Kind{
		"seq-1": usher.SegmentAdd, "seq-2": usher.SegmentAdd,
		fmt.Sprintf("seq-%d", firstCampaign): usher.CampaignPause, fmt.Sprintf("seq-%d", firstCampaign+1): usher.CampaignPause,
	} {
		if r := queuetest.Record(t, q, id); r.Kind != kind || r.State != usher.Queued {
			t.Errorf("%s is %s", id, queuetest.JSON(t, r))
		}
	}
}

// A pause with the id of an upload is refused, although it is on another stream.
func TestIDOnBothStreams(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("same", "1"), "Nats-Msg-Id", "same")
	upload := takes(t, queuetest.NewSlot(t, q, lanes.Audience), "same")
	b.Publish(t, usher.CampaignPause, `{"id":"same","campaign":"c1","reason":"budget"}`, "Nats-Msg-Id", "same")
	queuetest.NewSlot(t, q, lanes.Campaign).NoneUntil(t, func() bool { return b.Pending(t, "USHER_CAMPAIGNS") == 0 })
	if left := b.Pending(t, "USHER_DEAD"); left != 1 {
		t.Errorf("%d letters", left)
	}
	ends(t, upload, queuetest.Done(1))
}
