package console

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/queues/decisions"
)

// weekDays are the days of the summary of what rules did.
const weekDays = 7

// ruleWeek is what a rule did in the last days.
type ruleWeek struct {
	Rule string `json:"rule"` // <file>/<rule>
	decisions.Changes
	Earlier int `json:"earlier"` // its pauses that began before these days and lasted into them
	Held    int `json:"held"`    // runs that wait for approval
	Blind   int `json:"blind"`   // campaigns or creatives on which it cannot decide
}

// week returns what each rule of a file did in the last days, as the audit has it, and what waits.
func (c *Console) week(ctx context.Context, held map[string]heldRun, runs []usher.Evaluation) ([]ruleWeek, error) {
	of := map[string]*ruleWeek{}
	get := func(key string) *ruleWeek {
		if of[key] == nil {
			of[key] = &ruleWeek{Rule: key}
		}
		return of[key]
	}
	activity, err := c.activity.get(ctx)
	if err != nil {
		return nil, err
	}
	for rule, changes := range activity.Rules {
		get(rule).Changes = changes
	}
	for rule, n := range activity.Earlier() {
		get(rule).Earlier = n
	}
	for i := range runs {
		for _, rule := range held[runs[i].ID].Rules {
			get(runs[i].File+"/"+rule).Held++
		}
	}
	blind, err := c.blind.get(ctx)
	for i := range blind {
		if b := &blind[i]; !b.Orphaned && b.TookBack == "" {
			get(b.File + "/" + b.Rule).Blind = b.Count
		}
	}
	list := []ruleWeek{}
	for _, w := range of {
		list = append(list, *w)
	}
	slices.SortFunc(list, func(a, b ruleWeek) int { return strings.Compare(a.Rule, b.Rule) })
	return list, err
}

// loadSaved estimates what the pauses in the activity of rules have saved.
func (c *Console) loadSaved(ctx context.Context) (map[string]*backtest.Saving, error) {
	activity, err := c.activity.get(ctx)
	if err != nil {
		return nil, err
	}
	return c.options.Review.Saved(ctx, &activity)
}

// listSaved returns what rules have saved in the last days. It is not part of the page's data, because it
// reads reports of the platform.
func (c *Console) listSaved(ctx context.Context, _ *http.Request, _ User) (any, error) {
	return c.saved.get(ctx)
}

// previewTime limits a preview, which reads as many reports as a run.
const previewTime = 2 * time.Minute

// preview returns what the rules of a file would do now, and sends nothing. What would not change is
// only counted.
func (c *Console) preview(w http.ResponseWriter, req *http.Request, _ User) error {
	sets := c.options.Rules.All()
	i := slices.IndexFunc(sets, func(s *rules.Set) bool { return s.Name == req.URL.Query().Get("file") })
	if i < 0 {
		return refuse(http.StatusNotFound, "there is no rule file %q", req.URL.Query().Get("file"))
	}
	ctx, cancel := context.WithTimeout(req.Context(), previewTime)
	defer cancel()
	all, err := c.options.Review.Preview(ctx, sets[i])
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return refuse(http.StatusGatewayTimeout, "the preview ended after %s, because the platform's reports were not read by then; a run has more time, and so has usher rules preview FILE", readable.Count(int(previewTime/time.Minute), "minute"))
	}
	if err != nil {
		return err
	}
	page := previewPage{Counts: map[usher.Action]int{}, Guards: map[usher.Guard]int{}, Decisions: []usher.Decision{}}
	for k := range all {
		d := &all[k]
		page.Counts[d.Action]++
		if d.Guard != "" {
			page.Guards[d.Guard]++
		}
		if (d.Action != usher.None || d.Guard == usher.GuardKept) && len(page.Decisions) < maxDecisions {
			page.Decisions = append(page.Decisions, *d)
		}
	}
	slices.SortStableFunc(page.Decisions, func(a, b usher.Decision) int { return rank(a.Action) - rank(b.Action) })
	return writeJSON(w, http.StatusOK, page)
}

// previewPage is what rules would do.
type previewPage struct {
	Counts    map[usher.Action]int `json:"counts"` // of all decisions
	Guards    map[usher.Guard]int  `json:"guards"` // what held decisions, or left them as they are
	Decisions []usher.Decision     `json:"decisions"`
}
