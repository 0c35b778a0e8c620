package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"usher"
	"usher/internal/exports"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/pipeline"
)

// Lane is a queue with its own slots.
type Lane struct {
	Name  string
	Slots int
	First bool // uploads pause while a job of this lane runs
	// Ready blocks while a job of this lane could only wait: while Redis, which has the locks, is lost. It
	// returns when ctx ends, and now and then, so that jobs say what they wait for. nil: they need not wait.
	Ready func(ctx context.Context)
	// Open opens the lane for one slot. The source calls arrived when a piece of work
	// has arrived for the slot, before it takes it.
	Open func(ctx context.Context, arrived func()) (Source, error)
}

// Breaker reports whether the platform is down. *platform.Breaker implements it.
type Breaker interface {
	// Open reports whether the platform is known to be down.
	Open() bool
	// Wait blocks until the platform is not known to be down or ctx ends, and
	// returns the cause of ctx. If only calls of uploads fail, only uploads wait.
	Wait(ctx context.Context, uploads bool) error
}

// Worker runs jobs. Its fields are set before Run and not changed afterwards.
type Worker struct {
	Lanes   []Lane
	Exports *exports.Opener
	Limits  Limits

	// Handlers run the kinds that this package does not run itself: those of
	// campaigns and rules.
	Handlers map[usher.Kind]Handler

	// Platform returns the client of an advertiser ("" for the configured one).
	// campaign selects the client of the campaign lane, which has its own
	// connections and its own share of the rate limit.
	Platform func(advertiser string, campaign bool) *rtb.Client
	Breaker  Breaker

	Ledger     *ledger.Store // what the targets hold; nil: no target has a ledger
	Advertiser string        // of jobs that do not name one
	Uploads    Uploads       // of all workers; nil: there are none
	Jobs       Jobs          // publishes jobs; nil: none can be published

	// Named is called with the segment of a job, once the platform has said what it is. nil: nobody
	// wants to know.
	Named func(ctx context.Context, advertiser string, segment *rtb.Segment)

	// Rate returns the rate limit of an advertiser as it is now, for estimates; nil: unknown.
	Rate func(advertiser string) usher.Rate

	Suppressed          *Suppressions // nil: no list
	KeepDuplicates      bool          // send repeated ids again
	MaxRejectPercent    *float64      // nil: 90
	MaxMalformedPercent *float64      // nil: 1
	BatchIDs            int           // default 100,000
	InFlight            int           // batches of a part; default 3

	Tracer trace.Tracer // nil: no traces
	Logger *slog.Logger
	Now    func() time.Time // the clock for ages, see Work.Published, and deadlines; default time.Now
	Local  func() time.Time // this machine's clock, for durations; default time.Now

	buffers    pipeline.Buffers // memory that later uploads reuse
	precedence precedence       // lets jobs of lanes with First pause uploads
	// Request sizes that the platform accepts, learned from its responses.
	segmentSize, targetSize pipeline.Size
}

// Run fetches and runs jobs until fetch ends, and returns once every job that it took is
// settled. If work ends as well, the running jobs are cancelled and returned to the
// queue; otherwise Run waits for them.
func (w *Worker) Run(fetch, work context.Context) error {
	w.Limits = w.Limits.withDefaults()
	w.MaxRejectPercent = cmp.Or(w.MaxRejectPercent, new(90.0))
	w.MaxMalformedPercent = cmp.Or(w.MaxMalformedPercent, new(1.0))
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.Local == nil {
		w.Local = time.Now
	}
	fetch, stop := context.WithCancelCause(fetch)
	defer stop(nil)
	var slots sync.WaitGroup
	for _, lane := range w.Lanes {
		for range lane.Slots {
			hold := slotHold{precedence: &w.precedence, first: lane.First}
			source, err := lane.Open(fetch, hold.begin)
			if err != nil {
				if fetch.Err() != nil {
					err = nil // stopped while it started
				}
				stop(err)
				slots.Wait()
				return err
			}
			slots.Go(func() { w.serve(fetch, work, source, lane.Ready, &hold) })
		}
	}
	<-fetch.Done() // a worker without slots serves its other parts
	slots.Wait()
	return nil
}

// serve is the loop of one slot: while the platform is up and the lane is ready, it takes a piece of
// work, runs it and settles it.
func (w *Worker) serve(fetch, work context.Context, source Source, ready func(context.Context), hold *slotHold) {
	defer hold.end()
	for {
		_ = w.Breaker.Wait(fetch, !hold.first) // fails if fetch has ended, which Next reports
		if ready != nil {
			ready(fetch)
		}
		lease, err := source.Next(fetch, work)
		if err != nil {
			return
		}
		w.handle(lease, nil)
		hold.end()
	}
}

// handle runs and settles a piece of work. segment is that of a removal, if it is known.
func (w *Worker) handle(lease Lease, segment *rtb.Segment) {
	work := lease.Work()
	ctx, span := w.startSpan(lease.Context(), &work)
	log := w.Logger.With("job", work.ID, "run", work.Run, "kind", work.Kind)
	if work.Parts > 0 {
		log = log.With("part", work.Part)
	}
	if work.Trace != "" || w.Tracer != nil {
		log = log.With("trace", span.SpanContext().TraceID().String())
	}
	j := w.newJob(lease, log)
	j.segment = segment
	if !work.Job.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, work.Job.Deadline.Sub(w.Now()), usher.ErrDeadline)
		defer cancel()
	}
	began := w.Local()
	log.Info("begins", "attempt", work.Attempts, "crashes", work.Crashes)
	err := j.runGuarded(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	endSpan(span, err)
	if unsettled := j.settle(err); unsettled != nil {
		log.Warn("settling the job failed, it is delivered again", "error", unsettled)
	}
	log.Info("ends", "took", w.Local().Sub(began), "error", err, "rows", j.Work.Progress.Checkpoint.Tally.Read)
}

func (w *Worker) newJob(lease Lease, log *slog.Logger) *Job {
	work := lease.Work()
	return &Job{
		Work: work, Lease: lease, Log: log, Now: w.Now, Local: w.Local, worker: w,
		Platform: w.Platform(work.Job.Advertiser, work.Kind.Family() == "campaign"),
	}
}

// runGuarded runs the handler and turns a panic into an error, so that the jobs in other
// slots continue.
func (j *Job) runGuarded(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.Log.Error("a handler panicked, this is a bug in usher", "panic", p, "stack", string(debug.Stack()))
			err = errors.New("a bug in usher: the handler panicked, see the worker's log")
		}
	}()
	if err := context.Cause(ctx); err != nil && !j.Work.Progress.HasIntent() { // otherwise it may have to record a change
		return err
	}
	return j.run(ctx)
}

// run calls the handler of the job's kind.
func (j *Job) run(ctx context.Context) error {
	if handle, found := j.worker.Handlers[j.Work.Kind]; found {
		return handle(ctx, j)
	}
	switch j.Work.Kind {
	case usher.SegmentAdd:
		return j.segmentAdd(ctx)
	case usher.SegmentRemove:
		return j.segmentRemove(ctx)
	case usher.SegmentMirror, usher.TargetMirror:
		return j.mirror(ctx)
	case usher.TargetAdd:
		return j.targetAdd(ctx)
	case usher.TargetReplace:
		return j.targetReplace(ctx)
	case usher.TargetClear:
		return j.targetClear(ctx)
	case usher.DeviceForget:
		return j.forget(ctx)
	}
	return usher.Refuse(usher.InvalidJob, "use a version of usher that knows this kind", "run job of kind %s: not known", j.Work.Kind)
}

// Wait returns an error that returns the job to the queue for a time, without counting an
// attempt. The message says what the job waits for; people see it.
func Wait(after time.Duration, format string, args ...any) error {
	return &usher.RetryAfter{After: after, Why: fmt.Sprintf(format, args...)}
}

// IsNotFound reports whether the platform does not have the requested object.
func IsNotFound(err error) bool {
	var p *usher.Permanent
	return errors.As(err, &p) && p.Class == usher.NotFound
}
