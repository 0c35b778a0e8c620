package column

import (
	"usher"
	"usher/internal/exports/names"
)

// Search is what a job looks for in an export.
type Search struct {
	Type  usher.IDType // "": any, for an export whose type of ids is not known yet
	Input usher.Input  // "": raw

	Mixed    bool      // source.typeColumn has the type of each row
	Folder   bool      // the export may have other files with ids
	Evidence *Evidence // that Examine adds to; nil: it does nothing
}

// Ranks of columns by their names. A name that only contains a known one ranks one
// lower. Under input md5, a name of digests ranks higher than any other.
const (
	rankForeign     = -1 // names another kind of id
	rankNone        = 0
	rankOtherType   = 2 // another type, if the rows are of several types
	rankDevice      = 4
	rankAdvertising = 6
	rankType        = 8 // the wanted type
	rankDigest      = 10
)

// rank returns how well a name fits.
func (s Search) rank(m names.Meaning) int {
	rank := s.senseRank(m)
	if m.Digest != names.DigestNone {
		rank = s.digestRank(m, rank)
	}
	if rank > 0 && !m.Whole {
		rank--
	}
	return rank
}

func (s Search) senseRank(m names.Meaning) int {
	switch m.Sense { //nolint:exhaustive // the types follow
	case names.SenseNone, names.SenseHeader:
		return rankNone
	case names.SenseDevice:
		return rankDevice
	case names.SenseAdvertising:
		return rankAdvertising
	case names.SenseVendor, names.SenseOther:
		return rankForeign
	}
	switch {
	case s.Type == "" || s.Type == m.IDType():
		return rankType
	case s.Mixed:
		return rankOtherType
	}
	return rankForeign
}

// digestRank is the rank of a name of digests. rank is that of the ids.
func (s Search) digestRank(m names.Meaning, rank int) int {
	accepted := s.Input == usher.InputMD5 || s.Input == usher.InputAuto
	switch {
	case m.Digest != names.DigestMD5, !accepted, rank < 0:
		return rankForeign
	case s.Input == usher.InputAuto:
		return max(rank/2, rankNone+1) // the ids themselves come first
	case m.Sense == names.SenseNone:
		return rankNone // row_hash
	}
	return max(rank, rankNone+1) + rankDigest
}

// isVague reports whether a rank is of a name that does not say which type of id.
func isVague(rank int) bool { return rank%rankDigest > rankNone && rank%rankDigest <= rankAdvertising }
