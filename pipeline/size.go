package pipeline

import (
	"cmp"
	"sync"
)

// Size is how many ids a request may have, learnt from the platform's answers:
// halved when a request was too large, or met a timeout or a 5xx, which smaller
// ones may get past; doubled when enough in a row were answered well. Its zero
// value begins with whole batches. Many uploads may share it.
//
// Batches stay what they are, whatever the size: a larger one goes in several
// requests. So a checkpoint, and what a part comes to, never depend on it.
type Size struct {
	mu    sync.Mutex
	ids   int // 0: no limit yet
	well  int // requests of full size answered well in a row
	bound int // requests of this size were too large; 0: none was
	tries int // how often in a row growing beyond bound/2 failed
	least int // 0: leastIDs
}

// Figures of Size.
const (
	// leastIDs is how small requests get: then it is not their size.
	leastIDs = 1000
	// enoughWell is how many requests are answered well before they grow.
	enoughWell = 8
	// mostTries bounds the patience after requests that were too large: it
	// doubles with each, to 8 << 7 = 1,024 requests.
	mostTries = 7
)

// now is how many of ids the next request may have.
func (s *Size) now(ids int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == 0 {
		return ids
	}
	return min(s.ids, ids)
}

// answered hears of a request of so many ids that was answered well.
func (s *Size) answered(ids int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == 0 || ids < s.ids {
		return // a rest says nothing of larger ones
	}
	if ids >= s.bound { // no more
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

// shrink hears of a request of so many ids that failed; tooLarge says that its
// size is known to be why. It reports whether the next will be smaller.
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
		return true // others under way have found out before
	}
	if ids/2 < cmp.Or(s.least, leastIDs) {
		return false
	}
	s.ids = ids / 2
	return true
}
