package letters

import (
	"context"
	"sync"

	"usher/queues"
)

// CallsPerJob is how many calls of the platform a job makes at least.
const CallsPerJob = 2

// ReplayPlan is what a replay of letters would do. Its survey covers the letters
// that would be replayed.
type ReplayPlan struct {
	Survey
	LeftOut Skips `json:"leftOut"`
	// Replayed counts skipped letters that were already replayed. Carrying out the
	// plan deletes them.
	Replayed int `json:"over"`
}

// Skips are letters that a replay leaves where they are.
type Skips struct {
	Count   int    `json:"count"`
	Letters []Skip `json:"letters"` // the first thousand
	// Reasons has how many are skipped for a reason, as far as there are not too many reasons.
	Reasons map[Reason]int `json:"-"`
	// Superseded counts those that are skipped because a newer job has superseded them.
	Superseded int `json:"-"`
}

// Reason is why letters are skipped.
type Reason struct {
	Why        string
	Superseded bool // see Skip
}

// Skip is a letter that a replay leaves where it is.
type Skip struct {
	ID  *string `json:"id"`
	Seq uint64  `json:"seq"`
	Why string  `json:"why"`
	// Superseded says that a newer job has changed the target or the creative since: a forced replay
	// ignores it.
	Superseded bool `json:"-"`
}

// Bounds of Skips.
const (
	maxSkips   = 1000
	maxReasons = 100
)

func (s *Skips) add(l *queues.Letter, o objection) {
	if s.Count++; len(s.Letters) < maxSkips {
		s.Letters = append(s.Letters, Skip{l.ID, l.Seq, o.String(), o.forceable})
	}
	if o.forceable {
		s.Superseded++
	}
	if s.Reasons == nil {
		s.Reasons = map[Reason]int{}
	}
	if why := (Reason{o.reason, o.forceable}); s.Reasons[why] > 0 || len(s.Reasons) < maxReasons {
		s.Reasons[why]++
	}
}

// PlanReplay reports what a replay of the letters that match would do: how many
// jobs it would publish, of what causes, and which letters it would skip. It
// changes nothing.
func (ls *Letters) PlanReplay(ctx context.Context, f Filter, o ReplayOptions) (ReplayPlan, error) {
	plan := ReplayPlan{LeftOut: Skips{Letters: []Skip{}}}
	f, err := ls.bounded(ctx, f)
	if err != nil {
		return plan, err
	}
	objections := objections{Letters: ls, options: o}
	replayable := surveyor{names: ls.queue.Names().Known(ctx)}
	var mu sync.Mutex
	err = ls.actOnEach(ctx, f, func(ctx context.Context, l *queues.Letter) error {
		objection, err := objections.to(ctx, l)
		if err != nil {
			return err
		}
		if objection.reason == "" {
			replayable.add(l)
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		plan.LeftOut.add(l, objection)
		if objection.replayed {
			plan.Replayed++
		}
		return nil
	})
	plan.Survey = replayable.survey(f)
	return plan, err
}
