package faults_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// TestQueueAfterPowerCut cuts the power of all NATS servers while a replicated work queue is
// empty, some time after their disks were full. In nats-server 2.15.0 to 2.15.3 a server's snapshot may then name a sequence number that
// its file has lost. Such a server needs the messages of another one; if all three have lost it,
// none becomes the leader. usher doctor warns of these versions.
func TestQueueAfterPowerCut(t *testing.T) {
	if os.Getenv("USHER_FAULTS") == "" {
		t.Skip("takes minutes: make faults")
	}
	dir := t.TempDir()
	var volumes [nodes]*volume
	for i := range volumes {
		v, err := newVolume(t, dir, fmt.Sprintf("volume-%d", i+1))
		if err != nil {
			t.Skip("this machine permits no power cut: ", err)
		}
		volumes[i] = v
	}
	c := newCluster(t, dir, volumes)
	q := newWorkQueue(t, c)
	for range 4 {
		q.pass(30)
		c.fillDisks(q)
		q.pass(10)
		if err := c.cutPower(c.nodes[:]...); err != nil {
			t.Fatal(err)
		}
		for _, p := range c.nodes {
			p.start(t)
		}
		q.pass(1)
	}
	for _, p := range c.nodes {
		text, err := os.ReadFile(filepath.Join(p.logs, p.name+".log"))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "resetting first sequence"); n > 0 {
			t.Errorf("%s lost the last sequence number of a stream %d times", p.name, n)
		}
	}
}

// fillDisks fills the disks of all servers until they take no message, makes room again, and
// restarts the servers.
func (c *cluster) fillDisks(q *workQueue) {
	c.t.Helper()
	for _, v := range c.volumes {
		if err := v.fill(); err != nil {
			c.t.Fatal(err)
		}
	}
	await(c.t, "the full disks take no message", func() error {
		if _, err := q.js.Publish(q.subject, make([]byte, 100_000)); err == nil {
			return errors.New("a message was stored")
		}
		return nil
	})
	for i, v := range c.volumes {
		if err := v.empty(); err != nil {
			c.t.Fatal(err)
		}
		c.nodes[i].terminate()
		c.nodes[i].start(c.t)
	}
}

// cutPower kills processes, among them all servers, and drops the writes of the servers that were
// not synced.
func (c *cluster) cutPower(all ...*program) error {
	for _, p := range all {
		p.signal(syscall.SIGSTOP) // because the disks cannot fail at the same instant
	}
	for _, v := range c.volumes {
		if err := v.cutPower(); err != nil {
			return err
		}
	}
	for _, p := range all {
		p.kill()
	}
	for _, v := range c.volumes {
		if err := errors.Join(within(10*time.Second, v.unmount), v.mount()); err != nil {
			return err
		}
	}
	return nil
}

// workQueue is a work queue with one copy on each server, and its consumer.
type workQueue struct {
	t       testing.TB
	js      nats.JetStreamContext
	subject string
	taker   *nats.Subscription
}

func newWorkQueue(t testing.TB, c *cluster) *workQueue {
	t.Helper()
	nc, err := c.dial("admin")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	q := &workQueue{t: t, subject: "queue.work"}
	if q.js, err = nc.JetStream(nats.MaxWait(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	await(t, "the work queue exists", func() error {
		_, err := q.js.AddStream(&nats.StreamConfig{Name: "QUEUE", Subjects: []string{q.subject}, Retention: nats.WorkQueuePolicy, Replicas: nodes})
		return err
	})
	await(t, "its consumer exists", func() error {
		q.taker, err = q.js.PullSubscribe(q.subject, "taker", nats.BindStream("QUEUE"))
		return err
	})
	return q
}

// pass publishes n messages, and takes all that wait, so that the queue is empty.
func (q *workQueue) pass(n int) {
	q.t.Helper()
	for range n {
		await(q.t, "a message is stored", func() error {
			_, err := q.js.Publish(q.subject, make([]byte, 1000))
			return err
		})
	}
	await(q.t, "the queue is empty", func() error {
		messages, err := q.taker.Fetch(100, nats.MaxWait(time.Second))
		for _, m := range messages {
			err = errors.Join(err, m.AckSync())
		}
		if err != nil && !errors.Is(err, nats.ErrTimeout) {
			return err
		}
		info, err := q.js.StreamInfo("QUEUE")
		if err == nil && info.State.Msgs > 0 {
			err = fmt.Errorf("%d messages wait", info.State.Msgs)
		}
		return err
	})
}
