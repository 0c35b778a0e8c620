package ndjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Document cuts a stream of JSON into records: the elements of its arrays, and its
// objects outside of arrays, written in one line or in many. It finds the end of a
// record by its brackets and strings, and leaves the rest to a Finder.
type Document struct {
	in       io.Reader
	origin   places.Origin
	most     int  // bytes of the longest record
	mayBeCut bool // a stream that ends within a record ends with the record before it

	data  []byte // a window of the stream
	from  int    // of the record
	at    int    // the next byte
	ended bool   // data has the end of the stream
	begun bool

	mostIDs int // see Layout
	key     string
	dropped rows.IDCounter // ids of a record that is longer than most

	array   bool // within an array
	comma   bool // the next element follows a comma
	element bool // an element ended, and neither a comma nor the array's end was read
	long    bool // the record is longer than most
	rows    int64
	scalar  []byte
}

// NewDocument returns a Document of in, which must be UTF-8. Records longer than most
// bytes are nil. If mayBeCut, a record that the stream ends in is left out; otherwise it
// is source_broken.
func NewDocument(in io.Reader, from places.Origin, most int, mayBeCut bool) *Document {
	return &Document{in: in, origin: from, most: most, mayBeCut: mayBeCut, data: make([]byte, 0, max(min(most, 64<<10), 16))}
}

// Records returns the first complete records of text, at most n.
func Records(text []byte, n int) [][]byte {
	d := NewDocument(bytes.NewReader(text), "", len(text)+1, true)
	var records [][]byte
	for len(records) < n {
		record, err := d.Next()
		if err != nil {
			break
		}
		records = append(records, bytes.Clone(record))
	}
	return records
}

// Next returns the next record, which is valid until the next call. An element that is
// neither an object nor an array is returned in brackets. Next returns io.EOF after the
// last record, and source_broken if the stream cannot be cut into records.
func (d *Document) Next() ([]byte, error) {
	for {
		c, err := d.peek()
		switch {
		case errors.Is(err, io.EOF) && d.array:
			return nil, d.cut()
		case err != nil:
			return nil, err
		case !d.array && c == '[':
			d.array, d.element, d.comma = true, false, false
		case d.array && c == ']' && !d.comma:
			d.array, d.element = false, false
		case d.element && c == ',':
			d.element, d.comma = false, true
		case d.element, !d.array && c != '{', c == ',', c == ']', c == '}':
			return nil, d.noJSON()
		default:
			return d.record(c)
		}
		d.at++
	}
}

// peek returns the next byte that is not a space, or io.EOF.
func (d *Document) peek() (byte, error) {
	const recordSeparator = 0x1E // of RFC 7464, which jq --seq writes
	for {
		for ; d.at < len(d.data); d.at++ {
			if c := d.data[d.at]; !rows.IsSpace(c) && (c != recordSeparator || d.array) {
				return c, nil
			}
		}
		d.from = d.at
		if err := d.fill(); err != nil {
			return 0, err
		}
	}
}

// fill reads more. It drops the bytes before the record, and the record as well if it is
// too long. It returns io.EOF at the end of the stream.
func (d *Document) fill() error {
	if d.ended {
		return io.EOF
	}
	if d.at-d.from > d.most {
		d.long = true
	}
	if d.long {
		d.dropped.Add(d.data[d.from:d.at])
		d.from = d.at
	}
	if d.from > 0 {
		d.data = d.data[:copy(d.data, d.data[d.from:])]
		d.at -= d.from
		d.from = 0
	}
	if len(d.data) == cap(d.data) {
		d.data = append(d.data, make([]byte, len(d.data)+1)...)[:len(d.data)]
	}
	n, err := d.in.Read(d.data[len(d.data):cap(d.data)])
	d.data = d.data[:len(d.data)+n]
	for !d.begun && len(d.data) < len(rows.BOM) && err == nil {
		n, err = d.in.Read(d.data[len(d.data):cap(d.data)])
		d.data = d.data[:len(d.data)+n]
	}
	if !d.begun {
		d.begun = true
		d.data = rows.TrimBOM(d.data)
	}
	if errors.Is(err, io.EOF) {
		d.ended = true
		return nil
	}
	return err
}

// record returns the record that begins with c.
func (d *Document) record(c byte) ([]byte, error) {
	d.from, d.long, d.dropped = d.at, false, rows.NewIDCounter(d.key)
	scan := d.skipWord
	if c == '{' || c == '[' || c == '"' {
		scan = d.skipBrackets
	}
	err := scan()
	if errors.Is(err, io.EOF) {
		return nil, d.cut()
	}
	if err != nil {
		return nil, err
	}
	d.rows++
	d.element, d.comma = d.array, false
	if d.long || d.at-d.from > d.most {
		d.dropped.Add(d.data[d.from:d.at])
		return nil, nil
	}
	record := d.data[d.from:d.at]
	if c != '{' && c != '[' {
		d.scalar = append(append(append(d.scalar[:0], '['), record...), ']')
		return d.scalar, nil
	}
	return record, nil
}

// skipWord skips a number or a word.
func (d *Document) skipWord() error {
	for {
		for ; d.at < len(d.data); d.at++ {
			if c := d.data[d.at]; rows.IsSpace(c) || strings.IndexByte(`,:"[]{}`, c) >= 0 {
				return nil
			}
		}
		if err := d.fill(); err != nil {
			return err
		}
	}
}

// skipBrackets skips an object, an array or a string.
func (d *Document) skipBrackets() error {
	for depth := 0; ; {
		if d.at == len(d.data) {
			if err := d.fill(); err != nil {
				return err
			}
			continue
		}
		c := d.data[d.at]
		d.at++
		switch c {
		case '"':
			if err := d.skipString(); err != nil {
				return err
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			continue
		}
		if depth <= 0 {
			return nil
		}
	}
}

// skipString skips a string after its opening quote. A line end in it means that a quote
// is missing somewhere: where strings begin and end cannot be determined any more.
func (d *Document) skipString() error {
	for escaped := false; ; {
		if !escaped {
			d.at += plainBytes(d.data[d.at:])
		}
		if d.at == len(d.data) {
			if err := d.fill(); err != nil {
				return err
			}
			continue
		}
		c := d.data[d.at]
		d.at++
		switch {
		case c == '\n', c == '\r', c == 0:
			return d.noJSON()
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return nil
		}
	}
}

// cut is the end of a stream that ends within a record or an array.
func (d *Document) cut() error {
	if d.mayBeCut {
		d.dropped.Add(d.data[d.from:d.at])
		if n := d.dropped.Count(); d.mostIDs > 0 && n > d.mostIDs {
			return rows.SeveralIDs(d.origin, fmt.Sprintf("row %d of its JSON, which would be left out, is not complete", d.rows+1), n, "")
		}
		return io.EOF
	}
	return d.origin.Broken("write the export again and submit the job when the file is complete, or set source.incompleteLastRow to drop",
		"it ends in the middle of row %d of its JSON", d.rows+1)
}

func (d *Document) noJSON() error {
	return d.origin.Broken("write one JSON object a line, as jq -c '.[]' does", "it is not JSON after row %d", d.rows)
}
