package workers

import (
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
	"usher/internal/rtb"
	"usher/pipeline"
)

// Lane is a queue of its own with its own slots.
type Lane struct {
	Name  string
	Slots int
	First bool // its jobs go before uploads
	// Open opens the lane for one slot. coming is to be called when there is a
	// piece of work for it, before that is taken.
	Open func(ctx context.Context, coming func()) (Source, error)
}

// Breaker reports whether the platform is down. *platform.Breaker implements it.
type Breaker interface {
	// Open reports whether the platform is known to be down.
	Open() bool
	// Gate returns an error, a *usher.RetryAfter, while the platform is down.
	Gate() error
	// Wait blocks until the platform is not known to be down or ctx ends, and
	// returns the cause of ctx.
	Wait(ctx context.Context) error
}

// Worker runs jobs. Its fields are set before Run and not changed after it.
type Worker struct {
	Lanes   []Lane
	Exports *exports.Opener
	Limits  Limits

	// Platform is the client of an advertiser ("" for the configured one);
	// campaign says that it is for the campaign lane, which has connections
	// and a share of the rate limit of its own.
	Platform func(advertiser string, campaign bool) *rtb.Client
	Breaker  Breaker

	// Lock holds a name against other workers. The context it returns ends
	// when the lock is lost. A lock held elsewhere is a usher.RetryAfter.
	Lock func(ctx context.Context, name string) (context.Context, func(), error)
	// Stopped reads the stop switch of campaign actions; an error means
	// stopped.
	Stopped func(ctx context.Context) (reason string, stopped bool, err error)

	// Rulebook is what rules decided and remember, for campaign jobs.
	Rulebook Rulebook
	// Rules are the rule files, and Evaluations what becomes of them.
	Rules       RuleSets
	Evaluations Evaluations

	Suppressed       *pipeline.Suppression // nil: no list
	KeepDuplicates   bool                  // send ids again that came before
	MaxRejectPercent float64               // default 90
	BatchIDs         int                   // default 100,000
	InFlight         int                   // batches of a part; default 3

	Tracer trace.Tracer // nil: no traces
	Logger *slog.Logger
	Now    func() time.Time // default time.Now

	buffers pipeline.Buffers // of finished uploads, for the next ones
	scopes  scopeSizes       // of rules
	first   precedence       // of campaigns' and rules' jobs
	// What the platform's answers have taught about each operation's requests.
	segmentSize, targetSize pipeline.Size
}

// Run fetches and runs jobs until fetch ends, and returns when all that was
// taken is settled. Ending work as well cancels what runs, to be given back
// with the cause; without that Run waits for it.
func (w *Worker) Run(fetch, work context.Context) error {
	w.Limits = w.Limits.withDefaults()
	w.MaxRejectPercent = orDefault(w.MaxRejectPercent, 90)
	if w.Now == nil {
		w.Now = time.Now
	}
	fetch, stop := context.WithCancelCause(fetch)
	defer stop(nil)
	var slots sync.WaitGroup
	for _, lane := range w.Lanes {
		for range lane.Slots {
			lead := lead{over: &w.first, first: lane.First}
			source, err := lane.Open(fetch, lead.begin)
			if err != nil {
				if fetch.Err() != nil {
					err = nil // told to stop while it began
				}
				stop(err)
				slots.Wait()
				return err
			}
			slots.Go(func() { w.serve(fetch, work, source, &lead) })
		}
	}
	slots.Wait()
	return nil
}

// serve is one slot: while the platform is up, take a piece of work, run it,
// settle it.
func (w *Worker) serve(fetch, work context.Context, source Source, l *lead) {
	defer l.end()
	for w.Breaker.Wait(fetch) == nil {
		lease, err := source.Next(fetch, work)
		if err != nil {
			return
		}
		w.handle(lease)
		l.end()
	}
}

func (w *Worker) handle(lease Lease) {
	work := lease.Work()
	ctx, span := w.begin(lease.Context(), &work)
	log := w.Logger.With("job", work.ID, "run", work.Run, "kind", work.Kind)
	if work.Parts > 0 {
		log = log.With("part", work.Part)
	}
	if work.Trace != "" || w.Tracer != nil {
		log = log.With("trace", span.SpanContext().TraceID().String())
	}
	j := &job{
		Lease: lease, Work: work, Worker: w, log: log,
		platform: w.Platform(work.Job.Advertiser, work.Kind.Family() == "campaign"),
	}
	if !work.Job.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, work.Job.Deadline, usher.ErrDeadline)
		defer cancel()
	}
	began := w.Now()
	log.Info("begins", "attempt", work.Attempts, "crashes", work.Crashes)
	err := j.guarded(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause // what ended the work, not how the work took it
	}
	end(span, err)
	if settled := j.settle(err); settled != nil {
		log.Warn("settling, it comes again by itself", "error", settled)
	}
	log.Info("ends", "took", w.Now().Sub(began), "error", err, "rows", j.Progress.Checkpoint.Tally.Read)
}

// guarded runs the handler; a panic of it is an error like another, because
// the other slots' jobs are not to blame.
func (j *job) guarded(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.log.Error("a handler panicked, this is a bug in usher", "panic", p, "stack", string(debug.Stack()))
			err = errors.New("a bug in usher: the handler panicked, see the worker's log")
		}
	}()
	if err := context.Cause(ctx); err != nil {
		return err // ended before it began
	}
	return j.run(ctx)
}

// run calls the handler of the job's kind.
func (j *job) run(ctx context.Context) error {
	switch j.Kind {
	case usher.CampaignPause:
		return j.campaign(ctx, rtb.Inactive)
	case usher.CampaignResume:
		return j.campaign(ctx, rtb.Active)
	case usher.RulesEvaluate:
		return j.rulesEvaluate(ctx)
	case usher.SegmentAdd:
		return j.segmentAdd(ctx)
	case usher.SegmentRemove:
		return j.segmentRemove(ctx)
	case usher.TargetAdd:
		return j.targetAdd(ctx)
	case usher.TargetReplace:
		return j.targetReplace(ctx)
	case usher.TargetClear:
		return j.targetClear(ctx)
	}
	return usher.Refuse(usher.InvalidJob, "this version of usher runs no such jobs", "run job of kind %s: not known", j.Kind)
}

// wait is an error that gives the work back for a while.
func wait(after time.Duration, format string, args ...any) error {
	return &usher.RetryAfter{After: after, Why: fmt.Sprintf(format, args...)}
}
