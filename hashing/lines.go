package hashing

import (
	"bytes"

	"usher"
)

// MaxLine is the longest line in bytes, its end not counted, that is looked
// into; a longer one is a row of invalid shape.
const MaxLine = 64 << 10

// Out is what Lines gives back, in slices of fixed capacity that are used again
// and again.
type Out struct {
	Digests []Digest
	Rows    []int32  // Rows[i] is the row of Digests[i], from 0 at the call's first row
	Rejects []Reject // in order of rows
	Count   int      // rows used up: digests, rejects and nothing else
}

// Reject is a row that was dropped.
type Reject struct {
	Row      int32 // from 0 at the call's first row
	Reason   Reason
	From, To int // where its value, with quotes and braces, lies in the call's input
}

// NewOut returns room for the given numbers of digests and rejects a call, each
// at least 1.
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

// full reports whether out has no room for another line.
func (h *Hasher) full(out *Out) bool {
	return len(out.Rows)+h.lanes.count == cap(out.Rows) || len(out.Rejects) == cap(out.Rejects)
}

// Lines overwrites out with what the lines of in come to, and returns how much
// of in it used: whole lines, until in ends or out is full. A line ends in \n
// or \r\n; one without an end is used only when last is set. records says that
// every line is a row, a blank one too (reason empty); otherwise blank lines
// are no rows. It allocates nothing.
func (h *Hasher) Lines(out *Out, in []byte, records, last bool) (used int) {
	out.reset()
	h.lanes.lines.forget()
	h.lanes.dirty = -manyApart
	for used < len(in) && !h.full(out) {
		n, dirty := h.clean(out, in, used, records)
		used += n
		if !dirty || h.full(out) {
			continue
		}
		n = h.line(out, in, used, records, last)
		if n == 0 {
			break
		}
		used += n
	}
	h.flush(out)
	return used
}

// Skip reads over rows as Lines would, at most so many, without a look at their
// values. It returns how much of in it used and how many rows that was.
func (h *Hasher) Skip(in []byte, rows int64, records, last bool) (used int, skipped int64) {
	for used < len(in) && skipped < rows {
		line, n := cutLine(in[used:], last)
		if n == 0 {
			break
		}
		used += n
		if records || !blank(line) {
			skipped++
		}
	}
	return used, skipped
}

// cutLine returns the first line of in without its \n, and its length with it;
// 0 where it has no end and is not the last.
func cutLine(in []byte, last bool) (line []byte, n int) {
	if i := bytes.IndexByte(in, '\n'); i >= 0 {
		return in[:i], i + 1
	}
	if last {
		return in, len(in)
	}
	return nil, 0
}

// blank reports whether a line holds no value. A line that is too long does.
func blank(line []byte) bool {
	if len(line) > MaxLine {
		return false
	}
	value, _ := trim(line)
	return len(value) == 0
}

// gather puts a message into the next lane, and hashes when all are taken.
func (h *Hasher) gather(out *Out, b *block) {
	l := h.lanes
	l.words.set(h.shape(), l.count, b)
	l.rows[l.count] = int32(out.Count)
	out.Count++
	if l.count++; l.count == h.kernel.lanes {
		h.flush(out)
	}
}

// flush hashes the messages gathered so far.
func (h *Hasher) flush(out *Out) {
	l, had := h.lanes, len(out.Digests)
	if l.count == 0 {
		return
	}
	all := h.kernel.roundUp(l.count)
	if free := out.Digests[had:cap(out.Digests)]; len(free) >= all {
		h.kernel.sum(h.shape(), &l.words, l.count, free)
		out.Digests = out.Digests[:had+l.count]
	} else {
		h.kernel.sum(h.shape(), &l.words, l.count, l.digests[:])
		out.Digests = append(out.Digests, l.digests[:l.count]...)
	}
	out.Rows = append(out.Rows, l.rows[:l.count]...)
	l.count = 0
}

// line takes the line that begins at in[at:], whatever it is, and returns its
// length with its end; 0 where it has no end and is not the last.
func (h *Hasher) line(out *Out, in []byte, at int, records, last bool) int {
	line, n := cutLine(in[at:], last)
	if n == 0 {
		return 0
	}
	id, reason, from, to := h.look(line, at)
	switch {
	case reason == Empty && from == to && !records:
	case reason != None:
		out.reject(reason, from, to)
	case h.input == usher.InputMD5:
		var d Digest
		d.parse((*[HexLen]byte)(id))
		out.add(&d)
	default:
		var b block
		h.canonical(&b, id)
		h.gather(out, &b)
	}
	return n
}

// look says what a line is that begins at at, without its \n: the id in it, or
// why it is rejected, and where its value lies: nowhere in a blank one.
func (h *Hasher) look(line []byte, at int) (id []byte, reason Reason, from, to int) {
	n := len(line)
	switch {
	case n == 0:
		return nil, Empty, at, at
	case n > MaxLine:
		return nil, Shape, at, at + n
	case n > 1 && isHexDigit(line[0]) && isInk(line[n-1]):
		return line, h.bare(line), at, at + n // most are judged so, and soon
	case n == 38 && line[0] == line[37] && (line[0] == '"' || line[0] == '\''):
		if h.hyphened((*[36]byte)(line[1:])) == None {
			return line[1:37], None, at, at + n
		}
	}
	value, skipped := trim(line)
	from = at + skipped
	to = from + len(value)
	if len(value) == 0 {
		return nil, Empty, from, to
	}
	id, reason = h.judge(value)
	return id, reason, from, to
}

func (o *Out) reject(reason Reason, from, to int) {
	o.Rejects = append(o.Rejects, Reject{Row: int32(o.Count), Reason: reason, From: from, To: to})
	o.Count++
}
