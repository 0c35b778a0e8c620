package parquet

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"usher/internal/exports/places"
)

// Reader reads a column of row groups, entry by entry. An entry is a value of the
// column; for a list, it is an element, and an empty list is one empty entry.
// Beside it, the reader may read further columns, which have one value for each
// record, or for each element of a list that the entry is in.
type Reader struct {
	ids    *chunkReader
	column int
	beside []besideReader

	// Beside has the values of the further columns beside the current entry.
	Beside [][]byte

	// Compressed is the size of all chunks that were opened.
	Compressed int64

	groups  []RowGroup // not read yet
	opened  bool       // the chunks of groups[0] are open
	records int64      // of groups[0] that were begun

	scratch [36]byte
}

// besideReader reads a column beside that of the ids.
type besideReader struct {
	*chunkReader

	column int
}

// NewReader returns a reader of one column, and of others beside it.
func NewReader(ctx context.Context, f *places.File, footer *Footer, groups []RowGroup, m *Memory, column int, beside ...int) *Reader {
	r := &Reader{
		ids:    newChunkReader(ctx, f, footer.Columns[column], m),
		column: column, groups: groups, Beside: make([][]byte, len(beside)),
	}
	for _, at := range beside {
		r.beside = append(r.beside, besideReader{newChunkReader(ctx, f, footer.Columns[at], m), at})
	}
	return r
}

// Each calls yield with each entry of the first of some columns and the values of the others beside
// it, until it returns false. A missing value is nil. It calls it for none if the values of a column
// are in another file, or encrypted.
func Each(ctx context.Context, f *places.File, footer *Footer, m *Memory, groups []RowGroup, columns []int, yield func(values [][]byte) bool) error {
	for i := range groups {
		if slices.ContainsFunc(columns, groups[i].Away) {
			return nil
		}
	}
	r := NewReader(ctx, f, footer, groups, m, columns[0], columns[1:]...)
	defer r.Close()
	values := make([][]byte, len(columns))
	for {
		value, present, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !present:
			value = nil
		}
		values[0] = value
		if copy(values[1:], r.Beside); !yield(values) {
			return nil
		}
	}
}

// SetContext sets the context of the following calls to Next.
func (r *Reader) SetContext(ctx context.Context) {
	r.ids.in.SetContext(ctx)
	for _, b := range r.beside {
		b.in.SetContext(ctx)
	}
}

// Next returns the next entry as text. present is false for an empty entry. It
// returns io.EOF after the last entry. The value is valid until the next call.
func (r *Reader) Next() (value []byte, present bool, err error) {
	for len(r.groups) > 0 {
		if !r.opened {
			if err := r.open(); err != nil {
				return nil, false, err
			}
		}
		value, present, rep, err := r.ids.entry()
		switch {
		case err == nil:
			if rep == 0 {
				r.records++
			}
			err = r.readBeside(rep)
			if present && r.ids.column.HoldsBytes() {
				value = r.spell(value)
			}
			return value, present, err
		case !errors.Is(err, io.EOF):
			return nil, false, err
		case r.records != r.groups[0].Rows:
			return nil, false, r.ids.damaged()
		}
		r.groups, r.opened = r.groups[1:], false
	}
	return nil, false, io.EOF
}

// open opens the chunks of groups[0].
func (r *Reader) open() error {
	if err := r.openChunk(r.ids, r.column); err != nil {
		return err
	}
	for _, b := range r.beside {
		if err := r.openChunk(b.chunkReader, b.column); err != nil {
			return err
		}
		if b.chunkReader.column.maxRep == r.ids.column.maxRep && r.groups[0].chunks[b.column].values != r.groups[0].chunks[r.column].values {
			return r.uneven(&b)
		}
	}
	r.opened, r.records = true, 0
	return nil
}

func (r *Reader) openChunk(c *chunkReader, column int) error {
	group := &r.groups[0]
	chunk := group.chunks[column]
	if err := c.open(chunk); err != nil {
		return err
	}
	if !c.column.IsList() && chunk.values != group.Rows {
		return c.damaged()
	}
	r.Compressed += chunk.size
	return nil
}

// readBeside reads the values of the further columns beside an entry, whose repetition level is rep. A column
// that is in the list of the ids has a value for each entry, and one in a list around it for each element of that.
func (r *Reader) readBeside(rep uint32) error {
	for i := range r.beside {
		b := &r.beside[i]
		if int(rep) > b.chunkReader.column.maxRep {
			continue
		}
		value, _, own, err := b.entry()
		switch {
		case errors.Is(err, io.EOF):
			return b.damaged()
		case err != nil:
			return err
		case own != rep:
			return r.uneven(b)
		}
		r.Beside[i] = value
	}
	return nil
}

// uneven is the error for a list that does not begin where that of the ids does. Within one group, as the keys and
// the values of a map are, both always do. Lists of their own, as Protobuf has them, may have other lengths; a value
// would then stand beside the id of another record.
func (r *Reader) uneven(b *besideReader) error {
	name := b.chunkReader.column.ShownName()
	return b.file.Broken("write one list of objects with both fields, or, if "+name+" does not decide, add it to source.disregard",
		"its lists %s and %s differ in length, so that it does not say which values belong together", r.ids.column.ShownName(), name)
}

// Close returns the reader's memory.
func (r *Reader) Close() {
	r.ids.close()
	for _, b := range r.beside {
		b.close()
	}
}

// spell writes 16 bytes as a UUID if the column holds UUIDs, otherwise in
// hexadecimal.
func (r *Reader) spell(value []byte) []byte {
	if !r.ids.column.uuid {
		return hex.AppendEncode(r.scratch[:0], value)
	}
	out := r.scratch[:0]
	for i, part := range [][]byte{value[:4], value[4:6], value[6:8], value[8:10], value[10:]} {
		if i > 0 {
			out = append(out, '-')
		}
		out = hex.AppendEncode(out, part)
	}
	return out
}
