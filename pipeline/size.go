package pipeline

import (
	"cmp"
	"sync"
)

// Size is the maximum number of ids in a request, learned from the platform's responses:
// it is halved when a request is too large, times out or gets a 5xx, and doubled after
// enough successful requests in a row. The zero value begins with whole batches. Uploads
// may share a Size.
//
// The size does not change batches: a larger batch is sent in several requests. So
// checkpoints and tallies never depend on it.
type Size struct {
	mu    sync.Mutex
	ids   int // 0: no limit yet
	well  int // consecutive successful requests of full size
	bound int // smallest size that was too large; 0: none
	tries int // consecutive failures to grow beyond bound/2
	least int // 0: leastIDs
}

// Constants of Size.
const (
	// leastIDs is the minimum size. If smaller requests fail, size is not the cause.
	leastIDs = 1000
	// enoughWell is the number of successful requests before the size grows.
	enoughWell = 8
	// mostTries bounds the wait after a request that was too large, which doubles each
	// time up to 8 << 7 = 1,024 requests.
	mostTries = 7
)

// now returns how many of ids the next request may have.
func (s *Size) now(ids int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == 0 {
		return ids
	}
	return min(s.ids, ids)
}

// answered records a successful request with that many ids.
func (s *Size) answered(ids int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == 0 || ids < s.ids {
		return // a smaller request says nothing about larger ones
	}
	if ids >= s.bound { // not beyond the bound
		s.bound, s.tries = 0, 0
	}
	patience := enoughWell
	if s.bound > 0 && 2*s.ids >= s.bound {
		patience <<= s.tries
	}
	if s.well++; s.well < patience {
		return
	}
	s.well = 0
	s.ids *= 2
}

// shrink records a failed request with that many ids; tooLarge says that its size is the
// cause. It reports whether the next request is smaller.
func (s *Size) shrink(ids int, tooLarge bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tooLarge && (s.bound == 0 || ids <= s.bound) {
		if s.bound > 0 {
			s.tries = min(s.tries+1, mostTries)
		}
		s.bound = ids
	}
	s.well = 0
	if s.ids > 0 && s.ids < ids {
		return true // another request has already shrunk the size
	}
	if ids/2 < cmp.Or(s.least, leastIDs) {
		return false
	}
	s.ids = ids / 2
	return true
}
