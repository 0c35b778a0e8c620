package store_test

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/queuetest"
)

// Reading to the end ends although a publisher goes on, with all messages that were published
// before.
func TestEachToEndBesidePublisher(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	s := b.Queue(t).Store()
	const before, most = 100, 3000
	published := 0
	publish := func() {
		published++
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("j%d", published), "1"))
	}
	for range before {
		publish()
	}
	next := uint64(1)
	err := s.EachToEnd(t.Context(), s.JobsStream(), func() uint64 { return next }, 0, func(m *jetstream.RawStreamMsg) {
		if m.Sequence != next {
			t.Errorf("message %d came, not %d", m.Sequence, next)
		}
		next = m.Sequence + 1
		for range 2 {
			if published < most {
				publish()
			}
		}
	})
	if err != nil || next <= before || next > most/2 {
		t.Errorf("it ended at %d, %v", next, err)
	}
}
