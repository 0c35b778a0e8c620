package choose

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Folded returns a cell as source.only compares it: without blanks around it, in lower case.
func Folded(cell []byte) string { return string(appendFolded(nil, cell)) }

// appendFolded appends what Folded returns.
func appendFolded(out, cell []byte) []byte {
	const longest = 1 << 10
	cell = rows.TrimSpace(cell)
	cell = cell[:min(len(cell), longest)]
	for _, c := range cell {
		if c >= utf8.RuneSelf {
			return append(out, bytes.ToLower(cell)...)
		}
	}
	for _, c := range cell {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		out = append(out, c)
	}
	return out
}

// onlyChecks returns the checks of source.only.
func (s Search) onlyChecks(from places.Origin, columns []Column) ([]usher.ColumnCheck, error) {
	var list []usher.ColumnCheck
	for _, only := range s.Only {
		name, values, found := strings.Cut(only, "=")
		if !found || name == "" || len(s.Only) > usher.MaxOnly {
			return nil, from.Broken("write it as COLUMN=VALUE|VALUE, such as consent=true, for at most 8 columns", "source.only has an entry that names no column and value")
		}
		at := FindNamed(columns, name)
		if at < 0 {
			return nil, s.missingError(from, columns, s.missing(columns))
		}
		check := usher.ColumnCheck{Name: columns[at].Name, Number: columns[at].Number, Says: usher.CheckOnly}
		if check.Number > 0 { // which names it
			check.Name = hashing.MaskIDs(check.Name)
		}
		for value := range strings.SplitSeq(values, "|") {
			check.Values = append(check.Values, Folded([]byte(value)))
		}
		check.Has, check.Instead = columns[at].valuesOf()
		list = append(list, check)
	}
	return list, nil
}

// valuesOf returns the sampled values of a column of a few words, the most frequent first, and the entry of
// source.only for those that clearly say yes.
func (c *Column) valuesOf() (has []string, instead string) {
	if c.MoreValues > 0 || c.IDs > 0 || len(c.Values) > maxAllowed {
		return nil, ""
	}
	for _, value := range byCount(c.Values) {
		has = append(has, shownValue(value))
	}
	if says := c.says(); says != "" {
		instead = onlyOf(says, c, c.Values)
	}
	return has, instead
}

// missing is a name in the source that no column has.
type missing struct {
	field, name string
	instead     string // what the field may have instead, of the only column that seems to be meant; "" if none does
}

// missing returns the names in the source that no column has. The export may have been written in another
// language.
func (s Search) missing(columns []Column) []missing {
	var list []missing
	add := func(field, name string, meant func(i int) bool, value func(c *Column) string) {
		if Declared(name) == "" || FindNamed(columns, name) >= 0 {
			return
		}
		m := missing{field: field, name: name}
		if found := Pick(columns, meant); len(found) == 1 {
			m.instead = value(&columns[found[0]])
		}
		list = append(list, m)
	}
	meanings := Meanings(columns)
	add("column", s.Column, func(i int) bool { return meanings[i].Known && meanings[i].IsDevice() }, fieldValue)
	add("typeColumn", s.TypeColumn, func(i int) bool { return names.IsTypeName(columns[i].Name) }, fieldValue)
	for _, only := range s.Only {
		name, _, _ := strings.Cut(only, "=")
		says := names.Says(name)
		add("only", name, func(i int) bool { return says != "" && names.Says(columns[i].Name) == says }, func(c *Column) string {
			return onlyOf(says, c, c.Values)
		})
	}
	return list
}

// missingError is the error for names that no column has.
func (s Search) missingError(from places.Origin, columns []Column, list []missing) error {
	var texts, sets, fields []string
	known, only := true, []string{}
	for _, entry := range s.Only {
		if name, _, _ := strings.Cut(entry, "="); FindNamed(columns, name) >= 0 {
			only = append(only, entry)
		}
	}
	onlyMissing := false
	for _, m := range list {
		texts = append(texts, fmt.Sprintf("%q (source.%s)", hashing.MaskIDs(m.name), m.field))
		known = known && m.instead != ""
		if !slices.Contains(fields, "source."+m.field) {
			fields = append(fields, "source."+m.field)
		}
		if m.field == "only" {
			onlyMissing = true
			only = append(only, m.instead)
		} else {
			sets = append(sets, "source."+m.field+" to "+m.instead)
		}
	}
	if onlyMissing {
		sets = append(sets, "source.only to "+listOf(nil, only...))
	}
	column := "column "
	if len(list) > 1 {
		column = "columns "
	}
	all := column + strings.Join(texts, ", ")
	if known {
		return from.Broken("have its header written as before; or set "+strings.Join(sets, " and "), "it has no %s", all)
	}
	return from.Broken("have what is missing written to the export again; or, if it has another name now, correct "+strings.Join(fields, " and ")+": the columns are "+Listed(columns), "it has no %s", all)
}

// FindNamed returns the index of a column by its name, its number or its path, or by a similar
// name if only one has it; -1 if there is none.
func FindNamed(columns []Column, name string) int {
	if at := Find(columns, name); at >= 0 {
		return at
	}
	if n, err := strconv.Atoi(name); err == nil {
		return slices.IndexFunc(columns, func(c Column) bool { return c.Number == n && n > 0 })
	}
	if similar := Pick(columns, func(i int) bool { return names.Same(columns[i].Name, name) }); len(similar) == 1 {
		return similar[0]
	}
	return -1
}

// NamesOnly reports whether source.only names the column at an index.
func (s Search) NamesOnly(columns []Column, at int) bool {
	return slices.ContainsFunc(s.Only, func(only string) bool {
		name, _, _ := strings.Cut(only, "=")
		return FindNamed(columns, name) == at
	})
}

// disregards reports whether source.only or source.disregard names the column at an index.
func (s Search) disregards(columns []Column, at int) bool {
	return s.NamesOnly(columns, at) || slices.ContainsFunc(s.Disregard, func(name string) bool { return FindNamed(columns, name) == at })
}

// noteDisregarded notes which columns of source.disregard a file has.
func (s Search) noteDisregarded(columns []Column) {
	s.Evidence.columns = cmp.Or(s.Evidence.columns, Listed(columns))
	for _, name := range s.Disregard {
		if FindNamed(columns, name) >= 0 {
			s.Evidence.known[name] = true
		}
	}
}

// filePrefix begins the names of files in source.disregard.
const filePrefix = "file:"

// DisregardsFile reports whether source.disregard names a file of a folder or an archive, or a folder in
// which it is.
func (s Search) DisregardsFile(name string) bool {
	found := false
	files := []string{filePrefix + path.Base(name)}
	for ; name != "." && name != "/"; name = path.Dir(name) {
		files = append(files, filePrefix+name)
	}
	for _, named := range files {
		if slices.Contains(s.Disregard, named) {
			found = true
			s.Evidence.note(named)
		}
	}
	return found
}

// note notes that the export has what source.disregard names.
func (e *Evidence) note(named string) {
	if e != nil {
		e.known[named] = true
	}
}

// UnknownNames warns of names in source.disregard that no examined file has or is.
func (s Search) UnknownNames() []usher.Warning {
	var columns, files []string
	for _, name := range s.Disregard {
		shown := strconv.Quote(hashing.MaskIDs(strings.TrimPrefix(name, filePrefix)))
		switch {
		case s.Evidence.known[name]:
		case strings.HasPrefix(name, filePrefix):
			files = append(files, shown)
		default:
			columns = append(columns, shown)
		}
	}
	var texts []string
	if len(columns) > 0 {
		texts = append(texts, fmt.Sprintf("it has no column %s, which source.disregard names; it has: %s", strings.Join(columns, ", "), s.Evidence.columns))
	}
	if len(files) > 0 {
		texts = append(texts, fmt.Sprintf("it has no file %s, which source.disregard names", strings.Join(files, ", ")))
	}
	if len(texts) == 0 {
		return nil
	}
	return []usher.Warning{{Code: usher.WarnDisregard, Count: int64(len(columns) + len(files)), Description: strings.Join(texts, "; ")}}
}
