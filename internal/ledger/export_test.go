package ledger

import (
	"context"
	"errors"
	"io"

	"usher"
	"usher/hashing"
)

// Record is a digest, and the day of its last upload if the ledger keeps days.
type Record struct {
	Digest hashing.Digest
	Day    Day
}

// SortDigests sorts digests as a run does.
func SortDigests(digests []hashing.Digest) {
	var m runMemory
	m.add(digests)
	digests = digests[:0]
	for b := range firstBytes {
		m.keys = m.appendKeys(m.keys[:0], b)
		m.keys = m.sorter.sort(m.keys)
		for _, k := range m.keys {
			digests = append(digests, k.digest())
		}
	}
}

// WriteFile writes records, which are in order, with days if width says so.
func (s *Store) WriteFile(ctx context.Context, name string, records []Record, days bool) (File, error) {
	width := digestSize
	if days {
		width += daySize
	}
	w, err := s.create(ctx, name, width, 0)
	if err != nil {
		return File{}, err
	}
	for _, r := range records {
		w.add(keyOf(&r.Digest), r.Day)
	}
	return w.close()
}

// ReadFile reads the records of a file whose first byte is in from..to-1.
func (s *Store) ReadFile(ctx context.Context, f File, from, to, buffer int) ([]Record, error) {
	r, err := s.open(ctx, f, from, to, buffer)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var records []Record
	for {
		k, day, err := r.next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, Record{k.digest(), day})
	}
}

// Put stores bytes as a file.
func (s *Store) Put(ctx context.Context, name string, data []byte) error {
	return s.bucket.WriteAll(ctx, name, data, nil)
}

// Get returns the bytes of a file.
func (s *Store) Get(ctx context.Context, name string) ([]byte, error) {
	return s.bucket.ReadAll(ctx, name)
}

// Names returns the names of all files.
func (s *Store) Names(ctx context.Context) ([]string, error) { return s.NamesBelow(ctx, "") }

// NamesBelow returns the names of the files that begin with a prefix.
func (s *Store) NamesBelow(ctx context.Context, prefix string) (names []string, err error) {
	err = s.list(ctx, prefix, func(o *listed) error {
		names = append(names, o.Key)
		return nil
	})
	return names, err
}

// Remove removes a file.
func (s *Store) Remove(ctx context.Context, name string) error { return s.bucket.Delete(ctx, name) }

// Seek returns the indexes of those of sorted digests that are in a file, and how many bytes
// it has read.
func (s *Store) Seek(ctx context.Context, f File, digests []hashing.Digest) (found []int, read int64, err error) {
	read, err = s.seek(ctx, f, digests, func(i int, _ Day) { found = append(found, i) })
	return found, read, err
}

// MergeAtMost sets how many sources are merged at once.
func (s *Store) MergeAtMost(sources int) { s.maxSources = sources }

// NoteAtMost sets how many jobs a head names beside its lists.
func (s *Store) NoteAtMost(jobs int) { s.maxDeltaJobs = jobs }

// Members returns the members of a target, and which of them are known.
func (st *State) Members(ctx context.Context) (list []Record, known map[hashing.Digest]bool, err error) {
	m, err := st.store.members(ctx, st, 0, firstBytes)
	if err != nil {
		return nil, nil, err
	}
	defer m.close()
	known = map[hashing.Digest]bool{}
	for {
		k, day, is, err := m.next()
		if errors.Is(err, io.EOF) {
			return list, known, nil
		}
		if err != nil {
			return nil, nil, err
		}
		list, known[k.digest()] = append(list, Record{k.digest(), day}), is
	}
}

// Sources returns the number of files that a reader of the members opens beside the generation.
func (st *State) Sources() int { return len(st.sources) }

// HeldOut reports whether a holdout keeps a digest out.
func HeldOut(of *usher.Holdout, d hashing.Digest) bool { return newHoldout(of).has(keyOf(&d)) }
