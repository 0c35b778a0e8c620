package pipeline

import (
	"context"
	"errors"
	"io"
	"time"

	"usher"
	"usher/hashing"
)

// Blocks yields a part of an export in order. Next returns io.EOF at the end. It is called
// by one goroutine of Upload, and not after Upload returns, so it must respect ctx. Only
// the last line of the last block may have no line end. A block is released before the
// next call.
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

// Options of an upload.
type Options struct {
	Profile usher.Profile
	Input   usher.Input // raw or md5; the caller decides auto by DecideInput
	Header  string      // the export's header, which is junk if it is repeated
	Chosen  bool        // usher chose the column of ids, so another header of ids of any kind is refused
	Hyphens bool        // 32 hexadecimal digits are no id, see hashing.Hasher.SetHyphens
	Typed   bool        // a column says of which type each row is
	// Withheld are the names of the columns of source.only, by which rows are withheld.
	Withheld []string
	Mixed    bool // hash rows of other types than the profile's by the default profile of their type; otherwise they are wrong_type

	// KeepDuplicates disables de-duplication.
	KeepDuplicates bool

	BatchIDs   int // ids of a batch; 0: DefaultBatchIDs
	BatchBytes int // bytes of joined digests of a batch; 0: DefaultBatchBytes
	InFlight   int // concurrent batches; 0: DefaultInFlight

	// MaxRejectPercent, 0–100, is the maximum percentage of invalid and refused rows. It
	// is checked on the part's first batch before the batch is sent, and on the whole
	// part. There is no default.
	MaxRejectPercent float64

	// MaxMalformedPercent, 0–100, is the maximum percentage of rows that cannot be parsed.
	// It is checked on the part's first window before any of it is sent, and on the whole
	// part. There is no default.
	MaxMalformedPercent float64

	DryRun bool // send nothing; ids and batches that would be sent count as accepted
	First  bool // the job's first part: without an id to send, the job ends too_many_rejects

	Suppressed *Suppression // digests that are never sent; nil: none

	// Screen is called before each request, and returns the digests that must not be in it,
	// including those that were suppressed after the upload began. Upload calls done when
	// the requests that Screen has allowed have ended. certain reports whether all of them
	// were answered, so that none can still arrive. nil: Suppressed does not change.
	Screen func(ctx context.Context) (list *Suppression, done func(certain bool), err error)

	Dropped usher.Tally // the tally of HashInline, added to the first batch

	// Resume is the checkpoint to continue from; zero is the beginning. Rows before its
	// window are only counted; rows of its window are hashed again but not sent.
	Resume usher.Checkpoint

	// Send sends one request to the platform: a batch, or a piece of one. It is called
	// concurrently. It may keep the batch after its return by Retain. A Permanent error
	// of class refused halves the batch (with CodeTooLarge it makes requests smaller, see
	// Size); other Permanent errors end the upload; RetryAfter waits; all others are
	// retried, see Retry. An error of class refused means that the platform has taken
	// no id of the batch; if it has refused only some, Send sets Batch.Refused instead.
	Send func(ctx context.Context, b *usher.Batch) error

	// Begin is called with the digests of a batch before its first request, and with its
	// number. A batch whose outcome is unknown is begun again after a crash. It is called
	// concurrently. An error ends the upload. nil: no call.
	Begin func(ctx context.Context, batch int64, digests [][]hashing.Digest) error

	// Outcome is called with the digests that the platform has accepted, or that a dry run
	// would send, and with those that it has refused. It is called concurrently, and before
	// the digests are in a checkpoint; after a crash it is called again with those that are
	// not. An error ends the upload. nil: no call.
	Outcome func(ctx context.Context, digests []hashing.Digest, accepted bool) error

	// Size is the learned size of requests. Uploads through the same operation share it.
	// nil: a new one.
	Size *Size

	// Save stores a checkpoint. Calls are sequential, each with a later checkpoint, at
	// most one every SaveEvery. The last checkpoint is returned by Upload and not saved.
	// An error ends the upload at once. nil: nothing is saved.
	Save      func(ctx context.Context, c usher.Checkpoint) error
	SaveEvery time.Duration // 0: DefaultSaveEvery

	Retry   Retry
	Buffers *Buffers // memory reused between uploads; nil: none

	// Rejected is called with every row that is junk or invalid, in order: its number in
	// the part, from 1, the reason, and its masked value. It is called by one goroutine of
	// Upload and not after Upload returns. An error ends the upload. nil: no call.
	Rejected func(row int64, why hashing.Reason, masked string) error

	// Yield is called at least every millisecond by several goroutines. It may block for
	// a moment to leave the CPU to more urgent work. nil: no call.
	Yield func()

	Window int64 // rows of a window, in which de-duplication is exact; 0: usher.WindowRows
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
	if o.Window <= 0 {
		o.Window = windowRows
	}
	if o.Yield == nil {
		o.Yield = func() {}
	}
	o.Retry = o.Retry.withDefaults()
	return o
}

// batchLimit returns the maximum number of ids of a batch, by number and by bytes.
func (o *Options) batchLimit() int {
	return max(1, min(o.BatchIDs, (o.BatchBytes+1)/idBytes))
}

// Upload reads all blocks and sends every id in them. It returns the part's final
// checkpoint, including the rows after the last batch, or an error of Blocks, Send or Save
// or the cause of ctx, with the newest complete checkpoint. When it returns, all its
// goroutines have ended. After an error of a batch or of Blocks it waits for the responses
// to batches in flight, without retries, so that accepted ids are counted; a cancelled ctx
// aborts them.
func Upload(ctx context.Context, blocks Blocks, o Options) (usher.Checkpoint, error) {
	o = o.withDefaults()
	hasher, err := hashing.New(o.Profile, o.Input)
	if err != nil {
		return o.Resume, usher.Refuse(usher.InvalidJob, "correct the job's profile and input", "start upload: %w", err)
	}
	if endsJob(o.Resume.Refusal) { // the worker that saved this was killed before it settled the job
		return o.Resume, refusalError(o.Resume.Refusal)
	}
	hasher.SetHeader(o.Header)
	if o.Hyphens {
		hasher.SetHyphens()
	}
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

// readAll makes r read all rows of blocks. No goroutine reads blocks after it returns.
func readAll(ctx context.Context, blocks Blocks, hasher *hashing.Hasher, r *reader) error {
	ctx, stop := context.WithCancel(ctx)
	s := startSource(ctx, blocks, hasher, r.o, r.memory)
	defer s.end()
	defer stop()
	return r.read(ctx, s)
}

// isEOF reports whether err is the end of an export, and not io.ErrUnexpectedEOF, which a
// truncated export returns.
func isEOF(err error) bool { return errors.Is(err, io.EOF) }
