package column

import (
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
)

// TypeCheck returns the column of types that is checked on every row, since the samples may
// miss rows of another type than the wanted one. If several columns have types, it is the one with
// the most of them in the samples; the others are judged by the samples only. If none has, it is
// one that has no values in the samples. It is nil if there is no such column, or if the source
// names a column of types. at is the column of ids.
func (s Search) TypeCheck(columns []Column, at int) *usher.TypeCheck {
	if s.Type == "" || s.Mixed {
		return nil
	}
	best, most := -1, -1
	for i := range columns {
		c := &columns[i]
		known := c.Filled - c.Types[usher.RowOther]
		if i != at && known > most && (c.Filled == 0 || c.HasTypes()) && names.IsTypeName(c.Name) && hashing.MaskIDs(c.Name) == c.Name {
			best, most = i, known
		}
	}
	if best < 0 {
		return nil
	}
	return &usher.TypeCheck{Name: columns[best].Name, Number: columns[best].Number}
}

// HasTypes reports whether at least four of five filled cells name a type.
func (c *Column) HasTypes() bool {
	known := c.Filled - c.Types[usher.RowOther]
	return known > 0 && 5*known >= 4*c.Filled
}

// OtherTypes returns the warning for n rows of a file whose type is another one than the wanted
// one, unless n is 0 or the plan has the same warning for its samples.
func OtherTypes(plan *usher.Plan, n int64) []usher.Warning {
	text := otherTypes(plan.Type, &Column{Name: plan.TypeCheck.Name, Number: plan.TypeCheck.Number})
	known := slices.ContainsFunc(plan.Warnings, func(w usher.Warning) bool {
		return w.Code == warnTypeColumn && strings.HasSuffix(w.Description, text)
	})
	if n == 0 || known {
		return nil
	}
	return []usher.Warning{{Code: warnTypeColumn, Count: n, Description: text}}
}

// otherTypes says that rows are of another type than the wanted one, and what to do.
func otherTypes(wanted usher.IDType, c *Column) string {
	return fmt.Sprintf("rows are of another type than %s in column %s: set source.typeColumn to %s", wanted, c.Label(), fieldValue(c))
}
