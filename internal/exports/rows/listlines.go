package rows

import (
	"bytes"
	"encoding/binary"
)

// splitLists returns the lines of data with one line for each element of those that are
// lists of ids, in place, and counts the lines that there were. split reports whether there
// are lists; the blank lines are left out then, so that every line is a row.
func (t *Text) splitLists(data []byte) (out []byte, split bool) {
	rest := data
	for len(rest) > 0 && !split {
		size, lines := beforeList(rest)
		t.row += lines
		if rest = rest[size:]; len(rest) > 0 {
			line, after := CutLine(rest)
			_, n := appendLine(t.scratch[:0], Unquoted(TrimSpace(line)))
			split, rest = n > 0, after
			t.row++
		}
	}
	if !split {
		return data, false
	}
	t.row += int64(bytes.Count(rest, []byte{'\n'}))
	out = data[:0]
	for line := range bytes.Lines(data) {
		bare := bytes.TrimSuffix(line, []byte{'\n'})
		switch {
		case IsBlank(bare):
		case isSingle(bare), !hasListMark(bare):
			out = append(out, line...)
		default:
			t.scratch = append(t.scratch[:0], line...) // out may overwrite the line
			var n int
			if out, n = appendLine(out, Unquoted(TrimSpace(t.scratch))); n == 0 {
				out = append(out, t.scratch...)
			}
		}
	}
	return out, true
}

// Unquoted returns the text of a line that is one quoted cell of CSV.
func Unquoted(line []byte) []byte {
	if n := len(line); n > 1 && line[0] == '"' && line[n-1] == '"' {
		return bytes.ReplaceAll(line[1:n-1], []byte(`""`), []byte{'"'})
	}
	return line
}

// beforeList returns the size and the number of the lines before the first one that may be
// a list of ids. It costs about as much as counting the lines: lines of UUIDs are passed
// over by their hyphens, and many other lines by what they do not have.
func beforeList(data []byte) (at int, lines int64) {
	const few, chunkBytes = 8, 4 << 10
	others, careful := 0, 0 // lines that are no UUIDs, up to now; lines before careful are looked at one by one
	for at < len(data) {
		if size, n := uuidLines(data[at:]); n > 0 {
			at += size
			lines += n
			others = 0
			continue
		}
		if others++; others > few && at >= careful {
			chunk := data[at:min(at+chunkBytes, len(data))]
			chunk = chunk[:bytes.LastIndexByte(chunk, '\n')+1]
			if len(chunk) > 0 && !hasListMark(chunk) {
				at += len(chunk)
				lines += int64(bytes.Count(chunk, []byte{'\n'}))
				continue
			}
			careful = at + chunkBytes
		}
		line, _ := CutLine(data[at:])
		if !isSingle(line) && hasListMark(line) {
			return at, lines
		}
		at = min(at+len(line)+1, len(data))
		lines++
	}
	return at, lines
}

// hasListMark reports whether text has a separator of lists or a bracket, as all lists have
// that are split.
func hasListMark(text []byte) bool {
	for _, mark := range []byte(", ;|\t[") {
		if bytes.IndexByte(text, mark) >= 0 {
			return true
		}
	}
	return false
}

// uuidLines returns the size and the number of the lines that data begins with and that have
// the shape of a UUID, which no list has.
func uuidLines(data []byte) (at int, lines int64) {
	const (
		size    = 36
		hyphens = '-' | '-'<<40 // at 8 and 13, and at 18 and 23 from 10 on
		bytes   = 0xFF | 0xFF<<40
	)
	for ; len(data)-at > size+1; lines++ {
		line := (*[size + 2]byte)(data[at:])
		first, second := binary.LittleEndian.Uint64(line[8:]), binary.LittleEndian.Uint64(line[18:])
		switch {
		case (first^hyphens|second^hyphens)&bytes != 0:
			return at, lines
		case line[size] == '\n':
			at += size + 1
		case line[size] == '\r' && line[size+1] == '\n':
			at += size + 2
		default:
			return at, lines
		}
	}
	return at, lines
}

// isSingle reports whether a line is certainly no list of ids: it is shorter than any, or
// has only digits, letters, hyphens, dots and slashes, possibly between quotes or braces,
// which package hashing removes.
func isSingle(text []byte) bool {
	const (
		ones, tops = 0x0101010101010101, 0x8080808080808080
		shortest   = 13 // an id and a separator
	)
	n := len(text)
	if n < shortest {
		return true
	}
	if text[n-1] == '\r' {
		text = text[:n-1]
	}
	if n = len(text); text[0] == '"' && text[n-1] == '"' || text[0] == '{' && text[n-1] == '}' {
		if text = text[1 : n-1]; len(text) < shortest {
			return true
		}
	}
	for at := 0; ; at = min(at+8, len(text)-8) {
		x := binary.LittleEndian.Uint64(text[at:])
		small := ^((x | tops) - '-'*ones)             // spaces, quotes, commas, line ends
		marks := x&(0x1F*ones) + (1<<7-';'&0x1F)*ones // ; [ { | and those behind them
		if (x|small|marks)&tops != 0 {
			return false
		}
		if at == len(text)-8 {
			return true
		}
	}
}
