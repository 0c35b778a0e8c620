package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"usher/hashing"
)

// Store stores the state. It is not safe for concurrent use.
type Store struct {
	fingerprintsOnly bool
	logger           *slog.Logger

	tables map[string]rows
	sets   map[string]*set

	log     *Lines // a JSON array of the changes of each commit, after the header; nil: in memory only
	compact int64  // the size of the log after it was last replaced by a snapshot
}

// header is the first line of a log.
const header = "usher sandbox state 2"

// crowdedSize is the size of a log in bytes that is small enough to be kept as it is.
const crowdedSize = 8 << 20

// New returns an empty store in memory. With fingerprintsOnly, a set stores only its
// Fingerprint: it takes no memory, counts repeated digests again, and does not know its
// members.
func New(fingerprintsOnly bool, logger *slog.Logger) *Store {
	return &Store{fingerprintsOnly: fingerprintsOnly, logger: logger, tables: map[string]rows{}, sets: map[string]*set{}}
}

// Open applies the log at path, which it creates if it does not exist. Later changes are
// appended to it. All tables must have been added before. Open calls progress with the
// number of bytes read so far and the size of the log.
func (s *Store) Open(path string, progress func(read, size int64)) error {
	first := true
	log, err := OpenLines(path, func(line []byte, end, size int64) error {
		progress(end, size)
		if first {
			first = false
			if string(line) != header {
				return errors.New("this is not the state of a sandbox: move it away, or use another data directory")
			}
			return nil
		}
		return s.replay(line)
	})
	if err != nil {
		return fmt.Errorf("open sandbox state: %w", err)
	}
	s.log = log
	if !first {
		return nil
	}
	return s.log.Append([]byte(header))
}

// replay applies a line of the log.
func (s *Store) replay(line []byte) error {
	var changes []Change
	if err := json.Unmarshal(line, &changes); err != nil {
		return fmt.Errorf("the file is damaged, move it away: %w", err)
	}
	return s.applyAll(changes)
}

// Close syncs the log and closes it.
func (s *Store) Close() error {
	if s.log == nil {
		return nil
	}
	return s.log.Close()
}

// FingerprintsOnly reports whether sets have no members, only a fingerprint.
func (s *Store) FingerprintsOnly() bool { return s.fingerprintsOnly }

// Commit appends the changes to the log as one line and applies them.
func (s *Store) Commit(changes ...Change) error {
	if len(changes) == 0 {
		return nil
	}
	if s.log != nil {
		if err := s.log.Append(encode(changes)); err != nil {
			return fmt.Errorf("write sandbox state: %w", err)
		}
		if s.log.size > max(crowdedSize, 4*s.compact) { // most of it is probably outdated
			defer s.compactLog()
		}
	}
	return s.applyAll(changes)
}

// Clear removes all rows and all sets.
func (s *Store) Clear() error {
	if s.log != nil {
		if err := s.log.replace(func(to *Lines) error { return to.Append([]byte(header)) }); err != nil {
			return fmt.Errorf("clear sandbox state: %w", err)
		}
		s.compact = 0
	}
	clear(s.sets)
	for _, t := range s.tables {
		t.clear()
	}
	return nil
}

// Contains reports whether d is a member of a set.
func (s *Store) Contains(set string, d hashing.Digest) bool {
	found := s.sets[set]
	if found == nil {
		return false
	}
	_, contains := found.members[d]
	return contains
}

// Fingerprint returns the fingerprint of a set.
func (s *Store) Fingerprint(set string) hashing.Fingerprint {
	if found := s.sets[set]; found != nil {
		return found.fingerprint
	}
	return hashing.Fingerprint{}
}

// compactLog replaces the log by a snapshot, so that it does not grow without bound. If that
// fails, the log is not changed.
func (s *Store) compactLog() {
	s.compact = s.log.size // so that a failure is repeated only after the log has grown much further
	err := s.log.replace(func(to *Lines) error {
		if err := to.Append([]byte(header)); err != nil {
			return err
		}
		return s.snapshot(func(c Change) error { return to.Append(encode([]Change{c})) })
	})
	if err != nil {
		s.logger.Warn("the sandbox's state log could not be compacted and was not changed", "error", err)
		return
	}
	s.compact = s.log.size
}

func (s *Store) applyAll(changes []Change) error {
	for _, c := range changes {
		if err := s.apply(c); err != nil {
			return err
		}
	}
	return nil
}

// apply applies one change, from a commit or from the log.
func (s *Store) apply(c Change) error {
	switch c.Do {
	case doPut, doDrop:
		t, found := s.tables[c.Table]
		if !found {
			return fmt.Errorf("apply change: table %q is unknown", c.Table)
		}
		return t.apply(c)
	case doClear:
		delete(s.sets, c.Key)
		return nil
	case doAdd, doRemove:
		s.applyMembers(c)
		return nil
	case doCount:
		return s.applyCount(c)
	}
	return fmt.Errorf("apply change: verb %q is unknown", c.Do)
}

func (s *Store) applyMembers(c Change) {
	members := s.set(c.Key)
	for digests := c.Digests; len(digests) >= digestSize; digests = digests[digestSize:] {
		if c.Do == doAdd {
			members.add(hashing.Digest(digests))
		} else {
			members.remove(hashing.Digest(digests))
		}
	}
}

func (s *Store) applyCount(c Change) error {
	if !s.fingerprintsOnly {
		return errors.New("this state has fingerprints only: start the sandbox with --members fingerprint, or use another data directory")
	}
	var f hashing.Fingerprint
	if err := json.Unmarshal(c.Value, &f); err != nil {
		return err
	}
	s.set(c.Key).fingerprint.Merge(f)
	return nil
}

// set returns a set. It creates the set if it does not exist.
func (s *Store) set(name string) *set {
	if s.sets[name] == nil {
		s.sets[name] = &set{}
		if !s.fingerprintsOnly {
			s.sets[name].members = map[hashing.Digest]struct{}{}
		}
	}
	return s.sets[name]
}

// snapshot yields the whole state as changes.
func (s *Store) snapshot(yield func(Change) error) error {
	for _, t := range s.tables {
		if err := t.snapshot(yield); err != nil {
			return err
		}
	}
	for name, members := range s.sets {
		if members.members == nil {
			if err := yield(CountMembers(name, members.fingerprint)); err != nil {
				return err
			}
			continue
		}
		err := members.pieces(func(digests []byte) error { return yield(AddMembers(name, digests)) })
		if err != nil {
			return err
		}
	}
	return nil
}
