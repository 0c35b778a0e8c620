package watch

import (
	"bytes"
	"cmp"
	"slices"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/rows"
)

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
	return func(value []byte) bool { return choose.IsSpelled(plan.GapType, value) && rows.LooksLikeID(value) }, length
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
	own := names.MeaningOf(plan.Path)
	var others []*ndjson.Finder
	for _, path := range plan.OtherPaths {
		if names.MeaningOf(path).IsOtherKind(own) {
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
		found := choose.Paths([][]byte{record})
		if holdsOtherKind(found, own) {
			return ""
		}
		if i := slices.IndexFunc(found, func(c choose.Column) bool { return c.IDs > 0 && !isOther(plan, c.Name) }); i >= 0 {
			return cmp.Or(found[i].Name, "[]") // of an array without an object
		}
		return ""
	}
}

// isOther reports whether a path may hold other ids.
func isOther(plan *usher.Plan, path string) bool {
	return slices.Contains(plan.OtherPaths, choose.PlaceOf(path))
}

// holdsOtherKind reports whether a column has ids of another kind than own by its name.
func holdsOtherKind(columns []choose.Column, own names.Meaning) bool {
	return slices.ContainsFunc(columns, func(c choose.Column) bool { return c.IDs > 0 && names.MeaningOf(c.Name).IsOtherKind(own) })
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
		found := choose.Paths([][]byte{record})
		if holdsOtherKind(found, own) {
			return "" // the record of another system
		}
		for i := range found {
			name := found[i].Name
			if found[i].IDs == 0 || names.MeaningOf(name).Sense > names.SenseAdvertising || isOther(plan, name) {
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
