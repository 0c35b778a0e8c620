package column

import (
	"bytes"
	"cmp"
	"slices"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/rows"
)

// Elsewhere returns a function that returns the path of an id in a record of NDJSON that has
// none at the plan's path: "" if it has no id, or one at a path that may hold other ids. The
// function is nil if the plan's path was not chosen.
func Elsewhere(plan *usher.Plan) func(record []byte) string {
	if !plan.Chosen {
		return nil
	}
	own := names.MeaningOf(plan.Path)
	var others []*ndjson.Finder
	for _, path := range plan.OtherPaths {
		if isOtherKind(names.MeaningOf(path), own) {
			others = append(others, ndjson.NewFinder(path))
		}
	}
	return func(record []byte) string {
		if slices.ContainsFunc(others, func(f *ndjson.Finder) bool { return rows.LooksLikeID([]byte(f.Value(record))) }) {
			return "" // the record of another system
		}
		if !mayHoldID(record) {
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
func holdsOtherKind(columns []Column, own names.Meaning) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.IDs > 0 && isOtherKind(names.MeaningOf(c.Name), own) })
}

// mayHoldID reports whether a string of a record looks like an id. It takes less time than
// Paths.
func mayHoldID(record []byte) bool {
	const shortest = 12
	for text := range bytes.SplitSeq(record, []byte{'"'}) {
		if len(text) >= shortest && rows.LooksLikeIDs(text) {
			return true
		}
	}
	return false
}

// Filler returns a function that returns the path of an id that may be meant in a record of
// NDJSON without one, "" if there is none. It is nil if such ids are not looked for.
func Filler(plan *usher.Plan) func(record []byte) string {
	is, shortest := Fits(plan)
	if is == nil {
		return nil
	}
	own := names.MeaningOf(plan.Path)
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
			if found[i].IDs == 0 || names.MeaningOf(name).Sense > names.SenseAdvertising || slices.Contains(plan.OtherPaths, name) {
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
