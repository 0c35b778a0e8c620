package column

import (
	"cmp"
	"fmt"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// TypeChecks returns the columns of types that are checked on every row, since the samples may
// miss rows of another type than the wanted one: those whose names say that they have types, with
// the most of them in the samples first, then those whose values do. at is the column of ids. There
// are none if the source names a column of types.
func (s Search) TypeChecks(columns []Column, at int) []usher.TypeCheck {
	if s.Type == "" || s.Mixed {
		return nil
	}
	checked := Pick(columns, func(i int) bool {
		c := &columns[i]
		return i != at && (c.judgesRows() || c.Filled == 0 && names.IsTypeName(c.Name)) && hashing.MaskIDs(c.Name) == c.Name
	})
	slices.SortStableFunc(checked, func(a, b int) int {
		return cmp.Or(
			-cmp.Compare(one(names.IsTypeName(columns[a].Name)), one(names.IsTypeName(columns[b].Name))),
			-cmp.Compare(columns[a].known(), columns[b].known()))
	})
	var list []usher.TypeCheck
	for _, i := range checked[:min(len(checked), rows.MaxTypeChecks)] {
		list = append(list, usher.TypeCheck{Name: columns[i].Name, Number: columns[i].Number})
	}
	return list
}

// one returns 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// judgesRows reports whether a column says of which type the rows are: its name and most of its
// values do, or all of its values.
func (c *Column) judgesRows() bool {
	if names.IsTypeName(c.Name) {
		return c.HasTypes()
	}
	return c.HasOnlyTypes()
}

// known returns the number of cells that name a type.
func (c *Column) known() int { return c.Filled - c.Types[usher.RowOther] }

// HasTypes reports whether at least four of five filled cells name a type or another operating
// system, and one of them a type.
func (c *Column) HasTypes() bool {
	return c.known() > 0 && 5*(c.known()+c.systems) >= 4*c.Filled
}

// HasOnlyTypes reports whether each filled cell names a type or another operating system in a word
// that stands for little else, and one of them a type.
func (c *Column) HasOnlyTypes() bool {
	return c.known() > 0 && c.companies == 0 && c.known()+c.systems == c.Filled
}

// OtherTypes returns the warning for n rows whose type is another one than the wanted one, by a
// column.
func OtherTypes(wanted usher.IDType, check usher.TypeCheck, n int64) usher.Warning {
	return usher.Warning{Code: warnTypeColumn, Count: n, Description: otherTypes(wanted, &Column{Name: check.Name, Number: check.Number})}
}

// otherTypes says that rows are of another type than the wanted one, and what to do.
func otherTypes(wanted usher.IDType, c *Column) string {
	return fmt.Sprintf("rows are of another type than %s in column %s: set source.typeColumn to %s", wanted, c.Label(), fieldValue(c))
}
