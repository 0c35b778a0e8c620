package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"usher"
	"usher/hashing"
)

// chunkIDs is the number of ids that are hashed at once: few enough to stay in the cache
// with their lines, and a multiple of the kernels' lanes.
const chunkIDs = 36 * hashing.Lanes

// chunkRejects is the number of dropped rows after which a chunk ends.
const chunkRejects = 1024

// source hashes a part window by window on a separate goroutine, so that one window is read
// and hashed while the one before is sent.
type source struct {
	o      *Options
	hasher *hashing.Hasher
	router *router // for blocks with types; created with the first
	memory *memory

	rows    int64 // rows of the part that were read so far
	skip    int64 // rows before this one are only counted
	window  *window
	out     hashing.Out          // the current chunk, in the free end of the window
	lines   hashing.Out          // rows and rejects of the chunk
	samples [hashing.Reasons]int // number of samples for each reason

	windows chan *window // hashed windows in order; closed at the end
	err     error        // error after windows is closed; nil at the end of the part
}

// startSource starts to hash blocks. The caller must call end.
func startSource(ctx context.Context, blocks Blocks, hasher *hashing.Hasher, o *Options, m *memory) *source {
	s := &source{o: o, hasher: hasher, memory: m, skip: o.Resume.Rows / o.Window * o.Window, windows: make(chan *window)}
	for _, sample := range o.Resume.Samples {
		for reason := hashing.None + 1; reason < hashing.Reasons; reason++ {
			if sample.Reason == reason.String() {
				s.samples[reason]++
			}
		}
	}
	go func() {
		defer close(s.windows)
		s.err = s.read(ctx, blocks)
	}()
	return s
}

// end waits until the source has stopped. The caller must have cancelled its context or
// taken all windows.
func (s *source) end() {
	for w := range s.windows {
		s.memory.giveWindow(w)
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
			if s.window != nil { // full batches of the rows read so far still count
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

// block hashes the rows of a block, and hands over each window that is full.
func (s *source) block(ctx context.Context, b *usher.Block) error {
	in, types := s.afterSkipped(b)
	for len(in) > 0 {
		s.o.Yield()
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
		types = afterRows(types, s.out.Count)
		if err := s.report(in); err != nil {
			return err
		}
		s.take(in)
		in = in[used:]
		if int64(s.window.rows) < s.o.Window {
			continue
		}
		if err := s.handOver(ctx); err != nil {
			return err
		}
	}
	return nil
}

// afterSkipped returns the rows of a block that follow the skipped ones.
func (s *source) afterSkipped(b *usher.Block) (in []byte, types []usher.RowType) {
	in, types = b.Data, b.Types
	for len(in) > 0 && s.rows < s.skip {
		s.o.Yield()
		used, skipped := s.hasher.Skip(in, s.skip-s.rows, b.Records, true)
		in, types = in[used:], afterRows(types, int(skipped))
		s.rows += skipped
	}
	return in, types
}

// afterRows returns the types of the rows after the first n, or nil if the rows have no types.
func afterRows(types []usher.RowType, n int) []usher.RowType {
	if types == nil {
		return nil
	}
	return types[n:]
}

// hash fills out with the next rows and returns how many bytes of in they take.
func (s *source) hash(in []byte, types []usher.RowType, records bool) (used int, err error) {
	if types == nil {
		used = s.hasher.Lines(&s.out, in, records, true)
		return used, s.checkSeams(in)
	}
	if s.router == nil {
		if s.router, err = newRouter(s.hasher, s.o); err != nil {
			return 0, err
		}
	}
	return s.router.lines(&s.out, in, types), s.checkJoined(in)
}

// checkSeams refuses rows that show that two exports were concatenated: a header of ids of
// another type, whose ids would be hashed by the wrong profile, and two ids in one row.
func (s *source) checkSeams(in []byte) error {
	const separate = "submit a job for each of the exports that were put together here"
	for i := range s.out.Rejects {
		r := &s.out.Rejects[i]
		if r.Reason != hashing.Header && r.Reason != hashing.Shape {
			continue
		}
		switch row := in[r.From:r.To]; {
		case s.hasher.NamesOtherType(row):
			return s.refuse(r, separate+"; if this is not a header but a placeholder for a missing id, write null or nothing instead",
				"%q is the header of ids of another type than %s", bytes.TrimSpace(row), s.o.Profile.Type)
		case s.o.Chosen && s.hasher.NamesAnyIDs(row):
			return s.refuse(r, separate+"; if all of them have ids of the same type, remove this row, or set source.column to the number of their column",
				"%q is another header, which does not name the type of the ids below it", bytes.TrimSpace(row))
		}
	}
	return s.checkJoined(in)
}

// checkJoined refuses rows that are two ids without a separator, and notes those that may
// be two ids.
func (s *source) checkJoined(in []byte) error {
	for i := range s.out.Rejects {
		r := &s.out.Rejects[i]
		if !r.Reason.Invalid() {
			continue
		}
		switch row := in[r.From:r.To]; {
		case r.Reason == hashing.Shape && hashing.JoinsIDs(row):
			return s.refuse(r, "end each file with a line end before they are put together, or submit a job for each of them",
				"two ids, or an id and a header, are joined in one value, %s: files were put together without a line end", hashing.Mask(row))
		case s.hasher.MayJoinIDs(row, r.Reason):
			s.window.joined = append(s.window.joined, s.window.base+int64(s.window.rows)+int64(r.Row)+1)
		}
	}
	return nil
}

// refuse returns the error for a row that makes the job refuse the export.
func (s *source) refuse(at *hashing.Reject, hint, format string, args ...any) error {
	before := s.rows + int64(at.Row)
	what := fmt.Sprintf(format, args...)
	return &rowError{before, usher.Refuse(usher.SourceBroken, hint, "read row %d, counted from the beginning of its part: %s", before+1, what)}
}

// rowError is an error that is due to a row.
type rowError struct {
	before int64 // rows of the part before that row
	error
}

func (e *rowError) Unwrap() error { return e.error }

// RowsBefore returns the number of rows of the part before the row that Upload has
// refused. ok is false if err is not due to a row.
func RowsBefore(err error) (n int64, ok bool) {
	var e *rowError
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.before, true
}

// room points out at the free end of the window. Lines stops as soon as digests or rejects
// are full, so both together have one row less than their capacity, and no chunk exceeds
// the window.
func (s *source) room(ctx context.Context) error {
	free, err := s.window.room(ctx, s.memory.segments)
	if err != nil {
		return err
	}
	left := int(s.o.Window) - s.window.rows
	rejects := min(chunkRejects, (left+7)/8)
	ids := min(chunkIDs, len(free), left+1-rejects)
	s.out.Digests = free[:0:ids]
	if cap(s.lines.Rows) < ids { // the first window is small
		s.lines.Rows = make([]int32, 0, ids)
	}
	if s.lines.Rejects == nil {
		s.lines.Rejects = make([]hashing.Reject, 0, chunkRejects)
	}
	s.out.Rows, s.out.Rejects = s.lines.Rows[:0:ids], s.lines.Rejects[:0:rejects]
	return nil
}

// report calls Options.Rejected for each reject of a chunk.
func (s *source) report(in []byte) error {
	if s.o.Rejected == nil {
		return nil
	}
	for i := range s.out.Rejects {
		r := &s.out.Rejects[i]
		if r.Reason >= hashing.Withheld {
			continue
		}
		if err := s.o.Rejected(s.rows+int64(r.Row)+1, r.Reason, hashing.Mask(in[r.From:r.To])); err != nil {
			return err
		}
	}
	return nil
}

// take adds a chunk to the window. It keeps masked samples of the first rejects of each
// reason, but none of rows before the one at which the upload resumes: the checkpoint has
// their samples.
func (s *source) take(in []byte) {
	w := s.window
	for i := range s.out.Rejects {
		r := &s.out.Rejects[i]
		row := w.rows + int(r.Row)
		w.rejects = append(w.rejects, newReject(row, r.Reason))
		if r.Reason >= hashing.Withheld {
			continue
		}
		if s.samples[r.Reason] >= usher.SamplesPerReason || w.base+int64(row) < s.o.Resume.Rows {
			continue
		}
		s.samples[r.Reason]++
		w.samples = append(w.samples, usher.Sample{
			Row: w.base + int64(row) + 1, Reason: r.Reason.String(), Masked: hashing.Mask(in[r.From:r.To]),
		})
	}
	w.add(s.out.Digests)
	w.rows += s.out.Count
	s.rows += int64(s.out.Count)
}

// handOver passes the window to the reader.
func (s *source) handOver(ctx context.Context) error {
	if s.window == nil {
		return nil
	}
	s.window.dropManyJoined()
	select {
	case s.windows <- s.window:
		s.window = nil
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
