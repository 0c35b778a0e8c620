package pipeline

import (
	"context"

	"usher"
	"usher/hashing"
)

// chunkIDs is how many ids go through all steps together: few enough to stay in
// the cache, enough that handing them over costs nothing.
const chunkIDs = 2048

// chunkRejects is how many rows of a chunk may be dropped before it ends.
const chunkRejects = 512

// chunk is a run of rows, hashed.
type chunk struct {
	*hashing.Out
	base    int64          // the part's row that Out counts from
	samples []usher.Sample // of its rejects
}

// source hashes a part on a goroutine of its own, so that hashing, which is more
// than half of the work, runs beside the rest where there is a core for it.
type source struct {
	o      *Options
	hasher *hashing.Hasher

	rows  int64 // of the part, read so far
	skip  int64 // rows before this one are only counted
	shown [hashing.Reasons]int

	chunks chan *chunk // hashed, in order; closed when there are no more
	free   chan *chunk
	made   int
	err    error // why there are no more, nil at the part's end; to be read then
}

// chunksAhead is how many chunks there are.
const chunksAhead = 3

// startSource begins to hash blocks. Whoever starts it calls end.
func startSource(ctx context.Context, blocks Blocks, hasher *hashing.Hasher, o *Options) *source {
	s := &source{
		o: o, hasher: hasher, skip: o.Resume.Rows / o.window * o.window,
		chunks: make(chan *chunk, chunksAhead), free: make(chan *chunk, chunksAhead),
	}
	for _, sample := range o.Resume.Samples {
		for reason := hashing.None + 1; reason < hashing.Reasons; reason++ {
			if sample.Reason == reason.String() {
				s.shown[reason]++
			}
		}
	}
	go func() {
		defer close(s.chunks)
		s.err = s.read(ctx, blocks)
	}()
	return s
}

// end returns when nothing of the source runs any more, its context being
// cancelled or all its chunks taken.
func (s *source) end() {
	for range s.chunks {
		continue // nobody wants them
	}
}

func (s *source) read(ctx context.Context, blocks Blocks) error {
	for {
		block, err := blocks.Next(ctx)
		if isEOF(err) {
			return nil
		}
		if err != nil {
			return err
		}
		err = s.block(ctx, block)
		block.Release()
		if err != nil {
			return err
		}
	}
}

func (s *source) block(ctx context.Context, b *usher.Block) error {
	in := b.Data
	for len(in) > 0 {
		if s.rows < s.skip {
			used, skipped := s.hasher.Skip(in, s.skip-s.rows, b.Records, true)
			in = in[used:]
			s.rows += skipped
			continue
		}
		c, err := s.empty(ctx)
		if err != nil {
			return err
		}
		used := s.hasher.Lines(c.Out, in, b.Records, true)
		c.base = s.rows
		s.sample(c, in)
		s.rows += int64(c.Count)
		in = in[used:]
		s.chunks <- c // never waits: there are no more of them
	}
	return nil
}

// empty returns a chunk to be filled, when there is one.
func (s *source) empty(ctx context.Context) (*chunk, error) {
	select {
	case c := <-s.free:
		return c, nil
	default:
	}
	if s.made < chunksAhead {
		s.made++
		return &chunk{Out: hashing.NewOut(chunkIDs, chunkRejects)}, nil
	}
	select {
	case c := <-s.free:
		return c, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// sample masks the first rejects of each reason. Those before the row to go on
// from were counted, and perhaps shown, before.
func (s *source) sample(c *chunk, in []byte) {
	c.samples = c.samples[:0]
	for i := range c.Rejects {
		r := &c.Rejects[i]
		row := c.base + int64(r.Row)
		if s.shown[r.Reason] >= usher.SamplesPerReason || row < s.o.Resume.Rows {
			continue
		}
		s.shown[r.Reason]++
		c.samples = append(c.samples, usher.Sample{
			Row: row + 1, Reason: r.Reason.String(), Masked: hashing.Mask(in[r.From:r.To]),
		})
	}
}
