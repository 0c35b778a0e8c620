package choose

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// Column has the counts of a column, or of a path of NDJSON, in the rows that were
// examined. A []Column has all columns of these rows, in their order.
type Column struct {
	Name        string // "" without a header
	Number      int    // from 1; 0 for a path of NDJSON, where members have no order
	Filled, IDs int    // cells that are neither blank nor a placeholder; cells of ids
	Lists       int    // cells of several ids
	Bytes       bool   // the values are 16 bytes
	Table       bool   // the values stand in arrays within an array, as the cells of a table
	spelling    spelling
	repeated    bool // another column has this name as well, so that only its number is its own

	Values     map[string]int // the first few different cells, as source.only compares them
	MoreValues int            // cells that have none of these values

	Types     [usher.RowTypes]int // the filled cells, by the type that they name
	systems   int                 // of those that name none, cells of another operating system
	kinds     int                 // of those that name none, cells of another kind of id
	companies int                 // of those that name one, cells of a company: apple, google
}

// Count counts a cell: as blank, as one id or several, or as another value.
func (c *Column) Count(cell []byte) {
	trimmed := rows.TrimSpace(cell)
	c.countValue(trimmed)
	if len(trimmed) == 0 || hashing.IsPlaceholder(trimmed) {
		return
	}
	c.Filled++
	c.spelling.countShort(trimmed)
	switch {
	case rows.LooksLikeID(cell):
		c.IDs++
		c.Types[usher.RowOther]++
		c.spelling.count(cell)
		if isQuote := trimmed[0] == '\'' || trimmed[0] == '"'; isQuote && trimmed[0] != trimmed[len(trimmed)-1] {
			c.spelling.wrapped.count(trimmed)
		}
	case rows.LooksLikeIDs(cell):
		c.IDs++
		c.Lists++
		c.Types[usher.RowOther]++
	default:
		c.spelling.wrapped.count(trimmed)
		t := rows.ParseType(cell)
		c.Types[t]++
		c.systems += one(t == usher.RowOther && rows.IsOtherSystem(cell))
		c.kinds += one(t == usher.RowOther && names.IsOtherKindOfID(cell))
		c.companies += one(t != usher.RowOther && rows.IsCompany(cell))
	}
}

// countValue counts a value among the first few different ones.
func (c *Column) countValue(cell []byte) {
	const most, longest = 32, 40
	var room [longest]byte
	value := appendFolded(room[:0], cell)
	n, known := c.Values[string(value)]
	if !known && (len(c.Values) == most || len(value) > longest) {
		c.MoreValues++
		return
	}
	if c.Values == nil {
		c.Values = map[string]int{}
	}
	c.Values[string(value)] = n + 1
}

// HoldsIDs reports whether at least half of the filled cells are ids.
func (c *Column) HoldsIDs() bool { return c.IDs > 0 && 2*c.IDs >= c.Filled }

// Label names a column in hints: by its number and its name, or by its path. A cell that
// does not look like a name may be a value, and is not shown.
func (c *Column) Label() string {
	shown := ""
	if c.LooksNamed() {
		shown = c.Name
	}
	switch {
	case c.Number == 0:
		return shown
	case shown == "":
		return strconv.Itoa(c.Number)
	}
	return strconv.Itoa(c.Number) + " (" + shown + ")"
}

// LooksNamed reports whether the name of the column looks like one, perhaps of a loader (_fivetran_deleted) or, as
// a path, of MongoDB (_id.$oid). It holds no id.
func (c *Column) LooksNamed() bool {
	name := strings.TrimLeft(c.Name, "_")
	if c.Number == 0 {
		name = strings.ReplaceAll(name, ".$", ".")
	}
	return names.LooksLikeName(name) && hashing.MaskIDs(name) == name
}

// Pick returns the indexes of the wanted columns, in ascending order. wanted is called with each
// index.
func Pick(columns []Column, wanted func(i int) bool) []int {
	var out []int
	for i := range columns {
		if wanted(i) {
			out = append(out, i)
		}
	}
	return out
}

// markRepeated marks the columns whose name another one has as well.
func markRepeated(columns []Column) {
	counts := map[string]int{}
	for i := range columns {
		counts[names.Canonical(columns[i].Name)]++
	}
	for i := range columns {
		name := names.Canonical(columns[i].Name)
		columns[i].repeated = name != "" && counts[name] > 1
	}
}

// Find returns the index of the column with a name, -1 if there is none.
func Find(columns []Column, name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// Meanings returns what the names of an export's columns say, one meaning for each column.
func Meanings(columns []Column) []names.Meaning {
	list := make([]string, len(columns))
	for i := range columns {
		list[i] = columns[i].Name
	}
	return names.MeaningsOf(list)
}

// Listed returns the labels of all columns, for hints: "1 (country), 2 (idfa)". An ellipsis
// stands for columns without a label and for those beyond 30.
func Listed(columns []Column) string {
	return ListedOf(columns, Pick(columns, func(int) bool { return true }))
}

// ListedOf is Listed for the columns at some indexes.
func ListedOf(columns []Column, which []int) string {
	const most = 30
	var labels []string
	for _, i := range which {
		if label := columns[i].Label(); label != "" && len(labels) < most {
			labels = append(labels, label)
		}
	}
	if len(labels) < len(which) {
		labels = append(labels, "…")
	}
	return strings.Join(labels, ", ")
}

// SetColumn is the hint to name one of some columns.
func SetColumn(columns []Column, which []int) string {
	if len(which) == 1 {
		c := &columns[which[0]]
		named := c.LooksNamed()
		switch {
		case c.Number > 0 && named && len(Pick(columns, func(i int) bool { return names.Same(columns[i].Name, c.Name) })) > 1:
			return "set source.column to " + strconv.Quote(strconv.Itoa(c.Number)) + ", which is " + c.Name
		case c.Number > 0 || named:
			return "set source.column to " + fieldValue(c)
		}
	}
	return "set source.column to one of: " + ListedOf(columns, which)
}

// spelling counts how ids are written.
type spelling struct {
	uuids        int     // with hyphens
	compact      int     // 32 digits
	versions     int     // of these, those that may be UUIDs without hyphens, of version 4
	upper, lower letters // UUIDs all of whose letters are of this case
	short        int     // values that have the form of an ANDROID_ID
	unlikely     int     // of these, those that hashing.IsUnlikely
	tooShort     int     // of these, those that are no ANDROID_IDs
	changed      int     // values that a spreadsheet has changed
	version      versions
	android      androidIDs
	wrapped      wrapped
}

// countShort counts a value of any kind that is neither blank nor a placeholder.
func (s *spelling) countShort(value []byte) {
	const longest = 16 // characters of an ANDROID_ID
	unlikely := hashing.IsUnlikely(value)
	if unlikely || len(value) <= longest && rows.LooksLikeID(value) {
		s.short++
		s.unlikely += one(unlikely)
		s.tooShort += one(unlikely && len(value) < leastWidth)
	}
	s.android.count(value)
	s.changed += one(hashing.IsSpreadsheet(value))
}

// count counts a value that rows.LooksLikeID.
func (s *spelling) count(value []byte) {
	value = bytes.Trim(rows.TrimSpace(value), `"'{}`)
	switch {
	case hashing.IsUUID(value):
		s.uuids++
		s.version.count(value)
	case len(value) == 32:
		s.compact++
		if value[12] == '4' && strings.IndexByte("89abAB", value[16]) >= 0 {
			s.versions++
		}
	default:
		return
	}
	upper, lower := false, false
	for _, c := range value { // of digits and letters up to F
		upper = upper || 'A' <= c && c <= 'F'
		lower = lower || c >= 'a'
	}
	if upper && !lower {
		s.upper.count(value)
	}
	if lower && !upper {
		s.lower.count(value)
	}
}

// letters counts UUIDs.
type letters struct{ hyphens, compact int }

func (l *letters) count(id []byte) {
	compact := one(len(id) == 32)
	l.compact, l.hyphens = l.compact+compact, l.hyphens+1-compact
}

// of returns the number of UUIDs among the ids of a column: without hyphens they are digests if the
// column has ids with hyphens.
func (l *letters) of(s *spelling) int {
	if s.hasDigests() {
		return l.hyphens
	}
	return l.hyphens + l.compact
}
