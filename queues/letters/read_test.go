package letters_test

import (
	"fmt"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"usher"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// A list has all letters, although the replica that answers lags behind the leader.
func TestLaggingReplica(t *testing.T) {
	t.Parallel()
	const count = 10
	filters := map[string]letters.Filter{
		"all":     {},
		"class":   {Class: usher.NotFound},
		"kind":    {Kind: usher.SegmentAdd},
		"since":   {Since: time.Now().Add(-time.Hour)},
		"through": {Through: count},
		"after":   {After: 1},
		"numbers": {Seqs: []uint64{2, 3, 4, 5, 6, 7, 8, 9, 10}},
	}
	for name, f := range filters {
		for _, has := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s %d", name, has), func(t *testing.T) {
				t.Parallel()
				b := queuetest.NewOn(t, &natsserver.Options{})
				q := b.Queue(t)
				b.Fail(t, q, count)
				replica := b.Lag(t, "USHER_DEAD", func(r *queuetest.Replica) {
					if has == 0 {
						r.Follow(t, count)
					}
				})
				replica.Follow(t, has)

				listed := 0
				err := letters.New(q).Each(t.Context(), f, func(l usher.DeadLetter) error {
					if listed++; l.Seq == uint64(has) {
						replica.Follow(t, count-has)
					}
					return nil
				})
				want := count
				if name == "after" || name == "numbers" {
					want--
				}
				if err != nil || listed != want {
					t.Errorf("%d letters of %d, %v", listed, want, err)
				}
			})
		}
	}
}

// A list ends although the newest letters are deleted.
func TestNewestLetterIsGone(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 5)
	all := letters.New(q)
	if n, err := all.Discard(t.Context(), letters.Filter{Seqs: []uint64{3, 5}}, operator); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	for _, f := range []letters.Filter{{}, {Class: usher.NotFound}, {Through: 5}, {Since: time.Now().Add(-time.Hour)}} {
		if found, err := all.List(t.Context(), f); len(found) != 3 || err != nil {
			t.Errorf("%+v lists %d letters of 3, %v", f, len(found), err)
		}
	}
	for _, f := range []letters.Filter{{After: 4}, {Class: usher.Exhausted}, {Since: time.Now().Add(time.Hour)}} {
		if found, err := all.List(t.Context(), f); len(found) > 0 || err != nil {
			t.Errorf("%+v lists %d letters, %v", f, len(found), err)
		}
	}
}

// A server accepts a thousand consumers of a stream. A replay of many letters reads more
// pages than that.
func TestListsLeaveNoConsumer(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Fail(t, q, 3)
	for _, f := range []letters.Filter{{}, {Limit: 1}, {Class: usher.NotFound}} {
		if _, err := letters.New(q).List(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := b.JS.Stream(t.Context(), "USHER_DEAD")
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Consumers; n > 0 {
		t.Errorf("%d consumers remain", n)
	}
}
