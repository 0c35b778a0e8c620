package decisions

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/store"
)

// decisionSet holds the decisions of an evaluation on one campaign. Its key is a
// setKey.
type decisionSet struct {
	Evaluation string                 `json:"evaluation"`
	Set        string                 `json:"set"`
	File       string                 `json:"file"`
	At         time.Time              `json:"at"`
	Decisions  []usher.StoredDecision `json:"decisions"`
}

// Valid reports whether usher can have written the set.
func (s *decisionSet) Valid() bool { return s.Evaluation != "" && s.Set != "" }

const (
	// maxInline is the largest number of decisions in an evaluationEntry.
	maxInline = 50
	// maxRemarks is the largest number of decisions that change nothing and are
	// kept of one evaluation.
	maxRemarks = 1000
)

// worthKeeping returns the decisions that change something, those that would if no guard held
// them and their rule did not only notify, and up to maxRemarks of the others that say more
// than that a condition does not hold. So a run over 100,000 creatives that changes nothing
// takes a few kilobytes.
func worthKeeping(decisions []usher.StoredDecision) []usher.StoredDecision {
	var kept []usher.StoredDecision
	remarks := 0
	for _, d := range decisions {
		switch {
		case d.Action.Changes(), d.Action == usher.Held, d.Action == usher.Notify:
		case remarks < maxRemarks && (d.Action != usher.None || d.Guard != ""):
			remarks++
		default:
			continue
		}
		kept = append(kept, d)
	}
	return kept
}

// storeDecisions stores decisions in the entry of their evaluation, or beside it.
func (r *Store) storeDecisions(ctx context.Context, e *evaluationEntry, kept []usher.StoredDecision) error {
	several := slices.ContainsFunc(kept, func(d usher.StoredDecision) bool { return d.Campaign != kept[0].Campaign })
	if !several && len(kept) <= maxInline {
		e.Decisions = kept
		return nil
	}
	for campaign, some := range byCampaign(kept) {
		set := decisionSet{Evaluation: e.ID, Set: e.Set, File: e.File, At: e.At, Decisions: some}
		if _, err := r.bucket.CompareAndSet(ctx, setsOf(e.ID, e.Set).on(campaign).String(), &set, 0); err != nil {
			return fmt.Errorf("keep decisions of evaluation %s: %w", e.ID, err)
		}
	}
	return nil
}

// byCampaign yields decisions by campaign, in the order of the campaigns' codes.
func byCampaign(decisions []usher.StoredDecision) iter.Seq2[string, []usher.StoredDecision] {
	all := map[string][]usher.StoredDecision{}
	for _, d := range decisions {
		all[d.Campaign] = append(all[d.Campaign], d)
	}
	return func(yield func(string, []usher.StoredDecision) bool) {
		for _, campaign := range slices.Sorted(maps.Keys(all)) {
			if !yield(campaign, all[campaign]) {
				return
			}
		}
	}
}

// Decisions returns the kept decisions of an evaluation, by campaign and creative.
func (r *Store) Decisions(ctx context.Context, id string) ([]usher.StoredDecision, error) {
	e, err := r.entry(ctx, id)
	if err != nil {
		return nil, err
	}
	all := append([]usher.StoredDecision{}, e.Decisions...)
	err = r.eachDecisionSet(ctx, setsOf(id, e.Set), func(s *decisionSet) { all = append(all, s.Decisions...) })
	slices.SortStableFunc(all, func(a, b usher.StoredDecision) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Creative, b.Creative))
	})
	markLeft(all, e.LeftOut)
	return all, err
}

// markLeft marks the held decisions that were left out of an approval.
func markLeft(decisions []usher.StoredDecision, leftOut []string) {
	if len(leftOut) == 0 {
		return
	}
	for i := range decisions {
		d := &decisions[i]
		d.Left = d.Approvable() && slices.Contains(leftOut, d.Subject())
	}
}

func (r *Store) eachDecisionSet(ctx context.Context, pattern setKey, visit func(*decisionSet)) error {
	return r.bucket.Each(ctx, pattern.String(), func(stored *store.Entry) error {
		var s decisionSet
		if err := stored.Decode(&s); err != nil {
			return err
		}
		visit(&s)
		return nil
	})
}

// DecisionsOn returns an evaluation and its decisions on one campaign. If there is no
// such evaluation, it returns neither and no error. proven is whether a write proves that they are
// those that are stored now, see store.Bucket.GetProven.
func (r *Store) DecisionsOn(ctx context.Context, id, campaign string, proven bool) (usher.Evaluation, []usher.StoredDecision, error) {
	get := func(key string, v any) (found bool, err error) {
		if proven {
			return r.bucket.GetProven(ctx, key, v)
		}
		_, found, err = r.bucket.Get(ctx, key, v)
		return found, err
	}
	var e evaluationEntry
	if found, err := get(evaluationKey(id), &e); !found || err != nil {
		return usher.Evaluation{}, nil, err
	}
	var s decisionSet
	var err error
	if len(e.Decisions) == 0 {
		_, err = get(setsOf(id, e.Set).on(campaign).String(), &s)
	}
	decisions := slices.DeleteFunc(append(s.Decisions, e.Decisions...), func(d usher.StoredDecision) bool { return d.Campaign != campaign })
	markLeft(decisions, e.LeftOut)
	return e.Evaluation, decisions, err
}

// DecisionsOf is DecisionsOn for a job of the evaluation, on its campaign. The names in the job tell apart
// the decisions that it carries out. A job of too many creatives has no names, and neither has one that
// changes a number: for these, DecisionsOf returns only what the job with this id carries out. Otherwise
// the job of what a person has approved would also carry out what nobody had to approve, and has a job of
// its own.
func (r *Store) DecisionsOf(ctx context.Context, job *usher.Work, proven bool) (usher.Evaluation, []usher.StoredDecision, error) {
	e, decisions, err := r.DecisionsOn(ctx, job.Job.Evaluation, job.Job.Campaign, proven)
	if len(job.Job.Creatives) == 0 {
		decisions = decisionsOfJob(&e, decisions, job.ID)
	}
	return e, decisions, err
}
