package choose

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// IsEvidence reports whether a code is of a warning that Evidence has.
func IsEvidence(code usher.WarningCode) bool {
	return slices.Contains([]usher.WarningCode{usher.WarnTypeColumn, usher.WarnSaysNo, usher.WarnConsentString, usher.WarnUnanswered, usher.WarnLetterCase, usher.WarnLooksHashed, usher.WarnLooksRaw, usher.WarnDisregard, usher.WarnVersion, usher.WarnSpreadsheet, usher.WarnOtherKind, usher.WarnCommentedOut, usher.WarnWrappedIDs, usher.WarnOtherSheets, usher.WarnHiddenRows, usher.WarnUnlikelyIDs}, code)
}

// Evidence holds what contradicts a job in the samples of its export, file by file.
type Evidence struct {
	base     places.Origin // that the files' names begin with
	examined map[places.Origin]bool
	list     []finding

	hyphens bool            // 32 digits without hyphens are a digest
	refusal error           // the first reason to refuse the export
	known   map[string]bool // what source.disregard names, and a file has or is
	columns string          // of the first file, for people
}

// Hyphens reports whether ids have hyphens, so that 32 hexadecimal digits without them are a digest.
func (e *Evidence) Hyphens() bool { return e.hyphens }

// refuse keeps the first reason to refuse the export.
func (e *Evidence) refuse(err error) {
	if e.refusal == nil {
		e.refusal = err
	}
}

// Err returns the error for an export whose ids cannot be what the job takes them for.
func (e *Evidence) Err() error {
	if e == nil {
		return nil
	}
	return e.refusal
}

// newEvidence returns empty Evidence of an export. The names of its files begin with base, which
// warnings leave out.
func newEvidence(base places.Origin) *Evidence {
	return &Evidence{base: base, examined: map[places.Origin]bool{}, known: map[string]bool{}}
}

// Examined reports whether a file was examined.
func (e *Evidence) Examined(from places.Origin) bool { return e.examined[from] }

// finding is evidence against the job: n of all samples are as the text says; if all is 0, the whole export.
type finding struct {
	code   usher.WarningCode
	n, all int
	text   string
	files  []string // "" if the export is one file
}

// Examine adds to Evidence what contradicts the job in the rows that were examined. It does so once
// for each file.
func (s Search) Examine(sample *Sample) {
	from, columns, at := sample.From, sample.Columns, sample.At
	if s.Evidence == nil || s.Evidence.examined[from] || at < 0 || at >= len(columns) {
		return
	}
	s.Evidence.examined[from] = true
	markRepeated(columns)
	s.noteDisregarded(columns)
	var found []finding
	if !s.Mixed {
		found = append(found, s.typeEvidence(sample)...)
		found = append(found, s.caseEvidence(&columns[at])...)
	}
	found = append(append(found, s.inputEvidence(&columns[at].spelling)...), sample.kindsOfElements()...)
	found = append(found, s.unlikelyEvidence(&columns[at])...)
	found = append(found, s.shapeEvidence(from, &columns[at])...)
	found = append(append(found, consentEvidence(columns, at)...), s.unanswered(sample)...)
	for _, f := range found {
		s.Evidence.add(f, hashing.MaskIDs(s.Evidence.nameOf(from)))
	}
}

// consentEvidence finds columns of consent strings.
func consentEvidence(columns []Column, at int) []finding {
	var found []finding
	for i := range columns {
		if c := &columns[i]; i != at && names.IsConsentString(c.Name) {
			n := max(columns[at].Filled, 1)
			found = append(found, finding{code: usher.WarnConsentString, n: n, all: n, text: fmt.Sprintf(
				"sampled rows may have a consent string (TCF, GPP) in column %s, which usher does not decode: leave people without consent out of the export", c.Label())})
		}
	}
	return found
}

// nameOf returns the name of a file in warnings, "" if the export is one file.
func (e *Evidence) nameOf(from places.Origin) string {
	return strings.TrimPrefix(strings.TrimPrefix(string(from), string(e.base)), ", ")
}

// add adds a finding in a file.
func (e *Evidence) add(found finding, file string) {
	at := slices.IndexFunc(e.list, func(old finding) bool { return old.code == found.code && old.text == found.text })
	if at < 0 {
		found.files = []string{file}
		e.list = append(e.list, found)
		return
	}
	old := &e.list[at]
	old.n, old.all, old.files = old.n+found.n, old.all+found.all, append(old.files, file)
}

// Warnings returns the findings as warnings that name the files.
func (e *Evidence) Warnings() []usher.Warning {
	const named = 3
	var list []usher.Warning
	for _, found := range e.list {
		where := strings.Join(found.files[:min(len(found.files), named)], ", ")
		if more := len(found.files) - named; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		if where != "" {
			where += ": "
		}
		if found.all > 0 {
			where += fmt.Sprintf("%d of %d ", found.n, found.all)
		}
		list = append(list, usher.Warning{Code: found.code, Count: int64(found.n), Description: where + found.text})
	}
	return list
}

// Beyond is Warnings without the findings that the plan has already. It returns none for nil.
func (e *Evidence) Beyond(plan *usher.Plan) []usher.Warning {
	if e == nil {
		return nil
	}
	more := Evidence{list: slices.DeleteFunc(slices.Clone(e.list), func(found finding) bool {
		return slices.ContainsFunc(plan.Warnings, func(w usher.Warning) bool {
			return w.Code == found.code && strings.HasSuffix(w.Description, found.text)
		})
	})}
	return more.Warnings()
}

// typeEvidence finds columns of types that contradict the wanted type.
func (s Search) typeEvidence(sample *Sample) []finding {
	var found []finding
	for i := range sample.Columns {
		c := &sample.Columns[i]
		if s.Type == "" || i == sample.At || !c.saysTypes() {
			continue
		}
		all, other := 0, 0
		for id, typed := range sample.pairs(i) {
			if rows.IsGap([]byte(id)) {
				continue
			}
			all++
			if t := rows.ParseType([]byte(typed)); t != usher.RowOther && !s.Type.Fits(t) {
				other++
			}
		}
		if other > 0 {
			found = append(found, finding{code: usher.WarnTypeColumn, n: other, all: all, text: "sampled " + OtherTypes(s.Type, c)})
		}
	}
	return found
}

// fieldValue returns the value of a field of the source that names a column, as both JSON and a
// shell have it. A plain word has no quotes, for people. What looks like an id in a path is masked.
func fieldValue(c *Column) string {
	name := hashing.MaskIDs(c.Name)
	switch {
	case c.Number > 0 && (c.repeated || !c.LooksNamed() || strings.ContainsAny(c.Name, "\n\r\t")):
		return strconv.Quote(strconv.Itoa(c.Number))
	case strings.Contains(name, "$"): // a shell would replace it within other quotes
		return "'" + name + "'"
	case strings.ContainsAny(name, " ()"):
		return strconv.Quote(name)
	}
	return name
}

// caseEvidence compares the letters' case of UUIDs with that of the wanted type.
func (s Search) caseEvidence(c *Column) []finding {
	if s.Type != usher.IDFA && s.Type != usher.AAID {
		return nil
	}
	n, as := c.spelling.lower.of(&c.spelling), usher.AAID
	if s.Type == usher.AAID {
		n, as = c.spelling.upper.of(&c.spelling), usher.IDFA
	}
	all := (&letters{c.spelling.uuids, c.spelling.compact}).of(&c.spelling)
	if c.Bytes || s.Input == usher.InputMD5 || n < fewOthers || 100*n < all || s.hashed(&c.spelling) {
		return nil
	}
	what := fmt.Sprintf("set the profile to %s if they are, for a segment of type %s", as, segmentType(as))
	if !rows.NearlyAll(n, all) {
		what = SeparateTypes
	}
	return []finding{{code: usher.WarnLetterCase, n: n, all: all, text: "sampled ids" + InCaseOf(as, s.Type) + what}}
}

// fewOthers is the smallest number of ids whose letters' case is told. One of them may be odd.
const fewOthers = 2

// SeparateTypes is what to do about ids of several types.
const SeparateTypes = "if they are, write them to a separate export, or set source.typeColumn to the column that says so"

// InCaseOf says that ids have the letters' case of a type, and not of the wanted one.
func InCaseOf(other, wanted usher.IDType) string {
	written := "lower"
	if other == usher.IDFA {
		written = "upper"
	}
	return fmt.Sprintf(" are in %s case, as %s usually is and %s is not: ", written, other, wanted)
}

// hashed reports whether the ids are rather digests than UUIDs without hyphens.
func (s Search) hashed(ids *spelling) bool {
	return rows.NearlyAll(ids.compact, ids.compact+ids.uuids) && 2*ids.versions < ids.compact
}

// inputEvidence compares the shape of the ids with the job's input.
func (s Search) inputEvidence(ids *spelling) []finding {
	all := ids.compact + ids.uuids
	switch s.Input {
	case usher.InputMD5:
		if rows.NearlyAll(ids.uuids, all) {
			return []finding{{code: usher.WarnLooksRaw, n: ids.uuids, all: all, text: "sampled values are ids and no MD5 digests: set input to raw"}}
		}
	case usher.InputRaw, "":
		if s.hashed(ids) {
			return []finding{{code: usher.WarnLooksHashed, n: ids.compact, all: all, text: "sampled values look like MD5 digests: set input to md5 if they are"}}
		}
	}
	return nil
}

// unlikelyEvidence finds values that usher hashes as ANDROID_IDs, but that are too many for such
// values to be ids.
func (s Search) unlikelyEvidence(c *Column) []finding {
	n, all := c.spelling.unlikely, c.spelling.short
	if s.Type != usher.AndroidID || s.Input == usher.InputMD5 || c.Bytes || n == 0 || c.spelling.tooShort == 0 && 20*n < all {
		return nil
	}
	return []finding{{code: usher.WarnUnlikelyIDs, n: n, all: all, text: "sampled values" + c.of() +
		" have at most 12 characters or no letters, as ANDROID_IDs hardly ever have, and those of more than 8 characters are hashed all the same: if they are customer numbers, telephone numbers, totals or words, set source.column to the column of device ids, or remove these rows"}}
}

// kindsOfElements finds arrays with several ids whose elements name the kind of each id,
// in words that source.typeColumn does not know, such as ios_vendor_id.
func (s *Sample) kindsOfElements() []finding {
	var found []finding
	for i := range s.Columns {
		c := &s.Columns[i]
		if s.Rows == nil || i == s.At || names.ParentOf(s.Columns[s.At].Name) != names.ParentOf(c.Name) || !names.IsTypeName(c.Name) {
			continue
		}
		if n, all := unknownKinds(s.Rows(i)); n >= rows.EnoughIDs {
			found = append(found, finding{
				code: usher.WarnTypeColumn, n: n, all: all,
				text: fmt.Sprintf("sampled ids that stand beside others in an array are of a kind that usher does not know, by %s: write the ids that are meant to a field of their own", c.Label()),
			})
		}
	}
	return found
}

// unknownKinds counts the ids of rows that have several of different kinds, and those of them
// whose kind usher does not know.
func unknownKinds(rowsOf iter.Seq2[[]string, [][]string]) (unknown, all int) {
	for _, beside := range rowsOf {
		var kinds []string
		for _, own := range beside {
			if len(own) == 1 {
				kinds = append(kinds, own[0])
			}
		}
		if len(slices.Compact(slices.Clone(kinds))) < 2 {
			continue
		}
		all += len(kinds)
		for _, kind := range kinds {
			if rows.ParseType([]byte(kind)) == usher.RowOther {
				unknown++
			}
		}
	}
	return unknown, all
}

// saysTypes reports whether a column says of which type the rows are: its name and most of its
// values do, or all of its values.
func (c *Column) saysTypes() bool {
	if names.IsTypeName(c.Name) {
		return c.HasTypes()
	}
	return c.HasOnlyTypes()
}

// known returns the number of cells that name a type.
func (c *Column) known() int { return c.Filled - c.Types[usher.RowOther] }

// HasTypes reports whether at least four of five filled cells name a type, another operating system
// or another kind of id, and one of them a type or a kind.
func (c *Column) HasTypes() bool {
	return c.known()+c.kinds > 0 && 5*(c.known()+c.systems+c.kinds) >= 4*c.Filled
}

// HasOnlyTypes reports whether each filled cell names a type or another operating system in a word
// that stands for little else, and one of them a type.
func (c *Column) HasOnlyTypes() bool {
	return c.known() > 0 && c.companies == 0 && c.known()+c.systems == c.Filled
}

// OtherTypes says that rows with an id are of another type than the wanted one, and what to do.
func OtherTypes(wanted usher.IDType, c *Column) string {
	return fmt.Sprintf("rows with an id are of another type than %s in column %s: set source.typeColumn to %s", wanted, c.Label(), fieldValue(c))
}

// OtherCase returns the number of ids whose letters have the case of another type, by warnings.
func OtherCase(list []usher.Warning) (sum int64) {
	for _, w := range list {
		if w.Code == usher.WarnLetterCase {
			sum += w.Count
		}
	}
	return sum
}

// Commented adds to the evidence that n of all sampled rows with an id begin with a mark. sure says
// that somebody has commented them out, so that the export is refused.
func (s Search) Commented(from places.Origin, mark string, n, all int, hint string, sure bool) {
	if sure && !s.Removes {
		s.Evidence.refuse(from.Broken(hint, "%d of %d sampled rows with an id begin with %q, as if they were commented out", n, all, mark))
		return
	}
	s.Evidence.add(finding{
		code: usher.WarnCommentedOut, n: n, all: all,
		text: "sampled rows with an id begin with " + mark + ", and are read: if they were commented out, " + hint,
	}, hashing.MaskIDs(s.Evidence.nameOf(from)))
}

// hiddenRows is its text for all rows; for the samples, sampled stands before it.
const hiddenRows = "rows are hidden, as a filter hides them, and are read like the others: if only those are meant that are shown, copy them to a new sheet, and submit that"

// HiddenRows adds to the evidence that n of all sampled rows of a sheet are hidden.
func (s Search) HiddenRows(from places.Origin, n, all int) {
	if s.Evidence != nil && n > 0 {
		s.Evidence.add(finding{code: usher.WarnHiddenRows, n: n, all: all, text: "sampled " + hiddenRows}, hashing.MaskIDs(s.Evidence.nameOf(from)))
	}
}

// HiddenRows is the warning for n hidden rows of a whole sheet.
func HiddenRows(n int) usher.Warning {
	return usher.Warning{Code: usher.WarnHiddenRows, Count: int64(n), Description: hiddenRows}
}

// OtherSheets adds to the evidence that sheets with ids are not read. own is the one that is.
func (s Search) OtherSheets(from places.Origin, own string, names []string, all int) {
	if s.Evidence == nil || len(names) == 0 {
		return
	}
	const most = 5
	named := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		named += " …"
	}
	s.Evidence.add(finding{
		code: usher.WarnOtherSheets, n: len(names), all: all,
		text: "sheets have device ids as well and are not read (" + named + "), only " + own + " is: set source.sheet to the name of the one that is meant",
	}, hashing.MaskIDs(s.Evidence.nameOf(from)))
}

// NameSaysNo adds to the evidence that the name of a file, a folder or a sheet says that these people said no,
// and that nothing else is read. what has that name, and hint says what to do.
func (s Search) NameSaysNo(from places.Origin, what, name, hint string) {
	if s.Evidence != nil && !s.Removes {
		s.Evidence.add(finding{
			code: usher.WarnSaysNo, n: 1,
			text: fmt.Sprintf("the name of its %s %q says that these people said no, and it is read all the same: %s", what, hashing.MaskIDs(name), hint),
		}, hashing.MaskIDs(s.Evidence.nameOf(from)))
	}
}
