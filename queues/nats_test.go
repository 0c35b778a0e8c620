package queues_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/pipeline"
	"usher/queues"
)

// broker is a NATS server of a test's own, with the streams declared.
type broker struct {
	nc *nats.Conn
	js jetstream.JetStream
	o  queues.Options
}

// ackWait is short, so that what a crash leaves comes again soon.
const ackWait = 2 * time.Second

func newBroker(t testing.TB) *broker {
	t.Helper()
	server, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	if !server.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS is not ready")
	}
	nc, err := nats.Connect(server.ClientURL(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { t.Log("NATS:", err) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	b := &broker{nc: nc, js: js, o: queues.Options{
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)), AckWait: ackWait, Seal: pipeline.Seal, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct,
	}}
	if err := queues.Declare(t.Context(), js, b.o); err != nil {
		t.Fatal(err)
	}
	return b
}

// queue is one worker process's view.
func (b *broker) queue(t testing.TB) *queues.Queue {
	t.Helper()
	q, err := queues.Open(t.Context(), b.nc, b.o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// slot opens a lane.
func slot(t *testing.T, q *queues.Queue, lane queues.Lane) *queues.Deliveries {
	t.Helper()
	d, err := q.Deliveries(t.Context(), lane)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// next is the next piece of work within a time that is long for NATS.
func next(t *testing.T, d *queues.Deliveries) *queues.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	l, err := d.Next(ctx, t.Context())
	if err != nil {
		t.Fatalf("no work came: %v; the lane says %s", err, d.State(t.Context()))
	}
	t.Cleanup(l.Crash) // a test may leave it unsettled
	return l
}

// none fails where a piece of work comes although none should. All that the lane has
// to give was looked at then.
func none(t *testing.T, d *queues.Deliveries) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		l, err := d.Next(ctx, t.Context())
		cancel()
		if err != nil && d.Untaken(t) == 0 {
			return
		}
		if err != nil {
			continue
		}
		t.Fatalf("work came that should not: %+v", l.Work())
	}
}

// publish publishes as a stranger would.
func (b *broker) publish(t *testing.T, kind usher.Kind, body string, headers ...string) {
	t.Helper()
	msg := nats.NewMsg("usher.jobs." + string(kind))
	msg.Data = []byte(body)
	for i := 0; i < len(headers); i += 2 {
		msg.Header.Set(headers[i], headers[i+1])
	}
	if _, err := b.js.PublishMsg(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
}

func record(t *testing.T, q *queues.Queue, id string) usher.Record {
	t.Helper()
	r, err := q.Record(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func letters(t *testing.T, q *queues.Queue) []usher.DeadLetter {
	t.Helper()
	found, err := q.Letters(t.Context(), queues.LetterFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// pending is how many messages lie on a stream.
func (b *broker) pending(t *testing.T, stream string) uint64 {
	t.Helper()
	s, err := b.js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

func done(rows int64) usher.Ending {
	return usher.Ending{State: usher.Done, Progress: usher.Progress{
		Checkpoint: usher.Checkpoint{Batches: 1, Rows: rows, Tally: usher.Tally{Read: rows, Accepted: rows}},
	}}
}

func failed(class usher.Class) usher.Ending {
	return usher.Ending{State: usher.Failed, Error: &usher.JobError{Class: class, Message: "it failed", Hint: "mend it"}}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const addJob = `{"id":"j1","segment":"1","profile":"idfa","source":{"url":"file:///data/x.csv"}}`
