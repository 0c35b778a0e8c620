package console

import (
	"context"
	"errors"
	"net/http"

	"usher"
	"usher/queues/decisions"
)

// reviewPage is what has become of what a run holds for approval.
type reviewPage struct {
	Standing map[string]standing `json:"standing"` // by subject
	Stake    *Stake              `json:"stake"`
	Wrong    string              `json:"wrong,omitempty"` // why the run cannot be approved
}

// standing says whether a held decision is still wanted.
type standing struct {
	Is  decisions.Standing `json:"is"`
	Why string             `json:"why,omitempty"`
}

// review decides again on what a run holds, and changes nothing.
func (c *Console) review(ctx context.Context, req *http.Request, _ User) (any, error) {
	id := req.PathValue("id")
	e, err := c.options.Runs.Evaluation(ctx, id)
	if err != nil {
		return nil, runError(id, err)
	}
	all, err := c.options.Runs.Decisions(ctx, id)
	if err != nil {
		return nil, err
	}
	page := reviewPage{Standing: map[string]standing{}}
	held := decisions.Waiting(&e, all)
	if e.State != usher.EvaluationHeld || len(held) == 0 {
		return page, nil
	}
	now, stake, err := c.options.Review.Approval(ctx, &e, held)
	if errors.Is(err, decisions.ErrOutdated) {
		page.Wrong = err.Error()
		return page, nil
	}
	if err != nil {
		return nil, err
	}
	page.Stake = &stake
	for i := range held {
		is, why := decisions.Compare(&held[i], now)
		page.Standing[held[i].Subject()] = standing{is, why}
	}
	return page, nil
}

// reversals says which rules would pause creatives of a campaign again after a person resumes them.
func (c *Console) reversals(ctx context.Context, req *http.Request, _ User) (any, error) {
	list, err := c.options.Review.Reversals(ctx, req.PathValue("code"), req.URL.Query()["creative"])
	return append([]Reversal{}, list...), err
}
