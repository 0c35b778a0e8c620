package queues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/store"
)

// inactive is the platform's status of a creative that is paused.
const inactive = "INACTIVE"

// Page is one entry of a creative's history: what was done to it, or what rules
// decided without doing it.
type Page struct {
	At    time.Time    `json:"at"`
	Audit *usher.Audit `json:"audit,omitempty"` // it was changed, or was to be

	// Or a decision that was not, or not yet, carried out.
	Decision   *usher.Ruling         `json:"decision,omitempty"`
	Evaluation string                `json:"evaluation,omitempty"`
	File       string                `json:"file,omitempty"`
	State      usher.EvaluationState `json:"state,omitempty"`
	By         string                `json:"by,omitempty"`      // who approved, rejected or undid
	Outcome    string                `json:"outcome,omitempty"` // what its job came to, where one was to carry it out
}

// Story is all that is on record of a creative, oldest first.
type Story struct {
	Creative  string         `json:"creative"`
	Campaigns []string       `json:"campaigns"` // that it was seen in
	Owner     *usher.Change  `json:"owner"`     // the rule that paused it, as long as nobody touched it since
	Changes   []usher.Change `json:"changes"`   // that rules remember
	Pages     []Page         `json:"pages"`
}

// Why is the story of a creative: the audit of 400 days, and what rules decided
// and did not do.
func (q *Queue) Why(ctx context.Context, creative string) (Story, error) {
	s := Story{Creative: creative, Campaigns: []string{}, Changes: []usher.Change{}, Pages: []Page{}}
	carried := map[string]bool{}
	seen := func(campaign string) {
		if !slices.Contains(s.Campaigns, campaign) {
			s.Campaigns = append(s.Campaigns, campaign)
		}
	}
	err := q.Audit().Each(ctx, AuditFilter{Creative: creative}, func(a usher.Audit) error {
		seen(a.Campaign)
		carried[a.Evaluation] = true
		s.Pages = append(s.Pages, Page{At: a.At, Audit: &a})
		return nil
	})
	if err != nil {
		return s, err
	}
	states := map[string]evaluationEntry{}
	err = q.rules.Each(ctx, "evaluations.*", func(entry *store.Entry) error {
		var e evaluationEntry
		if err := entry.Decode(&e); err != nil {
			return err
		}
		states[e.ID] = e
		return nil
	})
	if err != nil {
		return s, err
	}
	tell := func(e *evaluationEntry, decisions []usher.Ruling) {
		for _, d := range decisions {
			if d.Creative == creative && !carried[e.ID] {
				seen(d.Campaign)
				s.Pages = append(s.Pages, Page{At: e.At, Decision: &d, Evaluation: e.ID, File: e.File, State: e.State, By: e.By})
			}
		}
	}
	for _, e := range states {
		tell(&e, e.Decisions)
	}
	err = q.eachDecisionSet(ctx, pattern{"*", "*", "*"}, func(set *decisionSet) error {
		// Else it is of an attempt that a crash ended, and never held.
		if e, known := states[set.Evaluation]; known && e.Set == set.Set {
			tell(&e, set.Decisions)
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	for i := range s.Pages {
		if p := &s.Pages[i]; p.Decision != nil {
			e := states[p.Evaluation]
			if p.Outcome, err = q.outcome(ctx, &e.Evaluation, p.Decision); err != nil {
				return s, err
			}
		}
	}
	slices.SortStableFunc(s.Pages, func(a, b Page) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	return s, q.remembered(ctx, &s)
}

// outcome is what became of a decision that nothing was audited of: how its job
// stands, and what the job said of the creative. It is "" where no job was to
// carry it out.
func (q *Queue) outcome(ctx context.Context, e *usher.Evaluation, d *usher.Ruling) (string, error) {
	orders := ordersOf(e, []usher.Ruling{*d})
	if len(orders) == 0 || e.State == usher.EvaluationRejected {
		return "", nil
	}
	id := orders[0].job.ID
	r, err := q.Record(ctx, id)
	if errors.Is(err, ErrNoJob) {
		return "job " + id + " has not begun", nil
	}
	if err != nil {
		return "", err
	}
	says := []string{fmt.Sprintf("job %s is %s", id, r.State)}
	for _, w := range r.Warnings {
		if slices.Contains(strings.FieldsFunc(w.Description, func(c rune) bool { return c == ' ' || c == ',' || c == ':' }), d.Creative) {
			says = append(says, w.Description)
		}
	}
	switch {
	case r.Error != nil:
		says = append(says, r.Error.Message)
	case r.Why != nil:
		says = append(says, *r.Why)
	}
	return strings.Join(says, ": "), nil
}

// remembered adds what rules remember of the creative.
func (q *Queue) remembered(ctx context.Context, s *Story) error {
	memory, err := q.Memory(ctx, s.Campaigns)
	if err != nil {
		return err
	}
	for _, campaign := range s.Campaigns {
		s.Changes = append(s.Changes, memory[campaign][s.Creative]...)
	}
	if n := len(s.Changes); n > 0 {
		last := s.Changes[n-1]
		if last.Rule != "" && last.After == inactive {
			s.Owner = &last
		}
	}
	return nil
}
