package pipeline

import (
	"context"
	"errors"
	"slices"
	"sync"

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

// delta has the results of the rows since the previous batch: the ids of one batch, and the
// rows that were dropped before its last id.
type delta struct {
	number     int64 // number of the batch, from 1
	from, to   int64 // rows of the part
	list       list  // the batch's ids; released when it is acknowledged
	rejects    hashing.Counts
	suppressed int64
	dropped    usher.Tally // rows that are not in the export, see Options.Dropped
	samples    []usher.Sample

	tally usher.Tally // set by close; all ids count as accepted until the response

	// Set by the response.
	answered bool
	bytes    int64
	sketch   sketch // of the accepted ids
	warnings []usher.Warning
	refusal  *usher.Permanent // the last refusal; nil: none
	gaveUp   bool             // some ids were counted as refused without being sent
}

// close ends the delta before row to.
func (d *delta) close(to int64) {
	d.to = to
	t := usher.Tally{Read: to - d.from, Accepted: int64(d.list.ids), Suppressed: d.suppressed}
	d.rejects.AddTo(&t)
	t.Duplicate = t.Read - t.Accepted - t.Suppressed - t.Junk.Sum() - t.Invalid.Sum()
	t.Add(d.dropped)
	d.tally = t
}

// refuse moves ids from accepted to refused.
func (d *delta) refuse(code string, ids int) {
	if d.tally.Refused == nil {
		d.tally.Refused = usher.Counts{}
	}
	d.tally.Accepted -= int64(ids)
	d.tally.Refused[code] += int64(ids)
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
	waiting    []*delta // not in the checkpoint, by number
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
func (f *flight) launch(ctx context.Context, d *delta) error {
	for _, free := range []chan struct{}{f.ahead, f.slots} {
		if err := take(ctx, free, f.stopped); err != nil {
			d.list.release()
			return err
		}
	}
	f.mu.Lock()
	f.waiting = append(f.waiting, d)
	f.mu.Unlock()
	f.sending.Go(func() {
		defer func() { <-f.slots }()
		err := f.deliver(d)
		d.list.release()
		f.answer(d, err)
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

// answer records a batch's response and advances the checkpoint.
func (f *flight) answer(d *delta, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.fail(err)
		return
	}
	d.answered = true
	for len(f.waiting) > 0 && f.waiting[0].answered {
		f.grow(f.waiting[0])
		f.checkpoint.Batches++
		f.waiting = f.waiting[1:]
		<-f.ahead
	}
}

// grow adds the next acknowledged batch, or the rows after the last one, to the checkpoint.
func (f *flight) grow(d *delta) {
	c := &f.checkpoint
	c.Rows = d.to
	c.Bytes += d.bytes
	d.tally.Refused = bounded(d.tally.Refused, c.Tally.Refused)
	c.Tally.Add(d.tally)
	c.Warnings = usher.AddWarnings(c.Warnings, d.warnings...)
	c.Samples = usher.AddSamples(slices.Clip(c.Samples), d.samples...)
	f.sketch.merge(d.sketch.bytes())
	if c.Refusal = nextRefusal(c.Refusal, d); endsJob(c.Refusal) {
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
func (f *flight) add(d *delta) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grow(d)
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
