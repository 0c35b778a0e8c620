package console

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/queues/decisions"
)

// runPage is a run and its decisions. Decisions that change something come first.
type runPage struct {
	Run       *usher.Evaluation      `json:"run"`           // null: there are no decisions of its job
	Job       *runJob                `json:"job,omitempty"` // if Run is null
	Decisions []usher.StoredDecision `json:"decisions"`
	More      int                    `json:"more"` // number of decisions that are not shown
	// Undone are the runs that have undone changes of this one, newest first.
	Undone []usher.Evaluation `json:"undone"`
}

// runJob is a job that is to decide.
type runJob struct {
	State usher.State `json:"state"`
}

func (c *Console) run(ctx context.Context, req *http.Request, _ User) (any, error) {
	id := req.PathValue("id")
	run, err := c.options.Runs.Evaluation(ctx, id)
	if errors.Is(err, decisions.ErrNoEvaluation) {
		if job, failed := c.options.Jobs.Record(ctx, id); failed == nil && job.Kind == usher.RulesEvaluate {
			return runPage{Job: &runJob{job.State}, Decisions: []usher.StoredDecision{}, Undone: []usher.Evaluation{}}, nil
		}
	}
	if err != nil {
		return nil, runError(id, err)
	}
	decisions, err := c.options.Runs.Decisions(ctx, id)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(decisions, func(a, b usher.StoredDecision) int { return rank(a.Action) - rank(b.Action) })
	for i := range decisions {
		if d := &decisions[i]; run.ApprovalOf(d) > 0 {
			d.Reason = d.Condition() // it no longer waits
		}
	}
	page := runPage{Run: &run, More: max(len(decisions)-maxDecisions, 0)}
	page.Decisions = append([]usher.StoredDecision{}, decisions[:len(decisions)-page.More]...)
	all, err := c.runs.get(ctx)
	page.Undone = undoing(all.newest, id)
	return page, err
}

// undoing returns the runs that have undone changes of a run.
func undoing(all []usher.Evaluation, run string) []usher.Evaluation {
	undone := []usher.Evaluation{}
	for i := range all {
		if all[i].UndoOf == run {
			undone = append(undone, all[i])
		}
	}
	return undone
}

// rank orders actions by their importance to people.
func rank(a usher.Action) int {
	return slices.Index(usher.Actions(), a)
}

// runError returns a Refusal if the run does not exist, is not held, or cannot be undone now.
func runError(id string, err error) error {
	switch {
	case errors.Is(err, decisions.ErrNoEvaluation):
		return refuse(http.StatusNotFound, "there is no run %q on record", id)
	case errors.Is(err, decisions.ErrNotHeld):
		return refuse(http.StatusConflict, "run %s does not wait for approval", id)
	case errors.Is(err, decisions.ErrStopped):
		return refuse(http.StatusConflict, "%v", err)
	}
	return err
}

// approve approves a held run, or some of its held decisions.
func (c *Console) approve(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Only []string `json:"only"` // subjects of decisions; null: all
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	id := req.PathValue("id")
	e, err := c.options.Approvals.Approve(ctx, id, user.Name, in.Reason, in.Only)
	isRefused := func(why error) bool { return errors.Is(err, why) }
	if slices.ContainsFunc([]error{decisions.ErrNothingNamed, decisions.ErrNoDecision, decisions.ErrNotApprovable, decisions.ErrTooManyLeft, decisions.ErrOutdated, decisions.ErrUndecided}, isRefused) {
		err = refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	return approved{State: e.State, Warnings: append([]usher.Warning{}, e.Warnings...)}, c.settingsChanged(runError(id, err))
}

// approved is the result of an approval.
type approved struct {
	State    usher.EvaluationState `json:"state"`    // held: a part of it could not be decided now
	Warnings []usher.Warning       `json:"warnings"` // what was not carried out
}

// runRule publishes a job that evaluates a rule file, or one rule of it, now.
func (c *Console) runRule(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		File string `json:"file"`
		Rule string `json:"rule"`
	}](req)
	if err != nil {
		return nil, err
	}
	job := usher.Job{ID: "run-" + strings.ToLower(rand.Text()[:10]), Rules: in.File, Rule: in.Rule}
	return c.submitFor(ctx, user, usher.RulesEvaluate, &job, "rule "+strings.TrimSuffix(in.File+"/"+in.Rule, "/")+" run now")
}

// reject rejects a held run.
func (c *Console) reject(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	id := req.PathValue("id")
	_, err = c.options.Approvals.Reject(ctx, id, user.Name, in.Reason)
	return struct{}{}, c.settingsChanged(runError(id, err))
}

// undone is the result of an undo.
type undone struct {
	Undo string   `json:"undo"` // the run that undoes the changes; "" if there is nothing to undo
	Left []string `json:"left"` // the creatives that are not changed, each with the reason
}

func (c *Console) undo(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	id := req.PathValue("id")
	run, left, err := c.options.Approvals.Undo(ctx, id, user.Name, in.Reason)
	out := undone{Undo: run.ID, Left: []string{}}
	if err != nil {
		out.Undo = ""
	}
	for _, l := range left {
		name := l.Creative
		if l.Field != "" {
			name = "the " + l.Field.String() + " of " + l.Campaign
		}
		out.Left = append(out.Left, name+" "+l.Why)
	}
	return out, c.settingsChanged(runError(id, err))
}

// story is the history of a creative, or of the budget and bid of a campaign.
type story struct {
	Creative  string           `json:"creative"`
	Campaigns []string         `json:"campaigns"` // campaigns in which it was seen; for a budget and bid, the campaign itself
	Owner     *usher.Change    `json:"owner"`     // the pause by a rule; nil if somebody has changed the creative since
	Resumes   *bool            `json:"resumes"`   // whether that rule resumes what it has paused; nil: no rule has paused it, or no worker has the rule
	Kept      *usher.Setting   `json:"kept"`      // who keeps rules from it; null: nobody
	Rules     []ruleRow        `json:"rules"`     // those that may change it
	Pages     []decisions.Page `json:"pages"`
}

func (c *Console) why(ctx context.Context, req *http.Request, _ User) (any, error) {
	s, err := c.options.Runs.Story(ctx, req.PathValue("creative"))
	for _, p := range s.Pages {
		if p.Audit != nil {
			p.Audit.Definitions = nil // they are long, and the page does not show them
		}
	}
	if err != nil {
		return nil, err
	}
	if campaign := req.URL.Query().Get("campaign"); campaign != "" && len(s.Campaigns) == 0 {
		s.Campaigns = append(s.Campaigns, campaign)
	}
	covering := []ruleRow{}
	for _, campaign := range s.Campaigns {
		rows, err := c.ruleRows(ctx, campaign)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			if c.mayTouch(&rows[i], campaign, s.Creative) {
				covering = append(covering, rows[i])
			}
		}
	}
	return story{Creative: s.Creative, Campaigns: s.Campaigns, Owner: s.Owner, Resumes: c.resumes(s.Owner), Kept: s.Kept, Rules: covering, Pages: s.Pages}, nil
}

// mayTouch reports whether a rule may change a creative of a campaign or, if they have the same code, the
// campaign's budget or bid. The type of the creative is not known here, so no rule is left out by it.
func (c *Console) mayTouch(row *ruleRow, campaign, creative string) bool {
	if (row.Bidding != nil) != (campaign == creative) {
		return false
	}
	for _, set := range c.options.Rules.All() {
		rule := set.Find(strings.TrimPrefix(row.Name, set.Name+"/"))
		if set.Name == row.File && rule != nil {
			return rule.Bidding != nil || set.Has(rules.Creative{Campaign: campaign, Code: creative, Type: rules.AnyType}, []string{rule.Name}, time.Time{})
		}
	}
	return false
}

// resumes reports whether the rule that has paused a creative resumes it.
func (c *Console) resumes(owner *usher.Change) *bool {
	if owner == nil {
		return nil
	}
	for _, set := range c.options.Rules.All() {
		if rule := set.Owner(owner.File + "/" + owner.Rule); rule != nil {
			resumes := rule.Resumes(owner.Cause)
			return &resumes
		}
	}
	return nil
}
