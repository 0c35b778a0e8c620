package layout

import (
	"bytes"
	"iter"
	"slices"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/ndjson"
)

// layoutNDJSON finds the path of the device ids in an NDJSON or JSON export.
func (h *Head) layoutNDJSON(src *usher.Source, s choose.Search, plan *usher.Plan) error {
	if choose.Declared(src.Column) != "" {
		plan.Path = src.Column
	}
	if err := h.refuseNaN(); err != nil && plan.Format != usher.FormatAvro {
		return err
	}
	records := h.sampledObjects(plan.Format)
	if len(records) == 0 && (plan.Format == usher.FormatNDJSON || h.All) {
		return h.noRows()
	}
	if len(records) == 0 || !ndjson.NewFinder("").Find(records[0]) {
		return h.Broken("write one JSON object a line, as jq -c '.[]' does, or jq -c '.data[]' for an array within an object",
			"its first record is not a JSON object, or longer than %d bytes, or nested too deep", HeadBytes)
	}
	columns := choose.Paths(records, h.Fields...)
	if err := h.layoutTypePath(src, plan, columns); err != nil {
		return err
	}
	if err := h.layoutPath(src, s, plan, columns, records); err != nil {
		return err
	}
	if plan.TypePath != "" && plan.TypePath == plan.Path {
		return choose.SameColumn(h.Origin)
	}
	plan.MostIDs = ndjson.MostIDs(records, plan.Path)
	h.whole = h.Lacks(plan.Path) // so that the reader can tell whether no record has it
	sample := choose.SampleOf(h.Origin, records, columns, plan.Path)
	sample.All = h.All && plan.Files <= 1
	if plan.TypePath != "" {
		sample.Types = typesOf(records, plan.TypePath)
	}
	if err := s.Complete(sample, choose.Declared(src.Column) == "", plan); err != nil {
		return err
	}
	plan.Decided = s.Decided(columns, plan.Checks)
	return nil
}

// layoutPath finds the path of the ids: the one that the source names, or the one that
// fits.
func (h *Head) layoutPath(src *usher.Source, s choose.Search, plan *usher.Plan, columns []choose.Column, records [][]byte) error {
	if choose.Declared(src.Column) == "" {
		c := s.Choose(columns)
		if n := len(c.Candidates); c.At < 0 && len(records) == 1 && n > mostIDColumns {
			return h.Broken(writeObjects, "its device ids are in %d fields of one object", n)
		}
		if isTable := func(at int) bool { return columns[at].Table }; c.At >= 0 && isTable(c.At) || c.At < 0 && slices.ContainsFunc(c.Candidates, isTable) {
			return h.Broken(writeObjects+"; or name the field in source.column if all of its values are ids",
				"its device ids are in arrays within an array, like rows of columns without names")
		}
		if c.At < 0 {
			return c.Err(h.Origin)
		}
		if columns[c.At].Name == "" && sameLengths(records) {
			return h.Broken("write an object for each row; or set source.format to text if all of the ids are meant",
				"its lines are arrays of the same length, which may be lists of ids, or rows of columns without names")
		}
		plan.Path, plan.Why, plan.Chosen = columns[c.At].Name, c.Why, plan.Format != usher.FormatAvro
		plan.OtherPaths = choose.OtherPaths(records, columns, plan.Path)
		return nil
	}
	plan.Path, plan.Why = src.Column, choose.WhyNamed
	finder := ndjson.NewFinder(src.Column)
	if h.All && !slices.ContainsFunc(records, func(record []byte) bool { return finder.Find(record) && finder.Count() > 0 }) {
		return choose.MissingColumn(h.Origin, src, "column", columns)
	}
	return nil
}

// writeObjects is the hint for JSON whose rows are not objects.
const writeObjects = `write an object for each row, as pandas' to_json does with orient="records"`

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
func (h *Head) layoutTypePath(src *usher.Source, plan *usher.Plan, columns []choose.Column) error {
	if choose.Declared(src.TypeColumn) == "" {
		return nil
	}
	plan.TypePath = src.TypeColumn
	if !slices.ContainsFunc(columns, func(c choose.Column) bool { return c.Name == src.TypeColumn }) {
		return choose.MissingColumn(h.Origin, src, "typeColumn", columns)
	}
	return nil
}

// typesOf returns the values at a path of records.
func typesOf(records [][]byte, path string) iter.Seq[string] {
	finder := ndjson.NewFinder(path)
	return func(yield func(string) bool) {
		for _, record := range records {
			for _, value := range finder.Values(record) {
				if !yield(value) {
					return
				}
			}
		}
	}
}

// Lacks reports whether no sampled record of NDJSON has a value at a path.
func (h *Head) Lacks(path string) bool {
	finder := ndjson.NewFinder(path)
	return !slices.ContainsFunc(h.sampledLines(), func(record []byte) bool { return finder.Find(record) && finder.Count() > 0 })
}

// sampledObjects returns the records of the head and of the windows.
func (h *Head) sampledObjects(format usher.Format) [][]byte {
	if format == usher.FormatJSON {
		return h.sampledDocument()
	}
	return h.sampledLines()
}

// isDocument reports whether the head is JSON that is not one record a line.
func (h *Head) isDocument() bool {
	lines := h.lines(2)
	if len(lines) == 0 || lines[0][0] != '{' && lines[0][0] != '[' && lines[0][0] != recordSeparator {
		return false
	}
	if ndjson.NewFinder("").Find(lines[0]) {
		return lines[0][0] == '[' && h.All && len(lines) == 1
	}
	records := ndjson.Records(h.Text, 1)
	if len(records) == 0 { // perhaps an empty array
		return h.All && string(bytes.Join(bytes.Fields(h.Text), nil)) == "[]"
	}
	return ndjson.NewFinder("").Find(records[0])
}

// recordSeparator begins each record of a JSON text sequence, RFC 7464.
const recordSeparator = 0x1E
