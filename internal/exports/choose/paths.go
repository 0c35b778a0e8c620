package choose

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
)

// Paths counts the values of records of NDJSON by path. The columns are sorted by path; those
// of known that have no values in the records follow.
func Paths(records [][]byte, known ...string) []Column {
	counts := pathCounts{}
	finder := ndjson.NewFinder("") // accepts what the reader will accept
	for _, text := range records {
		var record any
		if finder.Find(text) && json.Unmarshal(text, &record) == nil {
			counts.add(record, "")
		}
	}
	var columns []Column
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		columns = append(columns, *counts[path])
	}
	for _, path := range known {
		if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == path }) {
			columns = append(columns, Column{Name: path})
		}
	}
	return columns
}

// OtherPaths returns the places that may hold ids in records without a value at a path:
// those that hold ids beside it in the samples, or by their names hold ids of another kind.
func OtherPaths(records [][]byte, columns []Column, path string) []string {
	finder := ndjson.NewFinder(path)
	with := slices.DeleteFunc(slices.Clone(records), func(record []byte) bool { return !finder.Find(record) || finder.Count() == 0 })
	var others []string
	add := func(path string) {
		if place := PlaceOf(path); !slices.Contains(others, place) {
			others = append(others, place)
		}
	}
	for _, c := range Paths(with) {
		if c.Name != path && c.IDs > 0 {
			add(c.Name)
		}
	}
	own := names.MeaningOf(path)
	for _, c := range columns {
		if c.IDs > 0 && names.MeaningOf(c.Name).IsOtherKind(own) {
			add(c.Name)
		}
	}
	return others
}

// PlaceOf returns a path as a plan may have it: with * for each key that may be an id. All keys of an object whose
// keys are ids are one place.
func PlaceOf(path string) string {
	if hashing.MaskIDs(path) == path {
		return path
	}
	keys := strings.Split(path, ".")
	for i, key := range keys {
		if hashing.MaskIDs(key) != key {
			keys[i] = "*"
		}
	}
	return hashing.MaskIDs(strings.Join(keys, ".")) // an id may have dots
}

// SampleOf returns records as a sample. columns are those that Paths returns, and path is that of the ids.
func SampleOf(from places.Origin, records [][]byte, columns []Column, path string) *Sample {
	return &Sample{From: from, Columns: columns, At: Find(columns, path), Named: true, Rows: func(other int) iter.Seq2[[]string, [][]string] {
		return func(yield func(ids []string, beside [][]string) bool) {
			own, others := ndjson.NewFinder(path), ndjson.NewFinderBeside(columns[other].Name, path)
			for _, record := range records {
				ids, beside := own.Values(record), [][]string(nil)
				if !others.FindBeside(record, own) {
					continue
				}
				if len(ids) == 0 {
					ids = []string{""}
				}
				for n, values := range others.Beside() {
					beside = append(beside, slices.Repeat([][]string{values}, n)...)
				}
				if !yield(ids, beside) {
					return
				}
			}
		}
	}}
}

// pathCounts are columns by path.
type pathCounts map[string]*Column

// add counts the values of a record that lie below a path.
func (p pathCounts) add(value any, path string) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if path != "" {
				key = path + "." + key
			}
			p.add(inner, key)
		}
	case []any:
		for _, inner := range v {
			p.add(inner, path)
			if row, ok := inner.([]any); ok && len(row) > 1 && p[path] != nil {
				p[path].Table = true
			}
		}
	case string:
		if c := p.column(path); c != nil {
			c.Count([]byte(v))
		}
	default: // numbers, booleans and null are columns, too
		if c := p.column(path); c != nil && v != nil {
			c.countOther(v)
		}
	}
}

// countOther counts a number or a boolean.
func (c *Column) countOther(value any) {
	c.countValue(fmt.Append(nil, value))
	c.Filled++
	c.Types[usher.RowOther]++
	if n, ok := value.(float64); ok {
		c.spelling.countShort(strconv.AppendFloat(nil, n, 'f', -1, 64))
	}
}

// column returns the column of a path, nil if there are too many paths.
func (p pathCounts) column(path string) *Column {
	const most = 1000 // with more paths, the keys of an object are values
	if p[path] == nil && len(p) >= most {
		return nil
	}
	return p.at(path)
}

// at returns the column of a path.
func (p pathCounts) at(path string) *Column {
	if p[path] == nil {
		p[path] = &Column{Name: path}
	}
	return p[path]
}
