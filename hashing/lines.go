package hashing

import (
	"bytes"

	"usher"
)

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
	h.firstDocumented = none
	for used < len(in) && !h.full(out) {
		n, dirty := h.takeClean(out, in[used:])
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
	if h.firstDocumented != none {
		h.dropDocumented(out, in[:used], records)
	}
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

// takeLine takes the line at in[at:], clean or dirty, and returns its length with its
// ending. The length is 0 if the line has no ending and last is not set.
func (h *Hasher) takeLine(out *Out, in []byte, at int, records, last bool) int {
	line, n := cutLine(in[at:], last)
	if n == 0 {
		return 0
	}
	id, reason, from, to := h.inspect(line, at)
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
		h.addMessage(out, &b)
	}
	return n
}

// inspect judges a line without its \n that begins at at. It returns the id in it or
// the reason why it is rejected, and the bounds of its value, which are equal if the
// line is blank.
func (h *Hasher) inspect(line []byte, at int) (id []byte, reason Reason, from, to int) {
	n := len(line)
	switch {
	case n == 0:
		return nil, Empty, at, at
	case n > MaxLine:
		return nil, Shape, at, at + n
	case n > 1 && IsHexDigit(line[0]) && isVisible(line[n-1]): // the most frequent case first
		return line, h.judgeBare(line), at, at + n
	case n == 38 && line[0] == line[37] && isQuote(line[0]):
		if h.judgeHyphenated((*[36]byte)(line[1:])) == None {
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

// listSeparators are the separators of lists, and the bracket of a JSON array. Each list of
// ids in one line contains at least one of them.
const listSeparators = ", ;|\t["

// passReach is how many characters too early a kernel may stop.
const passReach = 512

// SingleLines returns the size and the number of the lines at the beginning of text that
// are not lists of ids: they have no comma, semicolon, vertical bar, space, tab or opening
// bracket, end in LF or CR LF, and have no other CR. It stops before a last line without a
// line ending.
func SingleLines(text []byte) (size, lines int) { return fastest.singleLines(text) }

func (k *kernel) singleLines(text []byte) (size, lines int) {
	passed, lines := k.passSingles(text)
	if passed > 0 && text[passed-1] == '\r' {
		passed--
	}
	size = bytes.LastIndexByte(text[:passed], '\n') + 1
	for line := range bytes.Lines(text[size:min(passed+passReach, len(text))]) {
		bare, ended := bytes.CutSuffix(line, []byte{'\n'})
		bare = bytes.TrimSuffix(bare, []byte{'\r'})
		if !ended || bytes.IndexByte(bare, '\r') >= 0 || hasListSeparator(bare) {
			break
		}
		size += len(line)
		lines++
	}
	return size, lines
}
