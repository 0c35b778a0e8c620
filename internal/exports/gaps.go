package exports

import (
	"bytes"
	"iter"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
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
func (s search) isSpelled(id []byte) bool { return isSpelled(s.Type, id) }

func isSpelled(t usher.IDType, id []byte) bool {
	isUUID := rows.IsUUID(bytes.Trim(rows.TrimSpace(id), `"'{}`))
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
func (s search) watchGaps(plan *usher.Plan, own string) {
	if !s.mixed && names.MeaningOf(own).Sense > names.SenseHeader {
		plan.Gaps = s.Type
	}
}

// apart returns the columns whose names say that their ids are others than those of the
// plan's column, unless the plan has them already.
func apart(plan *usher.Plan, columns []column) []int {
	meanings := meaningsOf(columns)
	return pick(columns, func(i int) bool {
		return i != plan.Column && meanings[i].Sense > names.SenseAdvertising && !slices.Contains(plan.OtherIDs, i)
	})
}

// fits returns a function that reports whether a value may be meant where the plan's column
// has none, and the length of the shortest such value. The function is nil if such values are
// not looked for.
func fits(plan *usher.Plan) (is func(value []byte) bool, length int) {
	const shortest = 12
	switch plan.Gaps {
	case "":
		return nil, 0
	case usher.AndroidID:
		length = shortest
	default:
		length = uuidLength
	}
	return func(value []byte) bool { return isSpelled(plan.Gaps, value) && rows.LooksLikeID(value) }, length
}

// filler returns a function that returns the path of an id that may be meant in a record of
// NDJSON without one, "" if there is none. It is nil if such ids are not looked for.
func filler(plan *usher.Plan) func(record []byte) string {
	is, shortest := fits(plan)
	if is == nil {
		return nil
	}
	own := names.MeaningOf(plan.Path)
	return func(record []byte) string {
		if !holdsText(record, shortest, is) {
			return ""
		}
		found := paths([][]byte{record})
		if slices.ContainsFunc(found, func(c column) bool { return c.ids > 0 && isOtherKind(names.MeaningOf(c.name), own) }) {
			return "" // the record of another system
		}
		for i := range found {
			name := found[i].name
			if found[i].ids == 0 || names.MeaningOf(name).Sense > names.SenseAdvertising || slices.Contains(plan.OtherPaths, name) {
				continue
			}
			if value := ndjson.NewFinder(name).Value(record); is([]byte(value)) {
				return name
			}
		}
		return ""
	}
}

// holdsText reports whether a text of a record, of some length at least, is wanted.
func holdsText(record []byte, length int, wanted func([]byte) bool) bool {
	if length == uuidLength {
		return holdsUUID(record, wanted)
	}
	for {
		from := bytes.IndexByte(record, '"') + 1
		if from == 0 {
			return false
		}
		record = record[from:]
		if n := bytes.IndexByte(record, '"'); n >= length && n < uuidLength && wanted(record[:n]) {
			return true
		}
	}
}

// holdsUUID is holdsText for UUIDs. It looks for their first hyphens.
func holdsUUID(record []byte, wanted func([]byte) bool) bool {
	const before, after = 9, 28 // the quotes around it
	for at := before; at < len(record); at++ {
		i := bytes.IndexByte(record[at:], '-')
		if i < 0 {
			return false
		}
		if at += i; at+after >= len(record) || record[at-before] != '"' || record[at+after] != '"' {
			continue
		}
		if text := record[at-before+1 : at+after]; rows.HasUUIDShape(text) && wanted(text) {
			return true
		}
	}
	return false
}

const uuidLength = 36
