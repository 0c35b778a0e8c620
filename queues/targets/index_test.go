package targets_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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
		for i := range 2000 {
			if _, err := b.JS.PublishAsync("usher.jobs.segment.add", []byte(queuetest.JobOn(fmt.Sprint(i), "1"))); err != nil {
				t.Fatal(err)
			}
		}
		<-b.JS.PublishAsyncComplete()
		if left {
			if err := stream.Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		requests := func() uint64 {
			before := b.Conn.Stats().OutMsgs
			if _, _, err := q.Targets().Compare(t.Context(), usher.SegmentRemove, "segment 1"); err != nil {
				t.Fatal(err)
			}
			return b.Conn.Stats().OutMsgs - before
		}
		first := requests()
		if again := requests(); first < 500 || again > 10 {
			t.Errorf("the stream was read with %d requests, and when nothing was new with %d", first, again)
		}
	}
}
