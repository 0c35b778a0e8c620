package console

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
)

// Rules are the rule files in force, and what they decided.
type Rules interface {
	Sets() []*rules.Set
	// LastTick is when a rule was evaluated last by its schedule; nil: never.
	LastTick(ctx context.Context, file, rule string) (*time.Time, error)
	// Evaluations are the newest runs, at most limit.
	Evaluations(ctx context.Context, limit int) ([]usher.Evaluation, error)
	// Evaluation is one run and what is kept of its decisions; of an unknown one
	// the error is a *Refusal.
	Evaluation(ctx context.Context, id string) (usher.Evaluation, []usher.Ruling, error)
	// Backtest tries a set on days that have passed, YYYY-MM-DD.
	Backtest(ctx context.Context, set *rules.Set, from, to string) (*rules.Outcome, error)
}

// Judges say what becomes of a run: an unknown one, or one that is not held, is
// a *Refusal.
type Judges interface {
	Approve(ctx context.Context, id, reason string, by User) error
	Reject(ctx context.Context, id, reason string, by User) error
	// Undo takes back what a run changed and nobody touched since. It returns
	// the run that does so, "" where there is nothing to undo, and what is left.
	Undo(ctx context.Context, id, reason string, by User) (undo string, left []string, err error)
	// Why is all that is on record of a creative, oldest first.
	Why(ctx context.Context, creative string) (Story, error)
}

// Story is what was done to a creative, and what was decided and not done.
type Story struct {
	Creative string        `json:"creative"`
	Owner    *usher.Change `json:"owner"` // the rule that paused it, while nobody touched it since
	Pages    []StoryPage   `json:"pages"`
}

// StoryPage is one entry: an audit, or a decision.
type StoryPage struct {
	At         time.Time             `json:"at"`
	Audit      *usher.Audit          `json:"audit,omitempty"`
	Decision   *usher.Ruling         `json:"decision,omitempty"`
	Evaluation string                `json:"evaluation,omitempty"`
	File       string                `json:"file,omitempty"`
	State      usher.EvaluationState `json:"state,omitempty"`
	By         string                `json:"by,omitempty"`
	Outcome    string                `json:"outcome,omitempty"`
}

// Bounds of what the pages show of rules, and of a backtest's time.
const (
	runsMost      = 100
	decisionsMost = 2000
	backtestTime  = 5 * time.Minute
)

// ruleRow is a rule in the list.
type ruleRow struct {
	Name     string     `json:"name"` // <file>/<rule>
	File     string     `json:"file"`
	Account  string     `json:"account"`
	Scope    string     `json:"scope"`
	Window   string     `json:"window"`
	Mode     rules.Mode `json:"mode"`
	Pause    string     `json:"pause"`
	Resume   string     `json:"resume,omitempty"`
	Schedule string     `json:"schedule,omitempty"`
	Last     *time.Time `json:"last"`
	Next     *time.Time `json:"next"`
	Says     string     `json:"says"` // in a line
}

func (c *Console) ruleRow(ctx context.Context, set *rules.Set, rule *rules.Rule) (ruleRow, error) {
	row := ruleRow{
		Name: set.Key(rule.Name), File: set.Name, Account: set.Account, Window: rule.Window.String(), Mode: rule.Mode,
		Scope: strings.Join(rule.Scope.Campaigns, ", "), Pause: rule.Pause.Source,
	}
	if len(rule.Scope.Exclude) > 0 {
		row.Scope += " but not " + strings.Join(rule.Scope.Exclude, ", ")
	}
	row.Says = "pauses when " + row.Pause + ", " + row.Window
	if rule.Resume != nil {
		row.Resume = rule.Resume.Source
	}
	if rule.Schedule == nil {
		return row, nil
	}
	row.Schedule = rule.Schedule.String() + " " + set.Zone.String()
	if next := rule.Schedule.Next(c.Now()); !next.IsZero() {
		row.Next = &next
	}
	var err error
	row.Last, err = c.Rules.LastTick(ctx, set.Name, rule.Name)
	return row, err
}

// rulesPage is all rules and their newest runs.
type rulesPage struct {
	Rules   []ruleRow          `json:"rules"`
	Runs    []usher.Evaluation `json:"runs"`
	Stopped *string            `json:"stopped"` // why; null: they are not
}

func (c *Console) rules(ctx context.Context, _ *http.Request, _ User) (any, error) {
	page := rulesPage{Rules: []ruleRow{}}
	for _, set := range c.Rules.Sets() {
		for _, rule := range set.Rules {
			row, err := c.ruleRow(ctx, set, rule)
			if err != nil {
				return nil, err
			}
			page.Rules = append(page.Rules, row)
		}
	}
	var err error
	if page.Runs, err = c.runs.get(ctx); err != nil {
		return nil, err
	}
	reason, stopped, err := c.Fleet.Stopped(ctx)
	if stopped {
		page.Stopped = &reason
	}
	return page, err
}

// covering are the rules whose scope has a campaign in it.
func (c *Console) covering(ctx context.Context, campaign string) ([]ruleRow, error) {
	rows := []ruleRow{}
	for _, set := range c.Rules.Sets() {
		for _, rule := range set.Rules {
			if !set.Covers(campaign, []string{rule.Name}) {
				continue
			}
			row, err := c.ruleRow(ctx, set, rule)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// runPage is a run and its decisions, those that change something first.
type runPage struct {
	Run       usher.Evaluation `json:"run"`
	Decisions []usher.Ruling   `json:"decisions"`
	More      int              `json:"more"` // decisions that are not shown
}

func (c *Console) run(ctx context.Context, req *http.Request, _ User) (any, error) {
	run, decisions, err := c.Rules.Evaluation(ctx, req.PathValue("id"))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(decisions, func(a, b usher.Ruling) int { return rank(a.Action) - rank(b.Action) })
	page := runPage{Run: run, Decisions: decisions, More: max(len(decisions)-decisionsMost, 0)}
	page.Decisions = append([]usher.Ruling{}, decisions[:len(decisions)-page.More]...)
	return page, nil
}

// rank orders actions by what people look for.
func rank(a usher.Action) int {
	return slices.Index([]usher.Action{usher.Pause, usher.Resume, usher.Held, usher.Unknown, usher.None}, a)
}

func (c *Console) approve(ctx context.Context, req *http.Request, user User) (any, error) {
	return c.judge(ctx, req, user, c.Judges.Approve)
}

func (c *Console) reject(ctx context.Context, req *http.Request, user User) (any, error) {
	return c.judge(ctx, req, user, c.Judges.Reject)
}

func (c *Console) judge(ctx context.Context, req *http.Request, user User, say func(context.Context, string, string, User) error) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	return struct{}{}, c.turned(say(ctx, req.PathValue("id"), in.Reason, user))
}

func (c *Console) undo(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	if err := said(in.Reason); err != nil {
		return nil, err
	}
	id, left, err := c.Judges.Undo(ctx, req.PathValue("id"), in.Reason, user)
	return map[string]any{"undo": id, "left": append([]string{}, left...)}, c.turned(err)
}

func (c *Console) why(ctx context.Context, req *http.Request, _ User) (any, error) {
	return c.Judges.Why(ctx, req.PathValue("creative"))
}

// backtest tries the rules of a file on days that have passed. What it read may
// be much: only decisions that change something are answered.
func (c *Console) backtest(w http.ResponseWriter, req *http.Request, _ User) error {
	q := req.URL.Query()
	for _, name := range []string{"from", "to"} {
		if _, err := time.Parse(time.DateOnly, q.Get(name)); err != nil {
			return refuse(http.StatusBadRequest, "%s is a date, as in 2026-03-01", name)
		}
	}
	if q.Get("to") < q.Get("from") {
		return refuse(http.StatusBadRequest, "the last day lies before the first")
	}
	sets := c.Rules.Sets()
	i := slices.IndexFunc(sets, func(s *rules.Set) bool { return s.Name == q.Get("file") })
	if i < 0 {
		return refuse(http.StatusNotFound, "there is no rule file %q", q.Get("file"))
	}
	ctx, cancel := context.WithTimeout(req.Context(), backtestTime)
	defer cancel()
	outcome, err := c.Rules.Backtest(ctx, sets[i], q.Get("from"), q.Get("to"))
	if err != nil {
		return err
	}
	outcome.Decisions = slices.DeleteFunc(outcome.Decisions, func(d usher.Decision) bool { return d.Action == usher.None || d.Action == usher.Unknown })
	outcome.Decisions = append([]usher.Decision{}, outcome.Decisions[:min(len(outcome.Decisions), decisionsMost)]...)
	return writeJSON(w, http.StatusOK, outcome)
}
