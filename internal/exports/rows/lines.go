package rows

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/internal/exports/places"
)

// Lines cuts a stream into pieces of whole lines.
//
// It drops a line that is longer than the limit, in constant memory, and puts a
// placeholder in its place, so that the line still counts as a row. In plain text
// the placeholder is InvalidRow. For a reader of records it is a NUL byte, which
// no other line begins with, followed by a quote if the line has an odd number
// of quotes.
type Lines struct {
	// MostIDs is the number of ids that a line has at most, by the samples of the export. A line
	// that is too long and has more is an error. 0: any number. Key is that of NewIDCounter.
	MostIDs int
	Key     string

	in      io.Reader
	origin  places.Origin
	maxLine int
	records bool  // a reader of records follows
	at      int64 // offset of the next byte of in
	end     int64 // only lines that begin before it are read; -1: all

	tail         []byte // the incomplete line after the last piece
	started      bool
	discard      bool // the text up to the first line end belongs to another part
	skipping     bool // within a line that is too long
	quotes       int  // in that line, so far
	ids          IDCounter
	several      int // the number of ids of a line that is too long and has more than MostIDs
	ended        bool
	eof          bool  // in has ended
	loneCR       bool  // a line that is too long has a CR without LF
	placeholders bool  // the last piece has some
	part         int64 // offset of the part in the file
}

// NewLines cuts the text of a part. in begins with the byte before the part,
// except for the first part. If records, a reader of records follows.
func NewLines(in io.Reader, from places.Origin, maxLine int, records bool, part usher.Part) *Lines {
	return &Lines{
		in: in, origin: from, maxLine: maxLine, records: records,
		at: max(part.From-1, 0), end: part.To, discard: part.From > 0, part: part.From,
	}
}

// Origin returns the name of the source for errors.
func (l *Lines) Origin() places.Origin { return l.origin }

// MaxLine returns the length of the longest line that is read.
func (l *Lines) MaxLine() int { return l.maxLine }

// AtEOF reports whether the last piece ends where the file ends.
func (l *Lines) AtEOF() bool { return l.eof && l.ended }

// Row names a row in messages, by its number from 1. In a part of a file, it counts
// from the beginning of the part.
func (l *Lines) Row(n int64) string {
	if l.part == 0 {
		return fmt.Sprintf("row %d", n)
	}
	return fmt.Sprintf("row %d after byte %d", n, l.part)
}

// Incomplete is the error for a file that ends within its nth row.
func (l *Lines) Incomplete(n int64) error {
	return l.origin.Broken("write the export again and submit the job when the file is complete; "+
		"if its last row may be left out, set source.incompleteLastRow to drop; if the row is whole, end it with a line end",
		"it ends in the middle of %s", l.Row(n))
}

// WithoutCtrlZ is what to do about text that ends in Ctrl-Z.
const WithoutCtrlZ = `submit what tr -d '\032' < FILE > CLEAN.csv writes`

// CtrlZ returns the error for text that ends in Ctrl-Z instead of a row.
func (l *Lines) CtrlZ() error {
	return l.origin.Broken(WithoutCtrlZ, "it ends in Ctrl-Z (byte 26), as programs of DOS end text")
}

// loneCRError is the error for a line that ends in CR alone, in the nth row.
func (l *Lines) loneCRError(n int64) error {
	return l.origin.Broken(crHint, "a line ends in CR alone in %s", l.Row(n))
}

const crHint = "write all its lines with the usual end, LF or CR LF"

// HasPlaceholders reports whether the last piece has placeholders for lines that
// were too long.
func (l *Lines) HasPlaceholders() bool { return l.placeholders }

// placeholderRoom is kept free before the data in a buffer, for a placeholder and
// a line end.
const placeholderRoom = 4

// Overread is how far at least a part is read beyond its end, for the rest of its
// last line.
const Overread = 4 << 10

// Next reads whole lines into buf, which must be longer than twice the longest
// line. It returns io.EOF after the last line.
func (l *Lines) Next(buf []byte) ([]byte, error) {
	l.placeholders = false
	for !l.ended {
		data, err := l.fill(buf)
		if err != nil {
			return nil, err
		}
		if l.discard || l.skipping {
			if data = l.skip(buf, data); data == nil {
				continue
			}
		}
		data = l.cut(data)
		if !l.started {
			l.started = true
			data = TrimBOM(data)
		}
		data = l.replaceLong(data)
		if err := l.hidesRows(); err != nil {
			return nil, err
		}
		if len(data) > 0 {
			return data, nil
		}
	}
	return nil, io.EOF
}

// hidesRows returns an error if a line that is too long, which counts as one row, may have several.
func (l *Lines) hidesRows() error {
	switch {
	case l.loneCR:
		return l.origin.Broken(crHint, "a line of more than %d bytes before byte %d has line ends that are CR alone", l.maxLine, l.at)
	case l.several > 0:
		return SeveralIDs(l.origin, fmt.Sprintf("a line before byte %d is longer than %d bytes", l.at, l.maxLine), l.several, "")
	}
	return nil
}

// fill copies the tail into buf and reads more after it.
func (l *Lines) fill(buf []byte) ([]byte, error) {
	have := placeholderRoom + copy(buf[placeholderRoom:], l.tail)
	l.tail = l.tail[:0]
	want := len(buf)
	if l.end >= 0 && !l.skipping {
		want = int(min(int64(want), int64(have)+max(l.end-l.at, 0)+Overread))
	}
	for have < want {
		n, err := l.in.Read(buf[have:want])
		if i := bytes.IndexByte(buf[have:have+n], 0); i >= 0 {
			return nil, l.origin.Broken("write it as text without NUL bytes; a file full of them was perhaps never written whole",
				"it has a NUL byte at offset %d of its text", l.at+int64(i))
		}
		have += n
		l.at += int64(n)
		if errors.Is(err, io.EOF) {
			l.ended, l.eof = true, true
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return buf[placeholderRoom:have], nil
}

// skip drops the line that data begins in. It returns the rest of data with a
// placeholder before it, or nil if the line goes on or nothing follows.
//
// A line that goes on beyond the part's end is not read to its own end: otherwise
// every part of an export of one line would read all of it. Only a reader of
// records needs the number of its quotes, and only in the part that the line
// begins in.
func (l *Lines) skip(buf, data []byte) []byte {
	i := bytes.IndexByte(data, '\n')
	if i < 0 && !l.ended {
		return l.skipOn(buf, data)
	}
	if i < 0 {
		i = len(data) - 1 // the export's last line, without a line end
	}
	rest := placeholderRoom + i + 1
	if l.end >= 0 && l.at-int64(len(data)-i-1) >= l.end {
		l.ended = true // the rest belongs to the next part
		data = data[:i+1]
	}
	after := placeholderRoom + len(data)
	if l.discard {
		l.discard = false
		l.started = true
		return buf[rest:after]
	}
	l.skipping = false
	l.loneCR = l.loneCR || hasLoneCR(data[:i+1])
	l.ids.Add(data[:i+1])
	l.endLong()
	token := l.placeholder(l.quotes + bytes.Count(data[:i+1], []byte{'"'}))
	from := rest - len(token)
	copy(buf[from:], token)
	return buf[from:after]
}

// skipOn is skip for data without a line end.
func (l *Lines) skipOn(buf, data []byte) []byte {
	beyond := l.end >= 0 && l.at >= l.end
	switch {
	case beyond && l.discard:
		l.ended = true
	case l.skipping && hasLoneCR(data):
		l.loneCR, l.ended, l.skipping = true, true, false
		return data[:0:0]
	case beyond && !l.records:
		l.ended, l.skipping = true, false
		l.endLong()
		return buf[:copy(buf, l.placeholder(0))]
	}
	l.quotes += bytes.Count(data, []byte{'"'})
	if l.skipping {
		l.ids.Add(data)
	}
	return nil
}

// endLong counts the ids of a line that is too long.
func (l *Lines) endLong() {
	if n := l.ids.Count(); l.MostIDs > 0 && n > l.MostIDs {
		l.several = n
	}
}

// cut returns the whole lines of data that belong to the part, and keeps the
// incomplete line after them.
func (l *Lines) cut(data []byte) []byte {
	if l.end >= 0 && l.at >= l.end {
		// The part's last line is the one that its last byte is in: it ends at the
		// first line end from that byte on.
		k := max(int64(len(data))-(l.at-(l.end-1)), 0)
		if i := bytes.IndexByte(data[k:], '\n'); i >= 0 {
			l.ended = true
			return data[:int(k)+i+1]
		}
	}
	if l.ended {
		return data
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if begun := data[whole:]; len(begun) > l.maxLine {
		l.skipping = true
		l.loneCR = l.loneCR || hasLoneCR(begun)
		l.quotes = bytes.Count(begun, []byte{'"'})
		l.ids = NewIDCounter(l.Key)
		l.ids.Add(begun)
	} else {
		l.tail = append(l.tail[:0], begun...)
	}
	return data[:whole]
}

// replaceLong replaces the lines of data that are too long by placeholders, in
// place.
func (l *Lines) replaceLong(data []byte) []byte {
	line := 0
	for line+l.maxLine < len(data) {
		if i := bytes.LastIndexByte(data[line:line+l.maxLine+1], '\n'); i >= 0 {
			line += i + 1
			continue
		}
		end := len(data)
		if i := bytes.IndexByte(data[line:], '\n'); i >= 0 {
			end = line + i + 1
		}
		l.loneCR = l.loneCR || hasLoneCR(data[line:end])
		l.ids = NewIDCounter(l.Key)
		l.ids.Add(data[line:end])
		l.endLong()
		line += copy(data[line:], l.placeholder(bytes.Count(data[line:end], []byte{'"'})))
		data = append(data[:line], data[end:]...)
	}
	return data
}

// hasLoneCR reports whether a piece of text has a CR that is not part of a line end. A
// CR at its end may be the first half of one.
func hasLoneCR(text []byte) bool {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\r')
		if i < 0 {
			return false
		}
		rest := bytes.TrimLeft(text[at+i:], "\r")
		if len(rest) == 0 {
			return false
		}
		if rest[0] != '\n' {
			return true
		}
		at = len(text) - len(rest) + 1
	}
}

// placeholder returns the placeholder for a line with that many quotes.
func (l *Lines) placeholder(quotes int) string {
	l.placeholders = true
	switch {
	case !l.records:
		return InvalidRow + "\n"
	case quotes%2 == 1:
		return "\x00\"\n"
	}
	return "\x00\n"
}
