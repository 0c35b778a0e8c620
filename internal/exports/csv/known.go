package csv

import (
	"bytes"

	"usher/hashing"
	"usher/internal/exports/rows"
)

// findStructure reports whether the structure of the next record is known. It
// finds the structure of the next chunk if necessary.
func (r *Reader) findStructure() bool {
	if r.taken < r.chunk.records {
		return true
	}
	if len(r.rest) <= r.onlySlow || r.layout.First || r.layout.Header || r.lines.HasPlaceholders() {
		return false
	}
	r.chunk.read(r.rest, &r.layout.Dialect, r.layout.Cut || !r.layout.isSettled())
	r.taken, r.from, r.field = 0, 0, 0
	if r.chunk.records == 0 || r.chunk.odd {
		// Read the rest of this chunk one record at a time, instead of finding a
		// structure after each odd quote.
		r.onlySlow = len(r.rest) - len(r.chunk.text)
	}
	return r.chunk.records > 0
}

// appendKnown appends the cells of records whose structure is known, as long as
// there is room.
func (r *Reader) appendKnown(b *rows.Block) {
	s, text := r.chunk, r.chunk.text
	out := b.Space[:cap(b.Space)]
	n, room := len(b.Data), len(out)-r.lines.MaxLine()-2
	from, field, fields := r.from, r.field, max(r.fields, r.layout.Columns, 1)
	for r.taken < s.records && n <= room && r.refused == nil {
		end := int(s.ends[r.taken])
		if last := field + fields - 1; last >= s.fields || int(s.separators[last]) != end {
			fields = s.count(field, end)
		}
		line, ends := text[from:end], s.separators[field:field+fields]
		begin := from
		from, field = end+1, field+fields
		r.taken++
		if (len(line) == 0 || line[0] <= ' ' || line[0] >= 0x7F || r.layout.Skip.Prefix != "") && !r.isRecord(line) {
			continue
		}
		r.faults.records++
		if fields != r.layout.Columns && r.layout.Columns > 0 {
			r.readUneven(text[begin:end+1], ends, begin)
			b.Data = out[:n]
			r.appendCell(b, nil)
			n = len(b.Data)
			continue
		}
		cell, oneLine := r.knownCell(ends, begin, r.layout.Column, 0)
		row := n
		r.readTypes(ends, begin)
		switch {
		case rows.HasUUIDShape(cell) && oneLine:
			rows.PutUUID((*[37]byte)(out[n:]), (*[36]byte)(cell))
			n += 37
			r.shortest.AddLength(36)
		case hashing.IsHexID(cell):
			n += rows.PutHexID(out[n:], cell)
			r.shortest.AddLength(len(cell))
		default:
			r.checkKnown(text[begin:end+1], cell, ends, begin)
			b.Data = out[:n]
			r.appendCell(b, cell)
			n = len(b.Data)
			continue
		}
		if r.layout.TypeColumn >= 0 || r.against != 0 {
			b.Data = out[:n]
			r.judge(b, 1, row)
			n = len(b.Data)
		}
		r.watchKnown(text[begin : end+1])
	}
	b.Data = out[:n]
	r.from, r.field, r.fields = from, field, fields
	if r.taken == s.records {
		r.consume(from)
	}
}

// readUneven reads a record whose structure is known, and that has another number of fields than the
// header. It begins at begin, and its fields end at ends.
func (r *Reader) readUneven(record []byte, ends []uint16, begin int) {
	r.malformed, r.typeCell, r.against = r.isMisread(record, len(ends)), nil, 0
	if !r.malformed {
		r.against = r.checkKnownFields(ends, begin)
	}
}

// readTypes sets the cell of types of a record whose structure is known, and the columns of Checks
// that are against the job. The record begins at begin, and its fields end at ends.
func (r *Reader) readTypes(ends []uint16, begin int) {
	if r.layout.TypeColumn >= 0 {
		r.typeCell, _ = r.knownCell(ends, begin, r.layout.TypeColumn, 1)
	}
	if r.against = 0; len(r.layout.CheckedAt) > 0 {
		r.against = r.checkKnownFields(ends, begin)
	}
}

// checkKnownFields returns the columns of Checks that are against the job in a record whose structure
// is known. The record begins at begin, and its fields end at ends.
func (r *Reader) checkKnownFields(ends []uint16, begin int) (against uint32) {
	for i, at := range r.layout.CheckedAt {
		field, known := r.knownField(ends, begin, at), &r.checked[i]
		switch {
		case known[0].is(field):
			against |= known[0].against
		case known[1].is(field):
			against |= known[1].against
		default:
			cell, _ := r.knownCell(ends, begin, at, 2)
			bit := r.layout.Checks.Bit(i, cell)
			if against |= bit; len(field) <= longestChecked {
				slot := 0
				if known[0].known {
					slot = 1 // the first one stays
				}
				known[slot] = checkedField{append(known[slot].field[:0], field...), bit, true}
			}
		}
	}
	return against
}

// longestChecked is the length of the longest field that is remembered.
const longestChecked = 64

// checkedField is a field of a column of Checks as it is written, and its bit. Such a column repeats
// a few words.
type checkedField struct {
	field   []byte
	against uint32
	known   bool
}

func (c *checkedField) is(field []byte) bool { return c.known && bytes.Equal(field, c.field) }

// knownCell returns the cell of a column, empty if the record is too short. The
// record begins at begin, and its fields end at ends. scratch says which scratch
// buffer it may use. oneLine reports whether the cell has no line end.
func (r *Reader) knownCell(ends []uint16, begin, column, scratch int) (cell []byte, oneLine bool) {
	cell = r.knownField(ends, begin, column)
	if len(cell) == 0 || cell[0] != quote || r.layout.Bare {
		return cell, true
	}
	if value := cell[1 : len(cell)-1]; rows.HasUUIDShape(value) {
		cell = value
	} else {
		cell = r.unquote(value, scratch)
	}
	return cell, !r.chunk.lineEnds || bytes.IndexByte(cell, '\n') < 0
}

// knownField returns the field of a column as it is written, empty if the record is too short. The
// record begins at begin, and its fields end at ends.
func (r *Reader) knownField(ends []uint16, begin, column int) []byte {
	if column >= len(ends) {
		return nil
	}
	if column > 0 {
		begin = int(ends[column-1]) + 1
	}
	end := int(ends[column])
	if end > begin && r.chunk.text[end-1] == '\r' {
		end--
	}
	return r.chunk.text[begin:end]
}

// unquote returns the text of the value between quotes. One that has the shape of a UUID may be
// taken as it is: with a doubled quote it would be no id either way.
func (r *Reader) unquote(value []byte, scratch int) []byte {
	if bytes.IndexByte(value, quote) < 0 {
		return value
	}
	r.scratch[scratch] = appendUndoubled(r.scratch[scratch][:0], value)
	return r.scratch[scratch]
}
