package watch

import (
	"slices"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/places"
)

// Late returns the function that ndjson.Layout wants: it finds fields that say no and that no sampled record has, such
// as one that only the records of those who have opted out have. It is nil for jobs that take ids out.
func Late(from places.Origin, plan *usher.Plan) func(record []byte, isNew bool, ids int) func(row string) error {
	if plan.Removes {
		return nil
	}
	late := lateFields{from: from, plan: plan}
	return late.look
}

type lateFields struct {
	from   places.Origin
	plan   *usher.Plan
	checks []usher.ColumnCheck
	fields []lateField // of checks
}

type lateField struct {
	finder *ndjson.Finder
	saysNo func(cell []byte) bool
}

func (l *lateFields) look(record []byte, isNew bool, ids int) func(row string) error {
	if isNew {
		if err := l.add(choose.Late(l.plan, record)); err != nil {
			return func(string) error { return err }
		}
	}
	for at, field := range l.fields {
		values := field.finder.Values(record)
		yes := slices.IndexFunc(values, func(value string) bool { return !field.saysNo([]byte(value)) })
		no := slices.IndexFunc(values, func(value string) bool { return field.saysNo([]byte(value)) })
		if no >= 0 && (yes < 0 || len(values) == ids) { // of several for one id, one that says yes is enough
			check := l.checks[at]
			return func(row string) error { return l.refuse(check, row) }
		}
	}
	return nil
}

// add adds the fields of a record that are new.
func (l *lateFields) add(checks []usher.ColumnCheck) error {
	known := len(l.checks)
	l.checks = choose.WithChecks(l.checks, checks)
	for _, check := range l.checks[known:] {
		l.fields = append(l.fields, lateField{ndjson.NewFinder(check.Name), names.SaysNo(check.Says, check.Name)})
	}
	_, err := choose.Search{}.Limit(l.from, append(slices.Clone(l.plan.Checks), l.checks...))
	return err
}

// refuse is the error for a row whose late field says no.
func (l *lateFields) refuse(check usher.ColumnCheck, row string) error {
	hint := "leave the rows that say no out of the export, or write the field in each record, so that usher inspect shows its values; or add " + check.Label() + " to source.disregard if it does not decide"
	says := "says no"
	if check.Says == names.SaysUnclear {
		says = "says yes or no, and its name does not show which"
	}
	return l.from.Broken(hint, "column %s, which no sampled record has, %s, first in %s: its batch and later ones were not sent, but earlier ones may have been", check.Label(), says, row)
}
