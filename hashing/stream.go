package hashing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"usher"
)

// StreamOptions are the options of Stream.
type StreamOptions struct {
	Profile   usher.Profile
	Input     usher.Input // raw or md5; "" means raw
	KeepLines bool        // write an empty line for each line without a digest
}

const (
	// streamBuffer is the size of a read in bytes: small enough that lines and digests
	// stay in a core's cache, large enough that the cost of a read does not matter.
	streamBuffer = 256 << 10
	// streamWorkers is the maximum number of cores that hash. Reading, which is done by
	// one core, cannot keep up with more.
	streamWorkers = 16
)

// Stream reads one value a line from in until it ends, and writes one digest a line to
// out in the same order. It hashes on all cores. It writes nothing for values that are
// junk or invalid, and it does not remove duplicates.
//
// Stream returns the tally, in which Accepted is the number of digests that it wrote.
// Blank lines are not counted. Before it waits for more input, it writes the digests of
// the lines that it has read. If Stream returns an error, a read may still be in progress,
// so the caller must not use in again.
func Stream(ctx context.Context, in io.Reader, out io.Writer, o StreamOptions) (usher.Tally, error) {
	var hashers []*Hasher
	for range min(runtime.GOMAXPROCS(0), streamWorkers) {
		h, err := New(o.Profile, o.Input)
		if err != nil {
			return usher.Tally{}, err
		}
		hashers = append(hashers, h)
	}
	ctx, cancel := context.WithCancel(ctx)
	pieces := len(hashers) + 2 // one to be read, one to be written
	s := &stream{
		keep: o.KeepLines,
		free: make(chan *piece, pieces), work: make(chan *piece, pieces), order: make(chan *piece, pieces),
	}
	for range pieces {
		s.free <- newPiece()
	}
	go s.read(ctx, in)
	var workers sync.WaitGroup
	for _, h := range hashers {
		workers.Go(func() { s.hash(ctx, h) })
	}
	tally, err := s.write(ctx, out)
	cancel()
	workers.Wait()
	return tally, err
}

// stream passes pieces from read to any of the workers, to write in their order, and
// back to read.
type stream struct {
	keep              bool
	free, work, order chan *piece // each has room for all pieces
	err               error       // the error of read; valid once order is closed
}

// read fills pieces with whole lines. Only the last line of in may have no ending.
func (s *stream) read(ctx context.Context, in io.Reader) {
	defer close(s.order)
	defer close(s.work)
	var rest []byte  // the beginning of a line at the end of the previous piece
	tooLong := false // the previous piece ended within a line that does not fit a buffer
	for last := false; !last; {
		p := s.nextFree(ctx)
		if p == nil {
			return
		}
		have := copy(p.buffer, rest)
		n, err := in.Read(p.buffer[have:])
		last = errors.Is(err, io.EOF)
		if err != nil && !last {
			s.err = fmt.Errorf("read ids: %w", err)
			return
		}
		text := p.buffer[:have+n]
		if tooLong {
			text, tooLong = skipLine(text)
		}
		rest = p.fill(text, last)
		tooLong = tooLong || p.tooLong
		s.order <- p
		s.work <- p
	}
}

// nextFree waits for a piece that is not in use. It returns nil when ctx ends.
func (s *stream) nextFree(ctx context.Context) *piece {
	select {
	case p := <-s.free:
		return p
	case <-ctx.Done():
		return nil
	}
}

// hash hashes pieces until there are no more.
func (s *stream) hash(ctx context.Context, h *Hasher) {
	out := NewOut(18*Lanes, 18*Lanes)
	for {
		select {
		case p, more := <-s.work:
			if !more {
				return
			}
			p.hash(h, out, s.keep)
			p.done <- struct{}{}
		case <-ctx.Done():
			return
		}
	}
}

// write writes the pieces in order and adds up their counts.
func (s *stream) write(ctx context.Context, out io.Writer) (tally usher.Tally, err error) {
	var dropped Counts
	defer func() { dropped.AddTo(&tally, nil) }()
	for {
		p, err := s.nextHashed(ctx)
		if p == nil {
			return tally, err
		}
		if len(p.text) > 0 {
			if _, err := out.Write(p.text); err != nil {
				return tally, fmt.Errorf("write digests: %w", err)
			}
		}
		tally.Read += p.rows
		tally.Accepted += p.digests
		for r, n := range p.dropped {
			dropped[r] += n
		}
		s.free <- p
	}
}

// nextHashed waits until the next piece in order is hashed. It returns nil after the
// last piece and when ctx ends.
func (s *stream) nextHashed(ctx context.Context) (*piece, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case p, more := <-s.order:
		if !more {
			return nil, s.err
		}
		select {
		case <-p.done:
			return p, nil
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	return nil, context.Cause(ctx)
}

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
