package parquet

import "usher/internal/exports/places"

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/bits"
	"strings"
)

// maxFooter is how large the part of a Parquet file may be that says what is in
// it.
const maxFooter = 16 << 20

// footer is what a Parquet file says of itself, as far as columns of ids need
// it.
type Footer struct {
	Columns []Column
	Groups  []RowGroup
	rows    int64 // of all groups
}

// leaf is a column of a Parquet file.
type Column struct {
	Path     string // dotted
	physical int64  // its type
	width    int    // of a FIXED_LEN_BYTE_ARRAY
	uuid     bool   // 16 bytes that are a UUID
	maxDef   int    // the level of a value that is there; 0: it always is
	maxRep   int    // over 0: within a list
}

// Physical types of Parquet that may hold ids.
const (
	parquetByteArray      = 6
	parquetFixedByteArray = 7
)

// holdsText reports whether the column's values are text, or bytes that
// are ids as UUIDs or digests.
func (l *Column) HoldsText() bool {
	return l.physical == parquetByteArray || l.physical == parquetFixedByteArray && l.width == 16
}

// holdsBytes reports whether the column's values are bytes rather than text.
func (l *Column) HoldsBytes() bool { return l.physical == parquetFixedByteArray }

// isList reports whether the column lies within a list.
func (l *Column) IsList() bool { return l.maxRep > 0 }

// tells reports whether the column may say of each row which type of id it has.
func (l *Column) HoldsTypes() bool { return l.physical == parquetByteArray && l.maxRep == 0 }

// rowGroup is a run of rows of all columns.
type RowGroup struct {
	Rows   int64
	Chunks []columnChunk // by leaf
}

// columnChunk is where a column's values of a row group lie.
type columnChunk struct {
	codec  int64
	values int64
	from   int64 // offset in the file
	size   int64 // compressed
	Away   bool  // in another file, or encrypted
}

const Magic = "PAR1"

// readFooter reads what f says of itself. Its whole size must be known.
func ReadFooter(ctx context.Context, f *places.File) (*Footer, error) {
	const hint = "write the export anew and submit the job again once its file is whole"
	if f.Size < 0 {
		return nil, f.Broken("serve it with a Content-Length and ranges, or write it as CSV", "a Parquet file is read from its end, and where that is cannot be told")
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
	out, ok := parseFooter(data)
	if !ok || !out.within(f.Size) {
		return nil, f.Broken(hint, "its Parquet footer is damaged")
	}
	return out, nil
}

// within reports whether all that the footer names lies in the file, and adds
// up.
func (f *Footer) within(size int64) bool {
	rows := f.rows
	for _, g := range f.Groups {
		if len(g.Chunks) != len(f.Columns) || g.Rows < 0 {
			return false
		}
		for _, c := range g.Chunks {
			if !c.Away && (c.from < int64(len(Magic)) || c.size < 0 || c.size > size-c.from || c.values < 0) {
				return false
			}
		}
		rows -= g.Rows
	}
	return rows == 0
}

// parseFooter reads a FileMetaData. A damaged one is not ok.
func parseFooter(data []byte) (*Footer, bool) {
	t := &thrift{data: data}
	out, schema := &Footer{}, []schemaElement(nil)
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 2 && kind == thriftList:
			t.each(func() { schema = append(schema, parseElement(t)) })
		case id == 3 && kind == thriftI64:
			out.rows = t.number()
		case id == 4 && kind == thriftList:
			t.each(func() { out.Groups = append(out.Groups, parseGroup(t)) })
		default:
			t.skip(kind)
		}
	})
	if t.bad || len(schema) == 0 {
		return nil, false
	}
	rest, ok := out.climb(schema[1:], int(schema[0].children), Column{}, maxThriftDepth)
	return out, ok && len(rest) == 0
}

// schemaElement is a node of the schema's tree, which is listed from the root
// downwards.
type schemaElement struct {
	name       string
	physical   int64
	width      int64
	repetition int64 // 0 required, 1 optional, 2 repeated
	children   int64
	uuid       bool
}

func parseElement(t *thrift) schemaElement {
	var e schemaElement
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			e.physical = t.number()
		case id == 2 && kind == thriftI32:
			e.width = t.number()
		case id == 3 && kind == thriftI32:
			e.repetition = t.number()
		case id == 4 && kind == thriftBinary:
			e.name = string(t.bytes())
		case id == 5 && kind == thriftI32:
			e.children = t.number()
		case id == 10 && kind == thriftStruct: // the logical type, of which 14 is UUID
			t.fields(func(id int64, kind byte) {
				e.uuid = e.uuid || id == 14
				t.skip(kind)
			})
		default:
			t.skip(kind)
		}
	})
	return e
}

// climb takes n children of a node, and returns what of the list is left.
func (f *Footer) climb(list []schemaElement, n int, above Column, depth int) ([]schemaElement, bool) {
	if n < 0 || n > len(list) || depth == 0 {
		return nil, false
	}
	ok := true
	for ; n > 0 && ok; n-- {
		if len(list) == 0 {
			return nil, false
		}
		e, l := list[0], above
		list = list[1:]
		if l.Path = e.name; above.Path != "" {
			l.Path = above.Path + "." + e.name
		}
		if e.repetition != 0 {
			l.maxDef++
		}
		if e.repetition == 2 {
			l.maxRep++
		}
		if e.children > 0 {
			list, ok = f.climb(list, int(e.children), l, depth-1)
			continue
		}
		l.physical, l.width, l.uuid = e.physical, int(e.width), e.uuid
		f.Columns = append(f.Columns, l)
	}
	return list, ok
}

func parseGroup(t *thrift) RowGroup {
	var g RowGroup
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftList:
			t.each(func() { g.Chunks = append(g.Chunks, parseChunk(t)) })
		case id == 3 && kind == thriftI64:
			g.Rows = t.number()
		default:
			t.skip(kind)
		}
	})
	return g
}

func parseChunk(t *thrift) columnChunk {
	c := columnChunk{Away: true}
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
	c.Away = c.Away || other
	return c
}

func parseColumnMeta(t *thrift) columnChunk {
	var c columnChunk
	var dictionary int64
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 4 && kind == thriftI32:
			c.codec = t.number()
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
		c.from = dictionary // it comes first
	}
	return c
}

// leafAt is the column of a path, or -1.
func (f *Footer) Find(path string) int {
	for i := range f.Columns {
		if f.Columns[i].Path == path {
			return i
		}
	}
	return -1
}

// shownName is a path without what only wraps a list's elements.
func (l *Column) ShownName() string {
	name := l.Path
	for _, wrapping := range []string{".list.element", ".list.item", ".bag.array_element", ".array"} {
		name = strings.TrimSuffix(name, wrapping)
	}
	return name
}

// levelBits is how many bits a level takes.
func levelBits(level int) int { return bits.Len(uint(level)) }

// isParquet reports whether a file begins as a Parquet file does.
func IsParquet(head []byte) bool { return bytes.HasPrefix(head, []byte(Magic)) }
