package pipeline

import (
	"context"

	"usher"
)

// reader cuts windows into batches and gives them to a flight.
type reader struct {
	o      *Options
	memory *memory
	flight *flight

	rows  int64 // rows of the part, set when the source has ended
	limit int   // maximum number of ids of a batch

	number int64      // number of the batch that is being filled
	batch  *batchRows // the rows since the previous batch
	taken  int        // number of the window's rejects that are counted in a batch
}

func newReader(o *Options, m *memory, f *flight) *reader {
	r := &reader{
		o: o, memory: m, flight: f, limit: o.batchLimit(), number: o.Resume.Batches + 1,
		batch: &batchRows{from: o.Resume.Rows},
	}
	if o.Resume.Rows == 0 && o.Resume.Tally.Read == 0 {
		r.batch.dropped = o.Dropped
	}
	return r
}

// read reads all windows of the source.
func (r *reader) read(ctx context.Context, s *source) error {
	for {
		select {
		case w, more := <-s.windows:
			if !more {
				return r.end(s)
			}
			err := r.window(ctx, w)
			r.memory.giveWindow(w)
			if err != nil {
				return err
			}
		case <-r.flight.stopped:
			return errStopped
		}
	}
}

// end takes the number of rows from a source that has ended, or returns its error.
func (r *reader) end(s *source) error {
	if s.err != nil {
		return s.err
	}
	if r.rows = s.rows; r.rows < r.o.Resume.Rows {
		return usher.Refuse(usher.SourceBroken, "publish the job again under another id if the export was changed on purpose",
			"resume upload: the export ends after %d rows, but %d were read before: it was changed or truncated", r.rows, r.o.Resume.Rows)
	}
	return nil
}

// finish counts the rows after the last batch when all batches are acknowledged, and
// checks maxRejectPercent and maxMalformedPercent.
func (r *reader) finish() error {
	b := r.batch
	b.close(r.rows, r.o.Withheld)
	if b.tally.Read > 0 {
		r.flight.add(b)
	}
	return checkPart(r.o, r.flight.snapshot())
}

// window cuts the new digests of a window into full batches and one with the rest, so that
// a batch lies in one window. Digests that were acknowledged before a resume only count
// for de-duplication.
func (r *reader) window(ctx context.Context, w *window) error {
	if !r.o.KeepDuplicates {
		r.memory.sift(w, r.o.Yield)
	}
	if r.number == 1 && w.base == 0 && !w.cutShort {
		if err := checkWindow(r.o, w); err != nil {
			return err
		}
	}
	resumed := int(min(max(r.o.Resume.Rows-w.base, 0), int64(w.rows)))
	at := w.place(resumed)
	r.taken = resumed - at
	if r.o.Suppressed != nil {
		w.suppress(r.o.Suppressed, at)
	}
	w.compact()
	for to := at - w.dropped.count(0, at); at < w.digests; {
		next, n := w.dropped.pass(at, w.digests, r.limit)
		suppressed := w.suppressed.count(at, next)
		r.batch.suppressed += int64(suppressed)
		r.batch.duplicate += int64(w.dropped.count(at, next) - suppressed)
		if at = next; n == 0 || n < r.limit && w.cutShort {
			break // the remaining rows were dropped, or do not end at a fixed row
		}
		row := w.rows
		if n == r.limit {
			row = w.row(at-1) + 1
		}
		r.reject(w, row)
		if err := r.cut(ctx, w.list(to, n), w.base+int64(row)); err != nil {
			return err
		}
		to += n
		w.release(to, w.digests)
	}
	r.reject(w, w.rows)
	return nil
}

// reject counts the window's rejects before a row.
func (r *reader) reject(w *window, row int) {
	for ; r.taken < len(w.rejects) && w.rejects[r.taken].row() < row; r.taken++ {
		r.batch.rejects[w.rejects[r.taken].reason()]++
	}
	for len(w.samples) > 0 && w.samples[0].Row <= w.base+int64(row) { // Sample.Row counts from 1
		r.batch.samples = append(r.batch.samples, w.samples[0])
		w.samples = w.samples[1:]
	}
	for len(w.joined) > 0 && w.joined[0] <= w.base+int64(row) {
		if w.joined[0] > r.o.Resume.Rows { // the upload before the resume has counted the others
			r.batch.warnings = usher.AddWarnings(r.batch.warnings, joinedIDs)
		}
		w.joined = w.joined[1:]
	}
}

// cut ends the batch before row upTo and sends it.
func (r *reader) cut(ctx context.Context, ids list, upTo int64) error {
	b := r.batch
	b.list = ids
	b.close(upTo, r.o.Withheld)
	if r.number == 1 {
		if err := checkFirst(r.o, b.tally); err != nil {
			ids.release()
			return err
		}
	}
	b.number = r.number
	r.number++
	r.batch = &batchRows{from: upTo}
	return r.flight.launch(ctx, b)
}
