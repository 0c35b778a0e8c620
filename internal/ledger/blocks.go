package ledger

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
)

// greatest is the greatest key.
var greatest = key{math.MaxUint64, math.MaxUint64}

// union yields the keys of sorted files in order, in blocks. It takes from the buffers of the
// files all keys up to the least last key of a buffer, and sorts them: that is faster than to
// merge keys one by one. No buffer is almost empty then, because that would end the block after
// few keys of each of hundreds of files. A block is never larger than all buffers.
type union struct {
	store *Store
	files []*reader
	*unionMemory
}

// unionMemory is the memory of a union.
type unionMemory struct {
	buffers []byte // of the files
	keys    []key
	sorter  sorter
}

// unionBuffer is the largest buffer of a file of a union, in bytes. With larger ones a block
// would not fit the processor's cache.
const unionBuffer = 64 << 10

// next returns the next keys, each once, or io.EOF. They are valid until the next call.
func (u *union) next() ([]key, error) {
	last := greatest
	kept := u.files[:0]
	for i, r := range u.files {
		k, err := r.lastKey()
		if errors.Is(err, io.EOF) {
			r.close()
			continue
		}
		if err != nil {
			u.files = append(kept, u.files[i:]...)
			return nil, err
		}
		kept = append(kept, r)
		if k.less(last) {
			last = k
		}
	}
	if u.files = kept; len(kept) == 0 {
		return nil, io.EOF
	}
	keys := u.keys[:0]
	for _, r := range kept {
		var err error
		if keys, err = r.appendUntil(last, keys, nil); err != nil {
			return nil, err
		}
	}
	if len(kept) > 1 {
		keys = unique(u.sorter.sort(keys))
	}
	u.keys = keys
	return keys, nil
}

func (u *union) close() {
	for _, r := range u.files {
		r.close()
	}
	u.store.unionMemory.Put(u.unionMemory)
}

// unique removes the repeated ones of sorted keys.
func unique(keys []key) []key {
	kept := keys[:0]
	for i, k := range keys {
		if i == 0 || k != keys[i-1] {
			kept = append(kept, k)
		}
	}
	return kept
}

// chainKeys yields the keys of a chain in blocks.
type chainKeys struct {
	chain
	keys []key
	days []Day
}

func (c *chainKeys) next() (keys []key, err error) {
	c.keys, c.days, err = c.block(c.keys[:0], c.days[:0])
	return c.keys, err
}

// openUnion opens the keys of files whose first byte is in from..to-1.
func (s *Store) openUnion(ctx context.Context, files []File, from, to int) (*union, error) {
	u := &union{store: s}
	var ok bool
	if u.unionMemory, ok = s.unionMemory.Get().(*unionMemory); !ok {
		u.unionMemory = &unionMemory{}
	}
	size := min(bufferOf(len(files)), unionBuffer)
	u.buffers = slices.Grow(u.buffers[:0], size*len(files))
	for i, f := range files {
		r, err := s.openInto(ctx, f, from, to, u.buffers[i*size:i*size:(i+1)*size])
		if err != nil {
			u.close()
			return nil, err
		}
		u.files = append(u.files, r)
	}
	return u, nil
}

// memberBlock are members in order.
type memberBlock struct {
	keys []key
	days []Day
	// uncertain says which of them may be none; nil: all are members.
	uncertain []bool
}

// blockKeys is the number of members that are read at once.
const blockKeys = 1 << 12

// block reads the next members, or returns io.EOF.
func (m *members) block(b *memberBlock) error {
	b.keys, b.days = b.keys[:0], b.days[:0]
	if m.plain != nil {
		var err error
		b.keys, b.days, err = m.plain.block(b.keys, b.days)
		return err
	}
	b.uncertain = b.uncertain[:0]
	for len(b.keys) < blockKeys {
		k, day, known, err := m.next()
		if errors.Is(err, io.EOF) && len(b.keys) > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		b.keys, b.days, b.uncertain = append(b.keys, k), append(b.days, day), append(b.uncertain, !known)
	}
	return nil
}
