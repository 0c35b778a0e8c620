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
	blocks  *blocks
	maxLine int
	ratio   int64

	groups []rowGroup // still to be read
	column int
	opened bool  // the first group's chunk
	begun  int64 // its records so far
	row    int64
	made   int64 // bytes, over all
	taken  int64 // bytes of chunks

	space [36]byte
}

func (p *parquet) next() (*usher.Block, error) {
	b := p.blocks.get()
	b.Data, b.Row, b.Records = b.space[:0], p.row, true
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
		p.row++
		return nil
	case p.ids.leaf.physical == parquetFixedByteArray:
		value = p.spell(value)
	}
	if hyphenated(value) && bytes.IndexByte(value, '\n') < 0 {
		n := len(b.Data)
		b.Data = b.Data[:n+37]
		putUUID((*[37]byte)(b.Data[n:]), (*[36]byte)(value))
		p.row++
		return nil
	}
	var rows int64
	b.Data, rows = appendCell(b.Data, value, p.maxLine)
	p.row += rows
	return nil
}

// entry is the next entry of all row groups.
func (p *parquet) entry() (value []byte, there bool, err error) {
	for {
		if len(p.groups) == 0 {
			return nil, false, io.EOF
		}
		group := &p.groups[0]
		if !p.opened {
			chunk := group.chunks[p.column]
			if p.ids.leaf.maxRep == 0 && chunk.values != group.rows && !chunk.away {
				return nil, false, p.ids.damaged()
			}
			if err := p.ids.open(chunk); err != nil {
				return nil, false, err
			}
			p.opened, p.begun = true, 0
			p.taken += chunk.size
		}
		value, there, begins, err := p.ids.entry()
		switch {
		case err == nil:
			if begins {
				p.begun++
			}
			return value, there, nil
		case !errors.Is(err, io.EOF):
			return nil, false, err
		case p.begun != group.rows:
			return nil, false, p.ids.damaged()
		}
		p.groups, p.opened = p.groups[1:], false
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
