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

// StreamOptions say how Stream reads and writes.
type StreamOptions struct {
	Profile   usher.Profile
	Input     usher.Input // raw or md5; "" is raw
	KeepLines bool        // an empty line for every line without a digest
}

const (
	// streamBuffer is the room for a read, in bytes: few enough that lines and
	// digests stay in a core's cache, many enough that a read costs little.
	streamBuffer = 256 << 10
	// streamWorkers is how many cores hash at most: one core reads for no more.
	streamWorkers = 16
)

// Stream reads a value a line and writes a digest a line, in order, until in
// ends. It hashes on all cores. Nothing is de-duplicated. Of values that are junk
// or invalid nothing is written. It returns the tally in which Accepted is the
// digests written; blank lines are in no column. What was read is written before
// more is waited for. After an error it does not wait for a read that is under
// way, so in is not to be used again.
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
	pieces := len(hashers) + 2 // one being read, one being written
	s := &stream{
		keep: o.KeepLines,
		free: make(chan *piece, pieces), work: make(chan *piece, pieces), order: make(chan *piece, pieces),
	}
	for range pieces {
		s.free <- &piece{buffer: make([]byte, streamBuffer), done: make(chan struct{}, 1)}
	}
	go s.read(ctx, in)
	var hashing sync.WaitGroup
	for _, h := range hashers {
		hashing.Go(func() { s.hash(ctx, h) })
	}
	tally, err := s.write(ctx, out)
	cancel()
	hashing.Wait()
	return tally, err
}

// stream is pieces going round: free, read, hashed by any of the workers, written
// in order, free again.
type stream struct {
	keep              bool
	free, work, order chan *piece // each has room for all
	err               error       // of reading, once order is closed
}

// piece is whole lines and what they come to.
type piece struct {
	buffer []byte
	lines  []byte // within buffer
	long   bool   // lines are the beginning of one that is too long for the buffer

	done    chan struct{} // holds one token when it is hashed
	text    []byte
	rows    int64
	digests int64
	dropped Counts
}

// read cuts what it reads into pieces. Only the last line of in may have no end.
func (s *stream) read(ctx context.Context, in io.Reader) {
	defer close(s.order)
	defer close(s.work)
	var rest []byte // of the piece before: a line that has no end yet
	long := false   // within a line that is too long
	for last := false; !last; {
		p := s.empty(ctx)
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
		if long {
			end := bytes.IndexByte(text, '\n')
			long = end < 0
			text = text[end+1:]
			if long {
				text = nil
			}
		}
		end := bytes.LastIndexByte(text, '\n') + 1
		switch {
		case last:
			end = len(text)
		case end == 0 && len(text) == len(p.buffer):
			long, p.long = true, true
			end = len(text)
		}
		p.lines, rest = text[:end], text[end:]
		s.order <- p
		s.work <- p
	}
}

// empty returns a piece that nobody uses; nil when ctx has ended.
func (s *stream) empty(ctx context.Context) *piece {
	select {
	case p := <-s.free:
		p.long = false
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

func (p *piece) hash(h *Hasher, out *Out, keep bool) {
	p.text, p.rows, p.digests, p.dropped = p.text[:0], 0, 0, Counts{}
	if p.long {
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

// add writes what a call of Lines came to.
func (p *piece) add(k *kernel, out *Out, keep bool) {
	p.rows += int64(out.Count)
	p.digests += int64(len(out.Digests))
	for _, r := range out.Rejects {
		if r.Reason == Empty && r.From == r.To {
			p.rows-- // a blank line, which is a row only so that a line is kept for it
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
		// Of the rows before this reject, i are others.
		before := int(out.Rejects[i].Row) - i
		p.text = append(k.appendHex(p.text, out.Digests[done:before], '\n'), '\n')
		done = before
	}
	p.text = k.appendHex(p.text, out.Digests[done:], '\n')
}

// write writes the pieces in order and adds them up.
func (s *stream) write(ctx context.Context, out io.Writer) (tally usher.Tally, err error) {
	var dropped Counts
	defer func() { dropped.AddTo(&tally) }()
	for {
		p, err := s.next(ctx)
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

// next returns the next piece in order when it is hashed; nil when there is none.
func (s *stream) next(ctx context.Context) (*piece, error) {
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
