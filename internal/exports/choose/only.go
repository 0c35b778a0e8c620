package choose

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Folded returns a cell as source.only compares it: without blanks around it, in lower case.
func Folded(cell []byte) string {
	const longest = 1 << 10
	cell = rows.TrimSpace(cell)
	return strings.ToLower(string(cell[:min(len(cell), longest)]))
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
			return nil, from.Broken("have this column written to the export again; or, if it has another name now, set source.only to COLUMN=VALUE with one of the columns "+Listed(columns), "it has no column %q, which source.only names", name)
		}
		check := usher.ColumnCheck{Name: columns[at].Name, Number: columns[at].Number, Says: usher.CheckOnly}
		for value := range strings.SplitSeq(values, "|") {
			check.Values = append(check.Values, Folded([]byte(value)))
		}
		list = append(list, check)
	}
	return list, nil
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

// DisregardsFile reports whether source.disregard names a file of a folder or an archive.
func (s Search) DisregardsFile(name string) bool {
	found := false
	for _, named := range []string{filePrefix + name, filePrefix + path.Base(name)} {
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
	return []usher.Warning{{Code: warnDisregard, Count: int64(len(columns) + len(files)), Description: strings.Join(texts, "; ")}}
}
