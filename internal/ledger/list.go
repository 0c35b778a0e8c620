package ledger

import (
	"context"
	"errors"
	"io"

	"usher/hashing"
)

// List reads digests of files whose digests are one sequence.
type List struct {
	chain *chain
	left  int64
}

// OpenList opens digests from..to-1 of files. It first reads their files once to verify
// them, so that no wrong digest is ever sent. The caller closes the list.
func (s *Store) OpenList(ctx context.Context, files []File, from, to int64) (*List, error) {
	begin := from
	for len(files) > 0 && begin >= files[0].Fingerprint.Count {
		begin -= files[0].Fingerprint.Count
		files = files[1:]
	}
	if len(files) == 0 {
		return &List{chain: &chain{}}, nil
	}
	// Keep only the files that contain the digests.
	end, last := begin+to-from, 0
	for n := files[0].Fingerprint.Count; n < end && last+1 < len(files); n += files[last].Fingerprint.Count {
		last++
	}
	files = files[:last+1]
	for _, f := range files {
		if err := s.verify(ctx, f); err != nil {
			return nil, err
		}
	}
	l := &List{chain: &chain{ctx: ctx, store: s, files: files, to: firstBytes, buffer: bufferOf(1)}, left: to - from}
	for range begin {
		if _, _, err := l.chain.next(); err != nil {
			l.Close()
			return nil, l.unexpected(err)
		}
	}
	return l, nil
}

// verify reads a file to its end.
func (s *Store) verify(ctx context.Context, f File) error {
	r, err := s.open(ctx, f, 0, firstBytes, bufferOf(1))
	if err != nil {
		return err
	}
	defer r.close()
	for {
		if _, _, err := r.next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Next appends digests to room, up to its capacity. It returns io.EOF at the end of the list.
func (l *List) Next(room []hashing.Digest) ([]hashing.Digest, error) {
	for len(room) < cap(room) && l.left > 0 {
		k, _, err := l.chain.next()
		if err != nil {
			return room, l.unexpected(err)
		}
		room = append(room, k.digest())
		l.left--
	}
	if len(room) == 0 {
		return room, io.EOF
	}
	return room, nil
}

// unexpected turns the end of the files into damage: they have fewer digests than their
// fingerprints count.
func (l *List) unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return &DamagedError{"a list of digests", "is shorter than when it was written"}
	}
	return err
}

// Close closes the files.
func (l *List) Close() { l.chain.close() }

// Digests returns the number of digests of files.
func Digests(files []File) int64 {
	var n int64
	for _, f := range files {
		n += f.Fingerprint.Count
	}
	return n
}
