package choose

import (
	"bytes"
	"cmp"
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
	counts := newPathCounts()
	finder := ndjson.NewFinder("") // accepts what the reader will accept
	for _, text := range records {
		if !finder.Find(text) {
			continue
		}
		if record, ok := decoded(text); ok {
			counts.add(record, "")
		}
	}
	var columns []Column
	for _, path := range slices.Sorted(maps.Keys(counts.columns)) {
		columns = append(columns, *counts.columns[path])
	}
	for _, path := range known {
		if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == path }) {
			columns = append(columns, Column{Name: path})
		}
	}
	return columns
}

// decoded returns a record, with numbers as they are written: they may be larger than any that a computer has.
func decoded(text []byte) (record any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return record, d.Decode(&record) == nil
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
type pathCounts struct {
	columns map[string]*Column
	left    map[string]bool // paths that were left out because of their names
	tried   map[string]int  // the number of these by their parents
}

func newPathCounts() *pathCounts {
	return &pathCounts{columns: map[string]*Column{}, left: map[string]bool{}, tried: map[string]int{}}
}

// add counts the values of a record that lie below a path.
func (p *pathCounts) add(value any, path string) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range valuesFirst(v) {
			inner := v[key]
			if path != "" {
				key = path + "." + key
			}
			p.add(inner, key)
		}
	case []any:
		for _, inner := range v {
			p.add(inner, path)
			if row, ok := inner.([]any); ok && len(row) > 1 && p.columns[path] != nil {
				p.columns[path].Table = true
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

// valuesFirst returns the keys of an object in order. Those of values come first, because the keys of an object within
// it may be values, of which there are too many paths.
func valuesFirst(object map[string]any) []string {
	keys := slices.AppendSeq(make([]string, 0, len(object)), maps.Keys(object))
	isNested := func(key string) int {
		switch object[key].(type) {
		case map[string]any, []any:
			return 1
		}
		return 0
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(isNested(a)-isNested(b), cmp.Compare(a, b)) })
	return keys
}

// countOther counts a number or a boolean.
func (c *Column) countOther(value any) {
	c.countValue(fmt.Append(nil, value))
	c.Filled++
	c.Types[usher.RowOther]++
	if number, ok := value.(json.Number); ok {
		if n, err := number.Float64(); err == nil {
			c.spelling.countShort(strconv.AppendFloat(nil, n, 'f', -1, 64))
		}
	}
}

// column returns the column of a path, nil if there are too many paths. Those whose names say what usher looks for
// may follow as many others.
func (p *pathCounts) column(path string) *Column {
	const most = 1000 // with more paths, the keys of an object are values
	if c := p.columns[path]; c != nil {
		return c
	}
	if n := len(p.columns); n >= most && (n >= 2*most || !p.follows(path, most)) {
		return nil
	}
	c := &Column{Name: path}
	p.columns[path] = c
	return c
}

// follows reports whether a path may follow, although there are many. It leaves out no more than most keys of an
// object by their names, which takes long, and all others without a look.
func (p *pathCounts) follows(path string, most int) bool {
	parent := names.ParentOf(path)
	switch {
	case p.left[path], p.tried[parent] >= most:
		return false
	case saysSomething(path):
		return true
	}
	p.left[path] = true
	p.tried[parent]++
	return false
}

// saysSomething reports whether a path is one of device ids, of their types, or of what says no of rows. A key that
// is an id says nothing.
func saysSomething(path string) bool {
	return (names.Says(path) != "" || names.IsTypeName(path) || names.MeaningOf(path).Known) && hashing.MaskIDs(path) == path
}
