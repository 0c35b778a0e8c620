package exports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/rows"
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
		}, kindsOfElements(records, columns, path)...)
	}
}

// kindsOfElements finds arrays with several ids whose elements say of which kind each is,
// in words that source.typeColumn does not know, such as ios_vendor_id.
func kindsOfElements(records [][]byte, columns []column, path string) []finding {
	var found []finding
	ids := ndjson.NewFinder(path)
	for i := range columns {
		c := &columns[i]
		if c.name == path || path[:len(path)-len(lastSegment(path))] != c.name[:len(c.name)-len(lastSegment(c.name))] || !names.IsTypeName(c.name) {
			continue
		}
		kinds, n, all := ndjson.NewFinder(c.name), 0, 0
		for _, record := range records {
			each, of := ids.Values(record), kinds.Values(record)
			if len(each) != len(of) || len(slices.Compact(slices.Clone(of))) < 2 {
				continue
			}
			all += len(of)
			for _, kind := range of {
				if rows.ParseType([]byte(kind)) == usher.RowOther {
					n++
				}
			}
		}
		if n >= enoughIDs {
			found = append(found, finding{
				code: warnTypeColumn, n: n, all: all,
				text: fmt.Sprintf("sampled ids that stand beside others in an array are of a kind that usher does not know, by %s: write the ids that are meant to a field of their own", c.label()),
			})
		}
	}
	return found
}

// layoutPath finds the path of the ids: the one that the source names, or the one that
// fits.
func (h *head) layoutPath(src *usher.Source, s search, plan *usher.Plan, columns []column, records [][]byte) error {
	if declared(src.Column) == "" {
		c := choose(columns, s)
		if c.at < 0 {
			return h.unchosen(columns, s, c)
		}
		if columns[c.at].table {
			return h.Broken(`write an object for each row, as pandas' to_json does with orient="records"; or name the field in source.column if all of its values are ids`,
				"its device ids stand in arrays within an array, whose columns have no names")
		}
		if columns[c.at].name == "" && sameLengths(records) {
			return h.Broken("write an object for each row; or set source.format to text if all of the ids are meant",
				"its lines are arrays of as many values each, which may be lists of ids or rows whose columns have no names")
		}
		plan.Path, plan.Why, plan.ByValues, plan.Chosen = columns[c.at].name, c.why, c.byValues && plan.Format == "avro", plan.Format != "avro"
		plan.OtherPaths = otherPaths(records, columns, plan.Path)
		s.watchGaps(plan, plan.Path)
		return h.refuseGaps(s, plan, columns, c.at, func(other int) iter.Seq2[string, string] {
			return valuesAt(records, plan.Path, columns[other].name)
		})
	}
	plan.Path, plan.Why = src.Column, whyNamed
	finder := ndjson.NewFinder(src.Column)
	if h.all && !slices.ContainsFunc(records, func(record []byte) bool { return finder.Find(record) && finder.Count() > 0 }) {
		return h.noColumn("column", src.Column, listed(columns))
	}
	return nil
}

// sameLengths reports whether several records are arrays of the same number of values, which
// may be the columns of a row.
func sameLengths(records [][]byte) bool {
	length, values := -1, ndjson.NewFinder("")
	for _, record := range records {
		if !values.Find(record) {
			continue
		}
		if n := values.Count(); length >= 0 && n != length || n < 2 || n > mostIDColumns {
			return false
		}
		length = values.Count()
	}
	return length > 0 && len(records) > 1
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

// otherPaths returns the paths that may hold ids in records without a value at a path:
// those that hold ids beside it in the samples, or by their names hold ids of another kind.
func otherPaths(records [][]byte, columns []column, path string) []string {
	finder := ndjson.NewFinder(path)
	with := slices.DeleteFunc(slices.Clone(records), func(record []byte) bool { return !finder.Find(record) || finder.Count() == 0 })
	var others []string
	for _, c := range paths(with) {
		if c.name != path && c.ids > 0 {
			others = append(others, c.name)
		}
	}
	own := names.MeaningOf(path)
	for _, c := range columns {
		if c.ids > 0 && isOtherKind(names.MeaningOf(c.name), own) && !slices.Contains(others, c.name) {
			others = append(others, c.name)
		}
	}
	return others
}

// elsewhere returns a function that returns the path of an id in a record that has none
// at the plan's path: "" if it has no id, or one at a path that may hold other ids.
func elsewhere(plan *usher.Plan) func(record []byte) string {
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
		found := paths([][]byte{record})
		for i := range found {
			c := &found[i]
			if c.ids > 0 && isOtherKind(names.MeaningOf(c.name), own) {
				return ""
			}
		}
		if i := slices.IndexFunc(found, func(c column) bool { return c.ids > 0 && !slices.Contains(plan.OtherPaths, c.name) }); i >= 0 {
			return cmp.Or(found[i].name, "[]") // of an array without an object
		}
		return ""
	}
}

// mayHoldID reports whether a string of a record looks like an id. It takes less time than
// paths.
func mayHoldID(record []byte) bool {
	const shortest = 12
	for text := range bytes.SplitSeq(record, []byte{'"'}) {
		if len(text) >= shortest && rows.LooksLikeIDs(text) {
			return true
		}
	}
	return false
}

// pairsAt returns the values at two paths of records that have as many at both: one, or one
// for each element of an array.
func pairsAt(records [][]byte, a, b string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		finderA, finderB := ndjson.NewFinder(a), ndjson.NewFinder(b)
		for _, record := range records {
			idsAt, typesAt := finderA.Values(record), finderB.Values(record)
			if len(idsAt) != len(typesAt) {
				continue
			}
			for i := range idsAt {
				if idsAt[i] != "" && !yield(idsAt[i], typesAt[i]) {
					return
				}
			}
		}
	}
}

// valuesAt returns the only values at two paths of records, "" for none.
func valuesAt(records [][]byte, a, b string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		atA, atB := ndjson.NewFinder(a), ndjson.NewFinder(b)
		for _, record := range records {
			if !yield(atA.Value(record), atB.Value(record)) {
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
			if row, ok := inner.([]any); ok && len(row) > 1 && p[path] != nil {
				p[path].table = true
			}
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
