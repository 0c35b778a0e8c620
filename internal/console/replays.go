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

// finishedReplays is how many finished replays are still shown.
const finishedReplays = 20

// replaying runs the replays that were started in the console. They go on when the
// page is closed, and end with the process; what they have not replayed then is still
// a dead letter.
type replaying struct {
	letters Letters
	notify  func()
	now     func() time.Time

	mu      sync.Mutex
	work    context.Context // ends with the console; nil before run
	next    int
	all     map[string]*oneReplay
	running sync.WaitGroup
}

// replayOrder asks for a replay.
type replayOrder struct {
	Filter letters.Filter `json:"filter"`
	Rate   float64        `json:"rate"` // jobs a second; 0: as fast as the limits allow
	Force  bool           `json:"force"`
	Reason string         `json:"reason"`
	by     User
}

// replayState is a replay as the page shows it.
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

// replayProgress is how far a replay is.
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

type oneReplay struct {
	replayState
	cancel context.CancelFunc
}

// run lets replays go on until ctx ends, and waits for them.
func (r *replaying) run(ctx context.Context) {
	r.mu.Lock()
	r.work = ctx
	r.mu.Unlock()
	<-ctx.Done()
	r.running.Wait()
}

func (r *replaying) start(order replayOrder) (replayState, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.work == nil || r.work.Err() != nil {
		return replayState{}, refuse(http.StatusServiceUnavailable, "usher is stopping")
	}
	r.next++
	ctx, cancel := context.WithCancel(r.work)
	one := &oneReplay{cancel: cancel, replayState: replayState{
		ID: strconv.Itoa(r.next), By: order.by.Name, Filter: order.Filter, Rate: order.Rate, Started: r.now().UTC(),
	}}
	r.all[one.ID] = one
	r.forget()
	r.running.Go(func() {
		defer cancel()
		report, err := r.replay(ctx, one, order)
		r.end(one, report, err)
	})
	return one.replayState, nil
}

// replay plans a replay and carries it out.
func (r *replaying) replay(ctx context.Context, one *oneReplay, order replayOrder) (letters.ReplayReport, error) {
	plan, err := r.letters.PlanReplay(ctx, order.Filter, order.Force)
	if err != nil {
		return letters.ReplayReport{}, err
	}
	r.note(one, letters.ReplayReport{Planned: plan.Count})
	options := letters.ReplayOptions{
		Act: actOf(order.by, order.Reason), Force: order.Force,
		Progress: func(report letters.ReplayReport) { r.note(one, report) },
	}
	if order.Rate > 0 {
		options.Pace = rate.NewLimiter(rate.Limit(order.Rate), 1).Wait
	}
	return r.letters.Replay(ctx, &plan, options)
}

// forget drops the oldest finished replays.
func (r *replaying) forget() {
	var finished []*oneReplay
	for _, one := range r.all {
		if one.Finished != nil {
			finished = append(finished, one)
		}
	}
	slices.SortFunc(finished, func(a, b *oneReplay) int { return a.Started.Compare(b.Started) })
	for _, one := range finished[:max(len(finished)-finishedReplays, 0)] {
		delete(r.all, one.ID)
	}
}

func (r *replaying) note(one *oneReplay, report letters.ReplayReport) {
	r.mu.Lock()
	one.Report = progressOf(report)
	r.mu.Unlock()
	r.notify()
}

func (r *replaying) end(one *oneReplay, report letters.ReplayReport, err error) {
	r.mu.Lock()
	now := r.now().UTC()
	one.Report, one.Finished = progressOf(report), &now
	switch {
	case errors.Is(err, context.Canceled):
		one.Stopped = true
	case err != nil:
		one.Error = err.Error()
	}
	r.mu.Unlock()
	r.notify()
}

func (r *replaying) stop(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.all[id]
	if one == nil {
		return refuse(http.StatusNotFound, "there is no such replay")
	}
	one.cancel()
	return nil
}

// list returns the replays, newest first.
func (r *replaying) list() []replayState {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]replayState, 0, len(r.all))
	for _, one := range r.all {
		all = append(all, one.replayState)
	}
	slices.SortFunc(all, func(a, b replayState) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return all
}
