package choose

import (
	"iter"
	"slices"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Search is what a job looks for in an export.
type Search struct {
	Type  usher.IDType // "": any, for an export whose type of ids is not known yet
	Input usher.Input  // "": raw

	Mixed      bool // source.typeColumn has the type of each row
	Folder     bool // the export may have other files with ids
	AnyVersion bool // IDFAs and AAIDs may be UUIDs of any version
	Removes    bool // the ids are taken out of audiences, so that nothing is refused for what they look like, or for rows that say no

	// Of the source: how it names columns.
	Column, TypeColumn string
	Sheet              string // "": the first that is not hidden

	Only      []string // of the source
	Disregard []string // of the source

	Evidence *Evidence // that Examine adds to; nil: it does nothing
}

// Ranks of columns by what their names say. A name that only contains a known one says nothing.
// Under input md5, a name of digests ranks higher than any other.
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
	if rank > rankNone && !m.Known {
		return rankNone
	}
	return rank
}

func (s Search) senseRank(m names.Meaning) int {
	switch m.Sense { // the types follow
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
	case m.Sense <= names.SenseHeader:
		return rankNone // row_hash, md5
	case s.Input == usher.InputAuto:
		return max(rank/2, rankNone+1) // the ids themselves come first
	}
	return max(rank, rankNone+1) + rankDigest
}

// isVague reports whether a rank is of a name that does not say which type of id.
func isVague(rank int) bool { return rank%rankDigest > rankNone && rank%rankDigest <= rankAdvertising }

// MaxExamined is the number of columns of a file whose values are examined, if not all are.
const MaxExamined = 64

// Choice is the result of Choose.
type Choice struct {
	At  int    // the column of device ids, -1 if it cannot be determined
	Why string // for people

	Known      bool  // the column's name is one of the table
	ByValues   bool  // no name has decided
	Candidates []int // the columns that it may be, if it cannot be determined

	foreign  []int // the candidates whose names say that they are of another kind, if no name is known
	named    bool  // the export has a header, whose names do not say which column has device ids
	columns  []Column
	search   Search
	meanings []names.Meaning
}

// Choose returns the column of device ids. A known name for the wanted type decides,
// even if no value was seen below it. Values decide only without a header, and for a single
// column whose name does not say that it has something else.
func (s Search) Choose(columns []Column) Choice {
	meanings := Meanings(columns)
	c := Choice{At: -1, columns: columns, search: s, meanings: meanings}
	ranks, best := make([]int, len(columns)), 0
	for i := range columns {
		if ranks[i] = s.rank(meanings[i]); !meanings[i].Known && columns[i].Filled > 0 && columns[i].IDs == 0 {
			ranks[i] = rankNone // no value is an id: it has numbers of ids, or flags, for example
		}
		best = max(best, ranks[i])
	}
	if best == rankNone {
		return c.chooseByValues(ranks)
	}
	c.Candidates = Pick(columns, func(i int) bool { return ranks[i] == best || s.rivals(best, ranks[i], meanings[i]) })
	if len(c.Candidates) > 1 {
		return c
	}
	return c.take(c.Candidates[0], "its header is a usual name for "+meanings[c.Candidates[0]].String())
}

// rivals reports whether a column of another type of id makes the choice of the best
// rank doubtful: device_id beside idfa may hold the ids of all systems, and without a
// wanted type every type is as good.
func (s Search) rivals(best, rank int, m names.Meaning) bool {
	switch {
	case !m.Known || !m.IsType() || m.Digest != names.DigestNone:
		return false
	case s.Type == "":
		return best == rankType && rank > rankAdvertising
	}
	return isVague(best) && rank == rankForeign
}

func (c Choice) take(at int, why string) Choice {
	return Choice{At: at, Why: why, Known: c.meanings[at].Known, meanings: c.meanings}
}

func (c Choice) takeByValues(at int, why string) Choice {
	c = c.take(at, why)
	c.ByValues = true
	return c
}

// chooseByValues is Choose for columns without a known name.
func (c Choice) chooseByValues(ranks []int) Choice {
	columns := c.columns
	foreign := Pick(columns, func(i int) bool {
		m := c.meanings[i]
		return ranks[i] == rankForeign && (m.IsDevice() || columns[i].IDs > 0 || len(columns) == 1)
	})
	holding := Pick(columns, func(i int) bool { return columns[i].HoldsIDs() })
	if len(foreign) > 0 {
		c.foreign = foreign
		c.Candidates = Pick(columns, func(i int) bool { return slices.Contains(foreign, i) || slices.Contains(holding, i) })
		return c
	}
	c.named = slices.ContainsFunc(columns, func(c Column) bool { return c.Name != "" })
	switch {
	case len(columns) == 1 && !names.SaysOther(columns[0].Name):
		return c.takeByValues(0, "it is the only column")
	case len(holding) == 1 && !c.named:
		return c.takeByValues(holding[0], "its values look like ids, and the export has no header")
	}
	c.Candidates = holding
	return c
}

// Err is the error for an export whose column of device ids cannot be determined.
func (c Choice) Err(from places.Origin) error {
	switch set := SetColumn(c.columns, c.Candidates); {
	case len(c.foreign) > 0:
		return c.foreignOnly(from)
	case len(c.columns) == 1:
		return from.Broken(SetColumn(c.columns, []int{0}),
			"by its name, its only column %s may have something else than device ids", c.columns[0].Label())
	case len(c.Candidates) == 0:
		return from.Broken("have the column of device ids written to the export; or, if one of these is it, "+SetColumn(c.columns, Pick(c.columns, func(int) bool { return true })), "none of its %d columns looks like one of device ids", len(c.columns))
	case c.named:
		return from.Broken(set, "none of its %d columns has a known name for device ids, and values alone may be ids of anything; they look like ids in column %s",
			len(c.columns), ListedOf(c.columns, c.Candidates))
	case c.search.Type == "" && slices.ContainsFunc(c.Candidates, func(i int) bool { return c.meanings[i].IsType() }):
		return from.Broken("name the profile, or "+set, "it has several columns of device ids")
	default:
		return from.Broken(set, "which of its %d columns holds the device ids cannot be determined", len(c.columns))
	}
}

// foreignOnly is the error for an export that has only columns of other kinds of ids.
func (c Choice) foreignOnly(from places.Origin) error {
	first := c.meanings[c.foreign[0]]
	sought := "device ids"
	if c.search.Type != "" {
		sought = string(c.search.Type)
	}
	hint := "if you mean it all the same, "
	if len(c.Candidates) > len(c.foreign) {
		hint = "if you mean one of those whose values look like ids, "
	}
	switch {
	case first.Digest == names.DigestMD5 && first.Sense != names.SenseOther:
		hint = "set input to md5 if its values are MD5 digests, or "
	case first.Digest == names.DigestNone && first.IsType():
		hint = "set the profile to " + string(first.IDType()) + ", for a segment of type " + segmentType(first.IDType()) + "; or, " + hint
	}
	return from.Broken(hint+SetColumn(c.columns, c.Candidates),
		"it has no column of %s: by its name, column %s is for %s", sought, c.columns[c.foreign[0]].Label(), first)
}

// segmentType returns the type of the platform's segments that take ids of a type.
func segmentType(t usher.IDType) string {
	if t == usher.IDFA {
		return "IDFA"
	}
	return "ANDROID_ID"
}

// OtherIDs returns the indexes of columns beside the chosen one. ids may hold ids: they do in the
// sample beside those of the chosen one, or their names say that they hold those of another kind.
// apart are the others whose names say that their ids are not those of the chosen one.
func (s *Sample) OtherIDs() (ids, apart []int) {
	var own names.Meaning
	columns, at := s.Columns, s.At
	if at >= 0 && at < len(columns) {
		own = names.MeaningOf(columns[at].Name)
	}
	ids = Pick(columns, func(i int) bool {
		return i != at && (names.MeaningOf(columns[i].Name).IsOtherKind(own) || columns[i].HoldsIDs() && !replacesIDs(s.pairs(i)))
	})
	meanings := Meanings(columns)
	apart = Pick(columns, func(i int) bool {
		return i != at && meanings[i].Sense > names.SenseAdvertising && !slices.Contains(ids, i)
	})
	return ids, apart
}

// replacesIDs reports whether a column has ids in rows whose cell of the chosen column is another
// word, and hardly any beside an id. Two exports were put together then.
func replacesIDs(pairs iter.Seq2[string, string]) bool {
	beside, instead := 0, 0
	for id, other := range pairs {
		switch {
		case !rows.LooksLikeID([]byte(other)):
		case rows.LooksLikeIDs([]byte(id)):
			beside++
		case rows.MayBeMoved([]byte(id)):
			instead++
		}
	}
	return instead > 0 && rows.HardlyAny(beside, beside+instead)
}
