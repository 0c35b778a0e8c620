package store

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Table has rows of one type by key. Rows are values; a caller changes a row by committing a
// Put.
type Table[T any] struct {
	name string
	rows map[string]T
}

// NewTable adds an empty table to s. The name identifies it in the log.
func NewTable[T any](s *Store, name string) *Table[T] {
	t := &Table[T]{name: name, rows: map[string]T{}}
	s.tables[name] = t
	return t
}

// Put returns the change that sets a row.
func (t *Table[T]) Put(key string, row T) Change {
	return Change{Do: doPut, Table: t.name, Key: key, Value: encode(row)}
}

// Drop returns the change that removes a row.
func (t *Table[T]) Drop(key string) Change { return Change{Do: doDrop, Table: t.name, Key: key} }

// Get returns the row of key, and reports whether it exists.
func (t *Table[T]) Get(key string) (row T, found bool) {
	row, found = t.rows[key]
	return row, found
}

// Row returns the row of key, or the zero value if it does not exist.
func (t *Table[T]) Row(key string) T { return t.rows[key] }

// Has reports whether a row exists.
func (t *Table[T]) Has(key string) bool {
	_, found := t.rows[key]
	return found
}

// Len returns the number of rows.
func (t *Table[T]) Len() int { return len(t.rows) }

// Keys returns the keys in order.
func (t *Table[T]) Keys() []string { return slices.Sorted(maps.Keys(t.rows)) }

// All yields the rows in no particular order.
func (t *Table[T]) All() iter.Seq2[string, T] { return maps.All(t.rows) }

func (t *Table[T]) apply(c Change) error {
	if c.Do == doDrop {
		delete(t.rows, c.Key)
		return nil
	}
	var row T
	if err := json.Unmarshal(c.Value, &row); err != nil {
		return fmt.Errorf("read row %s of %s: %w", c.Key, t.name, err)
	}
	t.rows[c.Key] = row
	return nil
}

func (t *Table[T]) snapshot(yield func(Change) error) error {
	for key, row := range t.All() {
		if err := yield(t.Put(key, row)); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table[T]) clear() { clear(t.rows) }

// rows is a Table with rows of any type.
type rows interface {
	clear()
	apply(c Change) error
	snapshot(yield func(Change) error) error
}
