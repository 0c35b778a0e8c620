package store

import (
	"encoding/json"
	"errors"
	"fmt"

	"usher/hashing"
)

// Change is one step of the state.
type Change struct {
	Do    string          `json:"do"`
	Table string          `json:"table,omitempty"` // put, drop
	Key   string          `json:"key"`             // of the row, or the name of the set
	Value json.RawMessage `json:"value,omitempty"` // put: the row; count: the fingerprint

	digests []byte // add, remove: 16 bytes each; in the log they follow the JSON
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
	return Change{Do: doAdd, Key: set, digests: digests}
}

// RemoveMembers removes digests, 16 bytes each, from a set.
func RemoveMembers(set string, digests []byte) Change {
	return Change{Do: doRemove, Key: set, digests: digests}
}

// CountMembers merges f into the fingerprint of a set. It is for a Store with fingerprints
// only.
func CountMembers(set string, f hashing.Fingerprint) Change {
	return Change{Do: doCount, Key: set, Value: encode(f)}
}

// ClearSet removes all members of a set.
func ClearSet(set string) Change { return Change{Do: doClear, Key: set} }

// membersOf returns the digests of the changes. It returns an error if more than one change
// has digests, because a record of the log has room for those of one change.
func membersOf(changes []Change) ([]byte, error) {
	var digests []byte
	for _, c := range changes {
		if len(c.digests) == 0 {
			continue
		}
		if digests != nil {
			return nil, errors.New("commit changes: a commit must not change two sets")
		}
		digests = c.digests
	}
	return digests, nil
}

// encode returns the JSON of a value whose encoding cannot fail.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: write %T as JSON: %v", v, err))
	}
	return text
}
