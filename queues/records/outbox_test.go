package records_test

import (
	"slices"
	"testing"
	"time"

	"usher"
	"usher/queues/queuetest"
	"usher/queues/records"
)

// An event that NATS refused is published again before the next one, because a reader that
// finds an event on the stream assumes that the earlier ones are there, too.
func TestOutboxKeepsTheOrder(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	s := b.Queue(t).Store()
	at := time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	unsent := []usher.Event{
		{ID: "j1", Run: 1, State: usher.Running, At: at},
		{ID: "j1", Run: 1, State: usher.Retrying, At: at.Add(time.Second)},
		{ID: "j1", Run: 1, State: usher.Running, At: at.Add(2 * time.Second)},
	}
	var o records.Outbox
	b.AcceptEvents(t, false)
	for n := 1; n <= 2; n++ {
		_ = o.Publish(t.Context(), s, unsent[:n], false) // it must fail
	}
	<-s.JS.PublishAsyncComplete() // NATS has refused them
	b.AcceptEvents(t, true)
	if err := o.Publish(t.Context(), s, unsent, false); err != nil {
		t.Fatal(err)
	}
	if err := o.Flush(t.Context(), s, &records.Job{Unsent: unsent}); err != nil {
		t.Fatal(err)
	}
	stream, err := b.JS.Stream(t.Context(), "USHER_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	last, err := stream.GetLastMsgForSubject(t.Context(), "usher.events.j1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for seq := range last.Sequence {
		m, err := stream.GetMsg(t.Context(), seq+1)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Header.Get("Nats-Msg-Id"))
	}
	var want []string
	for i := range unsent {
		want = append(want, records.EventID(&unsent[i]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the stream has %q, not %q", got, want)
	}
}
