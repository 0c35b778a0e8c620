package pipeline

import (
	"context"
	"sort"

	"usher"
	"usher/hashing"
)

// reader turns hashed rows into batches and hands these to a flight.
type reader struct {
	o      *Options
	memory *memory
	flight *flight

	rows      int64 // of the part, taken so far
	windowEnd int64 // the row that the current window ends before
	limit     int   // ids a batch

	batch  *usher.Batch // being filled; nil until there is an id for it
	ids    int          // in batch
	number int64        // of the batch being filled
	delta  *delta       // the rows since the batch before

	suppressed []int32 // rows of the current span, from its chunk's first
}

func newReader(o *Options, m *memory, f *flight) *reader {
	r := &reader{
		o: o, memory: m, flight: f,
		windowEnd: (o.Resume.Rows/o.window + 1) * o.window,
		limit:     o.batchLimit(), number: o.Resume.Batches + 1,
		delta: &delta{from: o.Resume.Rows},
	}
	if o.Resume.Rows == 0 && o.Resume.Tally.Read == 0 {
		r.delta.dropped = o.Dropped
	}
	return r
}

// read takes all rows and cuts the last batch.
func (r *reader) read(ctx context.Context, s *source) error {
	for c := range s.chunks {
		if err := r.chunk(ctx, c); err != nil {
			return err
		}
		s.free <- c
	}
	if s.err != nil {
		return s.err
	}
	if r.rows = s.rows; r.rows < r.o.Resume.Rows {
		return usher.Refuse(usher.SourceBroken, "publish the job again under another id if the export was changed on purpose",
			"go on with upload: the export ends after %d rows, but %d had been read before: it was changed or cut short", r.rows, r.o.Resume.Rows)
	}
	if r.ids > 0 {
		return r.cut(ctx, r.rows)
	}
	return nil
}

// abandon lets go of a batch that was not sent.
func (r *reader) abandon() {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
}

// finish counts the rows after the last batch, when all batches are answered,
// and judges the part.
func (r *reader) finish() error {
	d := r.delta
	d.close(r.rows, 0)
	if d.tally.Read > 0 {
		r.flight.add(d)
	}
	return judgePart(r.o, r.flight.snapshot(), r.flight.refusal)
}

// chunk takes a chunk in spans of rows that are treated alike: none reaches over
// a window's end or the row to go on from.
func (r *reader) chunk(ctx context.Context, c *chunk) error {
	s := span{base: c.base, digests: c.Digests, rows: c.Rows, rejects: c.Rejects, samples: c.samples}
	r.rows = c.base
	for end := c.base + int64(c.Count); r.rows < end; {
		for r.rows >= r.windowEnd {
			r.memory.window.clear()
			r.windowEnd += r.o.window
		}
		edge := min(end, r.windowEnd)
		again := r.rows < r.o.Resume.Rows // what was answered before is only remembered
		if again {
			edge = min(edge, r.o.Resume.Rows)
		}
		part := s.before(edge)
		fresh := r.memory.window.fresh(part.digests, part.rows)
		part.digests, part.rows = part.digests[:fresh], part.rows[:fresh]
		if !again {
			if err := r.span(ctx, part, edge); err != nil {
				return err
			}
		}
		r.rows = edge
	}
	return nil
}

// span is a run of rows: digests with their rows, rejects, and samples of these.
// Rows count from base.
type span struct {
	base    int64
	digests []hashing.Digest
	rows    []int32
	rejects []hashing.Reject
	samples []usher.Sample
}

// before cuts off the rows before one of the part.
func (s *span) before(row int64) span {
	n := sort.Search(len(s.rows), func(i int) bool { return s.base+int64(s.rows[i]) >= row })
	m := sort.Search(len(s.rejects), func(i int) bool { return s.base+int64(s.rejects[i].Row) >= row })
	k := sort.Search(len(s.samples), func(i int) bool { return s.samples[i].Row > row }) // from 1
	part := span{s.base, s.digests[:n], s.rows[:n], s.rejects[:m], s.samples[:k]}
	s.digests, s.rows, s.rejects, s.samples = s.digests[n:], s.rows[n:], s.rejects[m:], s.samples[k:]
	return part
}

// span brings the rows up to end, duplicates left out, into batches, and cuts
// those that are full.
func (r *reader) span(ctx context.Context, s span, end int64) error {
	r.suppressed = r.suppressed[:0]
	if r.o.Suppressed != nil {
		var n int
		n, r.suppressed = r.o.Suppressed.drop(s.digests, s.rows, r.suppressed)
		s.digests, s.rows = s.digests[:n], s.rows[:n]
	}
	suppressed := r.suppressed
	for {
		n := min(len(s.digests), r.limit-r.ids)
		if err := r.fill(ctx, s.digests[:n]); err != nil {
			return err
		}
		upTo := end
		full := r.ids == r.limit
		if full {
			upTo = s.base + int64(s.rows[n-1]) + 1
		}
		for len(suppressed) > 0 && s.base+int64(suppressed[0]) < upTo {
			r.delta.suppressed++
			suppressed = suppressed[1:]
		}
		part := s.before(upTo)
		for i := range part.rejects {
			r.delta.rejects[part.rejects[i].Reason]++
		}
		r.delta.samples = append(r.delta.samples, part.samples...)
		if !full {
			return nil
		}
		if err := r.cut(ctx, upTo); err != nil {
			return err
		}
	}
}

// fill joins digests to the batch, for which there is room.
func (r *reader) fill(ctx context.Context, digests []hashing.Digest) error {
	if len(digests) == 0 {
		return nil
	}
	if r.batch == nil {
		b, err := r.memory.batches.get(ctx, r.flight.stopped)
		if err != nil {
			return err
		}
		r.batch = b
	}
	r.batch = r.memory.batches.grow(r.batch, r.ids, r.ids+len(digests))
	free := r.batch.Buffer()[r.ids*idBytes:]
	text := hashing.Join(free[:0], digests)
	free[len(text)] = ',' // before the next; behind the batch's last it is not sent
	r.ids += len(digests)
	r.delta.sketch.add(digests)
	return nil
}

// cut ends the batch before row upTo and sends it off.
func (r *reader) cut(ctx context.Context, upTo int64) error {
	d, b := r.delta, r.batch
	d.close(upTo, r.ids)
	b.Number = r.number
	b.SetDigests(r.ids*idBytes-1, r.ids)
	if b.Number == 1 {
		if err := judgeFirst(r.o, d.tally); err != nil {
			return err
		}
	}
	r.batch, r.ids = nil, 0
	r.number++
	r.delta = &delta{from: upTo}
	return r.flight.launch(ctx, b, d)
}
