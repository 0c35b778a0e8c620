package exports

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/ndjson"
)

// layoutNDJSON finds the path of the device ids in an NDJSON export.
func (h *head) layoutNDJSON(src *usher.Source, plan *usher.Plan) error {
	wanted := src.Column
	if declared(wanted) == "" {
		wanted = ""
	}
	plan.Path = wanted
	lines := h.lines(sampleRows)
	if len(lines) == 0 {
		return h.noRows()
	}
	finder := ndjson.NewFinder(wanted)
	if !finder.Find(lines[0]) {
		return h.Broken("write one JSON object a line, as jq -c does",
			"its first line is not a JSON object, or longer than %d bytes, or nested too deep", headBytes)
	}
	columns := h.paths()
	if err := h.layoutTypePath(src, plan, columns); err != nil {
		return err
	}
	if wanted == "" {
		chosen := choosePath(columns)
		if chosen < 0 {
			return h.ambiguous(columns)
		}
		plan.Path = columns[chosen].name
	} else if !slices.ContainsFunc(lines, func(line []byte) bool { return finder.Find(line) && finder.Count() > 0 }) {
		return h.noColumn("column", listed(columns))
	}
	if plan.TypePath == plan.Path {
		return h.sameColumn()
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
		return h.noColumn("typeColumn", listed(columns))
	}
	return nil
}

// paths counts the values of the head's records by path.
func (h *head) paths() []column {
	counts := pathCounts{}
	finder := ndjson.NewFinder("") // accepts what the reader will accept
	for _, line := range h.lines(sampleRows) {
		var record any
		if finder.Find(line) && json.Unmarshal(line, &record) == nil {
			counts.add(record, "")
		}
	}
	var columns []column
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		columns = append(columns, *counts[path])
	}
	return columns
}

// choosePath is choose for paths, whose last segment is the name.
func choosePath(columns []column) int {
	named := slices.Clone(columns)
	for i := range named {
		if last := strings.LastIndexByte(named[i].name, '.'); nameRank(named[i].name) < nameUsual {
			named[i].name = named[i].name[last+1:]
		}
	}
	return choose(named)
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
		}
	}
}

// column returns the column of a path, nil if there are too many paths.
func (p pathCounts) column(path string) *column {
	const most = 1000 // with more paths, the keys of an object are values
	if p[path] == nil && len(p) < most {
		p[path] = &column{name: path}
	}
	return p[path]
}
