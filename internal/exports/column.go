package exports

import (
	"strconv"
	"strings"

	"usher"
	"usher/internal/exports/rows"
)

// sampleRows is how many rows of the head are examined.
const sampleRows = 200

// column has the counts of a column, or of a path of NDJSON, in the rows that were
// examined.
type column struct {
	name        string // "" without a header
	filled, ids int    // cells that are not blank; cells of ids
	lists       int    // cells of several ids
	bytes       bool   // the values are 16 bytes

	types [usher.RowTypes]int // the filled cells, by the type that they name
}

func (c *column) count(cell []byte) {
	if len(rows.TrimSpace(cell)) > 0 {
		c.filled++
		c.types[rows.ParseType(cell)]++
	}
	if looksLikeIDs(cell) {
		c.ids++
		if !looksLikeID(cell) {
			c.lists++
		}
	}
}

func (c *column) holdsIDs() bool { return c.ids > 0 && 2*c.ids >= c.filled }

// choose returns the column of device ids, -1 if there is none or more than one. It
// decides by the usual names. If several columns have one, or none has, it decides
// by the values.
func choose(columns []column) int {
	holds := only(pick(columns, (*column).holdsIDs))
	for rank := nameUsual; rank >= nameTelling; rank-- {
		named := pick(columns, func(c *column) bool { return nameRank(c.name) == rank })
		if len(named) > 1 {
			named = pick(columns, func(c *column) bool { return nameRank(c.name) == rank && c.holdsIDs() })
			if len(named) != 1 {
				return -1
			}
		}
		// The values count more than a name that only contains a usual one, such as
		// device_id_type.
		if len(named) == 1 && (rank == nameUsual || holds < 0 || columns[named[0]].ids > 0 || columns[named[0]].filled == 0) {
			return named[0]
		}
	}
	if len(columns) == 1 {
		return 0
	}
	return holds
}

// only returns the only element, or -1.
func only(picked []int) int {
	if len(picked) == 1 {
		return picked[0]
	}
	return -1
}

// pick returns the indexes of the wanted columns.
func pick(columns []column, wanted func(*column) bool) []int {
	var out []int
	for i := range columns {
		if wanted(&columns[i]) {
			out = append(out, i)
		}
	}
	return out
}

// listed returns the names of all columns, for hints.
func listed(columns []column) string {
	return listedOf(columns, pick(columns, func(*column) bool { return true }))
}

// listedOf returns the names of some columns. A cell that does not look like a name
// may be a value, and is not shown.
func listedOf(columns []column, which []int) string {
	const most = 30
	var names []string
	for _, i := range which[:min(len(which), most)] {
		name := columns[i].name
		if !looksLikeName(name) {
			name = "number " + strconv.Itoa(i+1)
		}
		names = append(names, name)
	}
	if len(which) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// noColumn is the error for a column that the source names and the export lacks.
func (h *head) noColumn(field, there string) error {
	return h.Broken("set source."+field+" to one that there is: "+there, "it has no column as source.%s names it", field)
}

// ambiguous is the error for a column that cannot be chosen. If several columns hold
// ids, its hint names these.
func (h *head) ambiguous(columns []column) error {
	among := listed(columns)
	if hold := pick(columns, (*column).holdsIDs); len(hold) > 1 {
		among = listedOf(columns, hold)
	}
	return h.Broken("set source.column to one of: "+among,
		"which of its %d columns holds the device ids cannot be told", len(columns))
}

// sameColumn is the error for one column of both ids and types.
func (h *head) sameColumn() error {
	return h.Broken("set source.typeColumn to the column that says of each row which type of id it has",
		"the column that source.typeColumn names is that of the ids")
}

// noRows accepts an empty export, but not an export whose first row lies after the
// head.
func (h *head) noRows() error {
	if h.all {
		return nil
	}
	return h.Broken("remove the blank lines or the quote at its beginning", "it has no row in its first %d bytes", headBytes)
}
