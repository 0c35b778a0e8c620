package pipeline

import (
	"context"
	"errors"
	"io"
	"time"

	"usher"
	"usher/hashing"
)

// Blocks is a part of an export, in order. Next returns io.EOF at its end; it is
// called by one goroutine, which is not Upload's caller's, and not any more when
// Upload returns, so it has to heed ctx. Only the last block's last line may have
// no end. A block is released before the next one is asked for; its Row is not
// looked at, rows are counted here.
type Blocks interface {
	Next(ctx context.Context) (*usher.Block, error)
}

// Defaults of Options.
const (
	DefaultBatchIDs   = 100_000
	DefaultBatchBytes = 4 << 20
	DefaultInFlight   = 3
	DefaultSaveEvery  = time.Second
)

// Options say what is uploaded, and how.
type Options struct {
	Profile usher.Profile
	Input   usher.Input // raw or md5: auto must have been decided (DecideInput)
	Header  string      // the export's own header: junk where it is repeated
	Mixed   bool        // rows that their type says are not the profile's are hashed by their type's default; else they are wrong_type

	// KeepDuplicates leaves out the search for ids that came before in a window.
	KeepDuplicates bool

	BatchIDs   int // ids a batch; 0: DefaultBatchIDs
	BatchBytes int // joined digests a batch, in bytes; 0: DefaultBatchBytes
	InFlight   int // batches under way at once; 0: DefaultInFlight

	// MaxRejectPercent, 0–100, is how many percent of the rows may be invalid or
	// refused. It is judged on the part's first batch before that is sent, then on
	// the part. The caller knows the default.
	MaxRejectPercent float64
	DryRun           bool // nothing is sent; what would have been counts as accepted, its batches too
	First            bool // the job's first part: where it has no id to send, the job ends too_many_rejects

	Suppressed *Suppression // never sent; nil: none
	Dropped    usher.Tally  // what Seal dropped: joins the tally of the first batch

	// Resume is where to go on; its zero value is the beginning. Rows before its
	// window are only counted, those of its window hashed again but not sent.
	Resume usher.Checkpoint

	// Send has the platform answer one request: a batch, or a piece of one. Several
	// run at once. It may keep the batch beyond its return by Retain. What its error
	// decides: Permanent of class refused halves the batch (but TooLarge makes
	// requests smaller, see Size), other Permanents end the upload, RetryAfter waits,
	// everything else is tried again; see Retry.
	Send func(ctx context.Context, b *usher.Batch) error

	// Size is how many ids a request has, learnt from the answers to all uploads
	// that share it: those through one operation. nil: one of its own.
	Size *Size

	// Save keeps a checkpoint: one at a time, each beyond the one before, at most
	// one every SaveEvery; not the last one, which Upload returns. Its error ends
	// the upload at once. nil: nothing is kept.
	Save      func(ctx context.Context, c usher.Checkpoint) error
	SaveEvery time.Duration // 0: DefaultSaveEvery

	Retry   Retry
	Buffers *Buffers // memory kept between uploads; nil: none is

	// Yield is called between two pieces of work of a millisecond or less, by
	// several goroutines: it may hold the upload for a moment, while something is
	// done that needs the cores more. nil: nothing ever does.
	Yield func()

	window int64 // rows a window; 0: windowRows
}

func (o Options) withDefaults() Options {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&o.BatchIDs, DefaultBatchIDs)
	def(&o.BatchBytes, DefaultBatchBytes)
	def(&o.InFlight, DefaultInFlight)
	if o.SaveEvery <= 0 {
		o.SaveEvery = DefaultSaveEvery
	}
	if o.Size == nil {
		o.Size = new(Size)
	}
	if o.window <= 0 {
		o.window = windowRows
	}
	if o.Yield == nil {
		o.Yield = func() {}
	}
	o.Retry = o.Retry.withDefaults()
	return o
}

// batchLimit is how many ids a batch may have, by number and by bytes.
func (o *Options) batchLimit() int {
	return max(1, min(o.BatchIDs, (o.BatchBytes+1)/idBytes))
}

// Upload reads blocks to their end and has every id in them answered. It
// returns the part's final checkpoint, rows after the last batch included; or an
// error, as it came from Blocks, Send, Save or the cause of ctx, with the newest
// checkpoint that is whole. When it returns, nothing of it runs any more. After
// an error of a batch or of Blocks, what is under way is first given its answer
// (a retry excepted), so that what the platform took is counted; a cancelled ctx
// aborts it.
func Upload(ctx context.Context, blocks Blocks, o Options) (usher.Checkpoint, error) {
	o = o.withDefaults()
	hasher, err := hashing.New(o.Profile, o.Input)
	if err != nil {
		return o.Resume, usher.Refuse(usher.InvalidJob, "correct the job's profile and input", "start upload: %w", err)
	}
	if isOver(o.Resume.Refusal) { // whoever found that out was killed before it was settled
		return o.Resume, refuseAll(o.Resume.Refusal)
	}
	hasher.SetHeader(o.Header)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	memory := o.Buffers.take(&o)
	defer memory.give()
	flight := newFlight(ctx, &o)
	saver := startSaver(ctx, cancel, flight, &o)
	r := newReader(&o, memory, flight)

	if err := readAll(ctx, blocks, hasher, r); err != nil {
		flight.stop(err)
	}
	err = flight.wait()
	saver.stop()
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil:
		err = r.finish()
	}
	return flight.snapshot(), err
}

// readAll has r take all rows of blocks. Nothing reads them any more when it
// returns.
func readAll(ctx context.Context, blocks Blocks, hasher *hashing.Hasher, r *reader) error {
	ctx, stop := context.WithCancel(ctx)
	s := startSource(ctx, blocks, hasher, r.o, r.memory)
	defer s.end()
	defer stop()
	return r.read(ctx, s)
}

// isEOF tells the end of an export from its errors: a truncated one wraps
// io.ErrUnexpectedEOF, which is another error.
func isEOF(err error) bool { return errors.Is(err, io.EOF) }
