package choose

import (
	"cmp"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
)

// Decided returns the fields of a sample that may say no by their names, but are not checked, and what
// source.disregard names. Those with an id in their names are in no plan.
func (s Search) Decided(columns []Column, checks []usher.ColumnCheck) []string {
	list := slices.Clone(s.Disregard)
	for i := range columns {
		if name := columns[i].Name; names.Says(name) != "" && !isChecked(checks, name) && hashing.MaskIDs(name) == name {
			list = append(list, name)
		}
	}
	return list
}

// Late returns the fields of a record that say no, by its name and its value, and are not in the plan: no
// sampled record has them.
func Late(plan *usher.Plan, record []byte) []usher.ColumnCheck {
	var list []usher.ColumnCheck
	columns := Paths([][]byte{record})
	for i := range columns {
		name := columns[i].Name
		isDecided := slices.ContainsFunc(plan.Decided, func(decided string) bool { return decided == name || names.Same(decided, name) })
		if name == plan.Path || isDecided || isChecked(plan.Checks, name) || hashing.MaskIDs(name) != name {
			continue
		}
		if says := cmp.Or(columns[i].says(), names.Says(name)); says != "" { // the first value may be none that decides
			list = append(list, usher.ColumnCheck{Name: name, Says: says, Refuse: true})
		}
	}
	return list
}

func isChecked(checks []usher.ColumnCheck, name string) bool {
	return slices.ContainsFunc(checks, func(c usher.ColumnCheck) bool { return c.Name == name })
}
