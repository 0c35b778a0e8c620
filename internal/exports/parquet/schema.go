package parquet

import (
	"errors"
	"math/bits"
	"path"
	"strings"
)

// Column is a column of a Parquet file.
type Column struct {
	Path string // the names from the root down, joined by dots

	physical int64 // its type
	width    int   // of a FIXED_LEN_BYTE_ARRAY
	uuid     bool  // 16 bytes that are a UUID
	decimal  bool  // a whole number that is divided by ten scale times
	scale    int
	time     timeUnit // a whole number that is a day or a time
	maxDef   int      // the definition level of a value; lower ones are nulls
	maxRep   int      // the highest repetition level; over 0 within a list
	list     *list
}

// list is a node of the schema that a record may have several of.
type list struct {
	above *list // that it is in; nil: it is in none
}

// Physical types of Parquet that may hold ids, or words beside them.
const (
	typeBoolean        = 0
	typeInt32          = 1
	typeInt64          = 2
	typeInt96          = 3 // a time
	typeFloat          = 4
	typeDouble         = 5
	typeByteArray      = 6
	typeFixedByteArray = 7
)

// HoldsText reports whether the values are text, or 16 bytes, as UUIDs and digests
// are.
func (c *Column) HoldsText() bool { return c.isText() || c.HoldsBytes() && c.width == 16 }

// HoldsBytes reports whether each value is a fixed number of bytes, and no number.
func (c *Column) HoldsBytes() bool { return c.physical == typeFixedByteArray && !c.decimal }

func (c *Column) isText() bool { return c.physical == typeByteArray && !c.decimal }

// IsList reports whether a record may have several values.
func (c *Column) IsList() bool { return c.maxRep > 0 }

// HoldsTypes reports whether the column may have the types of the ids of another column: a text beside
// each of them.
func (c *Column) HoldsTypes(ids *Column) bool { return c.isText() && c.isBeside(ids) }

// HoldsWords reports whether the column may have words, flags or numbers that say something about the
// ids of another column: one beside each of them.
func (c *Column) HoldsWords(ids *Column) bool {
	return c.HoldsCells() && c.isBeside(ids)
}

// HoldsListedWords reports whether the column may have such words, but not one beside each id.
func (c *Column) HoldsListedWords(ids *Column) bool { return c.HoldsCells() && !c.isBeside(ids) }

// isBeside reports whether the column has one value for each record, or for each element of a list
// that the ids are in, as the keys of a map have for its values. Lists that stand side by side are taken for one: see
// Reader.uneven.
func (c *Column) isBeside(ids *Column) bool {
	for l := ids.list; l != nil; l = l.above {
		if l == c.list {
			return true
		}
	}
	return !c.IsList() || c.maxRep == ids.maxRep && path.Dir(strings.ReplaceAll(c.Path, ".", "/")) == path.Dir(strings.ReplaceAll(ids.Path, ".", "/"))
}

func (c *Column) isInt() bool { return c.physical == typeInt32 || c.physical == typeInt64 }

// HoldsCells reports whether each value is a text, a truth, a number or a time, as a table has them.
func (c *Column) HoldsCells() bool {
	return c.isText() || c.physical == typeBoolean || c.isInt() || c.isFloat() || c.decimal || c.physical == typeInt96
}

func (c *Column) isFloat() bool { return c.physical == typeFloat || c.physical == typeDouble }

// valueWidth returns the bytes of a value, 0 if they vary.
func (c *Column) valueWidth() int {
	switch c.physical {
	case typeFixedByteArray:
		return c.width
	case typeInt32, typeFloat:
		return 4
	case typeInt64, typeDouble:
		return 8
	case typeInt96:
		return 12
	}
	return 0
}

// ShownName returns the path without the names that only wrap a list's elements.
func (c *Column) ShownName() string {
	name := c.Path
	for _, wrapping := range []string{".list.element", ".list.item", ".bag.array_element", ".array"} {
		name = strings.TrimSuffix(name, wrapping)
	}
	return name
}

// levelBits returns how many bits a level takes.
func levelBits(level int) int { return bits.Len(uint(level)) }

// errColumns says that a file has too many columns.
var errColumns = errors.New("the Parquet data has too many columns")

// schema is a tree of columns, listed from the root down.
type schema struct {
	nodes   []schemaNode
	tooMany bool

	pathBytes int // of all paths so far
	leaves    []Column
}

// schemaNode is a node of the tree.
type schemaNode struct {
	name       []byte // in the footer's data
	physical   int64
	width      int64
	repetition int64 // 0 required, 1 optional, 2 repeated
	children   int64
	uuid       bool
	decimal    bool
	scale      int64
	time       timeUnit
}

// parse reads the list of nodes.
func (s *schema) parse(t *thrift) {
	n := t.structs(1)
	if n > maxColumns {
		s.tooMany = true
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
		case id == 6 && kind == thriftI32:
			e.setConvertedType(t.number())
		case id == 7 && kind == thriftI32:
			e.scale = t.number()
		case id == 10 && kind == thriftStruct:
			e.parseLogicalType(t)
		default:
			t.skip(kind)
		}
	})
	return e
}

// setConvertedType sets what older writers say instead of, or beside, the logical type.
func (e *schemaNode) setConvertedType(kind int64) {
	switch kind {
	case 5:
		e.decimal = true
	case 6:
		e.time = days
	case 9:
		e.time = milliseconds
	case 10:
		e.time = microseconds
	}
}

func (e *schemaNode) parseLogicalType(t *thrift) {
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 5 && kind == thriftStruct:
			e.decimal, e.scale = true, parseScale(t)
			return
		case id == 6:
			e.time = days
		case id == 8 && kind == thriftStruct:
			e.time = parseTimestamp(t)
			return
		case id == 14:
			e.uuid = true
		}
		t.skip(kind)
	})
}

// parseTimestamp returns the unit of the logical type of times.
func parseTimestamp(t *thrift) (unit timeUnit) {
	t.fields(func(id int64, kind byte) {
		if id != 2 || kind != thriftStruct {
			t.skip(kind)
			return
		}
		t.fields(func(id int64, kind byte) {
			switch id {
			case 1:
				unit = milliseconds
			case 2:
				unit = microseconds
			case 3:
				unit = nanoseconds
			}
			t.skip(kind)
		})
	})
	return unit
}

// parseScale returns the scale of the logical type of decimals.
func parseScale(t *thrift) (scale int64) {
	t.fields(func(id int64, kind byte) {
		if id == 1 && kind == thriftI32 {
			scale = t.number()
			return
		}
		t.skip(kind)
	})
	return scale
}

// columns returns the tree's leaves.
func (s *schema) columns() ([]Column, error) {
	if len(s.nodes) == 0 {
		return nil, errDamaged
	}
	s.leaves = make([]Column, 0, len(s.nodes)-1)
	rest, err := s.climb(s.nodes[1:], s.nodes[0].children, Column{}, maxDepth)
	if err == nil && len(rest) > 0 {
		err = errDamaged
	}
	return s.leaves, err
}

// climb adds the leaves of n children of a node. It takes the children off the
// list of nodes, and returns the rest of the list.
func (s *schema) climb(list []schemaNode, n int64, above Column, depth int) ([]schemaNode, error) {
	if n < 0 || depth == 0 {
		return nil, errDamaged
	}
	for ; n > 0; n-- {
		if len(list) == 0 {
			return nil, errDamaged
		}
		node := &list[0]
		list = list[1:]
		c, err := s.column(node, above)
		if err != nil {
			return nil, err
		}
		if node.children <= 0 {
			s.leaves = append(s.leaves, c)
			continue
		}
		if list, err = s.climb(list, node.children, c, depth-1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// column returns the column of a node below another column.
func (s *schema) column(node *schemaNode, above Column) (Column, error) {
	if s.pathBytes += len(above.Path) + 1 + len(node.name); s.pathBytes > maxPaths {
		return Column{}, errColumns
	}
	if node.decimal && (node.scale < 0 || node.scale > maxScale) {
		return Column{}, errDamaged
	}
	c := Column{
		Path: string(node.name), physical: node.physical, width: int(node.width), uuid: node.uuid,
		scale:  int(node.scale),
		maxDef: above.maxDef, maxRep: above.maxRep, list: above.list,
	}
	c.decimal = node.decimal && (c.isInt() || c.physical == typeByteArray || c.physical == typeFixedByteArray)
	if c.physical == typeInt32 && node.time == days || c.physical == typeInt64 && node.time > days {
		c.time = node.time
	}
	if above.Path != "" {
		c.Path = above.Path + "." + c.Path
	}
	if node.repetition != 0 {
		c.maxDef++
	}
	if node.repetition == 2 {
		c.maxRep++
		c.list = &list{above.list}
	}
	return c, nil
}
