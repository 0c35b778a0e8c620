package pipeline

import (
	"context"
	"sync"
	"sync/atomic"

	"usher/hashing"
)

// segmentIDs is how many digests a segment holds at full size: 1 MiB. It is
// also how far 16 bits count, see sieve.
const segmentIDs = 1 << 16

// firstIDs is the room of an upload's first segment until more is needed.
const firstIDs = 1 << 10

// segment is memory for digests. Its window holds it, and so does every batch
// that has a span of it.
type segment struct {
	digests []hashing.Digest
	holders atomic.Int32
	pool    *segments
}

func (s *segment) retain() { s.holders.Add(1) }

func (s *segment) release() {
	if s.holders.Add(-1) == 0 {
		s.pool.put(s)
	}
}

// grow makes room for eight times as many digests, but most, or for most at once
// where that is less than twice more: the old room is garbage. Nobody but its
// window may know the segment yet.
func (s *segment) grow(most int) {
	room := 8 * len(s.digests)
	if 2*room > most {
		room = most
	}
	s.digests = append(make([]hashing.Digest, 0, room), s.digests...)[:room]
}

// segments is a bounded number of segments. They are made when they are needed;
// those of full size are used again.
type segments struct {
	full int           // digests of one at full size
	held chan struct{} // one for each that somebody holds
	mu   sync.Mutex
	free []*segment // of full size, held by nobody
}

func newSegments(full, most int) *segments {
	return &segments{full: full, held: make(chan struct{}, most)}
}

// get returns a segment held once, when there is one: of full size, or for ids
// where none is free.
func (p *segments) get(ctx context.Context, ids int) (*segment, error) {
	select {
	case p.held <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var s *segment
	if last := len(p.free) - 1; last >= 0 {
		s, p.free = p.free[last], p.free[:last]
	} else {
		s = &segment{digests: make([]hashing.Digest, ids), pool: p}
	}
	s.holders.Store(1)
	return s, nil
}

// put takes back a segment that nobody holds any more.
func (p *segments) put(s *segment) {
	if len(s.digests) == p.full {
		p.mu.Lock()
		p.free = append(p.free, s)
		p.mu.Unlock()
	}
	<-p.held
}
