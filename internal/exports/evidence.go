package exports

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// The codes of a plan's warnings.
const (
	warnTypeColumn  = "type_column"  // a column says that rows are of another type
	warnLetterCase  = "letter_case"  // the letters' case is that of another type
	warnLooksHashed = "looks_hashed" // under input raw
	warnLooksRaw    = "looks_raw"    // under input md5
)

// enoughIDs is the smallest number of ids that are taken as evidence. A few may be
// written as they are by chance.
const enoughIDs = 10

// nearlyAll reports whether n of all, at least 95 %, are enough for evidence.
func nearlyAll(n, all int) bool { return n >= enoughIDs && 20*n >= 19*all }

// findings are the evidence that the files of an export were found to have.
type findings struct {
	base     places.Origin // that the files' names begin with
	examined map[places.Origin]bool
	list     []finding
}

// finding is evidence against the job: n of all samples are as the text says.
type finding struct {
	code   string
	n, all int
	text   string
	files  []string // "" if the export is one file
}

// evidence adds what speaks against the job in the rows that were examined. It does so once
// for each file. at is the column of ids. pairs returns the cells of the column of ids and
// of another one, row by row. more is what else was found.
func (s search) evidence(from places.Origin, columns []column, at int, pairs func(other int) iter.Seq2[string, string], more ...finding) {
	if s.found == nil || s.found.examined[from] {
		return
	}
	s.found.examined[from] = true
	var found []finding
	if !s.mixed {
		found = append(found, s.typeEvidence(columns, at, pairs)...)
		found = append(found, s.caseEvidence(&columns[at])...)
	}
	found = append(append(found, s.inputEvidence(&columns[at].spelling)...), more...)
	file := strings.TrimPrefix(strings.TrimPrefix(string(from), string(s.found.base)), ", ")
	for _, f := range found {
		s.found.add(f, hashing.MaskIDs(file))
	}
}

// add adds a finding in a file.
func (f *findings) add(found finding, file string) {
	at := slices.IndexFunc(f.list, func(old finding) bool { return old.code == found.code && old.text == found.text })
	if at < 0 {
		found.files = []string{file}
		f.list = append(f.list, found)
		return
	}
	old := &f.list[at]
	old.n, old.all, old.files = old.n+found.n, old.all+found.all, append(old.files, file)
}

// warnings returns the findings as warnings that name the files.
func (f *findings) warnings() []usher.Warning {
	const named = 3
	var list []usher.Warning
	for _, found := range f.list {
		where := strings.Join(found.files[:min(len(found.files), named)], ", ")
		if more := len(found.files) - named; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		if where != "" {
			where += ": "
		}
		list = append(list, usher.Warning{
			Code: found.code, Count: int64(found.n),
			Description: fmt.Sprintf("%s%d of %d %s", where, found.n, found.all, found.text),
		})
	}
	return list
}

// beyond returns warnings of those findings that the plan does not have yet, for each file.
func (f *findings) beyond(plan *usher.Plan) []usher.Warning {
	if f == nil {
		return nil
	}
	more := findings{list: slices.DeleteFunc(slices.Clone(f.list), func(found finding) bool {
		return slices.ContainsFunc(plan.Warnings, func(w usher.Warning) bool {
			return w.Code == found.code && strings.HasSuffix(w.Description, found.text)
		})
	})}
	return more.warnings()
}

// typeEvidence finds columns of types that contradict the wanted type.
func (s search) typeEvidence(columns []column, at int, pairs func(other int) iter.Seq2[string, string]) []finding {
	var found []finding
	for i := range columns {
		c := &columns[i]
		known := c.filled - c.types[usher.RowOther]
		if s.Type == "" || i == at || !names.IsTypeName(c.name) || known == 0 || 5*known < 4*c.filled {
			continue
		}
		all, other := 0, 0
		for id, typed := range pairs(i) {
			if len(rows.TrimSpace([]byte(id))) == 0 {
				continue
			}
			all++
			if t := rows.ParseType([]byte(typed)); t != usher.RowOther && !s.Type.Fits(t) {
				other++
			}
		}
		if other > 0 {
			found = append(found, finding{
				code: warnTypeColumn, n: other, all: all,
				text: fmt.Sprintf("sampled rows are of another type than %s in column %s: set source.typeColumn to %s", s.Type, c.label(), fieldValue(c)),
			})
		}
	}
	return found
}

// fieldValue returns the value of a field of the source that names a column.
func fieldValue(c *column) string {
	if names.LooksLikeName(c.name) || c.number == 0 {
		return c.name
	}
	return fmt.Sprint(c.number)
}

// caseEvidence compares the letters' case of UUIDs with that of the wanted type.
func (s search) caseEvidence(c *column) []finding {
	if s.Type != usher.IDFA && s.Type != usher.AAID {
		return nil
	}
	n, as, written := c.spelling.lower, usher.AAID, "lower"
	if s.Type == usher.AAID {
		n, as, written = c.spelling.upper, usher.IDFA, "upper"
	}
	all := c.spelling.uuids + c.spelling.compact
	if c.bytes || s.Input == usher.InputMD5 || n < enoughIDs || 20*n < all || s.hashed(&c.spelling) {
		return nil
	}
	what := fmt.Sprintf("set the profile to %s if they are", as)
	if !nearlyAll(n, all) {
		what = "if they are, write them to an export of their own, or set source.typeColumn to the column that says so"
	}
	return []finding{{
		code: warnLetterCase, n: n, all: all,
		text: fmt.Sprintf("sampled ids are in %s case, as %s usually is and %s is not: %s", written, as, s.Type, what),
	}}
}

// hashed reports whether the ids are rather digests than UUIDs without hyphens.
func (s search) hashed(ids *spelling) bool {
	return nearlyAll(ids.compact, ids.compact+ids.uuids) && 2*ids.versions < ids.compact
}

// inputEvidence compares the shape of the ids with the job's input.
func (s search) inputEvidence(ids *spelling) []finding {
	all := ids.compact + ids.uuids
	switch s.Input {
	case usher.InputMD5:
		if nearlyAll(ids.uuids, all) {
			return []finding{{code: warnLooksRaw, n: ids.uuids, all: all, text: "sampled values are ids and no MD5 digests: set input to raw"}}
		}
	case usher.InputRaw, "":
		if s.hashed(ids) {
			return []finding{{code: warnLooksHashed, n: ids.compact, all: all, text: "sampled values look like MD5 digests: set input to md5 if they are"}}
		}
	}
	return nil
}
