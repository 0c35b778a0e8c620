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
)

// replaysKept is how many replays that are over are still shown.
const replaysKept = 20

// replaying are the replays that were started here. They go on when the page
// is closed, and end with the process: what was not replayed then is still a
// dead letter.
type replaying struct {
	letters Letters
	notify  func()
	now     func() time.Time

	mu    sync.Mutex
	work  context.Context // ends with the console; nil: it does not run yet
	next  int
	all   map[string]*oneReplay
	after sync.WaitGroup
}

// replayState is a replay as the page shows it.
type replayState struct {
	ID       string       `json:"id"`
	By       string       `json:"by"`
	Filter   LetterFilter `json:"filter"`
	Rate     float64      `json:"rate"`
	Started  time.Time    `json:"started"`
	Finished *time.Time   `json:"finished"`
	Report   ReplayReport `json:"report"`
	Error    string       `json:"error,omitempty"`
	Stopped  bool         `json:"stopped"`
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
	r.after.Wait()
}

func (r *replaying) start(f LetterFilter, o ReplayOptions) (replayState, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.work == nil || r.work.Err() != nil {
		return replayState{}, refuse(http.StatusServiceUnavailable, "usher is stopping")
	}
	r.next++
	ctx, cancel := context.WithCancel(r.work)
	one := &oneReplay{cancel: cancel, replayState: replayState{
		ID: strconv.Itoa(r.next), By: o.By.Name, Filter: f, Rate: o.Rate, Started: r.now().UTC(),
	}}
	r.all[one.ID] = one
	r.forget()
	r.after.Go(func() {
		defer cancel()
		report, err := r.letters.Replay(ctx, f, o, func(so ReplayReport) { r.note(one, so) })
		r.end(one, report, err)
	})
	return one.replayState, nil
}

// forget drops the oldest of those that are over.
func (r *replaying) forget() {
	var over []*oneReplay
	for _, one := range r.all {
		if one.Finished != nil {
			over = append(over, one)
		}
	}
	slices.SortFunc(over, func(a, b *oneReplay) int { return a.Started.Compare(b.Started) })
	for _, one := range over[:max(len(over)-replaysKept, 0)] {
		delete(r.all, one.ID)
	}
}

func (r *replaying) note(one *oneReplay, so ReplayReport) {
	r.mu.Lock()
	one.Report = so
	r.mu.Unlock()
	r.notify()
}

func (r *replaying) end(one *oneReplay, report ReplayReport, err error) {
	r.mu.Lock()
	now := r.now().UTC()
	one.Report, one.Finished = report, &now
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

// list is newest first.
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
