package exports

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"usher"
	"usher/internal/exports/ndjson"
)

// layoutNDJSON finds the path of the device ids in an NDJSON or JSON export.
func (h *head) layoutNDJSON(src *usher.Source, s search, plan *usher.Plan) error {
	if declared(src.Column) != "" {
		plan.Path = src.Column
	}
	records := h.sampledObjects(plan.Format)
	if len(records) == 0 && (plan.Format == "ndjson" || h.all) {
		return h.noRows()
	}
	if len(records) == 0 || !ndjson.NewFinder("").Find(records[0]) {
		return h.Broken("write one JSON object a line, as jq -c '.[]' does, or jq -c '.data[]' for an array within an object",
			"its first record is not a JSON object, or longer than %d bytes, or nested too deep", headBytes)
	}
	columns := withPaths(paths(records), h.fields)
	if err := h.layoutTypePath(src, plan, columns); err != nil {
		return err
	}
	if err := h.layoutPath(src, s, plan, columns, records); err != nil {
		return err
	}
	if plan.TypePath != "" && plan.TypePath == plan.Path {
		return h.sameColumn()
	}
	h.whole = h.lacks(plan.Path) // so that the reader can tell whether no record has it
	h.recordEvidence(s, records, columns, plan.Path)
	return nil
}

// recordEvidence adds the evidence of records whose ids are at a path.
func (h *head) recordEvidence(s search, records [][]byte, columns []column, path string) {
	if at := slices.IndexFunc(columns, func(c column) bool { return c.name == path }); at >= 0 {
		s.evidence(h.Origin, columns, at, func(other int) iter.Seq2[string, string] {
			return pairsAt(records, path, columns[other].name)
		})
	}
}

// layoutPath finds the path of the ids: the one that the source names, or the one that
// fits.
func (h *head) layoutPath(src *usher.Source, s search, plan *usher.Plan, columns []column, records [][]byte) error {
	if declared(src.Column) == "" {
		c := choose(columns, s)
		if c.at < 0 {
			return h.unchosen(columns, s, c)
		}
		plan.Path, plan.Why, plan.ByValues = columns[c.at].name, c.why, c.byValues && plan.Format == "avro"
		return nil
	}
	plan.Path, plan.Why = src.Column, whyNamed
	finder := ndjson.NewFinder(src.Column)
	if h.all && !slices.ContainsFunc(records, func(record []byte) bool { return finder.Find(record) && finder.Count() > 0 }) {
		return h.noColumn("column", src.Column, listed(columns))
	}
	return nil
}

// layoutTypePath finds the path of types that the source names.
func (h *head) layoutTypePath(src *usher.Source, plan *usher.Plan, columns []column) error {
	if declared(src.TypeColumn) == "" {
		return nil
	}
	plan.TypePath = src.TypeColumn
	if !slices.ContainsFunc(columns, func(c column) bool { return c.name == src.TypeColumn }) {
		return h.noColumn("typeColumn", src.TypeColumn, listed(columns))
	}
	return nil
}

// lacks reports whether no sampled record of NDJSON has a value at a path.
func (h *head) lacks(path string) bool {
	finder := ndjson.NewFinder(path)
	return !slices.ContainsFunc(h.sampledLines(), func(record []byte) bool { return finder.Find(record) && finder.Count() > 0 })
}

// sampledObjects returns the records of the head and of the windows.
func (h *head) sampledObjects(format string) [][]byte {
	if format == "json" {
		return h.sampledDocument()
	}
	return h.sampledLines()
}

// isDocument reports whether the head is JSON that is not one record a line.
func (h *head) isDocument() bool {
	lines := h.lines(2)
	if len(lines) == 0 || lines[0][0] != '{' && lines[0][0] != '[' && lines[0][0] != recordSeparator {
		return false
	}
	if ndjson.NewFinder("").Find(lines[0]) {
		return lines[0][0] == '[' && h.all && len(lines) == 1
	}
	records := ndjson.Records(h.text, 1)
	if len(records) == 0 { // perhaps an empty array
		return h.all && string(bytes.Join(bytes.Fields(h.text), nil)) == "[]"
	}
	return ndjson.NewFinder("").Find(records[0])
}

// recordSeparator begins each record of a JSON text sequence, RFC 7464.
const recordSeparator = 0x1E

// paths counts the values of records by path.
func paths(records [][]byte) []column {
	counts := pathCounts{}
	finder := ndjson.NewFinder("") // accepts what the reader will accept
	for _, text := range records {
		var record any
		if finder.Find(text) && json.Unmarshal(text, &record) == nil {
			counts.add(record, "")
		}
	}
	var columns []column
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		columns = append(columns, *counts[path])
	}
	return columns
}

// withPaths returns the columns with those that have no values in the records.
func withPaths(columns []column, fields []string) []column {
	for _, path := range fields {
		if !slices.ContainsFunc(columns, func(c column) bool { return c.name == path }) {
			columns = append(columns, column{name: path})
		}
	}
	return columns
}

// pairsAt returns the values at two paths of records that have one value at each.
func pairsAt(records [][]byte, a, b string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		finderA, finderB := ndjson.NewFinder(a), ndjson.NewFinder(b)
		for _, record := range records {
			idAt, typeAt := finderA.Value(record), finderB.Value(record)
			if idAt != "" && !yield(idAt, typeAt) {
				return
			}
		}
	}
}

// pathCounts are columns by path.
type pathCounts map[string]*column

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
		}
	case string:
		if c := p.column(path); c != nil {
			c.count([]byte(v))
		}
	default: // numbers, booleans and null are columns, too
		if c := p.column(path); c != nil && v != nil {
			c.filled++
			c.types[usher.RowOther]++
		}
	}
}

// column returns the column of a path, nil if there are too many paths.
func (p pathCounts) column(path string) *column {
	const most = 1000 // with more paths, the keys of an object are values
	if p[path] == nil && len(p) >= most {
		return nil
	}
	return p.at(path)
}

// at returns the column of a path.
func (p pathCounts) at(path string) *column {
	if p[path] == nil {
		p[path] = &column{name: path}
	}
	return p[path]
}
