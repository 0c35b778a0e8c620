package exports

import (
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/column"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// checks are the columns of a plan that are looked at in every row.
type checks struct {
	from    places.Origin
	plan    *usher.Plan
	rows    *rows.Checks // nil: there are none
	matched []*column.Matches
}

// checksOf returns the checks of a plan for a file.
func checksOf(from places.Origin, plan *usher.Plan) checks {
	c := checks{from: from, plan: plan}
	var list []rows.Check
	for _, check := range plan.Checks {
		row := rows.Check{Effect: rows.Count}
		switch check.Says {
		case usher.CheckOnly:
			m := column.NewMatches(check)
			c.matched = append(c.matched, m)
			row = rows.Check{Effect: rows.Withhold, Against: m.Withholds, Absent: !slices.Contains(check.Values, "")}
		case usher.CheckType:
			row.Against = column.OtherTypeThan(plan.Type)
		default:
			row.Against = column.SaysNo(check.Says)
		}
		if check.Refuse {
			row.Effect = rows.Refuse
		}
		list = append(list, row)
	}
	c.rows = rows.NewChecks(list)
	return c
}

// validChecks reports whether a plan has checks as Plan makes them.
func validChecks(plan *usher.Plan) bool {
	numbered := plan.Format == "csv" || plan.Format == "xlsx"
	return len(plan.Checks) <= rows.MaxChecks && len(plan.Withheld()) <= usher.MaxOnly &&
		!slices.ContainsFunc(plan.Checks, func(c usher.ColumnCheck) bool { return numbered && c.Number < 1 })
}

// count returns the number of columns.
func (c checks) count() int { return len(c.plan.Checks) }

// columns returns the indexes of the columns.
func (c checks) columns() []int {
	var at []int
	for _, check := range c.plan.Checks {
		at = append(at, check.Number-1)
	}
	return at
}

// paths returns the paths of the columns of NDJSON, JSON and Avro.
func (c checks) paths() []string {
	var paths []string
	for _, check := range c.plan.Checks {
		paths = append(paths, check.Name)
	}
	return paths
}

// refused is the error for a row that the check at an index refuses.
func (c checks) refused(check int, row string) error {
	return column.RefuseRow(c.from, c.plan, c.plan.Checks[check], row)
}

// over returns a reader of in that has what the checks have found, or in if there are none.
func (c checks) over(in rowReader) rowReader {
	if c.rows == nil {
		return in
	}
	return &checkedRows{in, c}
}

// checkedRows is a rowReader with checks.
type checkedRows struct {
	rowReader

	checks checks
}

// warner is a rowReader that may have evidence against the job.
type warner interface {
	Warnings() []usher.Warning
}

// matcher is a rowReader that knows which values of source.only the rows have.
type matcher interface {
	Matched() []string
}

// Warnings implements warner.
func (c *checkedRows) Warnings() []usher.Warning {
	var list []usher.Warning
	plan := c.checks.plan
	for i, check := range plan.Checks {
		if n := c.checks.rows.Rows(i); n > 0 {
			list = append(list, column.AgainstJob(plan.Type, check, n))
		}
	}
	return list
}

// Matched implements matcher.
func (c *checkedRows) Matched() []string {
	var list []string
	for _, m := range c.checks.matched {
		for _, value := range m.Values() {
			list = append(list, hashing.MaskIDs(value))
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

// matchedBy returns the values of source.only that a reader has found.
func matchedBy(r rowReader) []string {
	if m, ok := r.(matcher); ok {
		return m.Matched()
	}
	return nil
}

// withChecks returns the first checks, and those of more whose names they do not have.
func withChecks(list, more []usher.ColumnCheck) []usher.ColumnCheck {
	for _, c := range more {
		known := slices.ContainsFunc(list, func(own usher.ColumnCheck) bool { return own.Name == c.Name && own.Says == c.Says })
		if !known {
			list = append(list, c)
		}
	}
	return list
}

// ownSearch is the search for the columns of a file of an export, or of a member of an archive, that
// are looked at in every row.
func ownSearch(src *usher.Source, plan *usher.Plan) column.Search {
	s := searchOf(src, plan, "")
	s.Evidence = nil
	return s
}
