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
	const hint = "write one JSON object a line, as jq -c does"
	wanted := src.Column
	if declared(wanted) == "" {
		wanted = ""
	}
	plan.Path = wanted
	lines := h.lines(sampleRows)
	if len(lines) == 0 {
		return h.noRows()
	}
	look := ndjson.NewFinder(wanted)
	if !look.Find(lines[0]) {
		return h.Broken(hint, "its first line is not a JSON object, or longer than %d bytes, or nested too deep", sniffBytes)
	}
	there := slices.ContainsFunc(lines, func(line []byte) bool { return look.Find(line) && look.Count() > 0 })
	columns := h.paths()
	if plan.TypePath = src.TypeColumn; declared(src.TypeColumn) == "" {
		plan.TypePath = ""
	} else if !slices.ContainsFunc(columns, func(c column) bool { return c.name == src.TypeColumn }) {
		return h.noColumn("typeColumn", listed(columns))
	}
	if wanted != "" && !there {
		return h.noColumn("column", listed(columns))
	}
	if wanted != "" {
		return h.pathsDiffer(plan)
	}
	chosen := choosePath(columns)
	if chosen < 0 {
		return h.ambiguous(columns)
	}
	plan.Path = columns[chosen].name
	return h.pathsDiffer(plan)
}

// paths counts what the head's records hold, by path.
func (h *head) paths() []column {
	stats := map[string]*column{}
	look := ndjson.NewFinder("") // is as strict as the reading will be
	for _, line := range h.lines(sampleRows) {
		var record any
		if look.Find(line) && json.Unmarshal(line, &record) == nil {
			flatten(record, "", stats)
		}
	}
	var columns []column
	for _, path := range slices.Sorted(maps.Keys(stats)) {
		columns = append(columns, *stats[path])
	}
	return columns
}

// pathsDiffer refuses to take types for ids.
func (h *head) pathsDiffer(plan *usher.Plan) error {
	if plan.TypePath == plan.Path {
		return h.sameColumn()
	}
	return nil
}

// choosePath is choose for paths, of which the last segment is the name.
func choosePath(columns []column) int {
	named := slices.Clone(columns)
	for i := range named {
		if last := strings.LastIndexByte(named[i].name, '.'); nameRank(named[i].name) < 3 {
			named[i].name = named[i].name[last+1:]
		}
	}
	return choose(named)
}

// flatten counts the values of a record by path.
func flatten(value any, path string, stats map[string]*column) {
	const most = 1000 // paths; more are no columns but keys that are values
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			inside := key
			if path != "" {
				inside = path + "." + key
			}
			flatten(inner, inside, stats)
		}
	case []any:
		for _, inner := range v {
			flatten(inner, path, stats)
		}
	case string:
		if stats[path] == nil && len(stats) < most {
			stats[path] = &column{name: path}
		}
		if c := stats[path]; c != nil {
			c.count([]byte(v))
		}
	default: // numbers, booleans and null are columns too
		if stats[path] == nil && len(stats) < most {
			stats[path] = &column{name: path}
		}
		if c := stats[path]; c != nil && v != nil {
			c.filled++
		}
	}
}
