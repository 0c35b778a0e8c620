package records_test

import (
	"errors"
	"fmt"
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/records"
)

// Looking for an unknown job reads each waiting message once, not each time.
func TestUnknownJobIsCheapBesideBacklog(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	reader := b.Queue(t).Status()
	publish := func(from, n int) {
		for i := range n {
			if _, err := b.JS.PublishAsync("usher.jobs.segment.remove", []byte(queuetest.JobOn(fmt.Sprint("job-", from+i), "1"))); err != nil {
				t.Fatal(err)
			}
			if i%1000 == 0 { // NATS takes only so many at once
				<-b.JS.PublishAsyncComplete()
			}
		}
		<-b.JS.PublishAsyncComplete()
	}
	responses := func() uint64 {
		before := b.Conn.Stats().InMsgs
		if _, err := reader.Record(t.Context(), "unknown"); !errors.Is(err, records.ErrNoJob) {
			t.Errorf("error %v", err)
		}
		return b.Conn.Stats().InMsgs - before
	}
	const backlog, few = 15_000, 10
	publish(0, backlog)
	if n := responses(); n < backlog {
		t.Errorf("%d responses, fewer than messages", n)
	}
	if n := responses(); n > few {
		t.Errorf("%d responses although nothing is new", n)
	}
	publish(backlog, 5)
	if n := responses(); n > few+5 {
		t.Errorf("%d responses after 5 new messages", n)
	}
	for _, id := range []string{"job-0", fmt.Sprint("job-", backlog+4)} {
		if r, err := reader.Record(t.Context(), id); err != nil || r.ID != id || r.State != usher.Queued {
			t.Errorf("job %s: %+v, %v", id, r, err)
		}
	}
}

// A waiting job without a record is found by its id, wherever the publisher has put it.
func TestWaitingJobIsFound(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	const body = `{"segment":"1","profile":"idfa","source":{"url":"file:///x"}}`
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("in-body", "1"))
	b.PublishRaw(t, "usher.jobs.segment.add", "NATS/1.0\r\nce-id: in-event\r\n\r\n", body)
	b.PublishRaw(t, "usher.jobs.segment.add", "NATS/1.0\r\nNats-Msg-Id: in-header\r\n\r\n", body)
	b.Publish(t, usher.SegmentAdd, body)
	b.PublishRaw(t, "usher.jobs.segment.add", "NATS/1.0\r\ncontent-type: application/cloudevents+json\r\n\r\n",
		`{"specversion":"1.0","id":"in-envelope","type":"usher.segment.add","source":"/crm","data":`+body+`}`)
	found := []string{"in-body", "in-event", "in-header", "seq-4", "in-envelope"}
	requireWaiting(t, q, found...)

	lease := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	if err := lease.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	if r, err := q.Status().Record(t.Context(), "in-body"); err != nil || r.State != usher.Done {
		t.Errorf("the job that has ended: %+v, %v", r, err)
	}
	requireWaiting(t, q, found[1:]...)

	// Another stream has messages with the same sequences.
	if err := b.JS.DeleteStream(t.Context(), "USHER_JOBS"); err != nil {
		t.Fatal(err)
	}
	if err := queues.Declare(t.Context(), b.JS, b.Options); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("on-new-stream", "1"))
	requireWaiting(t, q, "on-new-stream")
	if _, err := q.Status().Record(t.Context(), "in-event"); !errors.Is(err, records.ErrNoJob) {
		t.Errorf("a job of the old stream: %v", err)
	}
}

func requireWaiting(t *testing.T, q *queues.Queue, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if r, err := q.Status().Record(t.Context(), id); err != nil || r.State != usher.Queued {
			t.Errorf("job %s: %+v, %v", id, r, err)
		}
	}
}
