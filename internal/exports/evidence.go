package exports

import (
	"fmt"
	"iter"

	"usher"
	"usher/internal/exports/names"
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

// evidence returns what speaks against the job in the rows that were examined. at is the
// column of ids. pairs returns the cells of the column of ids and of another one, row by
// row.
func (s search) evidence(columns []column, at int, pairs func(other int) iter.Seq2[string, string]) []usher.Warning {
	var found []usher.Warning
	if !s.mixed {
		found = append(found, s.typeEvidence(columns, at, pairs)...)
		found = append(found, s.caseEvidence(&columns[at])...)
	}
	return append(found, s.inputEvidence(&columns[at].spelling)...)
}

// typeEvidence finds columns of types that contradict the wanted type.
func (s search) typeEvidence(columns []column, at int, pairs func(other int) iter.Seq2[string, string]) []usher.Warning {
	var found []usher.Warning
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
			found = append(found, usher.Warning{
				Code: warnTypeColumn, Count: int64(other),
				Description: fmt.Sprintf("%d of %d sampled rows are of another type than %s in column %s: set source.typeColumn to %s",
					other, all, s.Type, c.label(), fieldValue(c)),
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
func (s search) caseEvidence(c *column) []usher.Warning {
	if s.Type != usher.IDFA && s.Type != usher.AAID {
		return nil
	}
	n, as, written := c.spelling.lower, usher.AAID, "lower"
	if s.Type == usher.AAID {
		n, as, written = c.spelling.upper, usher.IDFA, "upper"
	}
	if all := c.spelling.uuids + c.spelling.compact; !c.bytes && s.Input != usher.InputMD5 && nearlyAll(n, all) && !s.hashed(&c.spelling) {
		return []usher.Warning{{
			Code: warnLetterCase, Count: int64(n),
			Description: fmt.Sprintf("%d of %d sampled ids are in %s case, as %s usually is and %s is not: set the profile to %s if they are",
				n, all, written, as, s.Type, as),
		}}
	}
	return nil
}

// hashed reports whether the ids are rather digests than UUIDs without hyphens.
func (s search) hashed(ids *spelling) bool {
	return nearlyAll(ids.compact, ids.compact+ids.uuids) && 2*ids.versions < ids.compact
}

// inputEvidence compares the shape of the ids with the job's input.
func (s search) inputEvidence(ids *spelling) []usher.Warning {
	all := ids.compact + ids.uuids
	switch s.Input {
	case usher.InputMD5:
		if nearlyAll(ids.uuids, all) {
			return []usher.Warning{{
				Code: warnLooksRaw, Count: int64(ids.uuids),
				Description: fmt.Sprintf("%d of %d sampled values are ids and no MD5 digests: set input to raw", ids.uuids, all),
			}}
		}
	case usher.InputRaw, "":
		if s.hashed(ids) {
			return []usher.Warning{{
				Code: warnLooksHashed, Count: int64(ids.compact),
				Description: fmt.Sprintf("%d of %d sampled values look like MD5 digests: set input to md5 if they are", ids.compact, all),
			}}
		}
	}
	return nil
}
