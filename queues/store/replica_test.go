package store_test

import (
	"fmt"
	"strings"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"usher/queues/queuetest"
	"usher/queues/store"
)

// A bucket is listed completely, although the replica that answers lags behind the leader.
func TestEachOnLaggingReplica(t *testing.T) {
	t.Parallel()
	const count = 10
	for _, has := range []int{0, 4, 9} {
		t.Run(fmt.Sprint(has), func(t *testing.T) {
			t.Parallel()
			b := queuetest.NewOn(t, &natsserver.Options{})
			bucket := b.Queue(t).Store().Rules
			for i := range count {
				if err := bucket.Put(t.Context(), fmt.Sprintf("a.%d", i+1), i+1); err != nil {
					t.Fatal(err)
				}
			}
			replica := b.Lag(t, "KV_usher_rules", func(r *queuetest.Replica) {
				if has == 0 {
					r.Follow(t, count)
				}
			})
			replica.Follow(t, has)

			listed := 0
			err := store.EachValue(t.Context(), bucket, "a.*", func(_ *store.Entry, n *int) {
				if listed++; *n == has {
					replica.Follow(t, count-has)
				}
			})
			if err != nil || listed != count {
				t.Errorf("%d values of %d, %v", listed, count, err)
			}
		})
	}
}

// Each fails if the replica that answers has stopped: it would wait for ever, and with it the job
// that lists, whose heartbeats go on.
func TestEachOnStoppedReplica(t *testing.T) {
	t.Parallel()
	b := queuetest.NewOn(t, &natsserver.Options{})
	bucket := b.Queue(t).Store().Rules
	bucket.LosePatience()
	for i := range 3 {
		if err := bucket.Put(t.Context(), fmt.Sprintf("a.%d", i), i); err != nil {
			t.Fatal(err)
		}
	}
	b.Lag(t, "KV_usher_rules", func(*queuetest.Replica) {}).Follow(t, 1)
	err := store.EachValue(t.Context(), bucket, "a.*", func(*store.Entry, *int) {})
	if err == nil || !strings.Contains(err.Error(), "has delivered nothing") {
		t.Errorf("a list without its end: %v", err)
	}
}
