package avro

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher/internal/exports/column"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// gaps looks for ids in other fields of a file's records where the wanted one has none.
type gaps struct {
	rows.Gaps

	from    places.Origin
	layout  Layout
	own     string // the path of the ids
	watched string // another path
	records int64
}

// newGaps returns nil if such ids are not looked for.
func newGaps(from places.Origin, layout Layout) *gaps {
	if layout.Fits == nil {
		return nil
	}
	return &gaps{from: from, layout: layout, own: layout.Paths[0]}
}

// add looks at a record.
func (g *gaps) add(record any) error {
	if g == nil {
		return nil
	}
	g.records++
	if !rows.IsGap([]byte(textAt(record, g.own))) {
		if g.Watched() != "" {
			g.AddID(rows.LooksLikeID([]byte(textAt(record, g.watched))))
		}
		return g.check(false)
	}
	if g.Watched() == "" {
		path := g.filler(record, "")
		if path == "" || !g.Begin("the field "+path, fmt.Sprintf("record %d", g.records)) {
			return nil
		}
		g.watched = path
	}
	g.AddGap(g.layout.Fits([]byte(textAt(record, g.watched))))
	return g.check(false)
}

// check returns an error if the ids of another field may be meant.
func (g *gaps) check(ended bool) error {
	if g == nil || !g.Filled(ended) {
		return nil
	}
	return g.Err(g.from, "the field "+g.own)
}

// filler returns the path of an id that fits in a record, below a path.
func (g *gaps) filler(value any, below string) string {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := v[name]
			if below != "" {
				name = below + "." + name
			}
			if path := g.filler(inner, name); path != "" {
				return path
			}
		}
	case string:
		if g.layout.Fits([]byte(v)) && column.MeaningOf(below).Sense <= column.SenseAdvertising && !slices.Contains(g.layout.OtherPaths, below) {
			return below
		}
	}
	return ""
}

// textAt returns the text at a path of a record: "" for null, and what is no gap for any other
// value that is no text.
func textAt(record any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		fields, _ := record.(map[string]any)
		record = fields[name]
	}
	switch v := record.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return rows.InvalidRow // no gap
}
