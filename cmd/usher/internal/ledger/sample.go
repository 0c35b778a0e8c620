package ledger

import (
	"crypto/rand"
	mathrand "math/rand/v2"

	"usher/hashing"
)

// sample is a random sample of digests, of at most limit.
type sample struct {
	limit   int
	seen    int
	digests []hashing.Digest
}

func newSample(limit int) *sample { return &sample{limit: limit} }

// add adds a digest to what the sample is taken of.
func (s *sample) add(d hashing.Digest) {
	s.seen++
	if len(s.digests) < s.limit {
		s.digests = append(s.digests, d)
	} else if at := mathrand.IntN(s.seen); at < s.limit { //nolint:gosec // not used for security
		s.digests[at] = d
	}
}

// addRandom adds a few digests of nothing, if the sample is not full.
func (s *sample) addRandom() {
	const few = 10
	for len(s.digests) < min(s.limit, s.seen+few) {
		var d hashing.Digest
		_, _ = rand.Read(d[:]) // it never fails
		s.digests = append(s.digests, d)
	}
}
