package queues

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
)

// holdups explains why jobs wait. It caches what it reads.
type holdups struct {
	q      *Queue
	pauses map[lanes.Lane]*lanes.Pause
	infos  map[lanes.Lane]*jetstream.ConsumerInfo
	called bool       // whether the roll was called
	there  []Presence // the workers that answered
	known  bool       // whether the roll call succeeded
}

// sayWaits sets Why in the records of jobs that wait.
func (q *Queue) sayWaits(ctx context.Context, entries []jobEntry) error {
	h := holdups{q: q, infos: map[lanes.Lane]*jetstream.ConsumerInfo{}}
	for i := range entries {
		e := &entries[i]
		explain := h.waiting
		switch {
		case e.State.Ended():
			continue
		case e.State == usher.Running && e.carriedByParts():
			explain = h.cut
		case e.State == usher.Running:
			explain = h.running
		}
		why, err := explain(ctx, e)
		if err != nil {
			return err
		}
		if why != "" {
			e.Record.Why = &why
		}
	}
	return nil
}

// waiting explains why a job without a worker waits; "" if its record says it.
func (h *holdups) waiting(ctx context.Context, e *jobEntry) (string, error) {
	r, lane := &e.Record, lanes.Of(e.Record.Kind)
	if !due(r, h.q.now()) {
		return h.paused(ctx, lane)
	}
	why, err := h.untaken(ctx, lane, r.Attempts == 0)
	if err == nil && r.Retry != nil {
		why += "; the last attempt: " + r.Retry.Failure
	}
	return why, err
}

// running explains why a running job whose worker is gone waits; "" otherwise.
func (h *holdups) running(ctx context.Context, e *jobEntry) (string, error) {
	gone, err := h.gone(ctx, e.holders)
	if err != nil || gone == "" {
		return "", err
	}
	return h.orphan(ctx, gone, lanes.Of(e.Record.Kind))
}

// cut explains why the parts of a job wait; "" if one of them runs or can run.
func (h *holdups) cut(ctx context.Context, e *jobEntry) (string, error) {
	if why, err := h.paused(ctx, lanes.Bulk); why != "" || err != nil {
		return why, err
	}
	if len(e.holders) == 0 {
		why, err := h.untaken(ctx, lanes.Bulk, false)
		if why == usher.WaitsForSlot {
			why = ""
		}
		return why, err
	}
	gone, err := h.gone(ctx, e.holders)
	if err != nil || gone == "" {
		return "", err
	}
	return h.orphan(ctx, gone, lanes.Bulk)
}

// orphan explains why work whose worker is gone waits.
func (h *holdups) orphan(ctx context.Context, gone string, lane lanes.Lane) (string, error) {
	why, err := h.untaken(ctx, lane, false)
	if err != nil {
		return "", err
	}
	if why == usher.WaitsForSlot {
		why = fmt.Sprintf("another takes it within %.0f s", h.infos[lane].Config.AckWait.Seconds())
	}
	return gone + "; " + why, nil
}

// due reports whether a waiting job could be taken now.
func due(r *usher.Record, now time.Time) bool {
	if r.Retry != nil {
		return !now.Before(r.Retry.At)
	}
	return r.Why != nil && *r.Why == usher.WaitsForSlot
}

// paused explains that a lane is paused; "" if it is not.
func (h *holdups) paused(ctx context.Context, lane lanes.Lane) (string, error) {
	if h.pauses == nil {
		pauses := map[lanes.Lane]*lanes.Pause{}
		for _, lane := range lanes.All() {
			p, err := h.q.Lanes().Paused(ctx, lane)
			if err != nil {
				return "", err
			}
			pauses[lane] = p
		}
		h.pauses = pauses
	}
	if p := h.pauses[lane]; p != nil {
		return p.Why(lane), nil
	}
	return "", nil
}

// untaken explains why no worker takes work from a lane. first says that the work was
// never taken.
func (h *holdups) untaken(ctx context.Context, lane lanes.Lane, first bool) (string, error) {
	if why, err := h.paused(ctx, lane); why != "" || err != nil {
		return why, err
	}
	info, err := h.lane(ctx, lane)
	if err != nil {
		return "", err
	}
	why, slots := "", 0
	if info.NumWaiting == 0 { // no slot is waiting for work
		if there, known := h.roll(ctx); known {
			why, slots = noneTakes(lane, there)
		}
	}
	switch most := info.Config.MaxAckPending; {
	case why != "":
	case first && info.NumAckPending >= most: // NATS delivers only work that was delivered before
		why = fmt.Sprintf("waits until lane %s has room: it holds %d jobs that wait for their turn or their next attempt, as many as it can", lane, most)
	case slots > 0:
		why = fmt.Sprintf("%s: lane %s has %d, all of them taken", usher.WaitsForSlot, lane, slots)
	default:
		why = usher.WaitsForSlot
	}
	return why, nil
}

// lane returns NATS's information about a lane's consumer.
func (h *holdups) lane(ctx context.Context, lane lanes.Lane) (*jetstream.ConsumerInfo, error) {
	if h.infos[lane] == nil {
		stream, _ := lane.On(h.q.names)
		consumer, err := h.q.js.Consumer(ctx, stream, string(lane))
		if err != nil {
			return nil, fmt.Errorf("read lane %s: %w", lane, err)
		}
		h.infos[lane] = consumer.CachedInfo()
	}
	return h.infos[lane], nil
}

// roll returns the workers that answer a roll call.
func (h *holdups) roll(ctx context.Context) (there []Presence, known bool) {
	if !h.called {
		h.there, h.known = h.q.rollCall(ctx)
		h.called = true
	}
	return h.there, h.known
}

// noneTakes explains why no running worker takes work from a lane, or returns how many
// slots do.
func noneTakes(lane lanes.Lane, there []Presence) (why string, up int) {
	taking, slots := 0, 0
	var down *time.Time
	for _, p := range there {
		if len(p.Slots) > 0 {
			taking++
		}
		n := p.Slots[lane]
		slots += n
		switch {
		case p.Down == nil:
			up += n
		case n > 0 && (down == nil || p.Down.Before(*down)):
			down = p.Down
		}
	}
	switch {
	case up > 0:
		return "", up
	case taking == 0:
		return "waits for a worker: none is running", 0
	case slots == 0:
		return fmt.Sprintf("waits for a worker: none that is running has slots in lane %s", lane), 0
	}
	return fmt.Sprintf("the platform is down since %s: it is probed every 5 s, and jobs are taken again when it responds", down.UTC().Format(time.RFC3339)), 0
}
