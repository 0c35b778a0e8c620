package workers

import (
	"sync"
	"sync/atomic"
	"time"
)

// precedence has uploads stand still while a campaign's or a rule's job is at
// work. Such a job computes next to nothing and asks a dozen questions, of NATS,
// Redis and the platform; where uploads take all cores, each answer would wait
// some milliseconds for one. Its zero value is ready for use.
type precedence struct {
	now atomic.Pointer[hold] // nil: uploads go on

	mu   sync.Mutex // over what follows, over holds, and to change now
	free time.Time  // uploads are not held again before …
	next *hold      // … and this hold begins then; nil: none does
}

// hold is a time in which uploads stand still.
type hold struct {
	since time.Time
	jobs  int           // that it is for, at work
	over  chan struct{} // closed when uploads go on
	timer *time.Timer   // begins it, or ends it
}

const (
	// longestHold is how long uploads stand still at most: a job that takes
	// longer waits for the platform, or for a lock, and needs no core.
	longestHold = 50 * time.Millisecond
	// holdShare is how many times longer than they go on after it, at most: many
	// jobs in a row slow uploads down and do not stop them.
	holdShare = 4
)

// begin says that a job is at work which goes first, until end is called.
func (p *precedence) begin() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.now.Load()
	if h == nil {
		h = p.next
	}
	if h == nil {
		h = &hold{over: make(chan struct{})}
		p.next = h
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

// locked is do with the lock held.
func (p *precedence) locked(do func()) func() {
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		do()
	}
}

// start begins a hold that is still to begin. It is called with the lock held.
func (p *precedence) start(h *hold) {
	if p.next != h {
		return
	}
	p.next, h.since = nil, time.Now()
	h.timer = time.AfterFunc(longestHold, p.locked(func() { p.end(h) }))
	p.now.Store(h)
}

// end ends a hold that has not ended. It is called with the lock held.
func (p *precedence) end(h *hold) {
	h.timer.Stop()
	if p.next == h {
		p.next = nil
	}
	if p.now.Load() != h {
		return
	}
	p.now.Store(nil)
	now := time.Now()
	p.free = now.Add(now.Sub(h.since) / holdShare)
	close(h.over)
}

// lead is what a slot has over uploads, from when something comes for it until
// that is done. A slot of a lane that does not go first has none.
type lead struct {
	over  *precedence
	first bool
	done  func() // nil: it has none now
}

func (l *lead) begin() {
	l.end() // over what came before and needed no work
	if l.first {
		l.done = l.over.begin()
	}
}

func (l *lead) end() {
	if l.done != nil {
		l.done()
		l.done = nil
	}
}

// yield is what uploads call between two small pieces of work: it returns when
// they may go on.
func (p *precedence) yield() {
	if h := p.now.Load(); h != nil {
		<-h.over
	}
}
