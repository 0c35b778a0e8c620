package avro

import (
	"slices"
	"strings"

	"github.com/twmb/avro"
)

// schema has the paths of the values that the records of a file may have.
type schema struct {
	paths []string        // where a type is defined, in order
	again []string        // where a type is referred to that is defined elsewhere
	open  map[string]bool // fields of a record that may have values at other paths, too
}

// schemaOf returns the paths of a schema.
func schemaOf(of *avro.Schema) schema {
	root := of.Root()
	w := walk{schema: schema{open: map[string]bool{}}, defined: map[string]*avro.SchemaNode{}, left: maxReferred}
	w.define(root)
	w.addRecord(root)
	return w.schema
}

// addRecord adds the paths of a whole record, which may be one of several kinds, or of an array.
func (w *walk) addRecord(node *avro.SchemaNode) {
	for i := range node.Branches {
		w.addRecord(&node.Branches[i])
	}
	if node.Type == "array" {
		w.addRecord(node.Items)
	}
	for i := range node.Fields {
		if f := &node.Fields[i]; !w.add(&f.Type, f.Name, namespaceOf(node), false) {
			w.open[f.Name] = true
		}
	}
}

// maxReferred is how many nodes are visited below references: those of a small schema may lead to any number of paths.
const maxReferred = 10_000

// walk walks through a schema.
type walk struct {
	schema

	defined map[string]*avro.SchemaNode // the named types, by their full names
	inside  []*avro.SchemaNode          // the records that the walk is inside of
	left    int                         // nodes that are visited below references
}

// define adds the named types of a node.
func (w *walk) define(node *avro.SchemaNode) {
	switch node.Type {
	case "record", "error", "enum", "fixed":
		w.defined[fullName(node)] = node
		for i := range node.Fields {
			w.define(&node.Fields[i].Type)
		}
	case "array":
		w.define(node.Items)
	case "map":
		w.define(node.Values)
	case "union":
		for i := range node.Branches {
			w.define(&node.Branches[i])
		}
	}
}

// fullName returns the name of a type with its namespace.
func fullName(node *avro.SchemaNode) string {
	if node.Namespace == "" || strings.Contains(node.Name, ".") {
		return strings.TrimPrefix(node.Name, ".")
	}
	return node.Namespace + "." + node.Name
}

// namespaceOf returns the namespace of the names in a record.
func namespaceOf(record *avro.SchemaNode) string {
	name := fullName(record)
	return name[:max(strings.LastIndexByte(name, '.'), 0)]
}

// referred returns the type that a name means within a namespace, nil if it has no definition.
func (w *walk) referred(name, namespace string) *avro.SchemaNode {
	if node := w.defined[namespace+"."+name]; node != nil && !strings.Contains(name, ".") {
		return node
	}
	return w.defined[strings.TrimPrefix(name, ".")]
}

// add adds the paths of the values of a node, which is at a path. again is whether it is below a reference. It reports
// whether these are all: the keys of a map are not in the schema, and a record within itself has no end.
func (w *walk) add(node *avro.SchemaNode, path, namespace string, again bool) (all bool) {
	if again {
		if w.left--; w.left < 0 {
			return false
		}
	}
	switch node.Type {
	case "null":
		return true
	case "record", "error":
		return w.addFields(node, path, again)
	case "map":
		return false
	case "array":
		return w.add(node.Items, path, namespace, again)
	case "union":
		all = true
		for i := range node.Branches {
			all = w.add(&node.Branches[i], path, namespace, again) && all
		}
		return all
	case "string", "bytes", "fixed", "enum", "boolean", "int", "long", "float", "double":
		if again {
			w.again = append(w.again, path)
		} else {
			w.paths = append(w.paths, path)
		}
		return true
	}
	if of := w.referred(node.Type, namespace); of != nil {
		return w.add(of, path, "", true) // a named type has its own namespace
	}
	return false
}

// addFields adds the paths of the values of a record.
func (w *walk) addFields(record *avro.SchemaNode, path string, again bool) (all bool) {
	if slices.Contains(w.inside, record) || len(w.inside) == maxDepth {
		return false
	}
	w.inside = append(w.inside, record)
	all = true
	for i := range record.Fields {
		f := &record.Fields[i]
		all = w.add(&f.Type, path+"."+f.Name, namespaceOf(record), again) && all
	}
	w.inside = w.inside[:len(w.inside)-1]
	return all
}
