package workers

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"
)

// precedence makes uploads pause while a job of a campaign or a rule runs. Such a job
// needs little CPU but waits for a dozen responses of NATS, Redis and the platform. If
// uploads use all cores, each response waits for a core for some milliseconds. The zero
// value is ready for use.
type precedence struct {
	current atomic.Pointer[hold] // nil: uploads run
	longest time.Duration        // of a hold; 0: longestHold

	mu      sync.Mutex // guards the fields below, the holds, and writes of current
	free    time.Time  // no hold starts before this time
	planned *hold      // starts at free; nil: none is planned
}

// hold is a period in which uploads pause.
type hold struct {
	since time.Time
	jobs  int           // running jobs that need the hold
	over  chan struct{} // closed when the hold ends
	timer *time.Timer   // starts the hold, or ends it
}

const (
	// longestHold limits a hold: a job that takes longer is waiting for the
	// platform or for a lock and needs no core.
	longestHold = 50 * time.Millisecond
	// holdShare limits the share of time in which uploads pause: after a hold, they run
	// for at least a quarter of its length, so that many jobs in a row slow uploads down
	// but do not stop them.
	holdShare = 4
)

// begin requests a hold for a job until end is called.
func (p *precedence) begin() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.current.Load()
	if h == nil {
		h = p.planned
	}
	if h == nil {
		h = &hold{over: make(chan struct{})}
		p.planned = h
		if wait := time.Until(p.free); wait > 0 {
			h.timer = time.AfterFunc(wait, p.locked(func() { p.start(h) }))
		} else {
			p.start(h)
		}
	}
	h.jobs++
	return p.locked(func() {
		if h.jobs--; h.jobs == 0 {
			p.end(h)
		}
	})
}

// locked returns a function that calls do with mu held.
func (p *precedence) locked(do func()) func() {
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		do()
	}
}

// start starts a planned hold. The caller holds mu.
func (p *precedence) start(h *hold) {
	if p.planned != h {
		return
	}
	p.planned, h.since = nil, time.Now()
	h.timer = time.AfterFunc(cmp.Or(p.longest, longestHold), p.locked(func() { p.end(h) }))
	p.current.Store(h)
}

// end ends a hold unless it has ended already. The caller holds mu.
func (p *precedence) end(h *hold) {
	h.timer.Stop()
	if p.planned == h {
		p.planned = nil
	}
	if p.current.Load() != h {
		return
	}
	p.current.Store(nil)
	now := time.Now()
	p.free = now.Add(now.Sub(h.since) / holdShare)
	close(h.over)
}

// yield is called by uploads between two small pieces of work. It blocks while
// a hold lasts.
func (p *precedence) yield() {
	if h := p.current.Load(); h != nil {
		<-h.over
	}
}

// slotHold is the hold of one slot, from the arrival of a job until the job is
// settled. A slot of a lane without First requests none.
type slotHold struct {
	precedence *precedence
	first      bool   // the slot's lane has First
	done       func() // ends the hold, or nil
}

func (s *slotHold) begin() {
	s.end() // the slot may not have got the previous piece of work that arrived
	if s.first {
		s.done = s.precedence.begin()
	}
}

func (s *slotHold) end() {
	if s.done != nil {
		s.done()
		s.done = nil
	}
}
