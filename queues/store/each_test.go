package store

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
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

// stallingStream answers no request for its newest message while it stalls.
type stallingStream struct {
	jetstream.Stream
	stalls bool
}

func (s *stallingStream) GetLastMsgForSubject(ctx context.Context, _ string) (*jetstream.RawStreamMsg, error) {
	if s.stalls {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, jetstream.ErrMsgNotFound
}

// namedBucket has only a name.
type namedBucket struct{ jetstream.KeyValue }

func (namedBucket) Bucket() string { return "usher_state" }

// The warnings about a NATS that does not respond say how long that has lasted, over all
// requests since its last response.
func TestRevisionSaysHowLongNATSIsSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		stream := &stallingStream{}
		b := &Bucket{kv: namedBucket{}, stream: stream, logger: slog.New(slog.NewTextHandler(&log, nil))}
		for i, c := range []struct {
			stalls bool
			want   string
		}{
			{false, ""}, {true, "for 5s;"}, {true, "for 15s;"}, {true, "for 25s;"}, {false, ""}, {true, "for 5s;"},
		} {
			log.Reset()
			stream.stalls = c.stalls
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			_, err := b.Revision(ctx, "jobs.>")
			cancel()
			synctest.Wait()
			if got := log.String(); (err != nil) != c.stalls || !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("request %d: %v, log %q, want %q", i, err, got, c.want)
			}
		}
	})
}
