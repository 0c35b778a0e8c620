package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// delivery is an entry as a watch delivers it.
type delivery struct {
	key       string
	revision  uint64
	left      uint64
	operation jetstream.KeyValueOp
}

func (d delivery) Bucket() string                  { return "" }
func (d delivery) Key() string                     { return d.key }
func (d delivery) Value() []byte                   { return nil }
func (d delivery) Revision() uint64                { return d.revision }
func (d delivery) Created() time.Time              { return time.Time{} }
func (d delivery) Delta() uint64                   { return d.left }
func (d delivery) Operation() jetstream.KeyValueOp { return d.operation }

// A replica that lags delivers an old value first and the value of the leader later. Each
// must visit the value that was stored when it was called, and no key twice.
func TestListingOfAReplicaThatLags(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deliveries []delivery
		want       []string
	}{
		"level":             {[]delivery{{"a", 1, 1, 0}, {"b", 9, 0, 0}}, []string{"a 1", "b 9"}},
		"an old value":      {[]delivery{{"a", 1, 1, 0}, {"b", 2, 0, 0}, {"a", 9, 0, 0}}, []string{"b 2", "a 9"}},
		"a value came late": {[]delivery{{"a", 1, 0, 0}, {"b", 9, 0, 0}}, []string{"a 1", "b 9"}},
		"deleted meanwhile": {[]delivery{{"a", 1, 1, 0}, {"b", 2, 0, 0}, {"a", 9, 0, jetstream.KeyValueDelete}}, []string{"b 2"}},
		"changed meanwhile": {[]delivery{{"a", 1, 0, 0}, {"b", 8, 1, 0}, {"b", 10, 0, 0}}, []string{"a 1", "b 10"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var visited []string
			list := listing{bucket: &Bucket{replicated: true}, last: 9, entries: map[string]*Entry{}, visit: func(e *Entry) error {
				visited = append(visited, fmt.Sprint(e.Key, " ", e.Revision))
				return nil
			}}
			for i, d := range c.deliveries {
				complete, err := list.take(d)
				if err != nil || complete != (i == len(c.deliveries)-1) {
					t.Fatalf("after delivery %d: complete is %v, %v", i, complete, err)
				}
			}
			if !slices.Equal(visited, c.want) {
				t.Errorf("visited are %q, not %q", visited, c.want)
			}
		})
	}
}
