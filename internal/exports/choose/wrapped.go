package choose

import (
	"bytes"
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/places"
)

// wrapped counts cells that have the same text before and behind an id: gaid:6D92…, ="6D92…",
// 0x6D92…, urn:uuid:6D92…. They are no ids.
type wrapped struct {
	before, behind string
	n              int
	longest        int // characters of these ids
}

// count counts a cell that is no id.
func (w *wrapped) count(cell []byte) {
	const longest = 80
	if len(cell) > longest {
		return
	}
	from, to := idWithin(cell)
	if to == 0 || to-from == len(cell) {
		return
	}
	before, behind := cell[:from], cell[to:]
	switch {
	case w.n == 0 && !isPrintable(before), w.n == 0 && !isPrintable(behind):
		return
	case w.n == 0:
		w.before, w.behind = string(before), string(behind)
	case w.before != string(before) || w.behind != string(behind):
		return
	}
	w.n++
	w.longest = max(w.longest, to-from)
}

// isPrintable reports whether a text is short ASCII that messages may show, and no cells of a table.
func isPrintable(text []byte) bool {
	const longest = 24
	return len(text) <= longest && !bytes.Contains(text, []byte("  ")) && !bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) && hashing.MaskIDs(string(text)) == string(text)
}

// idWithin returns the bounds of the only id in a cell: a UUID, or 32 or 16 hexadecimal digits that
// stand alone, since the end of a longer number is no id. It returns 0, 0 if there is none or another
// one.
func idWithin(cell []byte) (from, to int) {
	for at := 0; at < len(cell); {
		end := at
		for end < len(cell) && (hashing.IsHexDigit(cell[end]) || cell[end] == '-') {
			end++
		}
		for _, n := range []int{36, 32, 16} {
			id := cell[max(at, end-n):end]
			if len(id) != n || n == 36 != hashing.IsUUID(id) || n != 36 && (end-at != n || !hashing.IsHex(id)) {
				continue
			}
			if to > 0 {
				return 0, 0
			}
			from, to = end-n, end
			break
		}
		at = end + 1
	}
	return from, to
}

// wrappedEvidence finds ids with the same text around all of them. It returns an error if most
// values are like this.
func (s Search) wrappedEvidence(from places.Origin, c *Column) ([]finding, error) {
	w := &c.spelling.wrapped
	fits := w.longest >= 32
	if s.Type == usher.AndroidID && s.Input != usher.InputMD5 {
		fits = w.longest == 16
	}
	if w.n == 0 || !fits || c.Bytes || 100*w.n < c.Filled {
		return nil, nil
	}
	what, hint := fmt.Sprintf("have %s an id", w.around()), w.hint()
	if 2*w.n > c.Filled && w.n > 1 && !s.Removes {
		return nil, from.Broken(hint, "%d of %d sampled values%s are no ids: they %s", w.n, c.Filled, c.of(), what)
	}
	return []finding{{code: usher.WarnWrappedIDs, n: w.n, all: c.Filled, text: "sampled values" + c.of() + " " + what + ", and are not read: " + hint}}, nil
}

// around says what is around the ids.
func (w *wrapped) around() string {
	switch {
	case w.behind == "":
		return w.before + " before"
	case w.before == "":
		return w.behind + " behind"
	}
	return w.before + " before and " + w.behind + " behind"
}

// hint is what to do: a command that removes the text from a text file. In CSV each quote within
// a quoted cell is written twice.
func (w *wrapped) hint() string {
	const id, quotes = `([0-9A-Fa-f-]{16,36})`, `"*`
	pattern := func(text string) string {
		var out strings.Builder
		for _, c := range text {
			switch {
			case c == '"':
				out.WriteString(quotes)
			case strings.ContainsRune(`\.[]{}()*+?^$|/`, c):
				out.WriteString(`\` + string(c))
			case c == '\'':
				out.WriteString(`\x27`)
			default:
				out.WriteRune(c)
			}
		}
		return out.String()
	}
	find := pattern(w.before) + id + pattern(w.behind)
	if strings.ContainsAny(w.before+w.behind, `"`) {
		find = quotes + find + quotes
	}
	return "write the ids alone, as sed -E 's/" + find + `/\1/g' FILE > CLEAN does for a text file`
}
