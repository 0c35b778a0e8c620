package pipeline

import (
	"context"
	"errors"
	"slices"
	"sync"

	"usher"
	"usher/hashing"
)

// errStopped says that a batch failed, so that nothing new is begun; what went
// wrong is the flight's to tell.
var errStopped = errors.New("the upload was stopped by a batch that failed")

// aheadFactor is how many batches, times those under way, may be answered while
// an older one is not: what is known of them is kept until that one is, and they
// are sent again after a crash.
const aheadFactor = 8

// delta is what the rows of one batch came to: all rows since the batch before.
type delta struct {
	number     int64
	from, to   int64 // rows of the part
	list       list  // the batch's ids; let go of when it is answered
	rejects    hashing.Counts
	suppressed int64
	dropped    usher.Tally // rows that are in no export: see Options.Dropped
	samples    []usher.Sample

	tally usher.Tally // from close on; all ids count as accepted until answered

	// The answer.
	answered bool
	bytes    int64
	sketch   sketch // of the ids that were accepted
	warnings []usher.Warning
	refusal  *usher.Permanent // the last one
	gaveUp   bool             // part of the batch was counted as refused untried
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

// flight is the batches under way. Answers come in any order; the checkpoint
// grows by the longest unbroken run of them.
type flight struct {
	ctx     context.Context
	o       *Options
	slots   chan struct{} // one a batch under way
	ahead   chan struct{} // one a batch that is not in the checkpoint
	stopped chan struct{} // closed by the first failure
	changed chan struct{} // holds one token when the checkpoint has grown
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

// launch sends a batch as soon as there is a slot; the flight lets go of its ids.
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

// take puts a token into free as soon as there is room, but none once stopped is
// closed or ctx has ended: of several cases that are ready, select takes any.
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

// answer takes a batch's answer and lets the checkpoint grow.
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

// grow adds to the checkpoint what comes next in order.
func (f *flight) grow(d *delta) {
	c := &f.checkpoint
	c.Rows = d.to
	c.Bytes += d.bytes
	d.tally.Refused = bounded(d.tally.Refused, c.Tally.Refused)
	c.Tally.Add(d.tally)
	c.Warnings = usher.AddWarnings(c.Warnings, d.warnings...)
	c.Samples = usher.AddSamples(slices.Clip(c.Samples), d.samples...)
	f.sketch.merge(d.sketch.bytes())
	if c.Refusal = refusedNext(c.Refusal, d); isOver(c.Refusal) {
		f.fail(refuseAll(c.Refusal))
	}
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// fail keeps the first failure and stops what has not begun.
func (f *flight) fail(err error) {
	if f.err == nil {
		f.err = err
		close(f.stopped)
	}
}

// stop ends the flight: what is under way gets its answer, or its error without
// another try.
func (f *flight) stop(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail(err)
}

// add counts rows that belong to no batch, when all batches are answered.
func (f *flight) add(d *delta) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grow(d)
}

// wait returns when nothing is under way any more, with the first failure.
func (f *flight) wait() error {
	f.sending.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// snapshot is the checkpoint now, which shares nothing with what comes later.
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
