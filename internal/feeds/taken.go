package feeds

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"usher/internal/readable"
	"usher/queues/store"
)

// A place may have more exports than a state can remember. If each file is an export of its own, the
// state then remembers a window of them: those that wait for something, and those that got their job
// last. What the others are is kept beside the state, as hashes of their versions. A version that is
// forgotten because its file was gone has its job all the same, for as long as the job is on record.
//
// Both stay when the feed is removed from its file: if it came back without them, it would take each
// export again. They are 8 bytes for an export.

const (
	// windowed is the number of exports in a place above which a state remembers only a window.
	windowed = 4000
	// keptTaken is how many versions with jobs a state remembers then.
	keptTaken = 1000
	// takenShards is the number of values that have the hashes of a feed, by their first bits.
	takenShards = 16
)

// taken are the versions of a feed that have jobs and are not in its state.
type taken map[uint64]bool

// hashOf returns the hash of a version.
func hashOf(version string) uint64 {
	sum := sha256.Sum256([]byte(version))
	return binary.BigEndian.Uint64(sum[:])
}

// takenShard is a value with hashes.
type takenShard struct {
	Hashes []byte `json:"hashes"` // eight bytes each
}

// Valid reports whether usher can have written the value.
func (t *takenShard) Valid() bool { return len(t.Hashes)%8 == 0 }

func takenKey(feed string, shard int) string {
	return fmt.Sprintf("taken.%s.%d", store.Token(feed), shard)
}

// loadTaken reads the versions that have jobs and are not in the state.
func (w *Watcher) loadTaken(ctx context.Context, s *State) (taken, error) {
	all := taken{}
	if s.Taken == 0 {
		return all, nil
	}
	for shard := range takenShards {
		var read takenShard
		if _, _, err := w.States.bucket.Get(ctx, takenKey(s.Name, shard), &read); err != nil {
			return nil, err
		}
		for at := 0; at+8 <= len(read.Hashes); at += 8 {
			all[binary.BigEndian.Uint64(read.Hashes[at:])] = true
		}
	}
	return all, nil
}

// saveTaken stores the versions.
func (w *Watcher) saveTaken(ctx context.Context, feed string, all taken) error {
	shards := make([][]uint64, takenShards)
	for hash := range all {
		shard := hash >> 60 // of takenShards
		shards[shard] = append(shards[shard], hash)
	}
	for shard, hashes := range shards {
		slices.Sort(hashes)
		data := make([]byte, 0, 8*len(hashes))
		for _, hash := range hashes {
			data = binary.BigEndian.AppendUint64(data, hash)
		}
		err := store.Change(ctx, w.States.bucket, takenKey(feed, shard), func(t *takenShard, found bool) bool {
			changed := !slices.Equal(t.Hashes, data) && (found || len(data) > 0)
			t.Hashes = data
			return changed
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// window is the part of the exports in a place that a look works on.
type window struct {
	all   int      // exports in the place
	seen  []export // those that the look works on
	rest  int      // those that wait until others have their jobs
	taken taken    // those of the others that have jobs
}

// windowOf returns the exports that a look works on: all, unless there are too many, or were.
func (w *Watcher) windowOf(ctx context.Context, f *Feed, seen []export) (window, error) {
	o := window{all: len(seen), seen: seen, taken: taken{}}
	switch {
	case !f.isEach():
		return o, nil
	case f.Kind.Mirrors(): // which takes only the newest by name
		o.seen = seen[max(len(seen)-windowed, 0):]
		return o, nil
	}
	s, err := w.States.Get(ctx, f.Name)
	if err != nil || len(seen) <= windowed && s.Taken == 0 {
		return o, err
	}
	before, err := w.loadTaken(ctx, s)
	if err != nil {
		return o, err
	}
	known := 0 // of the state, still there
	for i := range seen {
		if s.Versions[seen[i].version] != nil {
			known++
		}
	}
	o.seen = nil
	for i := range seen {
		hash, inState := hashOf(seen[i].version), s.Versions[seen[i].version] != nil
		switch {
		case inState:
			o.seen = append(o.seen, seen[i])
		case before[hash]:
			o.taken[hash] = true
		case known < windowed:
			known++
			o.seen = append(o.seen, seen[i])
		default:
			o.rest++
		}
	}
	return o, nil
}

// shorten moves the oldest versions with jobs out of the state, so that others have room, and says what
// the others are.
func (w *Watcher) shorten(ctx context.Context, f *Feed, o *window) error {
	if o.all <= windowed || f.Kind.Mirrors() {
		return nil
	}
	s, err := w.States.Get(ctx, f.Name)
	if err != nil {
		return err
	}
	var done []string
	for i := range o.seen {
		if v := s.Versions[o.seen[i].version]; v != nil && v.Job != "" && len(v.Pieces) == 0 {
			done = append(done, o.seen[i].version)
		}
	}
	slices.SortStableFunc(done, func(a, b string) int { return s.Versions[a].published().Compare(s.Versions[b].published()) })
	done = done[:max(len(done)-keptTaken, 0)]
	for _, version := range done {
		o.taken[hashOf(version)] = true
	}
	if err := w.saveTaken(ctx, f.Name, o.taken); err != nil {
		return err
	}
	return w.keep(ctx, f, func(s *State) bool {
		for _, version := range done {
			delete(s.Versions, version)
		}
		s.Taken = len(o.taken)
		switch {
		case o.rest > 0:
			s.Why = fmt.Sprintf("%s wait until others have their jobs", readable.Count(o.rest, "further export"))
			if len(done) > 0 { // there is room for them now
				s.Next = w.Now().UTC()
			}
		case s.Why == "":
			s.Why = fmt.Sprintf("each of the %s exports has its job", readable.Number(int64(o.all)))
		}
		return true
	})
}
