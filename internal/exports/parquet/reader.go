package parquet

import (
	"context"
	"encoding/hex"
	"errors"
	"io"

	"usher/internal/exports/places"
)

// parquetReader reads a column of a Parquet file entry by entry: each value of a
// flat column, and each element of a list, is an entry, and an empty list is an
// empty entry. Beside it, it may read a second column, which has one value a
// record.
type Reader struct {
	ids    *chunkReader
	column int
	types  *chunkReader // nil: no second column
	typeAt int
	Beside []byte // the second column's value in the record

	groups []RowGroup // still to be read
	opened bool       // the first group's chunk
	begun  int64      // its records so far
	Taken  int64      // bytes of chunks

	space [36]byte
}

// newParquetReader reads a column of the row groups of a file, and with it the
// column beside unless that is -1.
func NewReader(ctx context.Context, f *places.File, of *Footer, groups []RowGroup, column, beside int, p *Memory) *Reader {
	r := &Reader{
		ids:    newChunkReader(places.NewInput(ctx, f, 0, 0), of.Columns[column], p),
		column: column, groups: groups,
	}
	if beside >= 0 {
		r.typeAt = beside
		r.types = newChunkReader(places.NewInput(ctx, f, 0, 0), of.Columns[beside], p)
	}
	return r
}

// setContext replaces the context of the calls to entry that follow.
func (p *Reader) SetContext(ctx context.Context) {
	p.ids.in.Ctx = ctx
	if p.types != nil {
		p.types.in.Ctx = ctx
	}
}

// next is the next entry of all row groups, as text. there is false for an
// empty one. It returns io.EOF after the last. The value is valid until the next
// call.
func (p *Reader) Next() (value []byte, there bool, err error) {
	for {
		if len(p.groups) == 0 {
			return nil, false, io.EOF
		}
		group := &p.groups[0]
		if !p.opened {
			if err := p.open(group); err != nil {
				return nil, false, err
			}
		}
		value, there, begins, err := p.ids.entry()
		switch {
		case err == nil:
			if begins {
				p.begun++
				err = p.readBeside()
			}
			if there && p.ids.leaf.physical == typeFixedByteArray {
				value = p.spell(value)
			}
			return value, there, err
		case !errors.Is(err, io.EOF):
			return nil, false, err
		case p.begun != group.Rows:
			return nil, false, p.ids.damaged()
		}
		p.groups, p.opened = p.groups[1:], false
	}
}

// open opens the chunks of a group.
func (p *Reader) open(group *RowGroup) error {
	for _, c := range []struct {
		reader *chunkReader
		at     int
	}{{p.ids, p.column}, {p.types, p.typeAt}} {
		if c.reader == nil {
			continue
		}
		chunk := group.chunks[c.at]
		if err := c.reader.open(chunk); err != nil {
			return err
		}
		if c.reader.leaf.maxRep == 0 && chunk.values != group.Rows {
			return c.reader.damaged()
		}
		p.Taken += chunk.size
	}
	p.opened, p.begun = true, 0
	return nil
}

// readBeside reads the second column's value of the record that begins.
func (p *Reader) readBeside() error {
	if p.types == nil {
		return nil
	}
	value, _, _, err := p.types.entry()
	if errors.Is(err, io.EOF) {
		return p.types.damaged()
	}
	p.Beside = value
	return err
}

func (p *Reader) Close() {
	p.ids.close()
	if p.types != nil {
		p.types.close()
	}
}

// spell writes 16 bytes as what they are: a UUID, or in hex.
func (p *Reader) spell(value []byte) []byte {
	if !p.ids.leaf.uuid {
		return hex.AppendEncode(p.space[:0], value)
	}
	out := p.space[:0]
	for i, part := range [][]byte{value[:4], value[4:6], value[6:8], value[8:10], value[10:]} {
		if i > 0 {
			out = append(out, '-')
		}
		out = hex.AppendEncode(out, part)
	}
	return out
}
