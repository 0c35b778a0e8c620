package pipeline

import (
	"context"
	"sort"

	"usher"
	"usher/hashing"
)

// reader turns blocks into batches and hands these to a flight.
type reader struct {
	o      *Options
	hasher *hashing.Hasher
	out    *hashing.Out
	memory *memory
	flight *flight

	rows      int64 // of the part, read so far
	windowEnd int64 // the row that the current window ends before
	skip      int64 // rows before this one are only counted
	limit     int   // ids a batch

	batch  *usher.Batch // being filled; nil until there is an id for it
	ids    int          // in batch
	number int64        // of the batch being filled
	delta  *delta       // the rows since the batch before
	shown  [hashing.Reasons]int

	suppressed []int32 // rows of the current chunk, from its first
}

// chunkIDs is how many ids are taken through all steps at once: little enough
// that they stay in the cache.
const chunkIDs = 2048

func newReader(o *Options, hasher *hashing.Hasher, m *memory, f *flight) *reader {
	window := o.Resume.Rows / o.window * o.window
	r := &reader{
		o: o, hasher: hasher, memory: m, flight: f,
		out:  hashing.NewOut(chunkIDs, chunkIDs),
		skip: window, windowEnd: window + o.window,
		limit: o.batchLimit(), number: o.Resume.Batches + 1,
		delta: &delta{from: o.Resume.Rows},
	}
	if o.Resume.Rows == 0 && o.Resume.Tally.Read == 0 {
		r.delta.dropped = o.Dropped
	}
	for _, s := range o.Resume.Samples {
		for reason := hashing.None + 1; reason < hashing.Reasons; reason++ {
			if s.Reason == reason.String() {
				r.shown[reason]++
			}
		}
	}
	return r
}

// read takes all blocks and cuts the last batch.
func (r *reader) read(ctx context.Context, blocks Blocks) error {
	for {
		block, err := blocks.Next(ctx)
		if isEOF(err) {
			break
		}
		if err != nil {
			return err
		}
		err = r.block(ctx, block)
		block.Release()
		if err != nil {
			return err
		}
	}
	if r.rows < r.o.Resume.Rows {
		return usher.Refuse(usher.SourceBroken, "publish the job again under another id if the export was changed on purpose",
			"go on with upload: the export ends after %d rows, but %d had been read before: it was changed or cut short", r.rows, r.o.Resume.Rows)
	}
	if r.ids > 0 {
		return r.cut(ctx, r.rows)
	}
	return nil
}

// finish counts the rows after the last batch, when all batches are answered,
// and judges the part.
func (r *reader) finish() error {
	d := r.delta
	d.close(r.rows, 0)
	if d.tally.Read > 0 {
		r.flight.add(d)
	}
	return judgePart(r.o, r.flight.snapshot())
}

// abandon lets go of a batch that was not sent.
func (r *reader) abandon() {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
}

func (r *reader) block(ctx context.Context, b *usher.Block) error {
	in := b.Data
	for len(in) > 0 {
		if r.rows < r.skip {
			used, skipped := r.hasher.Skip(in, r.skip-r.rows, b.Records, true)
			in = in[used:]
			r.rows += skipped
			continue
		}
		used := r.hasher.Lines(r.out, in, b.Records, true)
		if err := r.chunk(ctx, in); err != nil {
			return err
		}
		in = in[used:]
	}
	return nil
}

// chunk takes what Lines gave for in, in spans of rows that are treated alike:
// none reaches over a window's end or the row to go on from.
func (r *reader) chunk(ctx context.Context, in []byte) error {
	base, count := r.rows, r.rows+int64(r.out.Count)
	digests, rows, rejects := r.out.Digests, r.out.Rows, r.out.Rejects
	for r.rows < count {
		for r.rows >= r.windowEnd {
			r.memory.window.clear()
			r.windowEnd += r.o.window
		}
		end := min(count, r.windowEnd)
		old := r.rows < r.o.Resume.Rows
		if old {
			end = min(end, r.o.Resume.Rows)
		}
		n := sort.Search(len(rows), func(i int) bool { return base+int64(rows[i]) >= end })
		m := sort.Search(len(rejects), func(i int) bool { return base+int64(rejects[i].Row) >= end })
		s := span{base: base, in: in, digests: digests[:n], rows: rows[:n], rejects: rejects[:m]}
		fresh := r.memory.window.fresh(s.digests, s.rows)
		s.digests, s.rows = s.digests[:fresh], s.rows[:fresh]
		if !old {
			if err := r.span(ctx, s, end); err != nil {
				return err
			}
		}
		digests, rows, rejects = digests[n:], rows[n:], rejects[m:]
		r.rows = end
	}
	return nil
}

// span is a run of rows: the digests in it that did not come before, with their
// rows, and the rejects. Rows count from base.
type span struct {
	base    int64
	in      []byte
	digests []hashing.Digest
	rows    []int32
	rejects []hashing.Reject
}

// span brings the rows up to end into batches, and cuts those that are full.
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
		s.digests, s.rows = s.digests[n:], s.rows[n:]
		for len(suppressed) > 0 && s.base+int64(suppressed[0]) < upTo {
			r.delta.suppressed++
			suppressed = suppressed[1:]
		}
		for len(s.rejects) > 0 && s.base+int64(s.rejects[0].Row) < upTo {
			r.reject(&s, &s.rejects[0])
			s.rejects = s.rejects[1:]
		}
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
	at := r.ids * idBytes
	free := r.batch.Buffer()[at:]
	text := hashing.Join(free[:0], digests)
	free[len(text)] = ',' // before the next; behind the batch's last it is not sent
	r.ids += len(digests)
	r.delta.sketch.add(digests)
	return nil
}

func (r *reader) reject(s *span, reject *hashing.Reject) {
	d, reason := r.delta, reject.Reason
	d.rejects[reason]++
	if r.shown[reason] >= usher.SamplesPerReason {
		return
	}
	r.shown[reason]++
	d.samples = append(d.samples, usher.Sample{
		Row:    s.base + int64(reject.Row) + 1,
		Reason: reason.String(),
		Masked: hashing.Mask(s.in[reject.From:reject.To]),
	})
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
