package targets_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// The index has the messages that a reading of the whole stream finds, while jobs are
// published, replayed and end.
func TestIndexAgreesWithStream(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	random := rand.New(rand.NewPCG(1, 2))
	var leases []*queues.Lease
	published, compared := 0, 0
	publish := func() {
		published++
		kind := []usher.Kind{usher.SegmentAdd, usher.SegmentAdd, usher.SegmentRemove}[random.IntN(3)]
		b.Publish(t, kind, queuetest.JobOn(fmt.Sprintf("job-%d", published), fmt.Sprint(random.IntN(3))))
	}
	publish()
	for range 60 {
		switch random.IntN(4) {
		case 0, 1:
			publish()
		case 2:
			b.PublishRun(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("rerun-%d", published), "1"),
				"Usher-Run", "2", "Usher-Order", fmt.Sprint(1+random.IntN(published)))
			published++
		case 3:
			b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("quick-%d", published), fmt.Sprint(10+published)))
			published++
			leases = append(leases, lane.Take(t))
			if i := random.IntN(len(leases)); random.IntN(2) == 0 {
				if err := leases[i].End(queuetest.Done(1)); err != nil {
					t.Fatal(err)
				}
				leases = slices.Delete(leases, i, i+1)
			}
		}
		for _, pattern := range []usher.Kind{"segment.*", usher.SegmentRemove} {
			target := fmt.Sprintf("segment %d", random.IntN(3))
			known, stored, err := q.Targets().Compare(t.Context(), pattern, target)
			if err != nil || !slices.Equal(known, stored) {
				t.Fatalf("of %s on %s are known %d, and on the stream %d, %v", pattern, target, known, stored, err)
			}
			compared += len(stored)
		}
	}
	if compared < 100 {
		t.Errorf("only %d messages were compared", compared)
	}
}

// Each message is read once, also those of other kinds and those that have left the stream.
func TestIndexReadsEachMessageOnce(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	stream, err := b.JS.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []bool{true, false} {
		publishMany(t, b, 2000)
		if left {
			if err := stream.Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		responses := func() uint64 {
			before := b.Conn.Stats().InMsgs
			if _, _, err := q.Targets().Compare(t.Context(), usher.SegmentRemove, "segment 1"); err != nil {
				t.Fatal(err)
			}
			return b.Conn.Stats().InMsgs - before
		}
		const few = 10
		first := responses()
		if again := responses(); left == (first > few) || first > 2000+few || again > few {
			t.Errorf("the stream was read with %d responses, and when nothing was new with %d", first, again)
		}
	}
}

func publishMany(t *testing.T, b *queuetest.Broker, n int) {
	t.Helper()
	for i := range n {
		if _, err := b.JS.PublishAsync("usher.jobs.segment.add", []byte(queuetest.JobOn(fmt.Sprint(i), "1"))); err != nil {
			t.Fatal(err)
		}
	}
	<-b.JS.PublishAsyncComplete()
}

// A replica that lags behind serves many messages at once. The index has the others too.
func TestIndexBesideLaggingReplica(t *testing.T) {
	t.Parallel()
	for _, follows := range []int{0, 100, 300} {
		t.Run(fmt.Sprint(follows), func(t *testing.T) {
			t.Parallel()
			b := queuetest.NewOn(t, &natsserver.Options{})
			publishMany(t, b, 300)
			b.Lag(t, "USHER_JOBS", nil).Follow(t, follows)
			knows(t, b.Queue(t), 300)
		})
	}
}

// knows fails the test unless the index has n messages on a segment.
func knows(t *testing.T, q *queues.Queue, n int) {
	t.Helper()
	known, stored, err := q.Targets().Compare(t.Context(), "segment.*", "segment 1")
	if err != nil || !slices.Equal(known, stored) || len(known) != n {
		t.Errorf("%d messages are known, and %d are on the stream, %v", len(known), len(stored), err)
	}
}

// Headers of publishers that look like those of the server, or that are none, neither hide a
// message nor stop the reading.
func TestIndexOfStrangeHeaders(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	body := func(i int) string { return queuetest.JobOn(fmt.Sprintf("strange-%d", i), "1") }
	headers := []string{
		"NATS/1.0\r\nNats-Sequence: 7\r\nNats-Subject: usher.jobs.campaign.pause\r\nNats-Time-Stamp: x\r\n\r\n",
		"NATS/1.0 204 EOB\r\nNats-Num-Pending: 0\r\n\r\n",
		"NATS/1.0 404 Message Not Found\r\n\r\n",
		"NATS/1.0 503\r\n\r\n",
		"NATS/1.0\r\nno header\r\n\r\n",
		"NATS/1.0\r\nno end",
		"no",
		"NATS/1.0 2\r\n\r\n",
	}
	publishMany(t, b, 100)
	for i, header := range headers {
		b.PublishRaw(t, "usher.jobs.segment.add", header, body(i))
		b.PublishRaw(t, "usher.jobs.segment.add", header, body(100+i))
	}
	publishMany(t, b, 100)
	b.PublishRaw(t, "usher.jobs.segment.add", headers[4], body(200))
	knows(t, b.Queue(t), 2*100+2*len(headers)+1)
}

// A pause is taken before the index has read its message. When it has ended, the index does not have it
// either, so that the next pause on the campaign is not kept from its first look.
func TestIndexLeavesOutEndedJobs(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	backlog := q.Targets().Backlog(usher.CampaignPause)
	for i := range 3 { // the first reading of the stream comes after a job
		b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":"pause-%d","campaign":"SANDBOX1-spring"}`, i))
		if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
		if err := q.Targets().ReadToEnd(t.Context(), usher.CampaignPause); err != nil {
			t.Fatal(err)
		}
		if left := backlog.Targets(); len(left) > 0 {
			t.Fatalf("after %d jobs have ended, the index has messages on %q", i+1, left)
		}
	}
}
