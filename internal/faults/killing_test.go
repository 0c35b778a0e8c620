package faults_test

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

// killing returns the faults of processes.
func killing() []kind {
	return []kind{
		{name: "worker killed", inject: func(c *cycle) (fault, error) { return c.endWorker(syscall.SIGKILL) }},
		{name: "worker terminated", inject: func(c *cycle) (fault, error) { return c.endWorker(syscall.SIGTERM) }},
		{name: "worker stalled", inject: func(c *cycle) (fault, error) {
			w, err := c.busyWorker()
			if err != nil {
				return fault{}, err
			}
			f, err := c.stall(w)
			f.hold = ackWait + 2*time.Second // so that another worker takes its jobs
			return f, err
		}},
		{name: "all workers killed", alone: true, inject: func(c *cycle) (fault, error) {
			if _, err := c.busyWorker(); err != nil {
				return fault{}, err
			}
			return c.end(syscall.SIGKILL, c.site.workers[:]...)
		}},
		{name: "NATS node killed", inject: func(c *cycle) (fault, error) {
			return c.end(syscall.SIGKILL, oneOf(c.random, c.site.cluster.nodes[:]...))
		}},
		{name: "NATS leader killed", inject: func(c *cycle) (fault, error) {
			leader, err := c.leader()
			if err != nil {
				return fault{}, err
			}
			return c.end(syscall.SIGKILL, leader)
		}},
		{name: "NATS node terminated", inject: func(c *cycle) (fault, error) {
			return c.end(syscall.SIGTERM, oneOf(c.random, c.site.cluster.nodes[:]...))
		}},
		{name: "NATS without quorum", alone: true, inject: func(c *cycle) (fault, error) {
			i := c.random.IntN(nodes)
			return c.end(syscall.SIGKILL, c.site.cluster.nodes[i], c.site.cluster.nodes[(i+1)%nodes])
		}},
		{name: "all of NATS killed", alone: true, inject: func(c *cycle) (fault, error) {
			return c.end(syscall.SIGKILL, c.site.cluster.nodes[:]...)
		}},
		{name: "NATS node stalled", inject: func(c *cycle) (fault, error) {
			return c.stall(oneOf(c.random, c.site.cluster.nodes[:]...))
		}},
		{name: "NATS node slow", inject: func(c *cycle) (fault, error) {
			return c.slow(oneOf(c.random, c.site.cluster.nodes[:]...))
		}},
		{name: "Redis master killed", inject: func(c *cycle) (fault, error) {
			master, err := c.site.cache.awaitMaster(c.site.t)
			if err != nil {
				return fault{}, errMissed(err.Error())
			}
			return c.end(syscall.SIGKILL, c.site.cache.servers[master])
		}},
		{name: "Redis terminated", inject: func(c *cycle) (fault, error) {
			return c.end(syscall.SIGTERM, oneOf(c.random, c.site.cache.servers[:]...))
		}},
		{name: "all of Redis killed", alone: true, inject: func(c *cycle) (fault, error) {
			return c.end(syscall.SIGKILL, c.site.cache.servers[0], c.site.cache.servers[1], c.site.cache.sentinel)
		}},
		{name: "Redis stalled", inject: func(c *cycle) (fault, error) {
			return c.stall(oneOf(c.random, c.site.cache.servers[:]...))
		}},
		{name: "platform killed", alone: true, inject: func(c *cycle) (fault, error) {
			f, err := c.end(syscall.SIGKILL, c.site.sandbox)
			start := f.heal
			f.heal = func() error {
				return errors.Join(start(), within(patience, func() error { return c.latency(0) }))
			}
			return f, err
		}},
	}
}

// busyWorker returns a worker that runs jobs.
func (c *cycle) busyWorker() (*program, error) {
	for range 20 {
		busy, err := c.observe.holders()
		if err != nil {
			return nil, errMissed("the leases of workers cannot be read: " + err.Error())
		}
		for _, i := range c.random.Perm(workers) {
			if w := c.site.workers[i]; busy[w.name] {
				return w, nil
			}
		}
	}
	return nil, errMissed("no worker runs a job")
}

func (c *cycle) endWorker(s syscall.Signal) (fault, error) {
	w, err := c.busyWorker()
	if err != nil {
		return fault{}, err
	}
	return c.end(s, w)
}

// end ends programs with a signal. They are started again when the fault ends.
func (c *cycle) end(s syscall.Signal, programs ...*program) (fault, error) {
	for _, p := range programs {
		if !p.running() {
			return fault{}, errMissed(p.name + " is ended by another fault")
		}
		p.signal(s)
	}
	for _, p := range programs {
		select {
		case <-p.done:
		case <-time.After(patience):
			return fault{}, fmt.Errorf("%s does not end", p.name)
		}
	}
	return fault{missed: hit, heal: func() error {
		for _, p := range programs {
			if !p.running() { // the end of another fault may have started it
				p.start(c.site.t)
			}
		}
		return nil
	}}, nil
}

// stall stops a process without ending it.
func (c *cycle) stall(p *program) (fault, error) {
	if !p.running() {
		return fault{}, errMissed(p.name + " is ended by another fault")
	}
	p.signal(syscall.SIGSTOP)
	return fault{missed: func() string {
		if !p.running() {
			return p.name + " was ended by another fault"
		}
		return ""
	}, heal: func() error {
		p.signal(syscall.SIGCONT)
		return nil
	}}, nil
}

// slow lets a process run for a third of the time.
func (c *cycle) slow(p *program) (fault, error) {
	stop := make(chan struct{})
	var slowing sync.WaitGroup
	slowing.Go(func() {
		defer p.signal(syscall.SIGCONT)
		for {
			for s, pause := range map[syscall.Signal]time.Duration{syscall.SIGSTOP: 120 * time.Millisecond, syscall.SIGCONT: 60 * time.Millisecond} {
				p.signal(s)
				select {
				case <-stop:
					return
				case <-time.After(pause):
				}
			}
		}
	})
	return fault{missed: hit, heal: func() error {
		close(stop)
		slowing.Wait()
		return nil
	}, hold: 8 * time.Second}, nil
}

// leader returns the node that leads the stream of jobs.
func (c *cycle) leader() (*program, error) {
	js, err := c.observe.nc.JetStream(nats.MaxWait(5 * time.Second))
	if err != nil {
		return nil, err
	}
	info, err := js.StreamInfo("USHER_JOBS")
	if err != nil { // another fault has stopped NATS
		return nil, errMissed("the leader of the stream of jobs cannot be read: " + err.Error())
	}
	if info.Cluster != nil {
		for _, n := range c.site.cluster.nodes {
			if n.name == info.Cluster.Leader {
				return n, nil
			}
		}
	}
	return nil, errMissed("the stream of jobs has no leader")
}
