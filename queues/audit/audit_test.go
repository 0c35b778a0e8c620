package audit_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/audit"
	"usher/queues/queuetest"
)

// The audit is read completely, although the replica that answers lags behind the leader.
func TestAuditOnLaggingReplica(t *testing.T) {
	t.Parallel()
	const count = 10
	for _, has := range []int{0, 4, 9} {
		t.Run(fmt.Sprint(has), func(t *testing.T) {
			t.Parallel()
			b := queuetest.NewOn(t, &natsserver.Options{})
			q := b.Queue(t)
			for i := range count {
				if err := q.Audit().Append(t.Context(), "c", usher.Audit{At: time.Now(), Creative: fmt.Sprint(i + 1)}, ""); err != nil {
					t.Fatal(err)
				}
			}
			replica := b.Lag(t, "USHER_EVENTS", func(r *queuetest.Replica) {
				if has == 0 {
					r.Follow(t, count)
				}
			})
			replica.Follow(t, has)

			listed := 0
			err := q.Audit().Each(t.Context(), audit.Filter{}, func(a usher.Audit) error {
				if listed++; a.Creative == fmt.Sprint(has) {
					replica.Follow(t, count-has)
				}
				return nil
			})
			if err != nil || listed != count {
				t.Errorf("%d entries of %d, %v", listed, count, err)
			}
		})
	}
}

// Newest begins with the newest entry that the leader has.
func TestNewestAuditOnLaggingReplica(t *testing.T) {
	t.Parallel()
	const count = 10
	b := queuetest.NewOn(t, &natsserver.Options{})
	q := b.Queue(t)
	for i := range count {
		if err := q.Audit().Append(t.Context(), "c", usher.Audit{At: time.Now(), Creative: fmt.Sprint(i + 1)}, ""); err != nil {
			t.Fatal(err)
		}
	}
	b.Lag(t, "USHER_EVENTS", func(r *queuetest.Replica) { r.Follow(t, count) })
	next := count
	err := q.Audit().Newest(t.Context(), audit.Filter{}, func(a usher.Audit) bool {
		if a.Creative != fmt.Sprint(next) {
			t.Errorf("entry %s instead of %d", a.Creative, next)
		}
		next--
		return true
	})
	if err != nil || next != 0 {
		t.Errorf("%d entries are missing, %v", next, err)
	}
}

// An entry that NATS has stored twice is read once.
func TestEntryStoredTwice(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Configure(t, "USHER_EVENTS", func(c *jetstream.StreamConfig) { c.Duplicates = 100 * time.Millisecond })
	q := b.Queue(t)
	stored := func() uint64 { return b.Pending(t, "USHER_EVENTS") }
	for stored() < 2 { // until NATS has forgotten the ID of the first one
		if err := q.Audit().Append(t.Context(), "c", usher.Audit{At: time.Now(), Creative: "c1"}, "j1/1/c1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Audit().Append(t.Context(), "c", usher.Audit{At: time.Now(), Creative: "c2"}, "j1/1/c2"); err != nil {
		t.Fatal(err)
	}
	var oldest, newest []string
	if err := q.Audit().Each(t.Context(), audit.Filter{}, func(a usher.Audit) error { oldest = append(oldest, a.Creative); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := q.Audit().Newest(t.Context(), audit.Filter{}, func(a usher.Audit) bool { newest = append(newest, a.Creative); return true }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(oldest, []string{"c1", "c2"}) || !slices.Equal(newest, []string{"c2", "c1"}) {
		t.Errorf("the audit is %q, and from its end %q", oldest, newest)
	}
}
