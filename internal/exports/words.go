package exports

import (
	"slices"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
)

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

// wordsIn returns the words of a column, at most one more than most, and the number of its cells
// that are not empty.
func wordsIn(records [][]string, column, most int) (filled int, words usher.Words) {
	words.Column = column
	for _, record := range records {
		if column >= len(record) || record[column] == "" || len(words.Hashes) > most {
			continue
		}
		filled++
		cell := record[column]
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
