package hashing

import "usher"

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
	case n > 1 && isHexDigit(line[0]) && isVisible(line[n-1]): // the most frequent case first
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
