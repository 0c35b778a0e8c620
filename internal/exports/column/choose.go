package column

import (
	"slices"

	"usher/internal/exports/names"
	"usher/internal/exports/places"
)

// Choice is the result of Choose.
type Choice struct {
	At  int    // the column of device ids, -1 if it cannot be determined
	Why string // for people

	Whole      bool  // the column's name is a known one, and does not only contain one
	ByValues   bool  // no name has decided
	Candidates []int // the columns that it may be, if it cannot be determined

	foreign  bool // the names of the candidates say that they are of another kind
	columns  []Column
	search   Search
	meanings []names.Meaning
}

// Choose returns the column of device ids. A known name for the wanted type decides,
// even if no value was seen below it. Values decide only if no name says otherwise.
func Choose(columns []Column, s Search) Choice {
	meanings := Meanings(columns)
	c := Choice{At: -1, columns: columns, search: s, meanings: meanings}
	ranks, best := make([]int, len(columns)), 0
	for i := range columns {
		if ranks[i] = s.rank(meanings[i]); !meanings[i].Whole && columns[i].Filled > 0 && columns[i].IDs == 0 {
			ranks[i] = rankNone // its values say that it is about ids
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
	return c.take(c.Candidates[0], "its header "+known(meanings[c.Candidates[0]]))
}

// rivals reports whether a column of another type of id makes the choice of the best
// rank doubtful: device_id beside idfa may hold the ids of all systems, and without a
// wanted type every type is as good.
func (s Search) rivals(best, rank int, m names.Meaning) bool {
	switch {
	case !m.IsType() || m.Digest != names.DigestNone:
		return false
	case s.Type == "":
		return best == rankType && rank > rankAdvertising
	}
	return isVague(best) && rank == rankForeign
}

// known describes the header of a column that was chosen by it.
func known(m names.Meaning) string {
	verb := "is"
	if !m.Whole {
		verb = "contains"
	}
	return verb + " a usual name for " + m.String()
}

func (c Choice) take(at int, why string) Choice {
	return Choice{At: at, Why: why, Whole: c.meanings[at].Whole, meanings: c.meanings}
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
	if len(foreign) > 0 {
		c.Candidates, c.foreign = foreign, true
		return c
	}
	if len(columns) == 1 {
		return c.takeByValues(0, "it is the only column")
	}
	holding := Pick(columns, func(i int) bool { return columns[i].HoldsIDs() })
	if len(holding) == 0 {
		contains := Pick(columns, func(i int) bool { return c.search.rank(c.meanings[i]) > rankNone })
		if len(contains) == 1 {
			return c.take(contains[0], "its header "+known(c.meanings[contains[0]]))
		}
	}
	if len(holding) == 1 {
		why := "its values look like ids"
		if slices.ContainsFunc(columns, func(c Column) bool { return c.Name != "" }) {
			why += ", and no column has a usual name for them"
		}
		return c.takeByValues(holding[0], why)
	}
	c.Candidates = holding
	return c
}

// Err is the error for an export whose column of device ids cannot be determined.
func (c Choice) Err(from places.Origin) error {
	switch set := setColumn(c.columns, c.Candidates); {
	case c.foreign:
		return c.foreignOnly(from)
	case len(c.Candidates) == 0:
		return from.Broken(setColumn(c.columns, Pick(c.columns, func(int) bool { return true })), "none of its %d columns looks like one of device ids", len(c.columns))
	case c.search.Type == "" && slices.ContainsFunc(c.Candidates, func(i int) bool { return c.meanings[i].IsType() }):
		return from.Broken("name the profile, or "+set, "it has several columns of device ids")
	default:
		return from.Broken(set, "which of its %d columns holds the device ids cannot be determined", len(c.columns))
	}
}

// foreignOnly is the error for an export that has only columns of other kinds of ids.
func (c Choice) foreignOnly(from places.Origin) error {
	first := c.meanings[c.Candidates[0]]
	sought := "device ids"
	if c.search.Type != "" {
		sought = string(c.search.Type)
	}
	hint := "if you mean it all the same, "
	switch {
	case first.Digest == names.DigestMD5 && first.Sense != names.SenseOther:
		hint = "set input to md5 if its values are MD5 digests, or "
	case first.Digest == names.DigestNone && first.IsType():
		hint = "set the profile to " + string(first.IDType()) + ", or, if you mean it all the same, "
	}
	return from.Broken(hint+setColumn(c.columns, c.Candidates),
		"it has no column of %s: by its name, column %s is for %s", sought, c.columns[c.Candidates[0]].Label(), first)
}
