package queuetest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/natstest"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/lanes"
)

// AckWait is short, so that a crashed delivery is redelivered soon. A take may use half of
// it, also on a busy machine.
const AckWait = 5 * time.Second

// patience is how long a test waits for a job. It is much longer than necessary, so that tests
// do not fail on a machine that does much else.
const patience = 10 * time.Minute

// PullTime is short, because None and the end of a test wait for the end of a fetch.
const PullTime = 200 * time.Millisecond

// Broker is a NATS server with usher's streams and buckets.
type Broker struct {
	Conn    *nats.Conn
	JS      jetstream.JetStream
	Options queues.Options // of the queues that Queue opens

	account *natsserver.Account  // of the server of NewOn
	servers []*natsserver.Server // of NewReplicated
}

// New returns a Broker that ends with the test.
func New(t testing.TB) *Broker {
	t.Helper()
	return declare(t, AckWait, 1, natstest.Connect(t, reportErrors(t)))
}

// NewPatient is New with the AckWait of production, for a test of many jobs in which no
// delivery is lost: on a busy machine half of AckWait is too short for its takes.
func NewPatient(t testing.TB) *Broker {
	t.Helper()
	return declare(t, 30*time.Second, 1, natstest.Connect(t, reportErrors(t)))
}

// NewOn is New on a server of the test's own with options, for a test that changes the server.
func NewOn(t testing.TB, o *natsserver.Options) *Broker {
	t.Helper()
	server := natstest.Serve(t, o)
	nc, err := nats.Connect(server.ClientURL(), nats.Timeout(time.Minute), reportErrors(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	b := declare(t, AckWait, 1, nc)
	b.account = server.GlobalAccount()
	return b
}

// NewReplicated is NewPatient on a cluster of three servers, each of which has a copy of every
// stream.
func NewReplicated(t testing.TB) *Broker {
	t.Helper()
	servers := natstest.ServeCluster(t, 3)
	b := declare(t, 30*time.Second, len(servers), connect(t, servers[0]))
	b.servers = servers
	return b
}

// Beside returns a Broker with a connection to another server of NewReplicated, as another
// process has it.
func (b *Broker) Beside(t testing.TB) *Broker {
	t.Helper()
	beside := *b
	beside.Conn = connect(t, b.servers[1])
	var err error
	if beside.JS, err = jetstream.New(beside.Conn); err != nil {
		t.Fatal(err)
	}
	return &beside
}

// StopFollowers stops the servers of NewReplicated that do not lead a stream. Its leader then
// accepts messages but cannot store them.
func (b *Broker) StopFollowers(t testing.TB, stream string) {
	t.Helper()
	s, err := b.JS.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range b.servers {
		if server.Name() != s.CachedInfo().Cluster.Leader {
			server.Shutdown()
			server.WaitForShutdown()
		}
	}
}

// connect connects to a server of a cluster, and to another one when it stops.
func connect(t testing.TB, server *natsserver.Server) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(server.ClientURL(), nats.Timeout(time.Minute), nats.ReconnectWait(10*time.Millisecond), nats.MaxReconnects(-1), reportErrors(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func reportErrors(t testing.TB) nats.Option {
	return nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { t.Log("NATS:", err) })
}

// declare declares usher's streams and buckets.
func declare(t testing.TB, ackWait time.Duration, replicas int, nc *nats.Conn) *Broker {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	b := &Broker{Conn: nc, JS: js, Options: queues.Options{
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)), AckWait: ackWait, PullTime: PullTime, Replicas: replicas,
		HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct,
	}}
	if err := queues.Declare(t.Context(), js, b.Options); err != nil {
		t.Fatal(err)
	}
	return b
}

// Queue opens a queue, as a worker does.
func (b *Broker) Queue(t testing.TB) *queues.Queue {
	t.Helper()
	q, err := queues.Open(t.Context(), b.Conn, b.Options)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// Publish publishes a job as a publisher does, without usher's client. headers are pairs
// of a name and a value.
func (b *Broker) Publish(t testing.TB, kind usher.Kind, body string, headers ...string) {
	t.Helper()
	b.publish(t, "usher.jobs."+string(kind), body, headers)
}

// PublishRun publishes a job as usher itself does.
func (b *Broker) PublishRun(t testing.TB, kind usher.Kind, body string, headers ...string) {
	t.Helper()
	b.publish(t, "usher.runs."+string(kind), body, headers)
}

func (b *Broker) publish(t testing.TB, subject, body string, headers []string) {
	t.Helper()
	msg := nats.NewMsg(subject)
	msg.Data = []byte(body)
	for i := 0; i < len(headers); i += 2 {
		msg.Header.Set(headers[i], headers[i+1])
	}
	if _, err := b.JS.PublishMsg(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
}

// PublishRaw publishes a message with a header block that no client would write.
func (b *Broker) PublishRaw(t testing.TB, subject, header, body string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", b.Conn.ConnectedAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	login, err := url.Parse(b.Conn.ConnectedUrl())
	if err != nil {
		t.Fatal(err)
	}
	password, _ := login.User.Password()
	_, err = fmt.Fprintf(conn, "CONNECT {\"headers\":true,\"verbose\":false,\"user\":%q,\"pass\":%q}\r\nHPUB %s %d %d\r\n%s%s\r\nPING\r\n",
		login.User.Username(), password, subject, len(header), len(header)+len(body), header, body)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "-ERR"):
			t.Fatal(line)
		case line == "PONG":
			return
		}
	}
	t.Fatal("NATS ended the connection: ", lines.Err())
}

// Pending returns the number of messages on a stream.
func (b *Broker) Pending(t testing.TB, stream string) uint64 {
	t.Helper()
	s, err := b.JS.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// Configure changes the configuration of a stream.
func (b *Broker) Configure(t testing.TB, stream string, change func(*jetstream.StreamConfig)) {
	t.Helper()
	s, err := b.JS.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	config := s.CachedInfo().Config
	change(&config)
	if _, err := b.JS.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}

// LimitRecords makes NATS refuse records longer than bytes, as if its disk was full; -1 ends
// that.
func (b *Broker) LimitRecords(t testing.TB, bytes int32) {
	t.Helper()
	b.Configure(t, "KV_usher_state", func(c *jetstream.StreamConfig) { c.MaxMsgSize = bytes })
}

// AcceptEvents sets whether the stream of events accepts the events of jobs.
func (b *Broker) AcceptEvents(t testing.TB, accepted bool) {
	t.Helper()
	b.Configure(t, "USHER_EVENTS", func(c *jetstream.StreamConfig) {
		c.Subjects = []string{"usher.audit.>"}
		if accepted {
			c.Subjects = append(c.Subjects, "usher.events.>")
		}
	})
}

// Fail publishes n jobs and ends each as failed.
func (b *Broker) Fail(t testing.TB, q *queues.Queue, n int) {
	t.Helper()
	slot := NewSlot(t, q, lanes.Audience)
	for i := range n {
		b.Publish(t, usher.SegmentAdd, JobOn(fmt.Sprintf("job-%d", i), fmt.Sprint(i%2)))
		if err := slot.Take(t).End(Failed(usher.NotFound)); err != nil {
			t.Fatal(err)
		}
	}
}

// AddJob is a job with the id j1.
const AddJob = `{"id":"j1","segment":"1","profile":"idfa","source":{"url":"file:///data/x.csv"}}`

// JobOn returns a job that adds to a segment.
func JobOn(id, segment string) string {
	return fmt.Sprintf(`{"id":%q,"segment":%q,"profile":"idfa","source":{"url":"file:///data/x.csv"}}`, id, segment)
}

// Done is the ending of a job that accepted rows in one batch.
func Done(rows int64) usher.Ending {
	return usher.Ending{State: usher.Done, Progress: usher.Progress{
		Checkpoint: usher.Checkpoint{Batches: 1, Rows: rows, Tally: usher.Tally{Read: rows, Accepted: rows}},
	}}
}

// Failed is the ending of a job that failed.
func Failed(class usher.Class) usher.Ending {
	return usher.Ending{State: usher.Failed, Error: &usher.JobError{Class: class, Message: "it failed", Hint: "repair it"}}
}

// Record returns the record of a job.
func Record(t testing.TB, q *queues.Queue, id string) usher.Record {
	t.Helper()
	r, err := q.Status().Record(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// JSON returns v as JSON, for messages of tests.
func JSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Slot is a slot of a lane.
type Slot struct {
	*queues.Deliveries
	queue *queues.Queue
	lane  lanes.Lane
}

// NewSlot opens a slot of a lane.
func NewSlot(t testing.TB, q *queues.Queue, lane lanes.Lane) *Slot {
	t.Helper()
	d, err := q.Deliveries(t.Context(), lane)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // wait for its requests
		stopped, stop := context.WithCancel(context.Background())
		stop()
		_, _ = d.Next(stopped, stopped)
	})
	return &Slot{Deliveries: d, queue: q, lane: lane}
}

// Take returns the next lease. It fails the test if there is none within ten minutes.
func (s *Slot) Take(t testing.TB) *queues.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	l, err := s.Next(ctx, t.Context())
	if err != nil {
		t.Fatalf("no work came: %v", err)
	}
	if l, ok := any(l).(interface{ Crash() }); ok { // in tests of package queues
		t.Cleanup(l.Crash) // the test may leave it unsettled
	}
	return l
}

// TakeWork takes a lease, settles it as done, and returns its work. A lease that is left
// unsettled would outlive the test.
func (s *Slot) TakeWork(t testing.TB) usher.Work {
	t.Helper()
	l := s.Take(t)
	work := l.Work()
	if err := l.End(Done(0)); err != nil {
		t.Error(err)
	}
	return work
}

// None fails the test if the lane delivers work. When it returns, the lane has delivered
// all its messages.
func (s *Slot) None(t testing.TB) {
	t.Helper()
	for last := false; ; last = s.delivered(t) {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		l, err := s.Next(ctx, t.Context())
		cancel()
		if err == nil {
			t.Fatalf("work came that should not: %+v", l.Work())
		}
		if last {
			return // a message that arrived at the end of the last round was redelivered
		}
	}
}

// NoneUntil takes from the lane until done returns true, and fails the test if there is
// a piece of work.
func (s *Slot) NoneUntil(t testing.TB, done func() bool) {
	t.Helper()
	fetch, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if l, err := s.Next(fetch, t.Context()); err == nil {
			t.Errorf("work came that should not: %+v", l.Work())
		}
	}()
	for fetch.Err() == nil && !done() {
	}
	if fetch.Err() != nil && !done() {
		t.Error("done did not return true within two minutes")
	}
	stop()
	<-ended
}

// delivered reports whether the lane has delivered all its messages, or is paused.
func (s *Slot) delivered(t testing.TB) bool {
	t.Helper()
	states, err := s.queue.Lanes().States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range states {
		if state.Lane == s.lane {
			return state.Untaken == nil || state.Paused != nil
		}
	}
	t.Fatalf("there is no lane %s", s.lane)
	return false
}
