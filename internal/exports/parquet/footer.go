package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"usher/internal/exports/places"
)

// Magic is what a Parquet file begins and ends with.
const Magic = "PAR1"

// IsParquet reports whether a file begins as a Parquet file does.
func IsParquet(head []byte) bool { return bytes.HasPrefix(head, []byte(Magic)) }

// Limits on a footer. They keep the memory of any footer below 64 MiB, whatever it
// claims: see TestForgedFooters.
const (
	maxFooter  = 16 << 20 // bytes
	maxColumns = 100_000  // including the columns that only group others
	maxPaths   = 8 << 20  // bytes of all columns' paths together
	leastGroup = 8        // bytes of a row group without its chunks
	leastChunk = 20       // bytes of a chunk
)

// Footer is the part of a Parquet file's metadata that columns of ids need.
type Footer struct {
	Columns []Column
	Groups  []RowGroup
	rows    int64 // of all groups
}

// RowGroup is a run of rows of all columns.
type RowGroup struct {
	Rows   int64
	chunks []chunk // one for each column of the footer
}

// Away reports whether the group's values of a column are in another file, or
// encrypted.
func (g *RowGroup) Away(column int) bool { return g.chunks[column].away }

// chunk is where a column's values of a row group lie.
type chunk struct {
	values int64
	from   int64 // offset in the file
	size   int64 // compressed
	codec  int32
	away   bool // in another file, or encrypted
}

// Find returns the column of a path, or -1. Of several, it is the one at an index, or else the first.
func (f *Footer) Find(path string, at int) int {
	if at >= 0 && at < len(f.Columns) && f.Columns[at].Path == path {
		return at
	}
	for i := range f.Columns {
		if f.Columns[i].Path == path {
			return i
		}
	}
	return -1
}

// ReadFooter reads the footer of f, whose size must be known.
func ReadFooter(ctx context.Context, f *places.File) (*Footer, error) {
	const hint = "write the export again and submit the job when the file is complete"
	if f.Size < 0 {
		return nil, f.Broken("serve it with a Content-Length and ranges, or write it as CSV", "a Parquet file is read from its end, and its server does not say how long it is")
	}
	if f.Size < 12 {
		return nil, f.Broken(hint, "its Parquet data is truncated")
	}
	var end [8]byte
	if err := f.ReadFull(ctx, end[:], f.Size-8); err != nil {
		return nil, err
	}
	size := int64(binary.LittleEndian.Uint32(end[:]))
	switch {
	case string(end[4:]) == "PARE":
		return nil, f.Broken("write it without encryption", "its Parquet data is encrypted")
	case string(end[4:]) != Magic, size > f.Size-12:
		return nil, f.Broken(hint, "its Parquet data is truncated: it has no footer at its end")
	case size > maxFooter:
		return nil, f.Broken("write it with fewer columns or larger row groups", "its Parquet footer has more than %d bytes", maxFooter)
	}
	data := make([]byte, size)
	if err := f.ReadFull(ctx, data, f.Size-8-size); err != nil {
		return nil, err
	}
	out, err := parseFooter(data)
	if err == nil && out.within(f.Size) {
		return out, out.refuseJoined(ctx, f, f.Size-8-size)
	}
	if errors.Is(err, errColumns) {
		return nil, f.Broken("write it with fewer columns", "its Parquet data has more than %d columns, or their names are too long", maxColumns)
	}
	return nil, f.Broken(hint, "its Parquet footer is damaged")
}

// refuseJoined refuses a file that is another Parquet file followed by that of the footer, which
// begins at an offset: the chunks of the footer would be read in the first file.
func (f *Footer) refuseJoined(ctx context.Context, file *places.File, footer int64) error {
	const indexes = 1 << 20 // bytes between the chunks and the footer, about
	var end int64           // of the last chunk
	for i := range f.Groups {
		for _, c := range f.Groups[i].chunks {
			if !c.away {
				end = max(end, c.from+c.size)
			}
		}
	}
	begin := footer - end // of the second file, or behind it
	if end == 0 || begin < end {
		return nil
	}
	around := make([]byte, min(begin, indexes)+int64(len(Magic)))
	if err := file.ReadFull(ctx, around, begin-min(begin, indexes)); err != nil {
		return err
	}
	if !bytes.Contains(around, []byte(Magic+Magic)) {
		return nil
	}
	return file.Broken("submit a job for each of the files that were put together here, or give their folder", "it is two Parquet files, one behind the other")
}

// within reports whether all chunks lie in a file of that size, and the groups'
// rows add up.
func (f *Footer) within(size int64) bool {
	rows := f.rows
	for i := range f.Groups {
		g := &f.Groups[i]
		if g.Rows < 0 {
			return false
		}
		for _, c := range g.chunks {
			isEmpty := g.Rows == 0 && c.values == 0 // Arrow writes no page of it, and no offset
			if !c.away && !isEmpty && (c.from < int64(len(Magic)) || c.size < 0 || c.size > size-c.from || c.values < 0) {
				return false
			}
		}
		rows -= g.Rows
	}
	return rows == 0
}

// parseFooter reads a FileMetaData. The groups are read after the schema, which
// says how many chunks a group has.
func parseFooter(data []byte) (*Footer, error) {
	t := &thrift{data: data}
	out, tree, groupsAt := &Footer{}, schema{}, -1
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 2 && kind == thriftList:
			tree.parse(t)
		case id == 3 && kind == thriftI64:
			out.rows = t.number()
		case id == 4 && kind == thriftList:
			groupsAt = t.at
			t.skip(kind)
		default:
			t.skip(kind)
		}
	})
	if tree.tooMany {
		return nil, errColumns
	}
	if t.bad {
		return nil, errDamaged
	}
	var err error
	if out.Columns, err = tree.columns(); err != nil {
		return nil, err
	}
	if groupsAt >= 0 && !out.parseGroups(&thrift{data: data, at: groupsAt}) {
		return nil, errDamaged
	}
	return out, nil
}

// parseGroups reads the list of row groups. It reports false if a group does not
// have one chunk for each column.
func (f *Footer) parseGroups(t *thrift) bool {
	n := t.structs(leastGroup + leastChunk*len(f.Columns))
	f.Groups = make([]RowGroup, n)
	chunks := make([]chunk, n*len(f.Columns))
	for i := range f.Groups {
		g := &f.Groups[i]
		g.chunks, chunks = chunks[:len(f.Columns):len(f.Columns)], chunks[len(f.Columns):]
		if !g.parse(t) {
			return false
		}
	}
	return !t.bad
}

func (g *RowGroup) parse(t *thrift) bool {
	read := 0
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftList:
			if read = t.structs(leastChunk); read != len(g.chunks) {
				t.fail()
				return
			}
			for i := range g.chunks {
				g.chunks[i] = parseChunk(t)
			}
		case id == 3 && kind == thriftI64:
			g.Rows = t.number()
		default:
			t.skip(kind)
		}
	})
	return read == len(g.chunks) && !t.bad
}

func parseChunk(t *thrift) chunk {
	c := chunk{away: true}
	other := false
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftBinary:
			other = len(t.bytes()) > 0
		case id == 3 && kind == thriftStruct:
			c = parseColumnMeta(t)
		case id == 8:
			other = true // encrypted
			t.skip(kind)
		default:
			t.skip(kind)
		}
	})
	c.away = c.away || other
	return c
}

func parseColumnMeta(t *thrift) chunk {
	var c chunk
	var dictionary int64
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 4 && kind == thriftI32:
			c.codec = int32(t.number())
		case id == 5 && kind == thriftI64:
			c.values = t.number()
		case id == 7 && kind == thriftI64:
			c.size = t.number()
		case id == 9 && kind == thriftI64:
			c.from = t.number()
		case id == 11 && kind == thriftI64:
			dictionary = t.number()
		default:
			t.skip(kind)
		}
	})
	if dictionary > 0 && dictionary < c.from {
		c.from = dictionary // the dictionary comes first
	}
	return c
}
