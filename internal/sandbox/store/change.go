package store

import (
	"encoding/json"
	"fmt"

	"usher/hashing"
)

// Change is one step of the state.
type Change struct {
	Do      string          `json:"do"`
	Table   string          `json:"table,omitempty"`   // put, drop
	Key     string          `json:"key"`               // of the row, or the name of the set
	Value   json.RawMessage `json:"value,omitempty"`   // put: the row; count: the fingerprint
	Digests []byte          `json:"digests,omitempty"` // add, remove: 16 bytes each
}

// The verbs of a change.
const (
	doPut    = "put"
	doDrop   = "drop"
	doAdd    = "add"
	doRemove = "remove"
	doClear  = "clear"
	doCount  = "count"
)

// AddMembers adds digests, 16 bytes each, to a set.
func AddMembers(set string, digests []byte) Change {
	return Change{Do: doAdd, Key: set, Digests: digests}
}

// RemoveMembers removes digests, 16 bytes each, from a set.
func RemoveMembers(set string, digests []byte) Change {
	return Change{Do: doRemove, Key: set, Digests: digests}
}

// CountMembers merges f into the fingerprint of a set. It is for a Store with fingerprints
// only.
func CountMembers(set string, f hashing.Fingerprint) Change {
	return Change{Do: doCount, Key: set, Value: encode(f)}
}

// ClearSet removes all members of a set.
func ClearSet(set string) Change { return Change{Do: doClear, Key: set} }

// encode returns the JSON of a value whose encoding cannot fail.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: write %T as JSON: %v", v, err))
	}
	return text
}
