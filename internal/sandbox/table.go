package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// change is one step of the state: the log is a sequence of them, and state
// changes in no other way, so what is replayed is what was done.
type change struct {
	Do    string          `json:"do"` // put, drop: a row; add, remove, clear: members
	Table string          `json:"table,omitempty"`
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value,omitempty"`
}

// The verbs of a change.
const (
	doPut    = "put"
	doDrop   = "drop"
	doAdd    = "add" // the digests that follow
	doRemove = "remove"
	doClear  = "clear"
)

// table is a kind of row by key. Rows are values and never changed in place.
type table[T any] struct {
	name string
	rows map[string]T
}

func newTable[T any](name string) *table[T] { return &table[T]{name: name, rows: map[string]T{}} }

func (t *table[T]) put(key string, row T) change {
	return change{Do: doPut, Table: t.name, Key: key, Value: mustJSON(row)}
}

func (t *table[T]) drop(key string) change { return change{Do: doDrop, Table: t.name, Key: key} }

func (t *table[T]) has(key string) bool {
	_, found := t.rows[key]
	return found
}

// keys are the keys in order.
func (t *table[T]) keys() []string { return slices.Sorted(maps.Keys(t.rows)) }

// apply makes a change to the table.
func (t *table[T]) apply(c change) error {
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

// each yields the table as changes.
func (t *table[T]) each(yield func(change) error) error {
	for _, key := range t.keys() {
		if err := yield(t.put(key, t.rows[key])); err != nil {
			return err
		}
	}
	return nil
}

// rows is a table without its type.
type rows interface {
	apply(c change) error
	each(yield func(change) error) error
}
