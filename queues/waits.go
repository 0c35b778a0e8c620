package queues

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// holdups finds out what keeps jobs that do not go on; each thing is looked up when
// it is first asked for.
type holdups struct {
	q      *Queue
	pauses map[Lane]*Pause
	lanes  map[Lane]*jetstream.ConsumerInfo
	asked  bool
	there  []Presence // the workers, where known
	known  bool
}

// sayWaits has the records of jobs that do not go on say what for.
func (q *Queue) sayWaits(ctx context.Context, entries []jobEntry) error {
	h := holdups{q: q, lanes: map[Lane]*jetstream.ConsumerInfo{}}
	for i := range entries {
		e := &entries[i]
		say := h.waiting
		switch {
		case e.State.Ended():
			continue
		case e.State == usher.Running && e.carriedByParts():
			say = h.cut
		case e.State == usher.Running:
			say = h.running
		}
		why, err := say(ctx, e)
		if err != nil {
			return err
		}
		if why != "" {
			e.Record.Why = &why
		}
	}
	return nil
}

// waiting is what a job that nobody has waits for; "" where its record says it.
func (h *holdups) waiting(ctx context.Context, e *jobEntry) (string, error) {
	r, lane := &e.Record, laneOf(e.Record.Kind)
	if !due(r, h.q.now()) {
		return h.paused(ctx, lane)
	}
	why, err := h.untaken(ctx, lane, r.Attempts == 0)
	if err == nil && r.Retry != nil {
		why += "; the last attempt: " + r.Retry.Failure
	}
	return why, err
}

// running is what a job whose worker is gone waits for; "" for any other.
func (h *holdups) running(ctx context.Context, e *jobEntry) (string, error) {
	gone, err := h.gone(ctx, e.holders)
	if err != nil || gone == "" {
		return "", err
	}
	return h.orphan(ctx, gone, laneOf(e.Record.Kind))
}

// cut is what keeps the parts of a job; "" where one of them runs, or can.
func (h *holdups) cut(ctx context.Context, e *jobEntry) (string, error) {
	if why, err := h.paused(ctx, Bulk); why != "" || err != nil {
		return why, err
	}
	if len(e.holders) == 0 {
		why, err := h.untaken(ctx, Bulk, false)
		if why == usher.WaitsForSlot {
			why = ""
		}
		return why, err
	}
	gone, err := h.gone(ctx, e.holders)
	if err != nil || gone == "" {
		return "", err
	}
	return h.orphan(ctx, gone, Bulk)
}

// orphan is what work waits for whose worker is gone.
func (h *holdups) orphan(ctx context.Context, gone string, lane Lane) (string, error) {
	why, err := h.untaken(ctx, lane, false)
	if err != nil {
		return "", err
	}
	if why == usher.WaitsForSlot {
		why = fmt.Sprintf("another takes it within %.0f s", h.lanes[lane].Config.AckWait.Seconds())
	}
	return gone + "; " + why, nil
}

// due reports whether a job that waits only waits to be taken.
func due(r *usher.Record, now time.Time) bool {
	if r.Retry != nil {
		return !now.Before(r.Retry.At)
	}
	return r.Why != nil && *r.Why == usher.WaitsForSlot
}

// paused says that a lane is; "" where it is not.
func (h *holdups) paused(ctx context.Context, lane Lane) (string, error) {
	if h.pauses == nil {
		pauses := map[Lane]*Pause{}
		for _, lane := range Lanes() {
			p, err := h.q.paused(ctx, lane)
			if err != nil {
				return "", err
			}
			pauses[lane] = p
		}
		h.pauses = pauses
	}
	if p := h.pauses[lane]; p != nil {
		return p.why(lane), nil
	}
	return "", nil
}

// untaken is what work waits for that nobody takes from a lane; first says that
// nobody ever has.
func (h *holdups) untaken(ctx context.Context, lane Lane, first bool) (string, error) {
	if why, err := h.paused(ctx, lane); why != "" || err != nil {
		return why, err
	}
	info, err := h.lane(ctx, lane)
	if err != nil {
		return "", err
	}
	why, slots := "", 0
	if info.NumWaiting == 0 { // no slot asks for work
		if there, known := h.roll(ctx); known {
			why, slots = noneTakes(lane, there)
		}
	}
	switch most := info.Config.MaxAckPending; {
	case why != "":
	case first && info.NumAckPending >= most: // NATS gives only what it has given before
		why = fmt.Sprintf("waits until lane %s has room: it holds %d jobs that wait for their turn or their next attempt, as many as it can", lane, most)
	case slots > 0:
		why = fmt.Sprintf("%s: lane %s has %d, all of them taken", usher.WaitsForSlot, lane, slots)
	default:
		why = usher.WaitsForSlot
	}
	return why, nil
}

// lane is what NATS says of one.
func (h *holdups) lane(ctx context.Context, lane Lane) (*jetstream.ConsumerInfo, error) {
	if h.lanes[lane] == nil {
		stream, _ := laneOn(h.q.names, lane)
		consumer, err := h.q.js.Consumer(ctx, stream, string(lane))
		if err != nil {
			return nil, fmt.Errorf("read lane %s: %w", lane, err)
		}
		h.lanes[lane] = consumer.CachedInfo()
	}
	return h.lanes[lane], nil
}

// roll is who answers a roll call.
func (h *holdups) roll(ctx context.Context) (there []Presence, known bool) {
	if !h.asked {
		h.there, h.known = h.q.rollCall(ctx)
		h.asked = true
	}
	return h.there, h.known
}

// noneTakes is why none of the workers that are there takes from a lane, or how
// many slots of theirs do.
func noneTakes(lane Lane, there []Presence) (why string, up int) {
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
	return fmt.Sprintf("the platform is down since %s: it is asked every 5 s, and jobs are taken again when it answers", down.UTC().Format(time.RFC3339)), 0
}
