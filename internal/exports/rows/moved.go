package rows

import (
	"usher/hashing"
	"usher/internal/exports/places"
)

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
