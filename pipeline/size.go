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
	mu        sync.Mutex
	ids       int // 0: no limit yet
	successes int // consecutive successful requests of full size
	bound     int // smallest size that was too large; 0: none
	tries     int // consecutive failures to grow beyond bound/2
	minimum   int // 0: minimumIDs
}

// Constants of Size.
const (
	// minimumIDs is the minimum size. If smaller requests fail, size is not the cause.
	minimumIDs = 1000
	// growAfter is the number of successful requests before the size grows.
	growAfter = 8
	// maxTries limits the number of successful requests before the size grows to one that
	// was too large: it doubles each time, up to 8 << 7 = 1,024.
	maxTries = 7
)

// next returns how many of ids the next request may have.
func (s *Size) next(ids int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == 0 {
		return ids
	}
	return min(s.ids, ids)
}

// succeeded records a successful request with that many ids.
func (s *Size) succeeded(ids int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == 0 || ids < s.ids {
		return // a smaller request says nothing about larger ones
	}
	if ids >= s.bound { // the platform accepts this size now
		s.bound, s.tries = 0, 0
	}
	needed := growAfter
	if s.bound > 0 && 2*s.ids >= s.bound {
		needed <<= s.tries
	}
	if s.successes++; s.successes < needed {
		return
	}
	s.successes = 0
	s.ids *= 2
}

// shrink records a failed request with that many ids; tooLarge says that its size is the
// cause. It reports whether the next request is smaller.
func (s *Size) shrink(ids int, tooLarge bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tooLarge && (s.bound == 0 || ids <= s.bound) {
		if s.bound > 0 {
			s.tries = min(s.tries+1, maxTries)
		}
		s.bound = ids
	}
	s.successes = 0
	if s.ids > 0 && s.ids < ids {
		return true // another request has already shrunk the size
	}
	if ids/2 < cmp.Or(s.minimum, minimumIDs) {
		return false
	}
	s.ids = ids / 2
	return true
}
