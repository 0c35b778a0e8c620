package main_test

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"usher"
	"usher/internal/sandbox"
)

// One node of three is slow while jobs in parts run, so that its replicas of the streams lag
// behind. Every tally must still be exact: no sum may be computed from such a replica.
func TestSlowNATSNode(t *testing.T) {
	t.Parallel()
	nodes := startNATSCluster(t)
	d := newDeploymentWithServers(t, nodes[0], startRedisProcess(t), sandbox.Options{ApprovalDelay: time.Hour},
		"USHER_NATS_REPLICAS=3", "USHER_UPLOAD_BATCH_IDS=1000", "USHER_SOURCES_PART_BYTES=65536")
	e := newExport(t, d.exports, 8_000, 17)
	stop := make(chan struct{})
	var slowing sync.WaitGroup
	slowing.Go(func() { nodes[2].slow(stop) })
	defer slowing.Wait()
	defer close(stop)

	d.worker("first")
	d.worker("second")
	const jobs = 60
	for i := range jobs {
		d.publish(usher.SegmentAdd, d.addJob(fmt.Sprintf("job-%d", i), e.path))
	}
	for i := range jobs {
		r := d.ended(fmt.Sprintf("job-%d", i))
		if r.State != usher.Done || r.Parts.Total < 4 || asJSON(r.Tally) != asJSON(e.tally) {
			t.Errorf("job %s is not done with the tally %s: %s", r.ID, asJSON(e.tally), recordText(r))
		}
		eventually(t, "the end of job "+r.ID+" is an event", func() bool {
			events, err := d.queue.Status().History(t.Context(), r.ID)
			return err == nil && len(events) > 1 && events[0].State == usher.Running && events[len(events)-1].State == usher.Done
		})
	}
}

// slow lets the process run for only 60 of every 180 ms, for periods of 8 s with pauses of
// 4 s, until stop is closed.
func (p *process) slow(stop <-chan struct{}) {
	defer p.signal(syscall.SIGCONT)
	wait := func(d time.Duration) (stopped bool) {
		select {
		case <-stop:
			return true
		case <-time.After(d):
			return false
		}
	}
	for {
		for range 44 {
			p.signal(syscall.SIGSTOP)
			if wait(120 * time.Millisecond) {
				return
			}
			p.signal(syscall.SIGCONT)
			if wait(60 * time.Millisecond) {
				return
			}
		}
		if wait(4 * time.Second) {
			return
		}
	}
}
