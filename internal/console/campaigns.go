package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"usher"
	"usher/queues/audit"
	"usher/queues/schema"
)

// maxHistory is the maximum number of changes on the page of a campaign.
const maxHistory = 100

// campaignPage is the data of the page of a campaign.
type campaignPage struct {
	Code      string        `json:"code"`
	Creatives []Creative    `json:"creatives"`
	Holder    string        `json:"holder"`              // the worker that holds its lock, or ""
	LockError string        `json:"lockError,omitempty"` // why the holder is not known
	History   []usher.Audit `json:"history"`
	Jobs      []jobRow      `json:"jobs"` // the campaign's jobs that have not ended
	Rules     []ruleRow     `json:"rules"`
}

func (c *Console) campaign(ctx context.Context, req *http.Request, _ User) (any, error) {
	code := req.PathValue("code")
	page := campaignPage{Code: code, History: []usher.Audit{}, Jobs: []jobRow{}}
	var err error
	if page.Creatives, err = c.options.Campaigns.Creatives(ctx, code); err != nil {
		return nil, err
	}
	if page.Holder, err = c.options.Campaigns.Holder(ctx, code); err != nil {
		page.LockError = "Redis does not answer"
	}
	err = c.options.Audit.Newest(ctx, audit.Filter{Campaign: code}, func(a usher.Audit) bool {
		page.History = append(page.History, a)
		return len(page.History) < maxHistory
	})
	if err != nil {
		return nil, err
	}
	if page.Rules, err = c.ruleRows(ctx, code); err != nil {
		return nil, err
	}
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(kept.Jobs), func(r *usher.Record) bool {
		return r.State.Ended() || !strings.HasSuffix(targetOf(r), " "+code)
	})
	page.Jobs, err = c.rowsOf(ctx, open[:min(len(open), maxPageRows)])
	return page, err
}

// changeCampaign publishes a job that pauses or resumes creatives.
func (c *Console) changeCampaign(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Creatives []string `json:"creatives"`
		Reason    string   `json:"reason"`
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	kind := usher.CampaignPause
	if strings.HasSuffix(req.URL.Path, "/resume") {
		kind = usher.CampaignResume
	}
	job, err := json.Marshal(usher.Job{Campaign: req.PathValue("code"), Creatives: in.Creatives, Reason: in.Reason, Actor: user.Name})
	if err != nil {
		return nil, fmt.Errorf("encode job: %w", err)
	}
	return c.submit(ctx, kind, job)
}

// submit publishes a job and returns its id.
func (c *Console) submit(ctx context.Context, kind usher.Kind, job []byte) (any, error) {
	answer, err := c.options.Submitter.Submit(ctx, kind, job)
	if err != nil {
		return nil, err
	}
	if len(answer.Errors) > 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "the job is invalid: %s", schema.Describe(answer.Errors))
	}
	return map[string]string{"id": answer.ID}, nil
}
