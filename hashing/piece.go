package hashing

import "bytes"

// piece is a buffer of whole lines and their results.
type piece struct {
	buffer  []byte
	lines   []byte // a part of buffer
	tooLong bool   // lines is the beginning of a line that does not fit the buffer

	done    chan struct{} // receives one value when the piece is hashed
	text    []byte        // what Stream writes for the lines
	rows    int64
	digests int64
	dropped Counts
}

func newPiece() *piece {
	return &piece{buffer: make([]byte, streamBuffer), text: make([]byte, 0, streamBuffer), done: make(chan struct{}, 1)}
}

// skipLine removes the rest of a line from the beginning of text. It reports whether
// the line continues after text.
func skipLine(text []byte) (_ []byte, more bool) {
	_, after, found := bytes.Cut(text, []byte{'\n'})
	return after, !found
}

// fill sets the lines of the piece to the whole lines of text, a part of its buffer, and
// returns the beginning of a line that remains. If last is set, a line without an
// ending is whole.
func (p *piece) fill(text []byte, last bool) (rest []byte) {
	end := bytes.LastIndexByte(text, '\n') + 1
	p.tooLong = end == 0 && !last && len(text) == len(p.buffer)
	if last || p.tooLong {
		end = len(text)
	}
	p.lines = text[:end]
	return text[end:]
}

// hash hashes the lines of the piece.
func (p *piece) hash(h *Hasher, out *Out, keep bool) {
	p.text, p.rows, p.digests, p.dropped = p.text[:0], 0, 0, Counts{}
	if p.tooLong {
		out.reset()
		out.reject(Shape, 0, len(p.lines))
		p.add(h.kernel, out, keep)
		return
	}
	for in := p.lines; len(in) > 0; {
		in = in[h.Lines(out, in, keep, true):]
		p.add(h.kernel, out, keep)
	}
}

// add adds the results of a call of Lines.
func (p *piece) add(k *kernel, out *Out, keep bool) {
	p.rows += int64(out.Count)
	p.digests += int64(len(out.Digests))
	for _, r := range out.Rejects {
		if r.Reason == Empty && r.From == r.To {
			p.rows-- // a blank line, which is a row only because keep is set
			continue
		}
		p.dropped[r.Reason]++
	}
	if !keep || len(out.Rejects) == 0 {
		p.text = k.appendHex(p.text, out.Digests, '\n')
		return
	}
	done := 0
	for i := range out.Rejects {
		before := int(out.Rejects[i].Row) - i // the number of digests before this reject
		p.text = append(k.appendHex(p.text, out.Digests[done:before], '\n'), '\n')
		done = before
	}
	p.text = k.appendHex(p.text, out.Digests[done:], '\n')
}
