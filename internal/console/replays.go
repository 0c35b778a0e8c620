package console

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"usher/queues/audit"
	"usher/queues/letters"
)

// maxFinished is the maximum number of finished replays that are still listed.
const maxFinished = 20

// replayRunner runs the replays that the console has started. A replay continues when its
// page is closed and ends with the process. Letters that it has not replayed by then are
// kept.
type replayRunner struct {
	letters Letters
	edits   Edits
	notify  func()
	now     func() time.Time

	mu      sync.Mutex
	work    context.Context // ends with the console; nil before run
	next    int
	replays map[string]*replay // by id
	running sync.WaitGroup
}

// replayOrder is the request of a replay.
type replayOrder struct {
	Filter letters.Filter    `json:"filter"`
	Set    map[string]string `json:"set"`  // fields of the jobs to change first, by dotted names
	Rate   float64           `json:"rate"` // jobs a second; 0: as fast as the limits allow
	Force  bool              `json:"force"`
	Reason string            `json:"reason"`
	by     User
}

// replayState is a replay on the page.
type replayState struct {
	ID       string         `json:"id"`
	By       string         `json:"by"`
	Filter   letters.Filter `json:"filter"`
	Rate     float64        `json:"rate"`
	Started  time.Time      `json:"started"`
	Finished *time.Time     `json:"finished"`
	Report   replayProgress `json:"report"`
	Error    string         `json:"error,omitempty"`
	Stopped  bool           `json:"stopped"`
}

// replayProgress is the progress of a replay.
type replayProgress struct {
	Name        string         `json:"name"`    // of the replay, for letters of jobs that failed again
	Changed     int            `json:"changed"` // jobs that were changed before
	Planned     int            `json:"planned"`
	Replayed    int            `json:"replayed"`
	Skipped     int            `json:"skipped"`
	Done        int            `json:"done"`
	FailedAgain int            `json:"failedAgain"`
	Cancelled   int            `json:"cancelled"`
	Left        []letters.Skip `json:"left"` // the first skipped letters
}

func (p *replayProgress) set(r *letters.ReplayReport) {
	*p = replayProgress{
		Name: r.Name, Changed: p.Changed, Planned: r.Planned, Replayed: r.Replayed, Skipped: r.Left,
		Done: r.Done, FailedAgain: r.FailedAgain, Cancelled: r.Cancelled, Left: firstSkips(r.Skipped),
	}
}

// replay is a replay that runs or has finished.
type replay struct {
	replayState
	cancel context.CancelFunc
}

// run lets replays run until ctx ends, and waits for their end.
func (r *replayRunner) run(ctx context.Context) {
	r.mu.Lock()
	r.work = ctx
	r.mu.Unlock()
	<-ctx.Done()
	r.running.Wait()
}

func (r *replayRunner) start(order replayOrder) (replayState, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.work == nil || r.work.Err() != nil {
		return replayState{}, refuse(http.StatusServiceUnavailable, "usher is stopping")
	}
	r.next++
	ctx, cancel := context.WithCancel(r.work)
	rp := &replay{cancel: cancel, replayState: replayState{
		ID: strconv.Itoa(r.next), By: order.by.Name, Filter: order.Filter, Rate: order.Rate, Started: r.now().UTC(),
	}}
	r.replays[rp.ID] = rp
	r.dropFinished()
	r.running.Go(func() {
		defer cancel()
		report, err := r.execute(ctx, rp, order)
		r.end(rp, report, err)
		if err == nil && report.Replayed > 0 {
			r.follow(ctx, rp, report)
		}
	})
	return rp.replayState, nil
}

// execute changes the jobs of a replay's letters, if it should, and replays them.
func (r *replayRunner) execute(ctx context.Context, rp *replay, order replayOrder) (letters.ReplayReport, error) {
	act := actOf(order.by, order.Reason)
	if len(order.Set) > 0 {
		changed, err := r.change(ctx, rp, order, act)
		if err != nil || len(changed) == 0 {
			return letters.ReplayReport{}, err
		}
		order.Filter = letters.Filter{Seqs: changed}
	}
	plan, err := r.letters.PlanReplay(ctx, order.Filter, letters.ReplayOptions{Force: order.Force})
	if err != nil {
		return letters.ReplayReport{}, err
	}
	r.setProgress(rp, letters.ReplayReport{Planned: plan.Count})
	options := letters.ReplayOptions{
		Act: act, Force: order.Force,
		Progress: func(report letters.ReplayReport) { r.setProgress(rp, report) },
	}
	if order.Rate > 0 {
		options.Pace = rate.NewLimiter(rate.Limit(order.Rate), 1).Wait
	}
	return r.letters.Replay(ctx, &plan, options)
}

// announceEvery is how many letters are changed between two announcements of the progress.
const announceEvery = 20

// change changes the jobs of the letters that can be replayed then, and returns the numbers of these.
func (r *replayRunner) change(ctx context.Context, rp *replay, order replayOrder, act audit.Act) ([]uint64, error) {
	var seqs []uint64
	err := r.edits.Fix(ctx, order.Filter, r.edits.Assign(order.Set), letters.ReplayOptions{Act: act, Force: order.Force}, func(e letters.Edited) {
		switch {
		case len(e.Issues) > 0:
			return
		case e.Now == 0: // the job has these values already
			seqs = append(seqs, e.Seq)
			return
		}
		seqs = append(seqs, e.Now)
		r.mu.Lock()
		rp.Report.Changed++
		announce := rp.Report.Changed%announceEvery == 0
		r.mu.Unlock()
		if announce {
			r.notify()
		}
	})
	return seqs, err
}

// followTime is how long the jobs of a replay are counted after they were published.
const followTime = 15 * time.Minute

// follow counts how the jobs of a replay end.
func (r *replayRunner) follow(ctx context.Context, rp *replay, report letters.ReplayReport) {
	ctx, cancel := context.WithTimeout(ctx, followTime)
	defer cancel()
	_ = r.letters.AwaitReplay(ctx, &report, func(now letters.ReplayReport) { r.setProgress(rp, now) }) // the last count stays
	r.setProgress(rp, report)
}

// dropFinished drops the oldest finished replays.
func (r *replayRunner) dropFinished() {
	var finished []*replay
	for _, rp := range r.replays {
		if rp.Finished != nil {
			finished = append(finished, rp)
		}
	}
	slices.SortFunc(finished, func(a, b *replay) int { return a.Started.Compare(b.Started) })
	for _, rp := range finished[:max(len(finished)-maxFinished, 0)] {
		delete(r.replays, rp.ID)
	}
}

func (r *replayRunner) setProgress(rp *replay, report letters.ReplayReport) {
	r.mu.Lock()
	rp.Report.set(&report)
	r.mu.Unlock()
	r.notify()
}

func (r *replayRunner) end(rp *replay, report letters.ReplayReport, err error) {
	r.mu.Lock()
	now := r.now().UTC()
	rp.Report.set(&report)
	rp.Finished = &now
	switch {
	case errors.Is(err, context.Canceled):
		rp.Stopped = true
	case err != nil:
		rp.Error = err.Error()
	}
	r.mu.Unlock()
	r.notify()
}

func (r *replayRunner) stop(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	rp := r.replays[id]
	if rp == nil {
		return refuse(http.StatusNotFound, "there is no replay %q", id)
	}
	rp.cancel()
	return nil
}

// list returns the replays, newest first.
func (r *replayRunner) list() []replayState {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]replayState, 0, len(r.replays))
	for _, rp := range r.replays {
		all = append(all, rp.replayState)
	}
	slices.SortFunc(all, func(a, b replayState) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return all
}
