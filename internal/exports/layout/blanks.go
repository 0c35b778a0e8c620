package layout

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// refuseUnread refuses text that no delimiter separates into columns, and that is no list of ids
// either: keys and values, as YAML and LDIF have them, and tables whose columns blanks separate. In
// both, an id stands beside other words, which a list would lose.
func (h *Head) refuseUnread(lines [][]byte) error {
	return cmp.Or(h.refuseKeys(lines), h.refuseBlanks(lines))
}

// keyBeforeID is a key before an id: gaid: 6D92…, "gaid": "6D92…", gaid=6D92….
var keyBeforeID = regexp.MustCompile(`([A-Za-z_][\w.-]*)["']?\s*(:{1,2}|=)\s*["']?(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{16})\b`)

// refuseKeys refuses lines of keys and values, such as YAML and LDIF.
func (h *Head) refuseKeys(lines [][]byte) error {
	found, ids, key := 0, 0, [][]byte(nil)
	if !slices.ContainsFunc(lines, mayHaveKey) {
		return nil
	}
	for _, line := range lines {
		if rows.CountIDs(line, "") == 0 {
			continue
		}
		ids++
		if !mayHaveKey(line) {
			continue
		}
		if m := keyBeforeID.FindSubmatch(line); m != nil && (key == nil || bytes.Equal(m[1], key[1])) && names.LooksLikeName(string(m[1])) {
			found++
			key = m
		}
	}
	if found == 0 || 2*found < ids {
		return nil
	}
	name := "lines of keys and values"
	switch is := func(begin string) bool {
		return slices.ContainsFunc(lines, func(line []byte) bool { return bytes.HasPrefix(line, []byte(begin)) })
	}; {
	case is("dn:"):
		name = "LDIF"
	case is("---"), is("- "):
		name = "YAML"
	}
	take := fmt.Sprintf(`sed -nE "s/.*%s[\"']?[[:space:]]*%s[[:space:]]*[\"']?([0-9A-Fa-f-]+).*/\1/p" FILE > IDS.txt`, regexp.QuoteMeta(string(key[1])), key[2])
	return h.Broken("take the ids out of it: "+take+" writes those of "+string(key[1])+", which is a list that can be submitted",
		"it is %s, which usher does not read: %d of %d sampled lines with an id have %s%s before it", name, found, ids, key[1], key[2])
}

// mayHaveKey reports whether keyBeforeID can match in a line, at a fraction of its time.
func mayHaveKey(line []byte) bool {
	return bytes.IndexByte(line, ':') >= 0 || bytes.IndexByte(line, '=') >= 0
}

// refuseBlanks refuses lines most of which have one id and other words, separated by blanks. Those
// with several ids, and those with another separator, may be lists.
func (h *Head) refuseBlanks(lines [][]byte) error {
	beside, alone, words := 0, 0, false
	first, at := -1, map[int]int{} // the first line with an id; lines by the place of their id
	for i, line := range lines {
		if bytes.ContainsAny(line, ",;|[{(") {
			if rows.CountIDs(line, "") > 0 {
				return nil
			}
			continue
		}
		l := lineOfBlanks(line)
		switch {
		case l.ids > 1:
			return nil
		case l.ids == 1 && l.others == 0:
			alone++
		case l.ids == 1:
			beside++
			at[l.place]++
			words = words || l.words
		}
		if l.ids > 0 && first < 0 {
			first = i
		}
	}
	if beside == 0 || beside <= alone || len(at) > 1 && !words { // ids and placeholders in turns
		return nil
	}
	return h.Broken(h.readBlanks(lines, first, at)+"; if they are lists of ids, set source.format to text", "its columns are separated by blanks: %d of %d sampled lines have other words beside an id", beside, len(lines))
}

// blankLine is a line of words that blanks separate.
type blankLine struct {
	ids, others int  // words that are ids; others, without bullets
	place       int  // of the last id
	words       bool // some of the others are no placeholders
}

func lineOfBlanks(line []byte) (l blankLine) {
	place := 0
	for word := range bytes.FieldsSeq(line) {
		switch {
		case rows.LooksLikeID(word):
			l.ids, l.place = l.ids+1, place
		case len(word) > 1 || !bytes.ContainsAny(word, "-*+"):
			l.others++
			l.words = l.words || !hashing.IsPlaceholder(word)
		}
		place++
	}
	return l
}

// readBlanks is how to read such lines. first is the index of the first one with an id, and at has
// the number of lines by the place of their id.
func (h *Head) readBlanks(lines [][]byte, first int, at map[int]int) string {
	if hint := h.readBlankDelimiter(); hint != "" {
		return hint
	}
	if len(at) > 1 {
		return "write it as CSV; or, if all UUIDs in it are device ids, submit the list that grep -oE '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}' FILE > IDS.txt writes"
	}
	place := 0
	for p := range at {
		place = p + 1
	}
	before, _, _ := bytes.Cut(h.Text, lines[first])
	skip := bytes.Count(before, []byte{'\n'})
	return fmt.Sprintf("write it as CSV, or submit the list of its column %d, which awk 'NR > %d {print $%d}' FILE > IDS.txt writes", place, skip, place)
}

// readBlankDelimiter is how to read lines whose cells single blanks separate, "" if none do.
func (h *Head) readBlankDelimiter() string {
	records := complete(h.FirstRecords(&usher.Plan{Delimiter: " ", Quote: "double", Escape: "double"}, SampleRows))
	first := slices.IndexFunc(records, func(r csv.Record) bool { return slices.ContainsFunc(r.Fields, isID) })
	if first < 0 {
		return ""
	}
	fields, place := len(records[first].Fields), slices.IndexFunc(records[first].Fields, isID)
	for i := range records[first:] {
		r := &records[first+i]
		if r.Broken || r.Open || len(r.Fields) != fields || !isID(r.Fields[place]) && strings.TrimSpace(r.Fields[place]) != "" && !isWord(r.Fields[place]) {
			return ""
		}
	}
	hint := `set source.delimiter to " " and source.column to ` + strconv.Quote(strconv.Itoa(place+1))
	if first > 0 && (first > 1 || len(records[0].Fields) != fields) { // R's header lacks the column of row names
		hint += " and source.skip to " + strconv.Itoa(h.linesBefore(&records[first]))
	}
	return hint
}

func isID(cell string) bool { return rows.LooksLikeID([]byte(cell)) }
