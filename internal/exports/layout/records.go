package layout

import (
	"bytes"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// records splits the head into its first complete records.
func (h *Head) records(plan *usher.Plan) []csv.Record { return h.FirstRecords(plan, SampleRows) }

// FirstRecords splits the head into complete records, at most n.
func (h *Head) FirstRecords(plan *usher.Plan, n int) []csv.Record {
	d, text := DialectOf(plan), h.Text
	first, rest := rows.CutLine(text)
	if _, ok := csv.DeclaredDelimiter(first); ok {
		text = rest
	}
	var records []csv.Record
	for len(text) > 0 && len(records) < n {
		if line, rest := rows.CutLine(text); h.isNoRecord(line, d.Delimiter) {
			text = rest
			continue
		}
		if !h.All && len(records) > 0 && bytes.IndexByte(text, '\n') < 0 {
			break // the record goes on behind the head
		}
		record, open := d.SplitRecord(text)
		if open && (h.All || len(records) == 0) {
			return append(records, csv.Record{Open: true})
		}
		if open || len(record.Raw) == len(text) && !h.All && len(records) > 0 {
			break
		}
		records = append(records, record)
		text = text[len(record.Raw):]
	}
	return records
}

// isNoRecord reports whether a line is skipped or blank. One of delimiters alone is a record.
func (h *Head) isNoRecord(line []byte, delimiter byte) bool {
	return h.isSkipped(line) || rows.IsBlank(line) && bytes.IndexByte(line, delimiter) < 0
}

// withoutBraces returns records whose first one has the names of its cells without braces, if there are several and
// each cell is a name in braces, as Adjust writes its placeholders: {idfa},{att_status}.
func withoutBraces(records [][]string) [][]string {
	if len(records) < 2 || len(records[0]) < 2 {
		return records
	}
	header := make([]string, len(records[0]))
	for i, cell := range records[0] {
		name, begins := strings.CutPrefix(names.HeaderText([]byte(cell)), "{")
		name, ends := strings.CutSuffix(name, "}")
		if !begins || !ends || !names.LooksLikeName(name) {
			return records
		}
		header[i] = name
	}
	return slices.Concat([][]string{header}, records[1:])
}

// isNamed reports whether the first record has several fields, one of them a usual
// name. The records below may then have any number of fields.
func isNamed(records [][]string) bool {
	return len(records) > 0 && len(records[0]) > 1 &&
		slices.ContainsFunc(records[0], func(cell string) bool { return names.RankOf(names.HeaderText([]byte(cell))) == names.RankUsual })
}

// isEven reports whether four records in five have as many fields as the first one,
// at least two, or as the first one behind a title, which must be a header.
func isEven(records [][]string) bool {
	usual, n := usualFields(records)
	if usual < 2 || 5*n < 4*len(records) {
		return false
	}
	first := slices.IndexFunc(records, func(record []string) bool { return len(record) == usual })
	return first == 0 || isNamed(records[first:]) || namesBeforeIDs(records, usual) > 0
}

// usualFields returns the number of fields that most records have, and how many have it.
func usualFields(records [][]string) (fields, n int) {
	counts := map[int]int{}
	for _, record := range records {
		if counts[len(record)]++; counts[len(record)] > counts[fields] {
			fields = len(record)
		}
	}
	return fields, counts[fields]
}

// namesBeforeIDs returns the index of the last record before the first one with ids that has
// a number of fields, all of which look like names of columns; -1 if there is none.
func namesBeforeIDs(records [][]string, fields int) int {
	at := slices.IndexFunc(records, hasIDs) - 1
	for at >= 0 && (len(records[at]) != fields || !isAllNames(records[at])) {
		at--
	}
	return at
}

// isAllNames reports whether all fields of a record look like names of columns.
func isAllNames(record []string) bool {
	return !slices.ContainsFunc(record, func(cell string) bool { return !isWord(cell) })
}

// fieldsOf returns the fields of records.
func fieldsOf(records []csv.Record) [][]string {
	fields := make([][]string, len(records))
	for i := range records {
		fields[i] = records[i].Fields
	}
	return fields
}

// wordColumns returns the columns whose words distinguish a row from a header of unknown
// names, such as one in the middle of an export that was put together from several: columns
// without any words, and columns that have the same few words again and again. It returns none
// if a word may stand for a missing id, since rows may then have nothing but words, or if the
// job names the column of ids.
func wordColumns(records [][]string, plan *usher.Plan) []usher.Words {
	const enough, most, columns = 10, 16, 8 // since every part has them
	if !plan.Chosen || plan.Columns < 2 || hasWordsForIDs(records, plan.Column) {
		return nil
	}
	records = slices.DeleteFunc(slices.Clone(records), isAllNames) // these may be headers
	var found []usher.Words
	for at := 0; at < plan.Columns && len(found) < columns; at++ {
		filled, words := wordsIn(records, at, most)
		if n := len(words.Hashes); at != plan.Column && filled >= enough && 3*n <= filled && n <= most {
			found = append(found, words)
		}
	}
	return found
}

// wordsIn returns the words of the column at an index, at most one more than most, and the number
// of its cells that are not empty.
func wordsIn(records [][]string, at, most int) (filled int, words usher.Words) {
	words.Column = at
	for _, record := range records {
		if at >= len(record) || record[at] == "" || len(words.Hashes) > most {
			continue
		}
		filled++
		cell := record[at]
		if word := csv.WordHash(cell); isWord(cell) && !slices.Contains(words.Hashes, word) {
			words.Hashes, words.States = append(words.Hashes, word), words.States || names.IsState(cell)
		}
	}
	return filled, words
}

// hasWordsForIDs reports whether a word stands in a column in several records that differ, or
// in more than a few that do not.
func hasWordsForIDs(records [][]string, column int) bool {
	const few = 2
	first, same := map[string][]string{}, map[string]int{}
	return slices.ContainsFunc(records, func(record []string) bool {
		if column >= len(record) || !isWord(record[column]) {
			return false
		}
		word := record[column]
		before, found := first[word]
		first[word] = record
		same[word]++
		return found && !slices.Equal(before, record) || same[word] > few
	})
}

func isWord(cell string) bool { return names.LooksLikeName(names.HeaderText([]byte(cell))) }
