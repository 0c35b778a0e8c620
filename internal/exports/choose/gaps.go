package choose

import (
	"bytes"
	"cmp"
	"iter"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// refuseGaps refuses an export if another column has ids where the chosen one has none, so
// that both of them may be meant. The column was chosen by its name. Columns whose names say another
// kind of ids do not count.
func (s Search) refuseGaps(sample *Sample) error {
	from, columns, at := sample.From, sample.Columns, sample.At
	all := sample.All && !s.Folder // no other rows can have ids
	own := columns[at].Name
	if s.Mixed || names.MeaningOf(own).Sense <= names.SenseHeader {
		return nil
	}
	meanings := Meanings(columns)
	for i := range columns {
		m := meanings[i]
		if i == at || columns[i].IDs == 0 || columns[i].Name == "" || m.Digest != meanings[at].Digest || m.Sense > names.SenseAdvertising {
			continue
		}
		unknown := m.Sense <= names.SenseHeader
		if columns[at].IDs == 0 && all && unknown && columns[i].HoldsIDs() && columns[i].IDs >= rows.EnoughIDs || s.fillsGaps(sample.cells(i)) {
			return from.Broken(SetColumn(columns, []int{min(at, i), max(at, i)}),
				"the column %s has no ids in rows that have some in column %s", columns[at].Label(), cmp.Or(columns[i].Label(), PlaceOf(columns[i].Name)))
		}
	}
	return nil
}

// fillsGaps reports whether a column has ids of the wanted type in nearly all rows in which
// the chosen one has none, and nearly only there.
func (s Search) fillsGaps(pairs iter.Seq2[string, string]) bool {
	ids, both, gaps, filled := 0, 0, 0, 0
	for id, other := range pairs {
		fits := rows.LooksLikeID([]byte(other)) && IsSpelled(s.Type, []byte(other))
		switch id := rows.TrimSpace([]byte(id)); {
		case len(id) == 0, hashing.IsPlaceholder(id):
			gaps++
			if fits {
				filled++
			}
		case rows.LooksLikeIDs(id):
			ids++
			if rows.LooksLikeID([]byte(other)) {
				both++
			}
		}
	}
	return rows.NearlyAll(filled, gaps) && ids >= rows.EnoughIDs && rows.HardlyAny(both, ids)
}

// IsSpelled reports whether an id is written as those of a type usually are.
func IsSpelled(t usher.IDType, id []byte) bool {
	isUUID := hashing.IsUUID(bytes.Trim(rows.TrimSpace(id), `"'{}`))
	switch t {
	case usher.IDFA:
		return isUUID && !bytes.ContainsAny(id, "abcdef")
	case usher.AAID:
		return isUUID && !bytes.ContainsAny(id, "ABCDEF")
	case usher.AndroidID:
		return !isUUID
	}
	return false
}

// watchGaps has the readers of a plan look for ids in other places where the chosen one, of
// that name, has none. Without a known name, as in refuseGaps, none are meant.
func (s Search) watchGaps(plan *usher.Plan, own string) {
	if !s.Mixed && names.MeaningOf(own).Sense > names.SenseHeader {
		plan.GapType = s.Type
	}
}
