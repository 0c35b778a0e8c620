package console

import (
	"context"
	"errors"
	"net/http"
	"time"

	"usher"
	"usher/cmd/usher/internal/account"
	"usher/internal/console"
	"usher/internal/rules"
	"usher/queues/rulings"
)

// consoleRules are the rule files in force and what they decided.
type consoleRules struct{ Parts }

func (r consoleRules) Sets() []*rules.Set { return r.Rules.All() }

func (r consoleRules) LastTick(ctx context.Context, file, rule string) (*time.Time, error) {
	tick, found, err := r.Rulings.LastTick(ctx, file, rule)
	if err != nil || !found || tick.Evaluation == "" {
		return nil, err
	}
	return &tick.At, nil
}

func (r consoleRules) Evaluations(ctx context.Context, limit int) ([]usher.Evaluation, error) {
	return r.Rulings.Evaluations(ctx, limit)
}

func (r consoleRules) Evaluation(ctx context.Context, id string) (usher.Evaluation, []usher.Ruling, error) {
	e, err := r.Rulings.Evaluation(ctx, id)
	if err != nil {
		return e, nil, refusedRun(id, err)
	}
	decisions, err := r.Rulings.Decisions(ctx, id)
	return e, decisions, err
}

// refusedRun says of an error whether it is about the run that was named.
func refusedRun(id string, err error) error {
	switch {
	case errors.Is(err, rulings.ErrNoEvaluation):
		return refused(http.StatusNotFound, "there is no run %q on record", id)
	case errors.Is(err, rulings.ErrNotHeld):
		return refused(http.StatusConflict, "run %s does not wait for approval", id)
	}
	return err
}

func (r consoleRules) Backtest(ctx context.Context, set *rules.Set, from, to string) (*rules.Outcome, error) {
	a, err := account.Read(ctx, r.Clients.Client(set.Account, false), set)
	if err != nil {
		return nil, err
	}
	return a.Backtest(ctx, from, to)
}

func (r consoleRules) Approve(ctx context.Context, id, reason string, by console.User) error {
	_, err := r.Rulings.Approve(ctx, id, by.Name, reason)
	return refusedRun(id, err)
}

func (r consoleRules) Reject(ctx context.Context, id, reason string, by console.User) error {
	_, err := r.Rulings.Reject(ctx, id, by.Name, reason)
	return refusedRun(id, err)
}

func (r consoleRules) Undo(ctx context.Context, id, reason string, by console.User) (string, []string, error) {
	e, left, err := r.Rulings.Undo(ctx, id, by.Name, reason)
	if err != nil {
		return "", nil, refusedRun(id, err)
	}
	var says []string
	for _, l := range left {
		says = append(says, l.Creative+" "+l.Why)
	}
	if e.ID == id {
		return "", says, nil // there was nothing to undo
	}
	return e.ID, says, nil
}

func (r consoleRules) Why(ctx context.Context, creative string) (console.Story, error) {
	s, err := r.Rulings.Why(ctx, creative)
	story := console.Story{Creative: creative, Owner: s.Owner, Pages: []console.StoryPage{}}
	for _, p := range s.Pages {
		story.Pages = append(story.Pages, console.StoryPage(p))
	}
	return story, err
}
