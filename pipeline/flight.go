package pipeline

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"usher"
	"usher/hashing"
)

// errStopped means that a batch has failed, so no new batch is started. The flight has the
// error of that batch.
var errStopped = errors.New("the upload was stopped by a batch that failed")

// aheadFactor limits the batches that are acknowledged while an older one is not, as a
// multiple of the batches in flight. Their results are kept until the older one is
// acknowledged, and they are sent again after a crash.
const aheadFactor = 8

// batchRows has the results of the rows since the previous batch: the ids of one batch, and
// the rows that were dropped before its last id.
type batchRows struct {
	number     int64 // number of the batch, from 1
	from, to   int64 // rows of the part
	list       list  // the batch's ids; released when it is acknowledged
	rejects    hashing.Counts
	duplicate  int64
	suppressed int64
	dropped    usher.Tally // rows that are not in the export, see Options.Dropped
	samples    []usher.Sample

	tally usher.Tally // set by close; all ids count as accepted until the response

	// Set by the response.
	acknowledged bool
	bytes        int64
	sketch       sketch // of the accepted ids
	warnings     []usher.Warning
	refusal      *usher.Permanent // the last refusal; nil: none
	gaveUp       bool             // some ids were counted as refused without being sent
}

// close ends the rows before row to. withheld are the names of the columns of source.only.
func (b *batchRows) close(to int64, withheld []string) {
	b.to = to
	t := usher.Tally{Read: to - b.from, Accepted: int64(b.list.ids), Duplicate: b.duplicate, Suppressed: b.suppressed}
	b.rejects.AddTo(&t, withheld)
	t.Add(b.dropped)
	b.tally = t
}

// refuse moves ids from accepted to refused.
func (b *batchRows) refuse(code string, ids int) {
	if b.tally.Refused == nil {
		b.tally.Refused = usher.Counts{}
	}
	b.tally.Accepted -= int64(ids)
	b.tally.Refused[code] += int64(ids)
}

// flight sends batches concurrently and keeps the checkpoint. Responses arrive in any
// order; the checkpoint advances over the longest unbroken sequence of acknowledged
// batches.
type flight struct {
	ctx     context.Context
	o       *Options
	slots   chan struct{} // one token for each batch in flight
	ahead   chan struct{} // one token for each batch that is not in the checkpoint
	stopped chan struct{} // closed by the first failure
	changed chan struct{} // has one token when the checkpoint has advanced
	sending sync.WaitGroup

	mu         sync.Mutex
	waiting    []*batchRows // not in the checkpoint, by number
	checkpoint usher.Checkpoint
	sketch     sketch
	err        error
}

func newFlight(ctx context.Context, o *Options) *flight {
	f := &flight{
		ctx: ctx, o: o,
		slots:   make(chan struct{}, o.InFlight),
		ahead:   make(chan struct{}, o.InFlight*aheadFactor),
		stopped: make(chan struct{}),
		changed: make(chan struct{}, 1),
	}
	f.checkpoint = o.Resume
	f.checkpoint.Repeats = o.Resume.Repeats || o.KeepDuplicates
	f.checkpoint.Tally = o.Resume.Tally.Clone()
	f.checkpoint.Warnings = slices.Clone(o.Resume.Warnings)
	f.sketch.merge(o.Resume.Sketch)
	return f
}

// launch waits for a free slot and starts to send a batch. The flight releases its ids.
func (f *flight) launch(ctx context.Context, b *batchRows) error {
	for _, free := range []chan struct{}{f.ahead, f.slots} {
		if err := take(ctx, free, f.stopped); err != nil {
			b.list.release()
			return err
		}
	}
	f.mu.Lock()
	f.waiting = append(f.waiting, b)
	f.mu.Unlock()
	f.sending.Go(func() {
		defer func() { <-f.slots }()
		err := f.deliver(b)
		b.list.release()
		f.finish(b, err)
	})
	return nil
}

// take puts a token into free as soon as there is room, but not after stopped is closed
// or ctx has ended. Both are checked again, because select picks any ready case.
func take(ctx context.Context, free chan struct{}, stopped <-chan struct{}) error {
	taken := false
	select {
	case free <- struct{}{}:
		taken = true
	case <-stopped:
	case <-ctx.Done():
	}
	var err error
	select {
	case <-stopped:
		err = errStopped
	case <-ctx.Done():
		err = context.Cause(ctx)
	default:
	}
	if taken && err != nil {
		<-free
	}
	return err
}

// finish records the outcome of a batch and advances the checkpoint over the batches that
// are acknowledged.
func (f *flight) finish(b *batchRows, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.fail(err)
		return
	}
	b.acknowledged = true
	for len(f.waiting) > 0 && f.waiting[0].acknowledged {
		f.grow(f.waiting[0])
		f.checkpoint.Batches++
		f.waiting = f.waiting[1:]
		<-f.ahead
	}
}

// grow adds the next acknowledged batch, or the rows after the last one, to the checkpoint.
func (f *flight) grow(b *batchRows) {
	c := &f.checkpoint
	c.Rows = b.to
	c.Bytes += b.bytes
	b.tally.Refused = bounded(b.tally.Refused, c.Tally.Refused)
	c.Tally.Add(b.tally)
	c.Warnings = usher.AddWarnings(c.Warnings, b.warnings...)
	c.Samples = usher.AddSamples(slices.Clip(c.Samples), b.samples...)
	f.sketch.merge(b.sketch.bytes())
	if c.Refusal = nextRefusal(c.Refusal, b); endsJob(c.Refusal) {
		f.fail(refusalError(c.Refusal))
	}
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// fail keeps the first failure and keeps further batches from starting. The caller holds mu.
func (f *flight) fail(err error) {
	if f.err == nil {
		f.err = err
		close(f.stopped)
	}
}

// stop starts no further batches. Those in flight wait for their responses, but are not
// retried.
func (f *flight) stop(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail(err)
}

// add counts rows that belong to no batch, after all batches are acknowledged.
func (f *flight) add(b *batchRows) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grow(b)
}

// wait blocks until no batch is in flight, and returns the first failure.
func (f *flight) wait() error {
	f.sending.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// snapshot returns a deep copy of the checkpoint.
func (f *flight) snapshot() usher.Checkpoint {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.checkpoint
	c.Tally = c.Tally.Clone()
	c.Warnings = slices.Clone(c.Warnings)
	c.Samples = slices.Clone(c.Samples)
	c.Sketch = slices.Clone(f.sketch.bytes())
	return c
}

// saver saves checkpoints while batches are sent.
type saver struct {
	done  chan struct{} // closed by stop
	ended chan struct{} // closed when the goroutine has ended
}

// startSaver starts a saver. An error of Save ends the upload.
func startSaver(ctx context.Context, cancel context.CancelCauseFunc, f *flight, o *Options) *saver {
	s := &saver{done: make(chan struct{}), ended: make(chan struct{})}
	if o.Save == nil {
		close(s.ended)
		return s
	}
	go func() {
		defer close(s.ended)
		if err := s.run(ctx, f, o); err != nil {
			cancel(err)
		}
	}()
	return s
}

func (s *saver) run(ctx context.Context, f *flight, o *Options) error {
	saved, began := o.Resume.Rows, time.Now()
	for {
		select {
		case <-f.changed:
		case <-s.done:
			return nil
		case <-ctx.Done():
			return nil
		}
		if !sleep(ctx, s.done, o.SaveEvery-time.Since(began)) {
			return nil
		}
		c := f.snapshot()
		if c.Rows <= saved { // the saved checkpoint already has these rows
			continue
		}
		saved, began = c.Rows, time.Now()
		if err := o.Save(ctx, c); err != nil {
			return err
		}
	}
}

// stop stops the saver and waits until no Save runs.
func (s *saver) stop() {
	close(s.done)
	<-s.ended
}
