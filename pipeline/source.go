package pipeline

import (
	"context"
	"errors"

	"usher"
	"usher/hashing"
)

// chunkIDs is how many ids are hashed at once: few enough to stay in the cache
// with the lines that they come from, and full lanes.
const chunkIDs = 36 * hashing.Lanes

// chunkRejects is how many rows may be dropped before a chunk ends.
const chunkRejects = 1024

// source hashes a part on a goroutine of its own, window by window, so that one
// is read and hashed while the one before is sent.
type source struct {
	o      *Options
	hasher *hashing.Hasher
	router *router // for blocks that have types; made with the first
	memory *memory

	rows   int64 // of the part, read so far
	skip   int64 // rows before this one are only counted
	window *window
	out    hashing.Out // the chunk at hand, in the window's free end
	lines  hashing.Out // its rows, which nobody asks for, and rejects at full size
	shown  [hashing.Reasons]int

	windows chan *window // hashed, in order; closed when there are no more
	err     error        // why there are no more, nil at the part's end; to be read then
}

// startSource begins to hash blocks. Whoever starts it calls end.
func startSource(ctx context.Context, blocks Blocks, hasher *hashing.Hasher, o *Options, m *memory) *source {
	s := &source{o: o, hasher: hasher, memory: m, skip: o.Resume.Rows / o.window * o.window, windows: make(chan *window)}
	for _, sample := range o.Resume.Samples {
		for reason := hashing.None + 1; reason < hashing.Reasons; reason++ {
			if sample.Reason == reason.String() {
				s.shown[reason]++
			}
		}
	}
	go func() {
		defer close(s.windows)
		s.err = s.read(ctx, blocks)
	}()
	return s
}

// end returns when nothing of the source runs any more, its context being
// cancelled or all its windows taken.
func (s *source) end() {
	for w := range s.windows {
		s.memory.giveWindow(w) // nobody wants it
	}
}

func (s *source) read(ctx context.Context, blocks Blocks) error {
	defer func() {
		if s.window != nil { // cancelled
			s.memory.giveWindow(s.window)
		}
	}()
	for {
		block, err := blocks.Next(ctx)
		if isEOF(err) {
			return s.handOver(ctx)
		}
		if err != nil {
			if s.window != nil { // what was read counts, as far as batches are full
				s.window.cutShort = true
			}
			return errors.Join(err, s.handOver(ctx))
		}
		err = s.block(ctx, block)
		block.Release()
		if err != nil {
			return err
		}
	}
}

func (s *source) block(ctx context.Context, b *usher.Block) error {
	in, types := b.Data, b.Types
	for len(in) > 0 {
		s.o.Yield()
		if s.rows < s.skip {
			used, skipped := s.hasher.Skip(in, s.skip-s.rows, b.Records, true)
			in = in[used:]
			if types != nil {
				types = types[skipped:]
			}
			s.rows += skipped
			continue
		}
		if s.window == nil {
			s.window = s.memory.takeWindow(s.rows)
		}
		if err := s.room(ctx); err != nil {
			return err
		}
		used, err := s.hash(in, types, b.Records)
		if err != nil {
			return err
		}
		if types != nil {
			types = types[s.out.Count:]
		}
		s.take(in)
		in = in[used:]
		if int64(s.window.rows) < s.o.window {
			continue
		}
		if err := s.handOver(ctx); err != nil {
			return err
		}
	}
	return nil
}

// hash fills out with the next rows, and returns how much of in they are.
func (s *source) hash(in []byte, types []usher.RowType, records bool) (used int, err error) {
	if types == nil {
		return s.hasher.Lines(&s.out, in, records, true), nil
	}
	if s.router == nil {
		if s.router, err = newRouter(s.hasher, s.o); err != nil {
			return 0, err
		}
	}
	return s.router.lines(&s.out, in, types), nil
}

// room points out at the window's free end. Lines stops as soon as either of
// digests or rejects is full, so that both together are one row less than their
// room: no chunk reaches over the window's end.
func (s *source) room(ctx context.Context) error {
	free, err := s.window.room(ctx, s.memory.segments)
	if err != nil {
		return err
	}
	left := int(s.o.window) - s.window.rows
	rejects := min(chunkRejects, (left+7)/8)
	ids := min(chunkIDs, len(free), left+1-rejects)
	s.out.Digests = free[:0:ids]
	if s.lines.Rows == nil {
		s.lines = *hashing.NewOut(chunkIDs, chunkRejects)
	}
	s.out.Rows, s.out.Rejects = s.lines.Rows[:0:ids], s.lines.Rejects[:0:rejects]
	return nil
}

// take adds a chunk to the window. The first rejects of each reason are kept,
// masked; those before the row to go on from were counted, and perhaps shown,
// before.
func (s *source) take(in []byte) {
	w := s.window
	for i := range s.out.Rejects {
		r := &s.out.Rejects[i]
		row := w.rows + int(r.Row)
		w.rejects = append(w.rejects, newReject(row, r.Reason))
		if s.shown[r.Reason] >= usher.SamplesPerReason || w.base+int64(row) < s.o.Resume.Rows {
			continue
		}
		s.shown[r.Reason]++
		w.samples = append(w.samples, usher.Sample{
			Row: w.base + int64(row) + 1, Reason: r.Reason.String(), Masked: hashing.Mask(in[r.From:r.To]),
		})
	}
	w.add(s.out.Digests)
	w.rows += s.out.Count
	s.rows += int64(s.out.Count)
}

// handOver gives the window to whoever sends it.
func (s *source) handOver(ctx context.Context) error {
	if s.window == nil {
		return nil
	}
	select {
	case s.windows <- s.window:
		s.window = nil
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
