package letters

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"usher"
	"usher/queues"
	"usher/queues/schema"
)

// FixPlan is what a fix would do: change the jobs of letters, and replay them.
type FixPlan struct {
	Filter  Filter   // matches these letters and none that is written later
	Count   int      // jobs that would be published as their next run
	Changed int      // how many of them the change alters
	Refused int      // letters whose jobs would be invalid after the change
	Why     string   // why the first of them would be
	Sample  []Edited // the oldest of the jobs that would be published
	LeftOut Skips    // letters that a replay would skip

	Groups []usher.LetterGroup // all letters that match, by cause
}

// fixSample is how many jobs a FixPlan shows.
const fixSample = 3

// PlanFix reports what a change of the letters that match and a replay of the changed letters
// would do. A nil change alters nothing. PlanFix changes nothing.
func (ls *Letters) PlanFix(ctx context.Context, f Filter, change Change, o ReplayOptions) (FixPlan, error) {
	plan := FixPlan{LeftOut: Skips{Letters: []Skip{}}}
	var err error
	if plan.Filter, err = ls.bounded(ctx, f); err != nil {
		return plan, err
	}
	if change == nil {
		change = func(_ usher.Kind, shown json.RawMessage) (json.RawMessage, error) { return shown, nil }
	}
	objections := objections{Letters: ls, options: o}
	causes := groups{now: ls.queue.Now()}
	var mu sync.Mutex
	err = ls.actOnEach(ctx, plan.Filter, func(ctx context.Context, l *queues.Letter) error {
		next, result, err := ls.change(l, change)
		if err != nil {
			return err
		}
		if next == nil {
			next = l // as it is
		}
		objection, err := objections.to(ctx, next)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		plan.add(l, result, objection)
		causes.add(&l.DeadLetter)
		return nil
	})
	plan.Groups = causes.list()
	return plan, err
}

// Fix is Edit for the letters that a replay then takes, as PlanFix has planned it. The others stay as
// they are.
func (ls *Letters) Fix(ctx context.Context, f Filter, change Change, o ReplayOptions, visit func(Edited)) error {
	objections := objections{Letters: ls, options: o}
	return ls.edit(ctx, f, change, o.Act, func(ctx context.Context, l *queues.Letter) (bool, error) {
		objection, err := objections.to(ctx, l)
		return objection.reason == "", err
	}, visit)
}

func (p *FixPlan) add(l *queues.Letter, result Edited, o objection) {
	switch {
	case len(result.Issues) > 0:
		if p.Refused++; p.Why == "" {
			p.Why = schema.Describe(result.Issues)
		}
	case o.reason != "":
		p.LeftOut.add(l, o)
	default:
		p.Count++
		if len(result.Fields) > 0 {
			p.Changed++
		}
		at, _ := slices.BinarySearchFunc(p.Sample, l.Seq, func(e Edited, seq uint64) int { return cmp.Compare(e.Seq, seq) })
		p.Sample = slices.Insert(p.Sample, at, result)
		p.Sample = p.Sample[:min(len(p.Sample), fixSample)]
	}
}
