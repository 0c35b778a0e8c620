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
func Late(from places.Origin, plan *usher.Plan) func(record []byte, isNew bool, ids *ndjson.Finder) func(id int, row string) error {
	if plan.Removes {
		return nil
	}
	late := lateFields{from: from, plan: plan, refused: map[int]usher.ColumnCheck{}}
	return late.look
}

type lateFields struct {
	from   places.Origin
	plan   *usher.Plan
	checks []usher.ColumnCheck
	fields []lateField // of checks

	refused map[int]usher.ColumnCheck // of the ids of the record
}

type lateField struct {
	finder *ndjson.Finder
	saysNo func(cell []byte) bool
}

func (l *lateFields) look(record []byte, isNew bool, ids *ndjson.Finder) func(id int, row string) error {
	if isNew {
		if err := l.add(choose.Late(l.plan, record)); err != nil {
			return func(int, string) error { return err }
		}
	}
	if len(l.fields) == 0 {
		return nil // as in most exports
	}
	clear(l.refused)
	for at, field := range slices.Backward(l.fields) { // the first of several is told
		if !field.finder.FindBeside(record, ids) || field.finder.Count() == 0 {
			continue
		}
		id := 0
		for n, values := range field.finder.Beside() {
			isRefused := field.allSayNo(values)
			for range n {
				if isRefused {
					l.refused[id] = l.checks[at]
				}
				id++
			}
		}
	}
	if len(l.refused) == 0 {
		return nil
	}
	return func(id int, row string) error {
		if check, found := l.refused[id]; found {
			return l.refuse(check, row)
		}
		return nil
	}
}

// allSayNo reports whether there are values, and all of them say no: of several beside an id, one that says yes is
// enough.
func (f lateField) allSayNo(values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(value string) bool { return !f.saysNo([]byte(value)) })
}

// add adds the fields of a record that are new.
func (l *lateFields) add(checks []usher.ColumnCheck) error {
	known := len(l.checks)
	l.checks = choose.WithChecks(l.checks, checks)
	for _, check := range l.checks[known:] {
		l.fields = append(l.fields, lateField{ndjson.NewFinderBeside(check.Name, l.plan.Path), names.SaysNo(check.Says, check.Name)})
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
