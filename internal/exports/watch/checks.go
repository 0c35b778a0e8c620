package watch

import (
	"fmt"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Rows reads the rows of a part. Next returns io.EOF after the last block.
type Rows interface {
	Next() (*usher.Block, error)
}

// Checks are the columns of a plan that are looked at in every row.
type Checks struct {
	Rows *rows.Checks // of the same columns, which a reader of rows calls; nil: there are none

	from    places.Origin
	plan    *usher.Plan
	matched []*matches
}

// NewChecks returns the checks of a plan for a file.
func NewChecks(from places.Origin, plan *usher.Plan) Checks {
	c := Checks{from: from, plan: plan}
	var list []rows.Check
	for _, check := range plan.Checks {
		row := rows.Check{Effect: rows.Count}
		switch check.Says {
		case usher.CheckOnly:
			m := &matches{check, make([]bool, len(check.Values))}
			c.matched = append(c.matched, m)
			row = rows.Check{Effect: rows.Withhold, Against: m.withholds, Absent: !slices.Contains(check.Values, "")}
		case usher.CheckType:
			row.Against = names.OtherTypeThan(plan.Type, check.Name)
		default:
			row.Against = names.SaysNo(check.Says, check.Name)
		}
		if check.Refuse {
			row.Effect = rows.Refuse
		}
		list = append(list, row)
	}
	c.Rows = rows.NewChecks(list, c.refused)
	return c
}

// ValidChecks reports whether a plan has checks as Plan makes them.
func ValidChecks(plan *usher.Plan) bool {
	numbered := plan.Format.HasNumbers()
	return len(plan.Checks) <= rows.MaxChecks && len(plan.Withheld()) <= usher.MaxOnly &&
		!slices.ContainsFunc(plan.Checks, func(c usher.ColumnCheck) bool { return numbered && c.Number < 1 })
}

// Columns returns the indexes of the columns.
func (c Checks) Columns() []int {
	var at []int
	for _, check := range c.plan.Checks {
		at = append(at, check.Number-1)
	}
	return at
}

// Paths returns the paths of the columns of NDJSON, JSON and Avro.
func (c Checks) Paths() []string {
	var paths []string
	for _, check := range c.plan.Checks {
		paths = append(paths, check.Name)
	}
	return paths
}

// refused is the error for a row that the check at an index refuses.
func (c Checks) refused(check int, row string) error {
	return refuseRow(c.from, c.plan, c.plan.Checks[check], row)
}

// Over returns a reader of in that has what the checks have found, or in if there are none.
func (c Checks) Over(in Rows) Rows {
	if c.Rows == nil {
		return in
	}
	return &checkedRows{in, c}
}

// checkedRows are Rows with checks.
type checkedRows struct {
	Rows

	checks Checks
}

// warner is Rows that may have evidence against the job.
type warner interface {
	Warnings() []usher.Warning
}

// matcher is Rows that know which values of source.only the rows have.
type matcher interface {
	Matched() []string
}

// Warnings implements warner.
func (c *checkedRows) Warnings() []usher.Warning {
	var list []usher.Warning
	plan := c.checks.plan
	for i, check := range plan.Checks {
		if n := c.checks.Rows.Rows(i); n > 0 {
			list = append(list, againstJob(plan.Type, check, n))
		}
	}
	return list
}

// Matched implements matcher.
func (c *checkedRows) Matched() []string {
	var list []string
	for _, m := range c.checks.matched {
		for _, value := range m.values() {
			list = append(list, hashing.MaskIDs(value))
		}
	}
	return list
}

// WarningsOf returns the evidence that a reader has found itself.
func WarningsOf(r Rows) []usher.Warning {
	if w, ok := r.(warner); ok {
		return w.Warnings()
	}
	return nil
}

// MatchedBy returns the values of source.only that a reader has found.
func MatchedBy(r Rows) []string {
	if m, ok := r.(matcher); ok {
		return m.Matched()
	}
	return nil
}

// refuseRow is the error for a row beyond the samples that is against the job by a column.
func refuseRow(from places.Origin, plan *usher.Plan, check usher.ColumnCheck, row string) error {
	c := &choose.Column{Name: check.Name, Number: check.Number}
	hint := choose.HintOf(plan, check)
	if check.Says == usher.CheckType {
		return from.Broken(hint, "column %s names another kind of id, first in %s: its batch and later ones were not sent, but earlier ones may have been", c.Label(), row)
	}
	if check.Says == names.SaysUnclear {
		return from.Broken(hint, "column %s says yes or no, and its name does not show which, first in %s: its batch and later ones were not sent, but earlier ones may have been", c.Label(), row)
	}
	return from.Broken(hint, "column %s says no, first in %s: its batch and later ones were not sent, but earlier ones may have been", c.Label(), row)
}

// againstJob returns the warning for n rows with an id that are against the job by a column.
func againstJob(wanted usher.IDType, check usher.ColumnCheck, n int64) usher.Warning {
	c := &choose.Column{Name: check.Name, Number: check.Number}
	if check.Says == usher.CheckType {
		return usher.Warning{Code: usher.WarnTypeColumn, Count: n, Description: choose.OtherTypes(wanted, c)}
	}
	if check.Says == names.SaysUnclear {
		return usher.Warning{Code: usher.WarnSaysNo, Count: n, Description: fmt.Sprintf("rows say yes or no in column %s, whose name does not show which, and were taken all the same, because this job takes ids out", c.Label())}
	}
	return usher.Warning{Code: usher.WarnSaysNo, Count: n, Description: fmt.Sprintf("rows say no in column %s, and were taken all the same, because this job takes ids out", c.Label())}
}

// matches finds the rows that a column of source.only takes, and remembers which of its values it
// has found.
type matches struct {
	check usher.ColumnCheck
	found []bool
}

// withholds reports whether a row with a cell is not taken.
func (m *matches) withholds(cell []byte) bool {
	at := slices.Index(m.check.Values, choose.Folded(cell))
	if at >= 0 {
		m.found[at] = true
	}
	return at < 0
}

// values returns the values that rows had, as COLUMN=VALUE.
func (m *matches) values() []string {
	var list []string
	for i, value := range m.check.Values {
		if m.found[i] {
			list = append(list, m.check.Label()+"="+value)
		}
	}
	return list
}
