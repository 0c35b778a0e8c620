package ledger

import (
	"context"
	"errors"
	"io"
	"math"

	"usher/hashing"
)

// stream yields records in ascending order of their digests, and then io.EOF.
type stream interface {
	next() (key, Day, error)
	close()
}

// merger merges streams. Of equal digests, that of the stream with the lowest rank comes
// first. The rank of a stream is its place in the list.
type merger struct {
	streams []stream
	items   []item // the next one of each stream
	tree    []int  // of losers; tree[0] is the winner
	failed  error
}

type item struct {
	key
	rank int
	day  Day
}

// ended is the rank of the item behind the last one.
const ended = math.MaxInt

func (i *item) before(other *item) bool {
	if i.key != other.key {
		return i.less(other.key)
	}
	return i.rank < other.rank
}

// newMerger returns a merger of at least one stream, which it closes.
func newMerger(streams []stream) *merger {
	n := len(streams)
	m := &merger{streams: streams, items: make([]item, n), tree: make([]int, n)}
	for i := range streams {
		m.read(i)
	}
	winners := make([]int, 2*n)
	for i := 2*n - 1; i > 0; i-- {
		if i >= n {
			winners[i] = i - n
			continue
		}
		a, b := winners[2*i], winners[2*i+1]
		if m.items[b].before(&m.items[a]) {
			a, b = b, a
		}
		winners[i], m.tree[i] = a, b
	}
	if n == 1 {
		winners[1] = 0
	}
	m.tree[0] = winners[1]
	return m
}

func (m *merger) read(i int) {
	k, day, err := m.streams[i].next()
	if err != nil {
		if !errors.Is(err, io.EOF) && m.failed == nil {
			m.failed = err
		}
		m.items[i] = item{key{math.MaxUint64, math.MaxUint64}, ended, 0}
		return
	}
	m.items[i] = item{k, i, day}
}

// next returns the next record and the rank of its stream.
func (m *merger) next() (item, error) {
	w := m.tree[0]
	found := m.items[w]
	if m.failed != nil {
		return item{}, m.failed
	}
	if found.rank == ended {
		return item{}, io.EOF
	}
	m.read(w)
	for t := (w + len(m.items)) / 2; t > 0; t /= 2 {
		if m.items[m.tree[t]].before(&m.items[w]) {
			m.tree[t], w = w, m.tree[t]
		}
	}
	m.tree[0] = w
	return found, nil
}

func (m *merger) close() {
	for _, s := range m.streams {
		s.close()
	}
}

// mergeBuffers is the memory of the streams of a merger in bytes.
const mergeBuffers = 2 << 20

// bufferOf returns the size of the buffer of each of n streams.
func bufferOf(n int) int { return min(max(mergeBuffers/max(n, 1), 4<<10), 256<<10) }

// chain yields the records of files one after the other. Each file has larger digests than
// the one before.
type chain struct {
	ctx      context.Context
	store    *Store
	files    []File
	from, to int
	buffer   int
	open     *reader
	last     key
	begun    bool
}

func (c *chain) next() (key, Day, error) {
	for {
		if c.open == nil {
			if len(c.files) == 0 {
				return key{}, 0, io.EOF
			}
			var err error
			if c.open, err = c.store.open(c.ctx, c.files[0], c.from, c.to, c.buffer); err != nil {
				return key{}, 0, err
			}
		}
		k, day, err := c.open.next()
		if err == nil {
			if c.begun && !c.last.less(k) {
				return key{}, 0, &DamagedError{c.files[0].Name, "has the digests of another file"}
			}
			c.begun, c.last = true, k
			return k, day, nil
		}
		if !errors.Is(err, io.EOF) {
			return key{}, 0, err
		}
		c.open.close()
		c.open, c.files = nil, c.files[1:]
	}
}

// block appends the next records, of at least one, or returns io.EOF.
func (c *chain) block(keys []key, days []Day) ([]key, []Day, error) {
	k, day, err := c.next()
	if err != nil {
		return keys, days, err
	}
	keys, days = append(keys, k), append(days, day)
	keys, err = c.open.appendUntil(greatest, keys, &days)
	c.last = keys[len(keys)-1]
	return keys, days, err
}

func (c *chain) close() {
	if c.open != nil {
		c.open.close()
	}
}

// merge writes a file with the digests of streams but those of without.
func (s *Store) merge(ctx context.Context, name string, opened []opener, without map[key]bool) (File, error) {
	w, err := s.create(ctx, name, digestSize, 0)
	if err != nil {
		return File{}, err
	}
	err = eachMerged(ctx, opened, func(k key) error {
		if !without[k] {
			w.add(k, 0)
		}
		return nil
	})
	if err != nil {
		w.abort()
		return File{}, err
	}
	return w.close()
}

// opener opens a stream. buffer is the number of bytes that are read at once.
type opener func(ctx context.Context, buffer int) (stream, error)

// opener returns the opener of a file.
func (s *Store) opener(f File) opener {
	return func(ctx context.Context, buffer int) (stream, error) { return s.open(ctx, f, 0, firstBytes, buffer) }
}

func (s *Store) openers(files []File) (all []opener) {
	for _, f := range files {
		all = append(all, s.opener(f))
	}
	return all
}

// digestList yields sorted digests.
type digestList struct{ digests []hashing.Digest }

func (l *digestList) next() (key, Day, error) {
	if len(l.digests) == 0 {
		return key{}, 0, io.EOF
	}
	k := keyOf(&l.digests[0])
	l.digests = l.digests[1:]
	return k, 0, nil
}

func (l *digestList) close() {}

// eachMerged calls visit with the digests of streams in order, each once.
func eachMerged(ctx context.Context, opened []opener, visit func(key) error) error {
	if len(opened) == 0 {
		return nil
	}
	var streams []stream
	for _, open := range opened {
		s, err := open(ctx, bufferOf(len(opened)))
		if err != nil {
			for _, earlier := range streams {
				earlier.close()
			}
			return err
		}
		streams = append(streams, s)
	}
	m := newMerger(streams)
	defer m.close()
	var last key
	for begun := false; ; begun = true {
		i, err := m.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if begun && i.key == last {
			continue
		}
		last = i.key
		if err := visit(i.key); err != nil {
			return err
		}
	}
}
