package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"usher/queues/schema"

	"usher"
	"usher/queues/audit"
)

// historyMost is how many changes the page of a campaign shows.
const historyMost = 100

func (c *Console) campaigns(ctx context.Context, _ *http.Request, _ User) (any, error) {
	codes, err := c.Campaigns.List(ctx)
	if err != nil {
		return nil, err
	}
	if codes == nil {
		codes = []string{}
	}
	return map[string][]string{"campaigns": codes}, nil
}

// campaignPage is what the page of a campaign shows.
type campaignPage struct {
	Code      string        `json:"code"`
	Creatives []Creative    `json:"creatives"`
	Holder    string        `json:"holder"` // of its lock; empty if nobody holds it
	History   []usher.Audit `json:"history"`
	Jobs      []jobRow      `json:"jobs"` // of the campaign that have not ended
	Rules     []ruleRow     `json:"rules"`
}

func (c *Console) campaign(ctx context.Context, req *http.Request, _ User) (any, error) {
	code := req.PathValue("code")
	page := campaignPage{Code: code, History: []usher.Audit{}, Jobs: []jobRow{}}
	var err error
	if page.Creatives, err = c.Campaigns.Creatives(ctx, code); err != nil {
		return nil, err
	}
	if page.Holder, err = c.Campaigns.Holder(ctx, code); err != nil {
		page.Holder = "not known: Redis does not answer"
	}
	err = c.Audit.Newest(ctx, audit.Filter{Campaign: code}, func(a usher.Audit) bool {
		page.History = append(page.History, a)
		return len(page.History) < historyMost
	})
	if err != nil {
		return nil, err
	}
	if page.Rules, err = c.covering(ctx, code); err != nil {
		return nil, err
	}
	records, err := c.watcher.records(ctx)
	if err != nil {
		return nil, err
	}
	for i := range records {
		if r := &records[i]; !r.State.Ended() && strings.HasSuffix(targetOf(r), " "+code) {
			page.Jobs = append(page.Jobs, rowOf(r))
		}
	}
	return page, nil
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
	answer, err := c.Submitter.Submit(ctx, kind, job)
	if err != nil {
		return nil, err
	}
	if len(answer.Errors) > 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "the job is not as it should be: %s", schema.Describe(answer.Errors))
	}
	return map[string]string{"id": answer.ID}, nil
}
