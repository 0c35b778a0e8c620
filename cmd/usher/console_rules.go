package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"usher"
	"usher/internal/console"
	"usher/internal/rules"
	"usher/queues"
	"usher/workers"
)

// consoleRules are the rule files in force and what they decided.
type consoleRules struct{ parts }

func (r consoleRules) Sets() []*rules.Set { return r.rules.All() }

func (r consoleRules) LastTick(ctx context.Context, file, rule string) (*time.Time, error) {
	tick, found, err := r.queue.LastTick(ctx, file, rule)
	if err != nil || !found || tick.Evaluation == "" {
		return nil, err
	}
	return &tick.At, nil
}

func (r consoleRules) Evaluations(ctx context.Context, limit int) ([]usher.Evaluation, error) {
	return r.queue.Evaluations(ctx, limit)
}

func (r consoleRules) Evaluation(ctx context.Context, id string) (usher.Evaluation, []usher.Ruling, error) {
	e, err := r.queue.Evaluation(ctx, id)
	if err != nil {
		return e, nil, refusedRun(id, err)
	}
	decisions, err := r.queue.Decisions(ctx, id)
	return e, decisions, err
}

// refusedRun says of an error whether it is about the run that was named.
func refusedRun(id string, err error) error {
	switch {
	case errors.Is(err, queues.ErrNoEvaluation):
		return refused(http.StatusNotFound, "there is no run %q on record", id)
	case errors.Is(err, queues.ErrNotHeld):
		return refused(http.StatusConflict, "run %s does not wait for approval", id)
	}
	return err
}

func (r consoleRules) Backtest(ctx context.Context, set *rules.Set, from, to string) (*rules.Outcome, error) {
	a := &account{set: set, errs: io.Discard, client: r.platform.Client(set.Account, false)}
	all, err := a.client.Campaigns.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("read campaigns of account %s: %w", set.Account, err)
	}
	a.campaigns = slices.DeleteFunc(all, func(code string) bool { return !set.Covers(code, nil) })
	slices.Sort(a.campaigns)
	if a.creatives, err = workers.ReadCreatives(ctx, a.client, a.campaigns); err != nil {
		return nil, err
	}
	return a.backtest(ctx, from, to)
}

func (r consoleRules) Approve(ctx context.Context, id, reason string, by console.User) error {
	_, err := r.queue.Approve(ctx, id, by.Name, reason)
	return refusedRun(id, err)
}

func (r consoleRules) Reject(ctx context.Context, id, reason string, by console.User) error {
	_, err := r.queue.Reject(ctx, id, by.Name, reason)
	return refusedRun(id, err)
}

func (r consoleRules) Undo(ctx context.Context, id, reason string, by console.User) (string, []string, error) {
	e, left, err := r.queue.Undo(ctx, id, by.Name, reason)
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
	s, err := r.queue.Why(ctx, creative)
	story := console.Story{Creative: creative, Owner: s.Owner, Pages: []console.StoryPage{}}
	for _, p := range s.Pages {
		story.Pages = append(story.Pages, console.StoryPage(p))
	}
	return story, err
}
