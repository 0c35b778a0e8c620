package exports

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"

	"usher"
)

// parquet yields one column of the row groups of a Parquet export, each of whose
// entries is a row: of a list, each element, and an empty list is an empty row.
type parquet struct {
	ids     *chunkReader
	types   *chunkReader // of the column of types; nil: none
	typeAt  int
	kind    usher.RowType // of the record
	typist  typist
	blocks  *blocks
	maxLine int
	ratio   int64

	groups []rowGroup // still to be read
	column int
	opened bool  // the first group's chunk
	begun  int64 // its records so far
	made   int64 // bytes, over all
	taken  int64 // bytes of chunks

	space [36]byte
}

func (p *parquet) next() (*usher.Block, error) {
	b := p.blocks.get()
	b.begin(p.types != nil)
	for len(b.space)-len(b.Data) >= p.maxLine+2 {
		err := p.add(b)
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			p.blocks.put(b)
			return nil, err
		}
	}
	if p.made += int64(len(b.Data)); p.made > ratioFree && p.made > p.ratio*p.taken {
		p.blocks.put(b)
		return nil, p.ids.in.file.broken("if the export is real, write it as CSV and submit it again",
			"its Parquet data expands to more than %d times its size, as a bomb does", p.ratio)
	}
	return &b.Block, nil
}

// add appends the rows of the next entry to b.
func (p *parquet) add(b *block) error {
	value, there, err := p.entry()
	if err != nil {
		return err
	}
	switch {
	case !there:
		b.Data = append(b.Data, '\n')
		p.typed(b, 1)
		return nil
	case p.ids.leaf.physical == parquetFixedByteArray:
		value = p.spell(value)
	}
	if hyphenated(value) && bytes.IndexByte(value, '\n') < 0 {
		n := len(b.Data)
		b.Data = b.Data[:n+37]
		putUUID((*[37]byte)(b.Data[n:]), (*[36]byte)(value))
		p.typed(b, 1)
		return nil
	}
	var rows int
	b.Data, rows = appendCell(b.Data, value, p.maxLine)
	p.typed(b, rows)
	return nil
}

// typed says of which type the rows are that one record has appended to b.
func (p *parquet) typed(b *block, rows int) {
	if p.types != nil {
		b.typed(rows, p.kind)
	}
}

// entry is the next entry of all row groups.
func (p *parquet) entry() (value []byte, there bool, err error) {
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
				err = p.readType()
			}
			return value, there, err
		case !errors.Is(err, io.EOF):
			return nil, false, err
		case p.begun != group.rows:
			return nil, false, p.ids.damaged()
		}
		p.groups, p.opened = p.groups[1:], false
	}
}

// open opens the chunks of a group.
func (p *parquet) open(group *rowGroup) error {
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
		if c.reader.leaf.maxRep == 0 && chunk.values != group.rows {
			return c.reader.damaged()
		}
		p.taken += chunk.size
	}
	p.opened, p.begun = true, 0
	return nil
}

// readType reads the type of the record that begins.
func (p *parquet) readType() error {
	if p.types == nil {
		return nil
	}
	p.types.in.ctx = p.ids.in.ctx
	value, _, _, err := p.types.entry()
	if errors.Is(err, io.EOF) {
		return p.types.damaged()
	}
	p.kind = p.typist.of(value)
	return err
}

func (p *parquet) close() {
	p.ids.close()
	if p.types != nil {
		p.types.close()
	}
}

// spell writes 16 bytes as what they are: a UUID, or in hex.
func (p *parquet) spell(value []byte) []byte {
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
