package exports

import (
	"slices"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/rows"
)

// typeChecks counts rows of another type by the columns of types that a plan has checked.
type typeChecks struct {
	plan   *usher.Plan
	counts *rows.TypeChecks // nil: none is checked
}

// checksOf returns the checks of a plan.
func checksOf(plan *usher.Plan) typeChecks {
	if len(plan.TypeChecks) == 0 {
		return typeChecks{plan: plan}
	}
	return typeChecks{plan, rows.NewTypeChecks(plan.Type, len(plan.TypeChecks))}
}

// validChecks reports whether a plan has checks as Plan makes them.
func validChecks(plan *usher.Plan) bool {
	numbered := plan.Format == "csv" || plan.Format == "xlsx"
	return len(plan.TypeChecks) <= rows.MaxTypeChecks &&
		!slices.ContainsFunc(plan.TypeChecks, func(t usher.TypeCheck) bool { return numbered && t.Number < 1 })
}

// columns returns the indexes of the columns.
func (c typeChecks) columns() []int {
	var at []int
	for _, check := range c.plan.TypeChecks {
		at = append(at, check.Number-1)
	}
	return at
}

// paths returns the paths of the columns of NDJSON, JSON and Avro.
func (c typeChecks) paths() []string {
	var paths []string
	for _, check := range c.plan.TypeChecks {
		paths = append(paths, check.Name)
	}
	return paths
}

// over returns a reader of in that has the warnings of the checks, or in if there are none.
func (c typeChecks) over(in rowReader) rowReader {
	if c.counts == nil {
		return in
	}
	return &checkedRows{in, c}
}

// checkedRows is a rowReader with checks.
type checkedRows struct {
	rowReader

	checks typeChecks
}

// warner is a rowReader that may have evidence against the job.
type warner interface {
	Warnings() []usher.Warning
}

// Warnings implements warner.
func (c *checkedRows) Warnings() []usher.Warning {
	var list []usher.Warning
	plan := c.checks.plan
	for i, check := range plan.TypeChecks {
		if n := c.checks.counts.Rows(i); n > 0 {
			list = append(list, column.OtherTypes(plan.Type, check, n))
		}
	}
	return list
}

// warningsOf returns the evidence that a reader has found itself.
func warningsOf(r rowReader) []usher.Warning {
	if w, ok := r.(warner); ok {
		return w.Warnings()
	}
	return nil
}

// withChecks returns the first checks, and those of more whose names they do not have, as long as
// there is room.
func withChecks(list, more []usher.TypeCheck) []usher.TypeCheck {
	for _, c := range more {
		known := slices.ContainsFunc(list, func(own usher.TypeCheck) bool { return own.Name == c.Name })
		if !known && len(list) < rows.MaxTypeChecks {
			list = append(list, c)
		}
	}
	return list
}

// ownSearch is the search for the columns of types of a file of an export, or of a member of an
// archive.
func ownSearch(src *usher.Source, plan *usher.Plan) column.Search {
	return column.Search{Type: plan.Type, Mixed: declared(src.TypeColumn) != ""}
}
