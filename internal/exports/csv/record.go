package csv

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"usher/internal/exports/rows"
)

// maxRecord is how many bytes a quoted cell may span before its quote counts as
// never closed.
const maxRecord = 1 << 20

// record returns the wanted cell of the next record, and sets malformed if it has
// none. The cell is valid until the next call.
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
		r.layout.Header, r.malformed, r.faults = false, false, faults{}
	}
}

// isRecord reports whether a line begins a record. A blank line does not, nor does
// a line that is skipped, or a first line that declares the delimiter.
func (r *Reader) isRecord(line []byte) bool {
	if r.layout.Skip.Lines > 0 {
		r.layout.Skip.Lines--
		return false
	}
	if prefix := r.layout.Skip.Prefix; prefix != "" && len(line) >= len(prefix) && string(line[:len(prefix)]) == prefix {
		return false
	}
	if r.layout.First {
		r.layout.First = false
		if _, ok := DeclaredDelimiter(line); ok {
			return false
		}
	}
	if len(line) > 0 && line[0] > ' ' && line[0] < 0x7F {
		return true
	}
	return !rows.IsBlank(line) || strings.IndexByte(" \t\r", r.layout.Delimiter) >= 0 && bytes.IndexByte(line, r.layout.Delimiter) >= 0
}

// cellOf returns the wanted cell and the size of the record that rest begins with.
// line is the first line of rest.
func (r *Reader) cellOf(line []byte) ([]byte, int, error) {
	r.faults.records++
	size := min(len(line)+1, len(r.rest))
	if len(line) > 0 && line[0] == 0 { // the placeholder of a line that was too long
		if len(line) > 1 {
			return nil, 0, r.tooLong()
		}
		r.malformed, r.typeCell = true, nil
		return nil, size, nil
	}
	if r.layout.Cut {
		cell, _, open, err := r.split(r.rest[:size])
		switch {
		case !open || err != nil:
			return cell, size, err
		case r.atEnd(size):
			return nil, 0, r.incomplete(true)
		}
		return nil, 0, r.lines.Origin().Broken("submit the job again with source.cut: false, which reads quoted line ends in one piece",
			"a quote is not closed on the line of %s, which an export that is cut into parts cannot have", r.row())
	}
	for {
		cell, size, open, err := r.split(r.rest)
		switch {
		case err != nil:
			return nil, 0, err
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

// split scans the record that data begins with. It returns the wanted cell and the
// record's size, and sets malformed if the record has no cell. open is true if more
// data is needed to tell where the record ends.
func (r *Reader) split(data []byte) (cell []byte, size int, open bool, err error) {
	s, open, err := r.scan(data)
	switch {
	case err != nil:
		return nil, 0, false, cmp.Or(r.joinedError(data), err)
	case open:
		return nil, 0, true, nil
	case s.backslash && r.layout.Assumed && !r.layout.Cut && !r.endsEscaped():
		return nil, 0, true, nil
	}
	record := data[:s.size]
	if r.atEnd(s.size) && (r.isCut(&s) || r.mayBeCut(record)) && !rows.IsBlank(record) {
		return nil, 0, false, r.incomplete(false)
	}
	if err := r.ambiguous(record, s.fields, s.backslash); err != nil {
		return nil, 0, false, err
	}
	if r.layout.Columns > 0 && s.fields != r.layout.Columns {
		r.malformed = r.isMisread(record, s.fields) || r.malformed
	}
	if r.malformed {
		return nil, s.size, false, nil
	}
	r.check(record, s.cell)
	if r.layout.Fits != nil && !r.layout.Header {
		r.checkGap(record, s.cell)
	}
	return s.cell, s.size, false, nil
}

// scanned is a record as scan finds it.
type scanned struct {
	cell      []byte // the wanted one
	fields    int
	last      field
	size      int  // bytes, with the line end
	backslash bool // a backslash stands before a quote that it does not escape
}

// scan scans the fields of the record that data begins with. It sets typeCell, and
// malformed if text follows a closing quote. open is true if the record does not
// end in data.
func (r *Reader) scan(data []byte) (s scanned, open bool, err error) {
	r.typeCell, r.against, r.malformed = nil, r.layout.Checks.Absent(), false
	for ; !s.last.last; s.fields++ {
		f, open := r.layout.nextField(data[s.size:])
		if open {
			return s, true, nil
		}
		if err := r.contradiction(&f); err != nil {
			return s, false, err
		}
		r.malformed, s.backslash = r.malformed || f.behind, s.backslash || f.backslash
		switch s.fields {
		case r.layout.Column:
			s.cell = r.textOf(&f, 0)
		case r.layout.TypeColumn:
			r.typeCell = r.textOf(&f, 1)
		}
		if i := slices.Index(r.layout.CheckedAt, s.fields); i >= 0 { // which may be the column of types
			r.against = r.layout.Checks.Look(r.against, i, r.textOf(&f, 2))
		}
		s.last, s.size = f, s.size+f.size
	}
	return s, false, nil
}

// isMisread reports whether a record with another number of fields than the header is
// malformed. It is not if the wanted cell is only missing. It may have the cell, and
// have been misread, if it has quotes, backslashes or an id, or ends in LF alone while other
// records end in CR LF: a cell with a line end was not quoted then.
func (r *Reader) isMisread(record []byte, fields int) bool {
	r.faults.addUneven(fields)
	r.checkSeam(record, fields)
	r.checkJSON(record)
	r.countIDs(record)
	if r.layout.CRLF && fields < r.layout.Columns && bytes.HasSuffix(record, []byte{'\n'}) && !bytes.HasSuffix(record, []byte("\r\n")) {
		r.faults.addBareLF()
		return true
	}
	return fields > r.layout.Column || bytes.IndexByte(record, quote) >= 0 || bytes.IndexByte(record, '\\') >= 0 || r.mayHaveID(record, rows.LooksLikeIDs)
}

// textOf returns the text of a field. It may lie in a scratch buffer.
func (r *Reader) textOf(f *field, scratch int) []byte {
	if !f.escaped {
		return f.value
	}
	text, null := r.layout.text(f, r.scratch[scratch])
	if null {
		return nil
	}
	r.scratch[scratch] = text
	return text
}

// atEnd reports whether the record that rest begins with, which has size bytes, is the
// last one of the file and has no line end.
func (r *Reader) atEnd(size int) bool {
	return size == len(r.rest) && r.lines.AtEOF() && r.rest[size-1] != '\n'
}

// isCut reports whether the last record of the file, which has no line end, is not
// complete.
func (r *Reader) isCut(s *scanned) bool {
	return s.fields < r.layout.Columns ||
		s.fields == r.layout.Column+1 && !s.last.quoted && r.shortest.IsCut(rows.TrimSpace(s.cell))
}

// mayBeCut reports whether the last record of the file is complete only if a backslash
// before a delimiter is an ordinary character, which nothing has settled.
func (r *Reader) mayBeCut(record []byte) bool {
	if !r.layout.Assumed || r.layout.Columns == 0 || r.layout.Escape == EscapeBackslash ||
		!bytes.Contains(record, []byte{'\\', r.layout.Delimiter}) {
		return false
	}
	escaped := r.layout.Dialect
	escaped.Escape = EscapeBackslash
	other, open := escaped.SplitRecord(record)
	return open || len(other.Fields) < r.layout.Columns
}

// readPiece reads the next piece into rest.
func (r *Reader) readPiece() error {
	data, err := r.lines.Next(r.space)
	if err != nil {
		return err
	}
	r.rest, r.onlySlow = data, 0
	return nil
}

// joinPiece appends the next piece to rest, for a record that goes on after rest.
func (r *Reader) joinPiece() error {
	r.joined = append(r.joined[:0], r.rest...) // before lines fills space again
	data, err := r.lines.Next(r.space)
	if errors.Is(err, io.EOF) && !r.ended {
		r.ended, r.rest = true, r.joined // the record is split once more
		return nil
	}
	if errors.Is(err, io.EOF) {
		if len(r.joined) > r.lines.MaxLine() {
			return r.unclosed()
		}
		return r.incomplete(true)
	}
	if err != nil {
		return err
	}
	r.joined = append(r.joined, data...)
	r.rest, r.onlySlow = r.joined, 0
	return nil
}

// consume drops n bytes of rest.
func (r *Reader) consume(n int) { r.rest = r.rest[n:] }
