package watch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// AvroGaps looks for ids in other fields of a file's records where the wanted one has none.
type AvroGaps struct {
	rows.Gaps

	from    places.Origin
	plan    *usher.Plan
	fits    func(value []byte) bool
	watched string // another path
	records int64
}

// NewAvroGaps returns nil if such ids are not looked for.
func NewAvroGaps(from places.Origin, plan *usher.Plan) *AvroGaps {
	fits, _ := Fits(plan)
	if fits == nil {
		return nil
	}
	return &AvroGaps{from: from, plan: plan, fits: fits}
}

// Record looks at a record.
func (g *AvroGaps) Record(record any) error {
	if g == nil {
		return nil
	}
	g.records++
	if !rows.IsGap([]byte(textAt(record, g.plan.Path))) {
		if g.Watched() != "" {
			g.AddID(rows.LooksLikeID([]byte(textAt(record, g.watched))))
		}
		return g.Check(false)
	}
	if g.Watched() == "" {
		path := g.filler(record, "")
		if path == "" || !g.Begin("the field "+path, fmt.Sprintf("record %d", g.records)) {
			return nil
		}
		g.watched = path
	}
	g.AddGap(g.fits([]byte(textAt(record, g.watched))))
	return g.Check(false)
}

// Check returns an error if the ids of another field may be meant.
func (g *AvroGaps) Check(ended bool) error {
	if g == nil || !g.Filled(ended) {
		return nil
	}
	return g.Err(g.from, "the field "+g.plan.Path)
}

// filler returns the path of an id that fits in a record, below a path.
func (g *AvroGaps) filler(value any, below string) string {
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
		if g.fits([]byte(v)) && names.MeaningOf(below).Sense <= names.SenseAdvertising && !isOther(g.plan, below) {
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
