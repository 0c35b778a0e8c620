package console

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
	"usher/queues/settings"
)

// Bounds of the pages and of a backtest.
const (
	maxRuns      = 100
	maxDecisions = 2000
	backtestTime = 5 * time.Minute
)

// ruleRow is a rule in a list.
type ruleRow struct {
	Name     string      `json:"name"` // <file>/<rule>
	File     string      `json:"file"`
	Account  string      `json:"account"`
	Scope    string      `json:"scope"`
	Level    string      `json:"level"` // of which the numbers decide: account, campaign or creative
	Window   string      `json:"window"`
	Extras   []rules.Key `json:"extras"` // the keys of the selection, for, min_age, active_hours and notify
	Mode     rules.Mode  `json:"mode"`
	Pause    string      `json:"pause,omitempty"`
	Hours    string      `json:"activeHours,omitempty"`
	Resume   string      `json:"resume,omitempty"`
	Bidding  *biddingRow `json:"bidding,omitempty"` // null: the rule changes statuses of creatives
	Schedule string      `json:"schedule,omitempty"`
	Last     *time.Time  `json:"last"` // run, of whatever origin; null: none is on record
	Next     *time.Time  `json:"next"`
	Summary  string      `json:"says"` // what the rule changes and when, in one line

	Paused *usher.Setting `json:"paused"` // null: it is not paused
}

// biddingRow is how a rule changes a number of its campaigns.
type biddingRow struct {
	Number   string `json:"number"` // daily budget or maximum bid
	By       string `json:"by"`     // the steps and their bounds
	Decrease string `json:"decrease,omitempty"`
	Increase string `json:"increase,omitempty"`
}

// newBiddingRow returns the row of a rule with budget or bid, and the rule's summary.
func newBiddingRow(rule *rules.Rule) (row *biddingRow, summary string) {
	row = &biddingRow{Number: rule.Bidding.Field.String(), By: rule.Bidding.String()}
	var parts []string
	if rule.Pause != nil {
		row.Decrease = rule.Pause.Source
		parts = append(parts, "decreases the "+row.Number+" when "+row.Decrease)
	}
	if rule.Resume != nil {
		row.Increase = rule.Resume.Source
		parts = append(parts, "increases the "+row.Number+" when "+row.Increase)
	}
	return row, strings.Join(parts, ", ") + ", " + rule.Window.String()
}

func (c *Console) ruleRow(ctx context.Context, set *rules.Set, rule *rules.Rule) (ruleRow, error) {
	row := ruleRow{
		Name: set.Key(rule.Name), File: set.Name, Account: set.Account, Window: rule.Window.String(), Mode: rule.Mode,
		Scope: scopeText(rule.Scope.String()), Level: string(rule.Scope.Level), Extras: append([]rules.Key{}, rule.Extras()...),
	}
	if rule.Bidding != nil {
		row.Bidding, row.Summary = newBiddingRow(rule)
		return row, c.addSchedule(ctx, &row, set, rule)
	}
	var pauses []string
	if rule.Pause == nil {
		row.Window = "" // nothing reads it
	}
	if rule.Hours != nil {
		row.Hours = strings.TrimPrefix(rule.Hours.Describe(), "active_hours ")
		pauses = append(pauses, "outside "+row.Hours)
	}
	if rule.Pause != nil {
		row.Pause = rule.Pause.Source
		pauses = append(pauses, "when "+row.Pause+", "+row.Window)
	}
	verb := "pauses "
	if rule.Mode == rules.Notify {
		verb = "notifies "
	}
	if rule.Scope.Level == figures.AccountLevel {
		verb += "all campaigns in its scope together "
	}
	row.Summary = verb + strings.Join(pauses, " and ")
	if rule.Resume != nil {
		row.Resume = rule.Resume.Source
		row.Summary += ", resumes when " + row.Resume
	}
	if rule.Until != "" {
		row.Summary += ", until " + strings.ReplaceAll(rule.Until, "_", " ")
	}
	return row, c.addSchedule(ctx, &row, set, rule)
}

// scopeText says which campaigns a scope has.
func scopeText(scope string) string {
	if rest, all := strings.CutPrefix(scope, "*"); all && (rest == "" || strings.HasPrefix(rest, " but not ") || strings.HasPrefix(rest, "; ")) {
		return "all campaigns" + rest
	}
	return scope
}

// addSchedule adds when a rule runs next, and when its schedule had it run last. The record of
// that is kept longer than a run that changes nothing.
func (c *Console) addSchedule(ctx context.Context, row *ruleRow, set *rules.Set, rule *rules.Rule) error {
	if rule.Schedule == nil {
		return nil
	}
	row.Schedule = rule.Schedule.String() + " " + set.Zone.String()
	if next := rule.Schedule.Next(c.options.Now()); !next.IsZero() {
		row.Next = &next
	}
	tick, found, err := c.options.Runs.LastTick(ctx, set.Name, rule.Name)
	if found && tick.Evaluation != "" {
		row.Last = &tick.At
	}
	return err
}

// rulesPage is the data of the page of all rules.
type rulesPage struct {
	Rules   []ruleRow          `json:"rules"`
	Runs    []usher.Evaluation `json:"runs"`
	Held    map[string]heldRun `json:"held"`    // the held runs, by id
	Week    []ruleWeek         `json:"week"`    // what each rule did in the last seven days
	Stopped *string            `json:"stopped"` // why campaign actions are stopped; null if they are not
}

func (c *Console) rules(ctx context.Context, _ *http.Request, _ User) (any, error) {
	var page rulesPage
	var err error
	if page.Rules, err = c.ruleRows(ctx, ""); err != nil {
		return nil, err
	}
	runs, err := c.runs.get(ctx)
	if err != nil {
		return nil, err
	}
	page.Runs = runs.newest
	held, err := c.held.get(ctx)
	if err != nil {
		return nil, err
	}
	page.Held = held.runs
	if page.Week, err = c.week(ctx, held.runs, page.Runs); err != nil {
		return nil, err
	}
	stop, err := c.options.Settings.Get(ctx, usher.StopSwitch, "")
	if stop != nil {
		page.Stopped = &stop.Reason
	}
	return page, err
}

// ruleRows returns the rules whose scope includes a campaign, or all if it is "".
func (c *Console) ruleRows(ctx context.Context, campaign string) ([]ruleRow, error) {
	pauses, err := c.options.Settings.List(ctx, usher.RulePause)
	if err != nil {
		return nil, err
	}
	runs, err := c.runs.get(ctx)
	if err != nil {
		return nil, err
	}
	rows := []ruleRow{}
	for _, set := range c.options.Rules.All() {
		for _, rule := range set.Rules {
			if campaign != "" && !set.Covers(campaign, []string{rule.Name}) {
				continue
			}
			row, err := c.ruleRow(ctx, set, rule)
			if err != nil {
				return nil, err
			}
			if pause, ok := pauses[row.Name]; ok {
				row.Paused = &pause
			}
			if last := runs.last(set.Name, rule, row.Paused); row.Last == nil || last.After(*row.Last) {
				row.Last = known(last)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// pauseRule pauses a rule, or lets it decide again.
func (c *Console) pauseRule(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		File string `json:"file"`
		Rule string `json:"rule"`
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	known := slices.ContainsFunc(c.options.Rules.All(), func(s *rules.Set) bool {
		return s.Name == in.File && slices.ContainsFunc(s.Rules, func(r *rules.Rule) bool { return r.Name == in.Rule })
	})
	if !known {
		return nil, refuse(http.StatusNotFound, "there is no rule %s/%s", in.File, in.Rule)
	}
	name, act := in.File+"/"+in.Rule, actOf(user, in.Reason)
	if strings.HasSuffix(req.URL.Path, "/pause") {
		err = c.options.Settings.Set(ctx, usher.Setting{Kind: usher.RulePause, Name: name}, act)
	} else {
		err = c.options.Settings.TakeBack(ctx, usher.RulePause, name, act)
	}
	if errors.Is(err, settings.ErrNotSet) {
		err = refuse(http.StatusConflict, "rule %s/%s is not paused", in.File, in.Rule)
	}
	return struct{}{}, c.settingsChanged(err)
}

// backtest applies a rule file to past days. Its response has only decisions that would
// change something, at most maxDecisions of them.
func (c *Console) backtest(w http.ResponseWriter, req *http.Request, _ User) error {
	q := req.URL.Query()
	for _, name := range []string{"from", "to"} {
		if _, err := time.Parse(time.DateOnly, q.Get(name)); err != nil {
			return refuse(http.StatusBadRequest, "%s must be a date such as 2026-03-01", name)
		}
	}
	if q.Get("to") < q.Get("from") {
		return refuse(http.StatusBadRequest, "the last day is before the first day")
	}
	sets := c.options.Rules.All()
	i := slices.IndexFunc(sets, func(s *rules.Set) bool { return s.Name == q.Get("file") })
	if i < 0 {
		return refuse(http.StatusNotFound, "there is no rule file %q", q.Get("file"))
	}
	ctx, cancel := context.WithTimeout(req.Context(), backtestTime)
	defer cancel()
	outcome, err := c.options.Rules.Backtest(ctx, sets[i], q.Get("from"), q.Get("to"))
	if err != nil {
		return err
	}
	outcome.Decisions = slices.DeleteFunc(outcome.Decisions, func(d usher.Decision) bool { return d.Action == usher.None || d.Action == usher.Unknown })
	outcome.Decisions = append([]usher.Decision{}, outcome.Decisions[:min(len(outcome.Decisions), maxDecisions)]...)
	return writeJSON(w, http.StatusOK, outcome)
}
