package console

import (
	"context"
	"net/http"
	"strings"

	"usher"
)

// historyMost is how many changes of a campaign its page shows.
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

// campaignPage is all of a campaign.
type campaignPage struct {
	Code      string        `json:"code"`
	Creatives []Creative    `json:"creatives"`
	Holder    string        `json:"holder"` // of its lock; "" where nobody has it
	History   []usher.Audit `json:"history"`
	Jobs      []jobRow      `json:"jobs"` // on it, that have not ended
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
	err = c.Audit.Entries(ctx, AuditFilter{Campaign: code}, func(a usher.Audit) bool {
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

// changeCampaign pauses or resumes by hand.
func (c *Console) changeCampaign(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Creatives []string `json:"creatives"`
		Reason    string   `json:"reason"`
	}](req)
	if err != nil {
		return nil, err
	}
	if err := said(in.Reason); err != nil {
		return nil, err
	}
	change := CampaignChange{Kind: usher.CampaignPause, Campaign: req.PathValue("code"), Creatives: in.Creatives, Reason: in.Reason}
	if strings.HasSuffix(req.URL.Path, "/resume") {
		change.Kind = usher.CampaignResume
	}
	id, err := c.Campaigns.Set(ctx, change, user)
	return map[string]string{"id": id}, err
}
