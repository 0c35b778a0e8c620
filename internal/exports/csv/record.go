package csv

import (
	"bytes"
	"errors"
	"io"

	"usher/internal/exports/rows"
)

// maxRecord is how many bytes a quoted cell may span before its quote counts as
// never closed.
const maxRecord = 1 << 20

// record returns the wanted cell of the next record, empty if the record is too
// short. The cell is valid until the next call.
func (r *Reader) record() ([]byte, error) {
	for {
		if len(r.rest) == 0 {
			if err := r.readPiece(); err != nil {
				return nil, err
			}
		}
		line, _ := rows.CutLine(r.rest)
		if !r.isRecord(line) {
			r.consume(min(len(line)+1, len(r.rest)))
			continue
		}
		cell, size, err := r.cellOf(line)
		if err != nil {
			return nil, err
		}
		r.consume(size)
		if !r.layout.Header {
			return cell, nil
		}
		r.layout.Header = false
	}
}

// isRecord reports whether a line begins a record. A blank line does not, nor does
// a first line that declares the delimiter.
func (r *Reader) isRecord(line []byte) bool {
	if r.layout.First {
		r.layout.First = false
		if _, ok := DeclaredDelimiter(line); ok {
			return false
		}
	}
	if len(line) > 0 && line[0] > ' ' {
		return true
	}
	return !rows.IsBlank(line) || r.layout.Delimiter == '\t' && bytes.IndexByte(line, '\t') >= 0
}

// cellOf returns the wanted cell and the size of the record that rest begins with.
// line is the first line of rest.
func (r *Reader) cellOf(line []byte) ([]byte, int, error) {
	size := min(len(line)+1, len(r.rest))
	if len(line) > 0 && line[0] == 0 { // the placeholder of a line that was too long
		if len(line) > 1 {
			return nil, 0, r.tooLong()
		}
		r.typeCell = nil
		return []byte(rows.InvalidRow), size, nil
	}
	if r.nextQuote >= len(line) {
		if r.layout.TypeColumn >= 0 {
			r.typeCell = cellAt(line, r.layout.Delimiter, r.layout.TypeColumn)
		}
		return cellAt(line, r.layout.Delimiter, r.layout.Column), size, nil
	}
	if !r.layout.Cut {
		return r.quotedRecord()
	}
	cell, _, open := r.split(line)
	if open {
		return nil, 0, r.lines.Origin().Broken("submit the job again with source.cut: false, which reads quoted line ends in one piece",
			"a quote is not closed on its line, which an export that is cut into parts cannot have")
	}
	return cell, size, nil
}

// quotedRecord is cellOf for a record that has quotes and may contain line ends.
func (r *Reader) quotedRecord() ([]byte, int, error) {
	for {
		cell, size, open := r.split(r.rest)
		switch {
		case !open && bytes.IndexByte(r.rest[:size], 0) >= 0:
			return nil, 0, r.tooLong()
		case !open:
			return cell, size, nil
		case len(r.rest) > maxRecord:
			return nil, 0, r.unclosed()
		}
		if err := r.joinPiece(); err != nil {
			return nil, 0, err
		}
	}
}

func (r *Reader) unclosed() error {
	return r.lines.Origin().Broken("correct the quotes; within a quoted cell a quote is written twice",
		"a quote is not closed within %d bytes or before the end", maxRecord)
}

func (r *Reader) tooLong() error {
	return r.lines.Origin().Broken("remove or shorten the long cell", "a quoted cell has a line of more than %d bytes", r.lines.MaxLine())
}

// split scans the record that data begins with. It returns the wanted cell, nil if
// the record is too short, and the record's size. open is true if a quote is not
// closed in data.
func (r *Reader) split(data []byte) (cell []byte, size int, open bool) {
	r.typeCell = nil
	for i := 0; ; i++ {
		f, open := nextField(data[size:], r.layout.Delimiter)
		if open {
			return nil, 0, true
		}
		if i == r.layout.Column {
			cell = r.textOf(&f, 0)
		}
		if i == r.layout.TypeColumn {
			r.typeCell = r.textOf(&f, 1)
		}
		size += f.size
		if f.last {
			return cell, size, false
		}
	}
}

// cellAt returns a cell of a line without quotes.
func cellAt(line []byte, delimiter byte, column int) []byte {
	for range column {
		i := bytes.IndexByte(line, delimiter)
		if i < 0 {
			return nil
		}
		line = line[i+1:]
	}
	if i := bytes.IndexByte(line, delimiter); i >= 0 {
		line = line[:i]
	}
	return line
}

// readPiece reads the next piece into rest.
func (r *Reader) readPiece() error {
	data, err := r.lines.Next(r.space)
	if err != nil {
		return err
	}
	r.rest, r.nextQuote, r.onlySlow = data, indexQuote(data), 0
	return nil
}

// joinPiece appends the next piece to rest, for a record that goes on after rest.
func (r *Reader) joinPiece() error {
	r.joined = append(r.joined[:0], r.rest...) // before lines fills space again
	data, err := r.lines.Next(r.space)
	if errors.Is(err, io.EOF) {
		return r.unclosed()
	}
	if err != nil {
		return err
	}
	r.joined = append(r.joined, data...)
	r.rest, r.nextQuote, r.onlySlow = r.joined, indexQuote(r.joined), 0
	return nil
}

// consume drops n bytes of rest.
func (r *Reader) consume(n int) {
	r.rest = r.rest[n:]
	if r.nextQuote -= n; r.nextQuote < 0 {
		r.nextQuote = indexQuote(r.rest)
	}
}
