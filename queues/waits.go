package queues

import (
	"context"
	"fmt"
	"time"

	"usher"
)

// holdups finds out what keeps jobs that wait to be taken; each thing is looked
// up when it is first asked for.
type holdups struct {
	q      *Queue
	pauses map[Lane]*Pause
	idle   map[Lane]bool // some slot asks for work
	asked  bool
	there  []Presence // the workers, where known
	known  bool
}

// sayWaits has records that wait to be taken say what for.
func (q *Queue) sayWaits(ctx context.Context, records []usher.Record) error {
	h := holdups{q: q, idle: map[Lane]bool{}}
	for i := range records {
		r := &records[i]
		lane, waits := laneOf(r.Kind), r.State == usher.Queued || r.State == usher.Retrying
		if r.State == usher.Running && r.Parts.Total > 1 {
			lane = Bulk
		} else if !waits {
			continue
		}
		pause, err := h.pause(ctx, lane)
		if err != nil {
			return err
		}
		var why string
		switch {
		case pause != nil:
			why = pause.why(lane)
		case waits && due(r, q.Now()):
			if why, err = h.why(ctx, lane); err != nil {
				return err
			}
			if r.Retry != nil {
				why += "; the last attempt: " + r.Retry.Failure
			}
		default:
			continue
		}
		r.Why = &why
	}
	return nil
}

// due reports whether a job that waits only waits to be taken.
func due(r *usher.Record, now time.Time) bool {
	if r.Retry != nil {
		return !now.Before(r.Retry.At)
	}
	return r.Why != nil && *r.Why == usher.WaitsForSlot
}

// pause is a lane's; nil where it is not paused.
func (h *holdups) pause(ctx context.Context, lane Lane) (*Pause, error) {
	if h.pauses == nil {
		pauses := map[Lane]*Pause{}
		for _, lane := range Lanes() {
			p, err := h.q.paused(ctx, lane)
			if err != nil {
				return nil, err
			}
			pauses[lane] = p
		}
		h.pauses = pauses
	}
	return h.pauses[lane], nil
}

// why is what jobs wait for that nobody takes from a lane.
func (h *holdups) why(ctx context.Context, lane Lane) (string, error) {
	if _, looked := h.idle[lane]; !looked {
		stream, _ := h.q.names.lane(lane)
		consumer, err := h.q.js.Consumer(ctx, stream, string(lane))
		if err != nil {
			return "", fmt.Errorf("read lane %s: %w", lane, err)
		}
		h.idle[lane] = consumer.CachedInfo().NumWaiting > 0
	}
	if h.idle[lane] {
		return usher.WaitsForSlot, nil
	}
	if !h.asked {
		h.there, h.known = h.q.rollCall(ctx)
		h.asked = true
	}
	if !h.known {
		return usher.WaitsForSlot, nil
	}
	return whyUntaken(lane, h.there), nil
}

// whyUntaken is why none of the workers that are there takes from a lane.
func whyUntaken(lane Lane, there []Presence) string {
	slots, up := 0, 0
	var down *time.Time
	for _, p := range there {
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
	case len(there) == 0:
		return "waits for a worker: none is running"
	case slots == 0:
		return fmt.Sprintf("waits for a worker: none that is running has slots in lane %s", lane)
	case up == 0:
		return fmt.Sprintf("the platform is down since %s: it is asked every 5 s, and jobs are taken again when it answers", down.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("%s: lane %s has %d, all of them taken", usher.WaitsForSlot, lane, up)
}
