package rows

import (
	"slices"

	"usher/hashing"
	"usher/internal/exports/places"
)

// Gaps watches a place of a part's records, beside that of the ids, that has had an id in a
// record without one. If it has ids in nearly all such records, and in hardly any other, they
// may be meant. The samples of the export have shown no such place.
type Gaps struct {
	place, row string // the place that is watched, and the first record with an id there; "": none

	ids, both    int // records with an id, and of these, those that have one in the place as well
	gaps, filled int // records without an id, and of these, those that have one in the place

	cleared []string // places whose ids are others
}

// IsGap reports whether a value says that its record has no id: it is blank or a placeholder.
func IsGap(value []byte) bool {
	value = TrimSpace(value)
	return len(value) == 0 || hashing.IsPlaceholder(value)
}

// Watched returns the place that is watched, "" if there is none.
func (g *Gaps) Watched() string { return g.place }

// Begin begins to watch a place in a record, unless its ids are known to be others. It
// reports whether it does.
func (g *Gaps) Begin(place, row string) bool {
	if slices.Contains(g.cleared, place) {
		return false
	}
	*g = Gaps{place: place, row: row, cleared: g.cleared}
	return true
}

// AddGap adds a record without an id. filled is whether the place has one.
func (g *Gaps) AddGap(filled bool) {
	g.gaps++
	if filled {
		g.filled++
	}
	g.dismiss()
}

// AddID adds a record with an id. both is whether the place has one as well.
func (g *Gaps) AddID(both bool) {
	g.ids++
	if both {
		g.both++
	}
	g.dismiss()
}

// EnoughIDs is the smallest number of ids that are taken as evidence. A few may be written as
// they are by chance.
const EnoughIDs = 10

// NearlyAll reports whether n of all, at least 95 %, are enough for evidence.
func NearlyAll(n, all int) bool { return n >= EnoughIDs && 20*n >= 19*all }

// HardlyAny reports whether n of all are at most 5 %.
func HardlyAny(n, all int) bool { return 20*n <= all }

// dismiss stops watching a place whose ids stand beside others, or only in some of the gaps.
func (g *Gaps) dismiss() {
	if g.ids >= EnoughIDs && !HardlyAny(g.both, g.ids) || g.gaps >= 2*EnoughIDs && !NearlyAll(g.filled, g.gaps) {
		*g = Gaps{cleared: append(g.cleared, g.place)}
	}
}

// Filled reports whether the ids of the place may be meant. Before the end of the part it waits
// for records with an id.
func (g *Gaps) Filled(ended bool) bool {
	return NearlyAll(g.filled, g.gaps) && HardlyAny(g.both, g.ids) && (ended || g.ids >= EnoughIDs)
}

// Err is the error for an export with such a place. wanted is where its ids stand.
func (g *Gaps) Err(from places.Origin, wanted string) error {
	return from.Broken("if only the ids of "+wanted+" are meant, name it in source.column; otherwise write the ids to one column, or submit a job for each of them",
		"from %s on, rows without an id in %s have one in %s", g.row, wanted, g.place)
}

// Moved counts the records of a part that have their id elsewhere than the samples of
// the export, as those of another export that was appended to it.
type Moved struct {
	records int64
	row     string // of the first of them
	where   string // its id stands
}

// MayBeMoved reports whether a record with such a value in the place of the id may have
// its id elsewhere: the value is neither blank, nor a placeholder, nor an id.
func MayBeMoved(cell []byte) bool {
	cell = TrimSpace(cell)
	return len(cell) > 0 && !HasUUIDShape(cell) && !LooksLikeIDs(cell) && !hashing.IsPlaceholder(cell)
}

// Add adds a record. place and row name the place of its id and the record itself.
func (m *Moved) Add(place, row func() string) {
	if m.records++; m.records == 1 {
		m.where, m.row = place(), row()
	}
}

// Many reports whether more than a few of the records read so far are moved: more than
// ten, or at the end of the part more than one in a hundred.
func (m *Moved) Many(read int64, ended bool) bool {
	const few = 10
	return m.records > few || ended && 100*m.records > read
}

// Err is the error for an export with many such records. wanted is where the samples have
// their ids.
func (m *Moved) Err(from places.Origin, wanted string) error {
	return from.Broken("submit a job for each of the exports that were put together here; if "+wanted+" is right all the same, name it in source.column",
		"the id of %s is in %s, and those of the rows that usher sampled are in %s", m.row, m.where, wanted)
}
