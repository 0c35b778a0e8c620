package queues_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/queuetest"
)

// What is known of the stream without reading it again is what a reading of the whole
// stream finds, while jobs are published, replayed and end.
func TestBacklogIsTheStream(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, queues.Audience)
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
			known, found, err := q.Backlog(t.Context(), pattern, target)
			if err != nil || !slices.Equal(known, found) {
				t.Fatalf("of %s on %s are known %d, and on the stream %d, %v", pattern, target, known, found, err)
			}
			compared += len(found)
		}
	}
	if compared < 100 {
		t.Errorf("only %d messages were compared", compared)
	}
}
