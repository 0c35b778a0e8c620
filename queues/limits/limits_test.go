package limits_test

import (
	"context"
	"testing"

	"usher/queues/audit"
	"usher/queues/limits"
	"usher/queues/queuetest"
)

// A watcher of the limits is notified of each change.
func TestWatch(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	changes := make(chan []limits.Limit, 10)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.Limits().Watch(ctx, func(l []limits.Limit) { changes <- l })
	}()
	if l := <-changes; len(l) != 0 {
		t.Fatalf("limits are %+v", l)
	}
	if err := q.Limits().Set(t.Context(), limits.Limit{Advertiser: "A.1", PerSecond: 5}, audit.Act{Actor: "alice", Reason: "mended"}); err != nil {
		t.Fatal(err)
	}
	if l := <-changes; len(l) != 1 || l[0].Advertiser != "A.1" || l[0].PerSecond != 5 || l[0].By != "alice" {
		t.Fatalf("limits are %+v", l)
	}
	if err := q.Limits().Unset(t.Context(), "A.1", audit.Act{Actor: "alice", Reason: "mended"}); err != nil {
		t.Fatal(err)
	}
	if l := <-changes; len(l) != 0 {
		t.Fatalf("limits are %+v", l)
	}
	stop()
	<-ended
}
