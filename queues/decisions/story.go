package decisions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues/audit"
	"usher/queues/status"
)

// Page is an entry of a creative's story: a change, or a decision that was not carried out
// or that still waits.
type Page struct {
	At    time.Time    `json:"at"`
	Audit *usher.Audit `json:"audit,omitempty"` // the change, or the attempt of one

	Decision   *usher.StoredDecision `json:"decision,omitempty"`
	Evaluation string                `json:"evaluation,omitempty"`
	File       string                `json:"file,omitempty"`
	State      usher.EvaluationState `json:"state,omitempty"`
	By         string                `json:"by,omitempty"`      // who approved, rejected or undid the evaluation, or left the decision out
	Outcome    string                `json:"outcome,omitempty"` // what the decision's job did, or that the approval left the decision out

	Approval *Approval `json:"approval,omitempty"` // of the change; nil: it waited for none
	// Together are the campaigns of the decision, if a rule made it on several of them together.
	Together []string `json:"together,omitempty"`
}

// IsOfNumber reports whether the page is about a budget or bid.
func (p Page) IsOfNumber() bool {
	return p.Audit != nil && p.Audit.Bidding != nil || p.Decision != nil && p.Decision.Bidding != nil
}

// Approval says who approved a change that a rule wanted.
type Approval struct {
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"` // of the person
	Wanted string `json:"wanted"`           // why the rule wanted the change
}

// Story is everything on record about a creative.
type Story struct {
	Creative  string         `json:"creative"`
	Campaigns []string       `json:"campaigns"`      // in which it was seen
	Owner     *usher.Change  `json:"owner"`          // the rule's pause, unless a job has changed the creative since
	Changes   []usher.Change `json:"changes"`        // that rules remember
	Kept      *usher.Setting `json:"kept,omitempty"` // who keeps rules from changing it; nil: nobody
	// Stuck is the creative's entry if its order keeps all jobs from setting it.
	Stuck *usher.CreativeEntry `json:"stuck,omitempty"`
	Pages []Page               `json:"pages"` // oldest first
}

// Story returns the story of a creative, or of the budget and the bid of a campaign: the
// audit of 400 days, and the decisions that were not carried out.
func (r *Store) Story(ctx context.Context, creative string) (Story, error) {
	t := storyBuilder{
		store:       r,
		story:       Story{Creative: creative, Campaigns: []string{}, Changes: []usher.Change{}, Pages: []Page{}},
		carriedOut:  map[string]bool{},
		evaluations: map[string]evaluationEntry{},
	}
	for _, step := range []func(context.Context) error{t.addChanges, t.addDecisions, t.addOutcomes, t.addApprovals, t.addTogether, t.addMemory, t.addStuck, t.addKept} {
		if err := step(ctx); err != nil {
			return t.story, err
		}
	}
	slices.SortStableFunc(t.story.Pages, func(a, b Page) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	return t.story, nil
}

// storyBuilder assembles a story.
type storyBuilder struct {
	store       *Store
	story       Story
	carriedOut  map[string]bool // evaluations with a change in the audit
	evaluations map[string]evaluationEntry
}

func (t *storyBuilder) add(campaign string, p Page) {
	if campaign != "" && !slices.Contains(t.story.Campaigns, campaign) {
		t.story.Campaigns = append(t.story.Campaigns, campaign)
	}
	t.story.Pages = append(t.story.Pages, p)
}

// addChanges adds the entries of the audit.
func (t *storyBuilder) addChanges(ctx context.Context) error {
	err := t.store.queue.Audit().Each(ctx, audit.Filter{Campaign: t.story.Creative}, func(a usher.Audit) error {
		if a.Bidding != nil {
			t.carriedOut[a.Evaluation] = true
			t.add(a.Campaign, Page{At: a.At, Audit: &a})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return t.store.queue.Audit().Each(ctx, audit.Filter{Creative: t.story.Creative}, func(a usher.Audit) error {
		t.carriedOut[a.Evaluation] = true
		t.add(a.Campaign, Page{At: a.At, Audit: &a})
		return nil
	})
}

// addDecisions adds the decisions of evaluations that the audit does not mention.
func (t *storyBuilder) addDecisions(ctx context.Context) error {
	err := t.store.eachEntry(ctx, func(_ string, e *evaluationEntry) {
		t.evaluations[e.ID] = *e
		t.addDecisionsOf(e, e.Decisions)
	})
	if err != nil {
		return err
	}
	// A creative belongs to one campaign, so the sets of other campaigns, which are most, are
	// read only if its campaign is not known.
	all := setKey{"*", "*", "*"}
	if len(t.story.Campaigns) == 0 {
		return t.addSets(ctx, all)
	}
	for _, campaign := range slices.Clone(t.story.Campaigns) {
		if err := t.addSets(ctx, all.on(campaign)); err != nil {
			return err
		}
	}
	return nil
}

// addSets adds the decisions in sets.
func (t *storyBuilder) addSets(ctx context.Context, keys setKey) error {
	return t.store.eachDecisionSet(ctx, keys, func(s *decisionSet) {
		// Another set is of an attempt that crashed, and was never valid.
		if e, known := t.evaluations[s.Evaluation]; known && e.Set == s.Set {
			t.addDecisionsOf(&e, s.Decisions)
		}
	})
}

func (t *storyBuilder) addDecisionsOf(e *evaluationEntry, decisions []usher.StoredDecision) {
	markLeft(decisions, e.LeftOut)
	for _, d := range decisions {
		// Of a campaign whose creatives were not read, there is one decision.
		isCampaign := d.Campaign == t.story.Creative && (d.Bidding != nil || d.Creative == "")
		isWhole := d.Creative == "" && d.Bidding == nil && slices.Contains(t.story.Campaigns, d.Campaign)
		if (d.Creative == t.story.Creative || isCampaign || isWhole) && !t.carriedOut[e.ID] {
			p := Page{At: e.At, Decision: &d, Evaluation: e.ID, File: e.File, State: e.State, By: e.By}
			if d.Left {
				p.By = e.LeftOutBy(d.Subject())
			}
			t.add(d.Campaign, p)
		}
	}
}

func (t *storyBuilder) addStuck(ctx context.Context) (err error) {
	t.story.Stuck, err = t.store.queue.Creatives().Stuck(ctx, t.story.Creative)
	return err
}

func (t *storyBuilder) addKept(ctx context.Context) (err error) {
	t.story.Kept, err = t.store.queue.Settings().Get(ctx, usher.RuleKeep, t.story.Creative)
	return err
}

// addOutcomes adds to the decisions what their jobs did.
func (t *storyBuilder) addOutcomes(ctx context.Context) error {
	for i := range t.story.Pages {
		p := &t.story.Pages[i]
		if p.Decision == nil {
			continue
		}
		e := t.evaluations[p.Evaluation]
		var err error
		if p.Outcome, err = t.store.outcome(ctx, &e.Evaluation, p.Decision); err != nil {
			return err
		}
	}
	return nil
}

// outcome describes the job of a decision that changed nothing: its state, and what
// it reports about the creative. Of a decision without a job it says whether the approval
// left it out; otherwise it returns "".
func (r *Store) outcome(ctx context.Context, e *usher.Evaluation, d *usher.StoredDecision) (string, error) {
	if d.Left {
		return "dropped: the approval left it out" + noLonger(e, d), nil
	}
	if e.State == usher.EvaluationHeld && len(e.Approvals) > 0 && d.Approvable() && e.ApprovalOf(d) == 0 {
		return stillHeld(e, d), nil
	}
	kind := d.JobKind(e.ApprovalOf(d) > 0)
	if kind == "" || e.State == usher.EvaluationRejected {
		return "", nil
	}
	_, decisions, err := r.DecisionsOn(ctx, e.ID, d.Campaign, false)
	if err != nil {
		return "", err
	}
	id := jobID(e, kind, d, decisions)
	record, err := r.queue.Status().Record(ctx, id)
	if errors.Is(err, status.ErrNoJob) {
		return "job " + id + " has not begun", nil
	}
	if err != nil {
		return "", err
	}
	if !carriesOut(&record, e.ID) {
		return "job " + id + " was not carried out: another job had its id before", nil
	}
	parts := []string{fmt.Sprintf("job %s is %s", id, record.State)}
	for _, w := range record.Warnings {
		if d.Bidding != nil || readable.Mentions(w.Description, d.Creative) { // a job changes one number
			parts = append(parts, w.Description)
		}
	}
	switch {
	case record.Error != nil:
		parts = append(parts, record.Error.Message)
	case record.Why != nil:
		parts = append(parts, *record.Why)
	}
	return strings.Join(parts, ": "), nil
}

// stillHeld says that a decision stayed held at the last approval, because it was UNKNOWN then.
func stillHeld(e *usher.Evaluation, d *usher.StoredDecision) string {
	text := e.Approvals[len(e.Approvals)-1].By + " approved the run, but this stays held"
	for _, w := range slices.Backward(e.Warnings) {
		if _, why, found := strings.Cut(w.Description, " of "+d.Subject()+" stays held: "); found && w.Code == usher.WarnUnknown {
			return text + ": " + why
		}
	}
	return text
}

// noLonger says that a decision was left out of an approval because the rules no longer wanted it, or
// because the number was changed since.
func noLonger(e *usher.Evaluation, d *usher.StoredDecision) string {
	for i := range e.Warnings {
		if w := &e.Warnings[i]; (w.Code == usher.WarnNoLonger || w.Code == usher.WarnChangedMeanwhile) && strings.Contains(w.Description, " of "+d.Subject()+" ") {
			return ", because the " + w.Description
		}
	}
	return ""
}

// carriesOut reports whether the job on record is of an evaluation.
func carriesOut(r *usher.Record, evaluation string) bool {
	var job struct {
		Evaluation string `json:"evaluation"`
	}
	return json.Unmarshal(r.Job, &job) == nil && job.Evaluation == evaluation
}

// addMemory adds what rules remember of the creative.
func (t *storyBuilder) addMemory(ctx context.Context) error {
	memory, err := t.store.Memory(ctx, t.story.Campaigns)
	if err != nil {
		return err
	}
	s := &t.story
	for _, campaign := range s.Campaigns {
		s.Changes = append(s.Changes, memory[campaign][s.Creative]...)
		for _, field := range usher.BiddingFields() {
			if campaign == s.Creative {
				s.Changes = append(s.Changes, memory[campaign][field.MemoryKey()]...)
			}
		}
	}
	if n := len(s.Changes); n > 0 {
		last := s.Changes[n-1]
		if last.Rule != "" && last.After == inactive && !slices.ContainsFunc(s.Pages, func(p Page) bool { return p.changedAfter(&last) }) {
			s.Owner = &last
		}
	}
	return nil
}

// addApprovals adds to changes who approved them.
func (t *storyBuilder) addApprovals(ctx context.Context) error {
	for i := range t.story.Pages {
		p := &t.story.Pages[i]
		if p.Audit == nil {
			continue
		}
		if e := t.evaluations[p.Audit.Evaluation]; e.State != usher.EvaluationApproved && len(e.Approvals) == 0 {
			continue
		}
		e, decisions, err := t.store.DecisionsOn(ctx, p.Audit.Evaluation, p.Audit.Campaign, false)
		if err != nil {
			return err
		}
		key := memoryKeyOf(p.Audit)
		for k := range decisions {
			d := &decisions[k]
			number := e.ApprovalOf(d)
			if d.MemoryKey() != key || number == 0 {
				continue
			}
			p.Approval = &Approval{By: e.By, Reason: e.Reason, Wanted: d.Condition()}
			if number <= len(e.Approvals) { // it was not the last one
				p.Approval.By, p.Approval.Reason = e.Approvals[number-1].By, e.Approvals[number-1].Reason
			}
		}
	}
	return nil
}

// addTogether adds to decisions, and to the changes that carried them out, the campaigns on which the
// rule made them together.
func (t *storyBuilder) addTogether(ctx context.Context) error {
	for i := range t.story.Pages {
		p := &t.story.Pages[i]
		id, d := p.Evaluation, p.Decision
		if p.Audit != nil {
			var err error
			if id = p.Audit.Evaluation; t.evaluations[id].ID == "" {
				continue
			}
			if d, err = t.decisionOf(ctx, p.Audit); err != nil {
				return err
			}
		}
		if d == nil || d.Level == "" {
			continue
		}
		all, err := t.store.Decisions(ctx, id)
		if err != nil {
			return err
		}
		for k := range all { // in the order of campaigns
			if c := all[k].Campaign; d.IsOneWith(&all[k].Decision) && !slices.Contains(p.Together, c) {
				p.Together = append(p.Together, c)
			}
		}
	}
	return nil
}

// decisionOf returns the decision that a change carried out; nil if it is not kept.
func (t *storyBuilder) decisionOf(ctx context.Context, a *usher.Audit) (*usher.StoredDecision, error) {
	_, decisions, err := t.store.DecisionsOn(ctx, a.Evaluation, a.Campaign, false)
	if err != nil {
		return nil, err
	}
	key := memoryKeyOf(a)
	if k := slices.IndexFunc(decisions, func(d usher.StoredDecision) bool { return d.MemoryKey() == key }); k >= 0 {
		return &decisions[k], nil
	}
	return nil, nil
}

// changedAfter reports whether the page is a later change of the creative's status by another
// job.
func (p *Page) changedAfter(c *usher.Change) bool {
	return p.Audit != nil && changesStatus(p.Audit) && p.Audit.Job != c.Job && p.Audit.At.After(c.At)
}

// changesStatus reports whether an audit entry is a change of a creative's status.
func changesStatus(a *usher.Audit) bool {
	return a.Bidding == nil && a.Before != a.After && a.After == a.Wanted && a.Job != ""
}
