package pipeline

import (
	"context"
	"sync"
	"sync/atomic"

	"usher/hashing"
)

// segmentIDs is the number of digests in a segment of full size, 1 MiB. It must fit into
// 16 bits, see sieve.
const segmentIDs = 1 << 16

// firstIDs is the initial size of an upload's first segment.
const firstIDs = 1 << 10

// segment is memory for digests. It is retained by its window and by every batch with a
// span of it.
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

// grow enlarges the segment to eight times its size, or to most digests if that is less
// than twice as many. Only the window may use the segment before grow.
func (s *segment) grow(most int) {
	room := 8 * len(s.digests)
	if 2*room > most {
		room = most
	}
	s.digests = append(make([]hashing.Digest, 0, room), s.digests...)[:room]
}

// segments is a bounded pool of segments. They are allocated on demand; those of full size
// are reused.
type segments struct {
	full int           // number of digests in a segment of full size
	held chan struct{} // one token for each segment in use
	mu   sync.Mutex
	free []*segment // of full size, not in use
}

func newSegments(full, most int) *segments {
	return &segments{full: full, held: make(chan struct{}, most)}
}

// get waits for a segment and retains it once. The segment has full size, or room for ids
// digests if no segment of full size is free.
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

// put returns a segment that is no longer retained.
func (p *segments) put(s *segment) {
	if len(s.digests) == p.full {
		p.mu.Lock()
		p.free = append(p.free, s)
		p.mu.Unlock()
	}
	<-p.held
}
