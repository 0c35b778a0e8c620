package exports

import (
	"bytes"
	"iter"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// refuseGaps refuses an export if another column has ids where the chosen one has none, so
// that both of them may be meant. columns[at] was chosen by its name, and pairs returns its
// cells and those of another column, row by row. Columns whose names say another kind of ids
// do not count.
func (h *head) refuseGaps(s search, plan *usher.Plan, columns []column, at int, pairs func(other int) iter.Seq2[string, string]) error {
	own := columns[at].name
	if s.mixed || names.MeaningOf(own).Sense <= names.SenseHeader {
		return nil
	}
	whole := h.all && !s.folder && plan.Files <= 1 // no other rows can have ids
	meanings := meaningsOf(columns)
	for i := range columns {
		m := meanings[i]
		if i == at || columns[i].ids == 0 || columns[i].name == "" || m.Digest != meanings[at].Digest || m.Sense > names.SenseAdvertising {
			continue
		}
		unknown := m.Sense <= names.SenseHeader
		if columns[at].ids == 0 && whole && unknown && columns[i].holdsIDs() && columns[i].ids >= enoughIDs || s.fillsGaps(pairs(i)) {
			return h.Broken(setColumn(columns, []int{min(at, i), max(at, i)}),
				"the column %s has no ids in rows that have some in column %s", columns[at].label(), columns[i].label())
		}
	}
	return nil
}

// fillsGaps reports whether a column has ids of the wanted type in nearly all rows in which
// the chosen one has none, and nearly only there.
func (s search) fillsGaps(pairs iter.Seq2[string, string]) bool {
	ids, both, gaps, filled := 0, 0, 0, 0
	for id, other := range pairs {
		fits := rows.LooksLikeID([]byte(other)) && s.isSpelled([]byte(other))
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
	return nearlyAll(filled, gaps) && ids >= enoughIDs && 20*both <= ids
}

// isSpelled reports whether an id is written as those of the wanted type usually are.
func (s search) isSpelled(id []byte) bool {
	isUUID := rows.IsUUID(bytes.Trim(rows.TrimSpace(id), `"'{}`))
	switch s.Type {
	case usher.IDFA:
		return isUUID && bytes.Equal(id, bytes.ToUpper(id))
	case usher.AAID:
		return isUUID && bytes.Equal(id, bytes.ToLower(id))
	case usher.AndroidID:
		return !isUUID
	}
	return false
}
