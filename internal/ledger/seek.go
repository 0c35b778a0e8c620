package ledger

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/bits"
	"sync"

	"usher/hashing"
)

// A few digests are found in a large file without reading it: digests are evenly distributed,
// so that the place of one follows from its value. The distance to the true place is about
// the square root of the number of digests, so that two or three short reads find it. What is
// read is checked against the trailer and its neighbours. The checksums cover more than that, so
// they are used only if a record could be what was looked for, and is damaged.

// seekBytes is about what one digest costs to seek. A file that is smaller than that for each
// digest is read as a whole, with its checksums.
const seekBytes = 512

// maxNeighbours is the number of records on each side of the likely place that are read at once.
const maxNeighbours = 10

// seek calls found with the indexes of those of sorted digests that are in a file, and with the days
// of their last uploads. It returns how many bytes it has read.
func (s *Store) seek(ctx context.Context, f File, digests []hashing.Digest, found func(i int, day Day)) (read int64, err error) {
	if len(digests) == 0 {
		return 0, nil
	}
	t, err := s.trailerOf(ctx, f)
	if err != nil {
		return 0, err
	}
	if t.size() <= int64(len(digests))*seekBytes {
		return t.size(), s.scan(ctx, f.Name, t, 0, firstBytes, digests, found)
	}
	k := &seeker{ctx: ctx, store: s, name: f.Name, trailer: t, read: int64(trailerSize)}
	before := int64(0) // records whose first byte is less than first
	first := 0
	for i := range digests {
		for ; first < int(digests[i][0]); first++ {
			before += int64(t.counts[first])
		}
		is, day, err := k.has(keyOf(&digests[i]), before, before+int64(t.counts[first]))
		if err != nil {
			return k.read, err
		}
		if is {
			found(i, day)
		}
	}
	return k.read, nil
}

// scan is seek for records that are all read, with their checksums: those whose first byte is
// in from..to-1.
func (s *Store) scan(ctx context.Context, name string, t *trailer, from, to int, digests []hashing.Digest, found func(i int, day Day)) error {
	r, err := s.openRecords(ctx, name, t, from, to, make([]byte, 0, min(t.size(), int64(bufferOf(1)))))
	if err != nil {
		return err
	}
	defer r.close()
	for i := 0; ; {
		k, day, err := r.next() // to the end, to verify all checksums
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i < len(digests) && keyOf(&digests[i]).less(k) {
			i++
		}
		for ; i < len(digests) && keyOf(&digests[i]) == k; i++ {
			found(i, day)
		}
	}
}

// seeker finds digests in a file.
type seeker struct {
	ctx     context.Context
	store   *Store
	name    string
	trailer *trailer
	read    int64 // bytes
	buffer  [(2*maxNeighbours + 1) * (digestSize + daySize)]byte
}

// has reports whether a digest is among the records low..high-1, which are all that begin with
// its first byte, and returns the day of its last upload.
func (k *seeker) has(wanted key, low, high int64) (is bool, day Day, err error) {
	// All records from lowest have keys of at least lowKey, and those before highest less than
	// highKey.
	lowest, highest := low, high
	lowKey := float64(wanted.high &^ (1<<56 - 1))
	highKey := lowKey + 1<<56
	for step := 0; lowest < highest; step++ {
		n := float64(highest - lowest)
		share := min(max((float64(wanted.high)-lowKey)/(highKey-lowKey), 0), 1)
		if step > 6 { // the digests are not evenly distributed
			share = 0.5
		}
		off := math.Sqrt(n * share * (1 - share)) // the standard deviation of the place
		reach := int64(0)
		if off <= maxNeighbours {
			reach = min(int64(1.2*off)+1, maxNeighbours)
		}
		at := lowest + min(int64(n*share), highest-lowest-1)
		seen, err := k.records(max(at-reach, lowest), min(at+reach+1, highest), wanted)
		if err != nil {
			return false, 0, err
		}
		first, last := seen.key(seen.from), seen.key(seen.to-1)
		switch {
		case wanted.less(first):
			highest, highKey = seen.from, float64(first.high)
		case last.less(wanted):
			lowest, lowKey = seen.to, float64(last.high)
		default:
			return k.confirm(wanted, seen, seen.place(wanted), low, high)
		}
	}
	return k.confirm(wanted, window{}, lowest, low, high)
}

// confirm reports whether the record at a place is a digest, which otherwise belongs there: the
// records low..high-1 before it are less, and the others greater. If the digest is not there, a
// damaged record may have led to a wrong place, or may have been the digest. The first is out
// of order beside its neighbours, so that two records on each side must have been seen. The
// second resembles the digest. Then all records with this first byte are read with their
// checksum, because somebody may have uploaded a digest that resembles another.
func (k *seeker) confirm(wanted key, seen window, place, low, high int64) (is bool, day Day, err error) {
	from, to := max(place-2, low), min(place+2, high)
	if from < seen.from || to > seen.to {
		if seen, err = k.records(from, to, wanted); err != nil {
			return false, 0, err
		}
	}
	resembled := false
	for i := seen.from; i < seen.to; i++ {
		if seen.key(i) == wanted {
			return true, k.day(&seen, i), nil
		}
		resembled = resembled || wanted.resembles(seen.key(i))
	}
	if !resembled {
		return false, 0, nil
	}
	digest := wanted.digest()
	err = k.store.scan(k.ctx, k.name, k.trailer, int(digest[0]), int(digest[0])+1, []hashing.Digest{digest}, func(_ int, of Day) { is, day = true, of })
	k.read += (high - low) * int64(k.trailer.width)
	return is, day, err
}

// day returns the day of a record, or that of all records of the file.
func (k *seeker) day(seen *window, i int64) Day {
	if k.trailer.width == digestSize {
		return k.trailer.day
	}
	record := seen.data[(i-seen.from)*seen.width:]
	return Day(binary.BigEndian.Uint16(record[digestSize:]))
}

// resembles reports whether two digests have a half in common, or differ in a few bits, as they
// do if one is what a damaged disk has left of the other.
func (k key) resembles(other key) bool {
	high, low := bits.OnesCount64(k.high^other.high), bits.OnesCount64(k.low^other.low)
	return high == 0 || low == 0 || high+low <= 16
}

// window has the records from..to-1 of a file.
type window struct {
	from, to int64
	data     []byte
	width    int64
}

func (w *window) key(i int64) key {
	b := w.data[(i-w.from)*w.width:]
	return key{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// place returns the number of the first record that is not less than a digest, or to.
func (w *window) place(wanted key) int64 {
	i := w.from
	for i < w.to && w.key(i).less(wanted) {
		i++
	}
	return i
}

// records reads the records from..to-1 of a file, all of which must have the first byte of a
// digest. The window is valid until the next call.
func (k *seeker) records(from, to int64, like key) (window, error) {
	if from == to {
		return window{from: from, to: to}, nil
	}
	width := int64(k.trailer.width)
	r, err := k.store.bucket.NewRangeReader(k.ctx, k.name, from*width, (to-from)*width, nil)
	if err != nil {
		return window{}, readError(k.name, err)
	}
	data := k.buffer[:(to-from)*width]
	_, err = io.ReadFull(r, data)
	_ = r.Close() // only read
	if err != nil {
		return window{}, bodyError(k.name, r, k.trailer.size(), err)
	}
	k.read += int64(len(data))
	w := window{from, to, data, width}
	for i := from; i < to; i++ {
		if w.key(i).high>>56 != like.high>>56 || i > from && !w.key(i-1).less(w.key(i)) {
			return window{}, &DamagedError{k.name, "has records in the wrong place"}
		}
	}
	return w, nil
}

// Membership says whether a target holds a digest.
type Membership byte

// The memberships. Uncertain are those that a job may have changed that has not ended.
const (
	NoMember Membership = iota
	Member
	Uncertain
)

// Find returns the membership of each of sorted digests, and how many bytes it has read.
func (st *State) Find(ctx context.Context, digests []hashing.Digest) (held []Membership, read int64, err error) {
	found, read, err := st.find(ctx, digests)
	if err != nil {
		return nil, read, err
	}
	held = make([]Membership, len(found))
	for i := range found {
		held[i] = found[i].membership
	}
	return held, read, nil
}

// finding is what a target knows of a digest.
type finding struct {
	membership Membership
	day        Day // of its last upload; 0: not known
}

var memberships = map[op]Membership{opRemoved: NoMember, opUnknown: Uncertain, opAdded: Member}

// find is Find, with the days of the last uploads.
func (st *State) find(ctx context.Context, digests []hashing.Digest) (found []finding, read int64, err error) {
	found = make([]finding, len(digests))
	note := func(i int, o op, day Day) { found[i] = finding{memberships[o], max(found[i].day, day)} }
	shards := st.generation.Shards
	for number, f := range shards {
		from, to := between(digests, number, len(shards))
		n, err := st.store.seek(ctx, f, digests[from:to], func(i int, day Day) { note(from+i, st.generationOp(), day) })
		if read += n; err != nil {
			return nil, read, err
		}
	}
	days, bytes, failed := make([]map[int]Day, len(st.sources)), make([]int64, len(st.sources)), make([]error, len(st.sources))
	var seeking sync.WaitGroup // at the same time, because each may take a bucket many milliseconds
	for n := range st.sources {
		seeking.Go(func() {
			days[n] = map[int]Day{}
			bytes[n], failed[n] = st.store.seek(ctx, st.sources[n].File, digests, func(i int, day Day) { days[n][i] = day })
		})
	}
	seeking.Wait()
	for n := range st.sources {
		read += bytes[n]
		for i, day := range days[n] {
			note(i, st.sources[n].Op, day)
		}
	}
	return found, read, errors.Join(failed...)
}

// between returns the range of sorted digests that a shard may have.
func between(digests []hashing.Digest, shard, shards int) (from, to int) {
	each := firstBytes / shards
	for from < len(digests) && int(digests[from][0]) < shard*each {
		from++
	}
	for to = from; to < len(digests) && int(digests[to][0]) < (shard+1)*each; to++ {
	}
	return from, to
}
