package csv

import (
	"bytes"
	"strings"
)

// field is one field of a CSV record.
type field struct {
	value   []byte // between its quotes, where it has them
	extra   []byte // behind the closing quote: taken literally
	doubled bool   // quotes within value are doubled
	size    int    // bytes, with the delimiter or line end behind it
	last    bool   // of its record
}

// nextField scans the field that data begins with; data ends where a line or
// the export ends. As RFC 4180 has it, a field is quoted when it begins with a
// quote; a quote within any other field is taken literally. open says that a
// quote is not closed in data.
func nextField(data []byte, delimiter byte) (f field, open bool) {
	if len(data) == 0 || data[0] != '"' {
		f.value, f.size, f.last = bareField(data, delimiter)
		return f, false
	}
	for at := 1; ; {
		i := bytes.IndexByte(data[at:], '"')
		if i < 0 {
			return field{}, true
		}
		at += i + 1
		if at < len(data) && data[at] == '"' {
			f.doubled = true
			at++
			continue
		}
		f.value = data[1 : at-1]
		if at < len(data) && data[at] == delimiter {
			f.size = at + 1
			return f, false
		}
		f.extra, f.size, f.last = bareField(data[at:], delimiter)
		f.size += at
		return f, false
	}
}

// bareField scans up to the delimiter or line end.
func bareField(data []byte, delimiter byte) (value []byte, size int, last bool) {
	for i, c := range data {
		if c == delimiter {
			return data[:i], i + 1, false
		}
		if c == '\n' {
			return bytes.TrimSuffix(data[:i], []byte{'\r'}), i + 1, true
		}
	}
	return bytes.TrimSuffix(data, []byte{'\r'}), len(data), true
}

// text returns the field's value, in scratch where it is not one piece of data.
func (f *field) text(scratch []byte) []byte {
	if !f.doubled && len(f.extra) == 0 {
		return f.value
	}
	scratch = scratch[:0]
	for rest := f.value; ; {
		i := bytes.IndexByte(rest, '"')
		if i < 0 || !f.doubled {
			scratch = append(scratch, rest...)
			break
		}
		scratch = append(scratch, rest[:i+1]...)
		rest = rest[i+2:]
	}
	return append(scratch, f.extra...)
}

// delimiters are what may part the fields of a CSV export.
const Delimiters = "\t,;|"

// separatorLine returns what a spreadsheet's first line sep=; declares.
func DeclaredDelimiter(line []byte) (delimiter byte, ok bool) {
	line = bytes.Trim(bytes.TrimSuffix(line, []byte{'\r'}), `"`)
	if len(line) != 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || !strings.ContainsRune(Delimiters, rune(line[4])) {
		return 0, false
	}
	return line[4], true
}

// splitAll splits the record that data begins with.
func SplitRecord(data []byte, delimiter byte) (row []string, size int, open bool) {
	for {
		f, open := nextField(data[size:], delimiter)
		if open {
			return nil, 0, true
		}
		row = append(row, string(f.text(nil)))
		size += f.size
		if f.last {
			return row, size, false
		}
	}
}
