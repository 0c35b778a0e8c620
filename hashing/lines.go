package hashing

import "bytes"

// MaxLine is the length in bytes, without its ending, of the longest line that is
// judged by its content. A longer line is a row with the reason Shape.
const MaxLine = 64 << 10

// Out receives the results of Lines. Its slices have a fixed capacity and are reused
// by every call.
type Out struct {
	Digests []Digest
	Rows    []int32  // Rows[i] is the row of Digests[i], counted from 0 in each call
	Rejects []Reject // in the order of their rows
	Count   int      // the number of rows: len(Digests) + len(Rejects)
}

// Reject is a row without a digest.
type Reject struct {
	Row      int32 // counted from 0 in each call
	Reason   Reason
	From, To int // the bounds in the input of the value with its quotes and braces
}

// NewOut returns an Out with room for the given numbers of digests and rejects, each
// of which must be at least 1.
func NewOut(digests, rejects int) *Out {
	return &Out{
		Digests: make([]Digest, 0, digests),
		Rows:    make([]int32, 0, digests),
		Rejects: make([]Reject, 0, rejects),
	}
}

func (o *Out) reset() {
	o.Digests, o.Rows, o.Rejects, o.Count = o.Digests[:0], o.Rows[:0], o.Rejects[:0], 0
}

func (o *Out) add(d *Digest) {
	o.Digests = append(o.Digests, *d)
	o.Rows = append(o.Rows, int32(o.Count))
	o.Count++
}

func (o *Out) reject(reason Reason, from, to int) {
	o.Rejects = append(o.Rejects, Reject{Row: int32(o.Count), Reason: reason, From: from, To: to})
	o.Count++
}

// Lines hashes the lines of in and overwrites out with the results. It returns the
// length of the lines that it used: it stops at the end of in or when out is full.
//
// A line ends in \n or \r\n. A line without an ending is used only if last is set. If
// records is set, a blank line is a row with the reason Empty; otherwise it is not a
// row. Lines does not allocate.
func (h *Hasher) Lines(out *Out, in []byte, records, last bool) (used int) {
	out.reset()
	h.lanes.index.reset()
	h.lanes.lastDirty = -maxDirtyDistance
	for used < len(in) && !h.full(out) {
		n, dirty := h.takeClean(out, in, used, records)
		used += n
		if !dirty || h.full(out) {
			continue
		}
		n = h.takeLine(out, in, used, records, last)
		if n == 0 {
			break
		}
		used += n
	}
	h.flush(out)
	return used
}

// full reports whether out may have no room for another row.
func (h *Hasher) full(out *Out) bool {
	return len(out.Rows)+h.lanes.count == cap(out.Rows) || len(out.Rejects) == cap(out.Rejects)
}

// Skip passes over at most the given number of rows without judging their values. It
// counts rows as Lines does, and returns the length and the number of those it passed.
func (h *Hasher) Skip(in []byte, rows int64, records, last bool) (used int, skipped int64) {
	for used < len(in) && skipped < rows {
		line, n := cutLine(in[used:], last)
		if n == 0 {
			break
		}
		used += n
		if records || !isBlank(line) {
			skipped++
		}
	}
	return used, skipped
}

// cutLine returns the first line of in without its \n, and its length with it. The
// length is 0 if the line has no ending and last is not set.
func cutLine(in []byte, last bool) (line []byte, n int) {
	if i := bytes.IndexByte(in, '\n'); i >= 0 {
		return in[:i], i + 1
	}
	if last {
		return in, len(in)
	}
	return nil, 0
}

// isBlank reports whether a line holds no value. A line over MaxLine is not blank.
func isBlank(line []byte) bool {
	if len(line) > MaxLine {
		return false
	}
	value, _ := trim(line)
	return len(value) == 0
}
