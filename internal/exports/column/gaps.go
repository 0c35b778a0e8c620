package column

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// RefuseGaps refuses an export if another column has ids where the chosen one has none, so
// that both of them may be meant. columns[at] was chosen by its name, and pairs returns its
// cells and those of another column, row by row. Columns whose names say another kind of ids
// do not count. all is whether the file has no other rows than those that were examined.
func (s Search) RefuseGaps(from places.Origin, all bool, columns []Column, at int, pairs func(other int) iter.Seq2[string, string]) error {
	all = all && !s.Folder // no other rows can have ids
	own := columns[at].Name
	if s.Mixed || MeaningOf(own).Sense <= SenseHeader {
		return nil
	}
	meanings := Meanings(columns)
	for i := range columns {
		m := meanings[i]
		if i == at || columns[i].IDs == 0 || columns[i].Name == "" || m.Digest != meanings[at].Digest || m.Sense > SenseAdvertising {
			continue
		}
		unknown := m.Sense <= SenseHeader
		if columns[at].IDs == 0 && all && unknown && columns[i].HoldsIDs() && columns[i].IDs >= rows.EnoughIDs || s.fillsGaps(pairs(i)) {
			return from.Broken(setColumn(columns, []int{min(at, i), max(at, i)}),
				"the column %s has no ids in rows that have some in column %s", columns[at].Label(), columns[i].Label())
		}
	}
	return nil
}

// fillsGaps reports whether a column has ids of the wanted type in nearly all rows in which
// the chosen one has none, and nearly only there.
func (s Search) fillsGaps(pairs iter.Seq2[string, string]) bool {
	ids, both, gaps, filled := 0, 0, 0, 0
	for id, other := range pairs {
		fits := rows.LooksLikeID([]byte(other)) && isSpelled(s.Type, []byte(other))
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

// isSpelled reports whether an id is written as those of a type usually are.
func isSpelled(t usher.IDType, id []byte) bool {
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

// WatchGaps has the readers of a plan look for ids in other places where the chosen one, of
// that name, has none. Without a known name, as in RefuseGaps, none are meant.
func (s Search) WatchGaps(plan *usher.Plan, own string) {
	if !s.Mixed && MeaningOf(own).Sense > SenseHeader {
		plan.GapType = s.Type
	}
}

// Fits returns a function that reports whether a value may be meant where the plan's column
// has none, and the length of the shortest such value. The function is nil if such values are
// not looked for.
func Fits(plan *usher.Plan) (is func(value []byte) bool, length int) {
	switch plan.GapType {
	case "":
		return nil, 0
	case usher.AndroidID:
		length = shortestID
	default:
		length = uuidLength
	}
	return func(value []byte) bool { return isSpelled(plan.GapType, value) && rows.LooksLikeID(value) }, length
}

// The lengths of the shortest id that is looked for, and of a UUID.
const (
	shortestID = 12
	uuidLength = 36
)

// OtherPath returns a function that returns the path of an id in a record of NDJSON that has
// none at the plan's path: "" if it has no id, or one at a path that may hold other ids. The
// function is nil if the plan's path was not chosen.
func OtherPath(plan *usher.Plan) func(record []byte) string {
	if !plan.Chosen {
		return nil
	}
	own := MeaningOf(plan.Path)
	var others []*ndjson.Finder
	for _, path := range plan.OtherPaths {
		if isOtherKind(MeaningOf(path), own) {
			others = append(others, ndjson.NewFinder(path))
		}
	}
	return func(record []byte) string {
		if slices.ContainsFunc(others, func(f *ndjson.Finder) bool { return rows.LooksLikeID([]byte(f.Value(record))) }) {
			return "" // the record of another system
		}
		if !holdsText(record, shortestID, rows.LooksLikeIDs) {
			return ""
		}
		found := Paths([][]byte{record})
		if holdsOtherKind(found, own) {
			return ""
		}
		if i := slices.IndexFunc(found, func(c Column) bool { return c.IDs > 0 && !slices.Contains(plan.OtherPaths, c.Name) }); i >= 0 {
			return cmp.Or(found[i].Name, "[]") // of an array without an object
		}
		return ""
	}
}

// holdsOtherKind reports whether a column has ids of another kind than own by its name.
func holdsOtherKind(columns []Column, own Meaning) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.IDs > 0 && isOtherKind(MeaningOf(c.Name), own) })
}

// Filler returns a function that returns the path of an id that may be meant in a record of
// NDJSON without one, "" if there is none. It is nil if such ids are not looked for.
func Filler(plan *usher.Plan) func(record []byte) string {
	is, shortest := Fits(plan)
	if is == nil {
		return nil
	}
	own := MeaningOf(plan.Path)
	return func(record []byte) string {
		if !holdsText(record, shortest, is) {
			return ""
		}
		found := Paths([][]byte{record})
		if holdsOtherKind(found, own) {
			return "" // the record of another system
		}
		for i := range found {
			name := found[i].Name
			if found[i].IDs == 0 || MeaningOf(name).Sense > SenseAdvertising || slices.Contains(plan.OtherPaths, name) {
				continue
			}
			if value := ndjson.NewFinder(name).Value(record); is([]byte(value)) {
				return name
			}
		}
		return ""
	}
}

// holdsText reports whether a text between two quotes of a record, of some length at least, is
// wanted. It takes less time than Paths.
func holdsText(record []byte, shortest int, wanted func([]byte) bool) bool {
	for {
		from := bytes.IndexByte(record, '"') + 1
		if from == 0 {
			return false
		}
		record = record[from:]
		if n := bytes.IndexByte(record, '"'); n >= shortest && wanted(record[:n]) {
			return true
		}
	}
}
