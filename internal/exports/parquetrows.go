package exports

import (
	"bytes"
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// parquetRows yields one column of the row groups of a Parquet export, each of
// whose entries is a row: of a list, each element, and an empty list is an empty
// row.
type parquetRows struct {
	reader  *parquet.Reader
	ctx     context.Context // of the call to next that is running
	file    *places.File
	types   bool // the reader reads a column of types, too
	typist  rows.TypeCache
	blocks  *rows.Pool
	maxLine int
	ratio   int64
	made    int64 // bytes, over all
}

func (p *parquetRows) Next() (*usher.Block, error) {
	p.reader.SetContext(p.ctx)
	b := p.blocks.Get()
	b.Reset(p.types)
	for len(b.Space)-len(b.Data) >= p.maxLine+2 {
		err := p.add(b)
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			p.blocks.Put(b)
			return nil, err
		}
	}
	if p.made += int64(len(b.Data)); p.made > ratioFree && p.made > p.ratio*p.reader.Taken {
		p.blocks.Put(b)
		return nil, p.file.Broken("if the export is real, write it as CSV and submit it again",
			"its Parquet data expands to more than %d times its size, as a bomb does", p.ratio)
	}
	return &b.Block, nil
}

// add appends the rows of the next entry to b.
func (p *parquetRows) add(b *rows.Block) error {
	value, there, err := p.reader.Next()
	if err != nil {
		return err
	}
	if !there {
		b.Data = append(b.Data, '\n')
		p.typed(b, 1)
		return nil
	}
	if rows.HasUUIDShape(value) && bytes.IndexByte(value, '\n') < 0 {
		n := len(b.Data)
		b.Data = b.Data[:n+37]
		rows.PutUUID((*[37]byte)(b.Data[n:]), (*[36]byte)(value))
		p.typed(b, 1)
		return nil
	}
	var added int
	b.Data, added = rows.AppendCell(b.Data, value, p.maxLine)
	p.typed(b, added)
	return nil
}

// typed says of which type the rows are that one entry has appended to b.
func (p *parquetRows) typed(b *rows.Block, added int) {
	if p.types {
		b.AddTypes(added, p.typist.Lookup(p.reader.Beside))
	}
}

func (p *parquetRows) close() { p.reader.Close() }
