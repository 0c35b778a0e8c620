package parquet

import (
	"math/bits"
	"strings"
)

// Column is a column of a Parquet file.
type Column struct {
	Path string // the names from the root down, joined by dots

	physical int64 // its type
	width    int   // of a FIXED_LEN_BYTE_ARRAY
	uuid     bool  // 16 bytes that are a UUID
	maxDef   int   // the definition level of a value that is not null; 0: none is null
	maxRep   int   // over 0: within a list
}

// Physical types of Parquet that may hold ids.
const (
	typeByteArray      = 6
	typeFixedByteArray = 7
)

// HoldsText reports whether the column's values are text, or bytes that
// are ids as UUIDs or digests.
func (c *Column) HoldsText() bool {
	return c.physical == typeByteArray || c.HoldsBytes() && c.width == 16
}

// HoldsBytes reports whether the column's values are bytes of a fixed number
// rather than text.
func (c *Column) HoldsBytes() bool { return c.physical == typeFixedByteArray }

// IsList reports whether the column lies within a list.
func (c *Column) IsList() bool { return c.maxRep > 0 }

// HoldsTypes reports whether the column may have the type of each row's id: text,
// once a row.
func (c *Column) HoldsTypes() bool { return c.physical == typeByteArray && !c.IsList() }

// ShownName is the path without the names that only wrap a list's elements.
func (c *Column) ShownName() string {
	name := c.Path
	for _, wrapping := range []string{".list.element", ".list.item", ".bag.array_element", ".array"} {
		name = strings.TrimSuffix(name, wrapping)
	}
	return name
}

// levelBits is how many bits a level takes.
func levelBits(level int) int { return bits.Len(uint(level)) }

// schema is a tree of columns, listed from the root downwards.
type schema struct {
	nodes   []schemaNode
	verdict verdict

	paths int // bytes of the paths so far
	out   []Column
}

// schemaNode is a node of the tree.
type schemaNode struct {
	name       []byte // in the footer's data
	physical   int64
	width      int64
	repetition int64 // 0 required, 1 optional, 2 repeated
	children   int64
	uuid       bool
}

// parse reads the list of nodes.
func (s *schema) parse(t *thrift) {
	n := t.structs(1)
	if n > maxColumns {
		s.verdict = tooManyColumns
		t.fail()
		return
	}
	s.nodes = make([]schemaNode, n)
	for i := range s.nodes {
		s.nodes[i] = parseNode(t)
	}
}

func parseNode(t *thrift) schemaNode {
	var e schemaNode
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			e.physical = t.number()
		case id == 2 && kind == thriftI32:
			e.width = t.number()
		case id == 3 && kind == thriftI32:
			e.repetition = t.number()
		case id == 4 && kind == thriftBinary:
			e.name = t.bytes()
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

// columns returns the tree's leaves.
func (s *schema) columns() ([]Column, verdict) {
	if len(s.nodes) == 0 {
		return nil, damaged
	}
	s.out = make([]Column, 0, len(s.nodes)-1)
	rest, v := s.climb(s.nodes[1:], int(s.nodes[0].children), Column{}, maxThriftDepth)
	if v == good && len(rest) > 0 {
		v = damaged
	}
	return s.out, v
}

// climb takes n children of a node off a list, and returns what is left of it.
func (s *schema) climb(list []schemaNode, n int, above Column, depth int) ([]schemaNode, verdict) {
	if n < 0 || n > len(list) || depth == 0 {
		return nil, damaged
	}
	for ; n > 0; n-- {
		if len(list) == 0 {
			return nil, damaged
		}
		e, c := list[0], above
		list = list[1:]
		if s.paths += len(above.Path) + 1 + len(e.name); s.paths > maxPaths {
			return nil, tooManyColumns
		}
		if c.Path = string(e.name); above.Path != "" {
			c.Path = above.Path + "." + c.Path
		}
		if e.repetition != 0 {
			c.maxDef++
		}
		if e.repetition == 2 {
			c.maxRep++
		}
		if e.children > 0 {
			var v verdict
			if list, v = s.climb(list, int(e.children), c, depth-1); v != good {
				return nil, v
			}
			continue
		}
		c.physical, c.width, c.uuid = e.physical, int(e.width), e.uuid
		s.out = append(s.out, c)
	}
	return list, good
}
