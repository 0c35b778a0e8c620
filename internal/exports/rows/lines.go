package rows

import (
	"bytes"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/places"
)

// lines cuts a stream into pieces of whole lines.
//
// A line longer than maxLine is dropped whatever its length, in constant
// memory, and a token stands in its place, so that it stays a row. In plain
// text the token is a value that is no id; before a splitter of records it is a
// NUL, which no line can begin with otherwise, followed by a quote when the
// line had an odd number of them.
type Lines struct {
	in      io.Reader
	Origin  places.Origin
	MaxLine int
	records bool  // tokens are for a splitter of records
	at      int64 // offset of in's next byte
	end     int64 // only lines that begin before it; -1: all

	tail      []byte // the line that the last piece ended in
	started   bool
	discard   bool // up to the first line end: that line is another part's
	skipping  bool // in an over-long line
	quotes    int  // in it, so far
	ended     bool
	HasTokens bool // the last piece has some
}

// newLines cuts the text of a part, which in begins with the byte before unless
// the part begins the export.
func NewLines(in io.Reader, from places.Origin, maxLine int, records bool, part usher.Part) *Lines {
	return &Lines{
		in: in, Origin: from, MaxLine: maxLine, records: records,
		at: max(part.From-1, 0), end: part.To, discard: part.From > 0,
	}
}

// tokenRoom is kept free before the data in a buffer: a token and a line end.
const tokenRoom = 4

// beyondBytes is how far a part that ends is read at least beyond its end, for the
// rest of its last line.
const Overread = 4 << 10

// invalidRow is the value that stands for a row that cannot be read.
const InvalidRow = "?"

// next returns lines in buf, which is longer than twice maxLine, or io.EOF.
func (l *Lines) Next(buf []byte) ([]byte, error) {
	l.HasTokens = false
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
		if len(data) > 0 {
			return l.mask(data), nil
		}
	}
	return nil, io.EOF
}

// fill reads once behind the tail.
func (l *Lines) fill(buf []byte) ([]byte, error) {
	have := tokenRoom + copy(buf[tokenRoom:], l.tail)
	l.tail = l.tail[:0]
	want := len(buf)
	if l.end >= 0 && !l.skipping {
		want = int(min(int64(want), int64(have)+max(l.end-l.at, 0)+Overread))
	}
	for have < want {
		n, err := l.in.Read(buf[have:want])
		if i := bytes.IndexByte(buf[have:have+n], 0); i >= 0 {
			return nil, l.Origin.Broken("write it as text without NUL bytes; a file full of them was perhaps never written whole",
				"it has a NUL byte at offset %d of its text", l.at+int64(i))
		}
		have += n
		l.at += int64(n)
		if errors.Is(err, io.EOF) {
			l.ended = true
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return buf[tokenRoom:have], nil
}

// skip drops the line that data begins in, and returns what follows with a
// token before it; nil when the line goes on, or nothing follows.
//
// A line that goes on beyond the part's end is not read to its own end, or each
// part of an export of one line would read all of it. Only a splitter of
// records needs its quotes, and only in the part that it begins in.
func (l *Lines) skip(buf, data []byte) []byte {
	i := bytes.IndexByte(data, '\n')
	if i < 0 && !l.ended {
		beyond := l.end >= 0 && l.at >= l.end
		switch {
		case beyond && l.discard:
			l.ended = true
		case beyond && !l.records:
			l.ended, l.skipping = true, false
			return buf[:copy(buf, l.token(0))]
		}
		l.quotes += bytes.Count(data, []byte{'"'})
		return nil
	}
	if i < 0 {
		i = len(data) - 1 // the export's last line, without an end
	}
	rest := tokenRoom + i + 1
	if l.end >= 0 && l.at-int64(len(data)-i-1) >= l.end {
		l.ended = true // what follows is the next part's
		data = data[:i+1]
	}
	after := tokenRoom + len(data)
	if l.discard {
		l.discard = false
		l.started = true
		return buf[rest:after]
	}
	l.skipping = false
	token := l.token(l.quotes + bytes.Count(data[:i+1], []byte{'"'}))
	from := rest - len(token)
	copy(buf[from:], token)
	return buf[from:after]
}

// cut returns the whole lines of data that belong to the part, and keeps the
// beginning of the next.
func (l *Lines) cut(data []byte) []byte {
	if l.end >= 0 && l.at >= l.end {
		// The line over the part's end is its last: it ends at the first
		// line end at or after the byte before.
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
	if begun := data[whole:]; len(begun) > l.MaxLine {
		l.skipping = true
		l.quotes = bytes.Count(begun, []byte{'"'})
	} else {
		l.tail = append(l.tail[:0], begun...)
	}
	return data[:whole]
}

// mask replaces the over-long lines of data by tokens, in place.
func (l *Lines) mask(data []byte) []byte {
	line := 0
	for line+l.MaxLine < len(data) {
		if i := bytes.LastIndexByte(data[line:line+l.MaxLine+1], '\n'); i >= 0 {
			line += i + 1
			continue
		}
		end := len(data)
		if i := bytes.IndexByte(data[line:], '\n'); i >= 0 {
			end = line + i + 1
		}
		line += copy(data[line:], l.token(bytes.Count(data[line:end], []byte{'"'})))
		data = append(data[:line], data[end:]...)
	}
	return data
}

// token stands for an over-long line with that many quotes.
func (l *Lines) token(quotes int) string {
	l.HasTokens = true
	switch {
	case !l.records:
		return InvalidRow + "\n"
	case quotes%2 == 1:
		return "\x00\"\n"
	}
	return "\x00\n"
}
