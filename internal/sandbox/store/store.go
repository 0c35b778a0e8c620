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

	log *stateLog // nil: in memory only
}

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
	log, err := openLog(path, s.apply, progress)
	if err != nil {
		return err
	}
	s.log = log
	return nil
}

// Close syncs the log and closes it.
func (s *Store) Close() error {
	if s.log == nil {
		return nil
	}
	return s.log.close()
}

// FingerprintsOnly reports whether sets have no members, only a fingerprint.
func (s *Store) FingerprintsOnly() bool { return s.fingerprintsOnly }

// Commit appends the changes to the log as one record and applies them. At most
// one of them may add or remove members.
func (s *Store) Commit(changes ...Change) error {
	if len(changes) == 0 {
		return nil
	}
	digests, err := membersOf(changes)
	if err != nil {
		return err
	}
	if s.log != nil {
		if err := s.log.append(changes, digests); err != nil {
			return err
		}
		if s.log.crowded() {
			defer s.compact()
		}
	}
	for _, c := range changes {
		if err := s.apply(c); err != nil {
			return err
		}
	}
	return nil
}

// Contains reports whether d is a member of a set.
func (s *Store) Contains(set string, d hashing.Digest) bool {
	found := s.sets[set]
	return found != nil && found.contains(d)
}

// Fingerprint returns the fingerprint of a set.
func (s *Store) Fingerprint(set string) hashing.Fingerprint {
	if found := s.sets[set]; found != nil {
		return found.fingerprint
	}
	return hashing.Fingerprint{}
}

// TakeOver replaces the contents of old's log by the state of s. Later changes of s are
// appended to it. The caller must not use old afterwards.
func (s *Store) TakeOver(old *Store) error {
	if old.log == nil {
		return nil
	}
	if err := old.log.rewrite(s.snapshot); err != nil {
		return err
	}
	s.log, old.log = old.log, nil
	return nil
}

// compact replaces the log by a snapshot, so that it does not grow without bound. If that
// fails, the log is not changed.
func (s *Store) compact() {
	if err := s.log.rewrite(s.snapshot); err != nil {
		s.logger.Warn("the sandbox's state log could not be compacted and was not changed", "error", err)
	}
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
	for digests := c.digests; len(digests) >= digestSize; digests = digests[digestSize:] {
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
		s.sets[name] = &set{fingerprintOnly: s.fingerprintsOnly}
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
		if members.fingerprintOnly {
			if err := yield(CountMembers(name, members.fingerprint)); err != nil {
				return err
			}
			continue
		}
		err := members.each(func(digests []byte) error { return yield(AddMembers(name, digests)) })
		if err != nil {
			return err
		}
	}
	return nil
}
