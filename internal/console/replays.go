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

	"usher/queues/letters"
)

// maxFinished is the maximum number of finished replays that are still listed.
const maxFinished = 20

// replayRunner runs the replays that the console has started. A replay continues when its
// page is closed and ends with the process. Letters that it has not replayed by then are
// kept.
type replayRunner struct {
	letters Letters
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
	Filter letters.Filter `json:"filter"`
	Rate   float64        `json:"rate"` // jobs a second; 0: as fast as the limits allow
	Force  bool           `json:"force"`
	Reason string         `json:"reason"`
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
	Planned     int            `json:"planned"`
	Replayed    int            `json:"replayed"`
	Skipped     int            `json:"skipped"`
	FailedAgain int            `json:"failedAgain"`
	Left        []letters.Skip `json:"left"` // the first skipped letters
}

func progressOf(r letters.ReplayReport) replayProgress {
	return replayProgress{Planned: r.Planned, Replayed: r.Replayed, Skipped: r.Left, FailedAgain: r.FailedAgain, Left: firstSkips(r.Skipped)}
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
	})
	return rp.replayState, nil
}

// execute plans a replay and carries it out.
func (r *replayRunner) execute(ctx context.Context, rp *replay, order replayOrder) (letters.ReplayReport, error) {
	plan, err := r.letters.PlanReplay(ctx, order.Filter, order.Force)
	if err != nil {
		return letters.ReplayReport{}, err
	}
	r.setProgress(rp, letters.ReplayReport{Planned: plan.Count})
	options := letters.ReplayOptions{
		Act: actOf(order.by, order.Reason), Force: order.Force,
		Progress: func(report letters.ReplayReport) { r.setProgress(rp, report) },
	}
	if order.Rate > 0 {
		options.Pace = rate.NewLimiter(rate.Limit(order.Rate), 1).Wait
	}
	return r.letters.Replay(ctx, &plan, options)
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
	rp.Report = progressOf(report)
	r.mu.Unlock()
	r.notify()
}

func (r *replayRunner) end(rp *replay, report letters.ReplayReport, err error) {
	r.mu.Lock()
	now := r.now().UTC()
	rp.Report, rp.Finished = progressOf(report), &now
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
