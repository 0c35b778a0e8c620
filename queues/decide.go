package queues

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/store"
)

// An evaluation lies in the rules bucket: its decisions first, a value a
// campaign, then the evaluation itself, which makes them hold: the first one
// written wins. Whoever decides it a second time (a redelivery, or a worker
// that has lost its lease) finds it and carries out that one, so that a crash
// makes no second set of decisions.
//
// Only decisions that somebody may ask about are kept, see worthKeeping.

// ErrNoEvaluation means that no evaluation of that id is on record.
var ErrNoEvaluation = errors.New("no such evaluation")

// evaluationEntry is an evaluation as it is kept.
// Key evaluations.<id>.
type evaluationEntry struct {
	usher.Evaluation
	Set string `json:"set"` // names the decisions that hold
	// Decisions are those, where they are few and on one campaign, as an event's
	// are: that is one write less on the way of a pause.
	Decisions []usher.Ruling `json:"decisions,omitempty"`
}

// inlineMost is up to how many decisions lie with their evaluation.
const inlineMost = 50

// decisionSet are the decisions on one campaign.
// Key decisions.<evaluation>.<campaign>.<set>.
type decisionSet struct {
	Evaluation string         `json:"evaluation"`
	Set        string         `json:"set"`
	File       string         `json:"file"`
	At         time.Time      `json:"at"`
	Decisions  []usher.Ruling `json:"decisions"`
}

// Decide records an evaluation and its decisions, and publishes the jobs that
// carry them out. Where the evaluation is on record, that one holds.
func (q *Queue) Decide(ctx context.Context, e usher.Evaluation, decisions []usher.Ruling) (usher.Evaluation, error) {
	kept := worthKeeping(decisions)
	orders := ordersOf(&e, kept)
	e.Jobs = orders.ids()
	entry := evaluationEntry{Evaluation: e, Set: rand.Text()[:8]}
	campaigns := map[string]bool{}
	for _, d := range kept {
		campaigns[d.Campaign] = true
	}
	if len(campaigns) <= 1 && len(kept) <= inlineMost {
		entry.Decisions = kept
	} else if err := q.keepDecisions(ctx, &entry, kept); err != nil {
		return e, err
	}
	_, err := q.rules.CompareAndSet(ctx, evaluationKey(e.ID), &entry, 0)
	if errors.Is(err, store.ErrConflict) {
		if e, err = q.Evaluation(ctx, e.ID); err != nil {
			return e, err
		}
		return e, q.Enact(ctx, e)
	}
	if err != nil {
		return e, err
	}
	for _, d := range decisions {
		q.metrics.decisions.WithLabelValues(string(d.Action)).Inc()
	}
	return e, q.publishOrders(ctx, orders)
}

func (q *Queue) keepDecisions(ctx context.Context, e *evaluationEntry, kept []usher.Ruling) error {
	where := decisionsOf(e.ID, e.Set)
	for campaign, some := range byCampaign(kept) {
		set := decisionSet{Evaluation: e.ID, Set: e.Set, File: e.File, At: e.At, Decisions: some}
		if _, err := q.rules.CompareAndSet(ctx, where.of(campaign), &set, 0); err != nil {
			return fmt.Errorf("keep decisions of evaluation %s: %w", e.ID, err)
		}
	}
	return nil
}

// remarksMost is how many decisions that change nothing are kept of an
// evaluation.
const remarksMost = 1000

// worthKeeping are the decisions that act or would, and some of the others
// that say more than that a condition was not met. A run over 100,000
// creatives that changes nothing is a few kilobytes.
func worthKeeping(decisions []usher.Ruling) []usher.Ruling {
	var kept []usher.Ruling
	remarks := 0
	for _, d := range decisions {
		switch {
		case d.Action == usher.Pause, d.Action == usher.Resume, d.Action == usher.Held:
		case remarks < remarksMost && (d.Action != usher.None || d.Guard != ""):
			remarks++
		default:
			continue
		}
		kept = append(kept, d)
	}
	return kept
}

// byCampaign yields decisions by campaign, in the order of the codes.
func byCampaign(decisions []usher.Ruling) func(yield func(string, []usher.Ruling) bool) {
	all := map[string][]usher.Ruling{}
	for _, d := range decisions {
		all[d.Campaign] = append(all[d.Campaign], d)
	}
	return func(yield func(string, []usher.Ruling) bool) {
		for _, campaign := range slices.Sorted(maps.Keys(all)) {
			if !yield(campaign, all[campaign]) {
				return
			}
		}
	}
}

// Evaluation is one of them; ErrNoEvaluation where there is none.
func (q *Queue) Evaluation(ctx context.Context, id string) (usher.Evaluation, error) {
	e, err := q.evaluation(ctx, id)
	return e.Evaluation, err
}

// Evaluated is an evaluation, if it is on record.
func (q *Queue) Evaluated(ctx context.Context, id string) (e usher.Evaluation, found bool, err error) {
	e, err = q.Evaluation(ctx, id)
	if errors.Is(err, ErrNoEvaluation) {
		return e, false, nil
	}
	return e, err == nil, err
}

func (q *Queue) evaluation(ctx context.Context, id string) (evaluationEntry, error) {
	var e evaluationEntry
	_, found, err := q.rules.Get(ctx, evaluationKey(id), &e)
	if err == nil && !found {
		err = fmt.Errorf("evaluation %q: %w", id, ErrNoEvaluation)
	}
	return e, err
}

// Evaluations are those on record, newest first, at most limit where it is not
// 0.
func (q *Queue) Evaluations(ctx context.Context, limit int) ([]usher.Evaluation, error) {
	all := []usher.Evaluation{}
	err := q.rules.Each(ctx, "evaluations.*", func(entry *store.Entry) error {
		var e evaluationEntry
		if err := entry.Decode(&e); err != nil {
			return err
		}
		all = append(all, e.Evaluation)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b usher.Evaluation) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID))
	})
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// Decisions are what is kept of an evaluation's, by campaign and creative.
func (q *Queue) Decisions(ctx context.Context, id string) ([]usher.Ruling, error) {
	e, err := q.evaluation(ctx, id)
	if err != nil {
		return nil, err
	}
	all := append([]usher.Ruling{}, e.Decisions...)
	err = q.eachDecisionSet(ctx, decisionsOf(id, e.Set), func(s *decisionSet) error {
		all = append(all, s.Decisions...)
		return nil
	})
	slices.SortStableFunc(all, func(a, b usher.Ruling) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Creative, b.Creative))
	})
	return all, err
}

func (q *Queue) eachDecisionSet(ctx context.Context, p pattern, visit func(*decisionSet) error) error {
	return q.rules.Each(ctx, p.String(), func(entry *store.Entry) error {
		var s decisionSet
		if err := entry.Decode(&s); err != nil {
			return err
		}
		return visit(&s)
	})
}

// Decided is an evaluation and its decisions on one campaign; none where there
// is no such evaluation.
func (q *Queue) Decided(ctx context.Context, id, campaign string) (usher.Evaluation, []usher.Ruling, error) {
	e, err := q.evaluation(ctx, id)
	if errors.Is(err, ErrNoEvaluation) {
		return usher.Evaluation{}, nil, nil
	}
	if err != nil {
		return usher.Evaluation{}, nil, err
	}
	var s decisionSet
	if len(e.Decisions) == 0 {
		_, _, err = q.rules.Get(ctx, decisionsOf(id, e.Set).of(campaign), &s)
	}
	decisions := slices.DeleteFunc(append(s.Decisions, e.Decisions...), func(d usher.Ruling) bool { return d.Campaign != campaign })
	return e.Evaluation, decisions, err
}
