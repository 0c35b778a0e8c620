package console

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/schema"
)

// Bounds of the page of a campaign.
const (
	maxHistory  = 100 // entries of the audit
	maxStatuses = 500 // changes of creatives in the grid
	statusDays  = 28
)

// statusChange is a change of a creative in the grid.
type statusChange struct {
	Creative string    `json:"creative"`
	At       time.Time `json:"at"`
	Before   string    `json:"before"`
	After    string    `json:"after"`
	By       string    `json:"by"` // the rule or person
	Reason   string    `json:"reason,omitempty"`
}

// campaignPage is the data of the page of a campaign.
type campaignPage struct {
	Code      string         `json:"code"`
	Creatives []Creative     `json:"creatives"`
	Holder    string         `json:"holder"`              // the worker that holds its lock, or ""
	LockError string         `json:"lockError,omitempty"` // why the holder is not known
	History   []usher.Audit  `json:"history"`
	Changes   []statusChange `json:"changes"` // of creatives in the last statusDays, newest first
	Jobs      []jobRow       `json:"jobs"`    // the campaign's jobs that have not ended
	Partial   bool           `json:"partial"` // more jobs have not ended than are in memory, so Jobs may lack some
	Rules     []ruleRow      `json:"rules"`

	Kept map[string]usher.Setting `json:"kept"` // what people keep rules from, by code of a creative or of the campaign
}

func (c *Console) campaign(ctx context.Context, req *http.Request, _ User) (any, error) {
	code := req.PathValue("code")
	page := campaignPage{Code: code, History: []usher.Audit{}, Changes: []statusChange{}, Jobs: []jobRow{}}
	var err error
	if page.Creatives, err = c.options.Campaigns.Creatives(ctx, code); err != nil {
		return nil, err
	}
	if page.Holder, err = c.options.Campaigns.Holder(ctx, code); err != nil {
		page.LockError = lossOf("Redis", err).says
	}
	since := c.options.Now().AddDate(0, 0, -statusDays)
	err = c.options.Audit.Newest(ctx, audit.Filter{Campaign: code}, func(a usher.Audit) bool { return page.add(a, since) })
	if err != nil {
		return nil, err
	}
	if page.Rules, err = c.ruleRows(ctx, code); err != nil {
		return nil, err
	}
	if page.Kept, err = c.keptOf(ctx, code, page.Creatives); err != nil {
		return nil, err
	}
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(kept.Jobs), func(r *usher.Record) bool {
		return r.State.Ended() || !strings.HasSuffix(targetOf(r), " "+code)
	})
	page.Partial = c.openJobs() > countOpen(kept.Jobs)
	page.Jobs, err = c.rowsOf(ctx, open[:min(len(open), maxPageRows)])
	return page, err
}

// openJobs returns how many jobs have not ended.
func (c *Console) openJobs() (n int) {
	for state, of := range c.options.Live.Counts(c.options.Now()).States {
		if !state.Ended() {
			n += of
		}
	}
	return n
}

func countOpen(jobs []*usher.Record) (n int) {
	for _, r := range jobs {
		if !r.State.Ended() {
			n++
		}
	}
	return n
}

// add adds an entry of the audit, newest first, and reports whether older ones are wanted.
func (p *campaignPage) add(a usher.Audit, since time.Time) (more bool) {
	if len(p.History) < maxHistory {
		p.History = append(p.History, a)
	}
	if a.Creative != "" && a.After != "" && a.At.After(since) {
		p.Changes = append(p.Changes, statusChange{a.Creative, a.At, a.Before, a.After, cmp.Or(a.Rule, a.Actor), a.Reason})
	}
	return len(p.History) < maxHistory || a.At.After(since) && len(p.Changes) < maxStatuses
}

// changeCampaign publishes a job that pauses or resumes creatives. If the person wants that, it
// first keeps rules from them.
func (c *Console) changeCampaign(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Creatives []string `json:"creatives"`
		Reason    string   `json:"reason"`
		Keep      string   `json:"keep"` // until when rules leave them alone, as for usher rules keep; "": they do not
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	kind := usher.CampaignPause
	if isResume(req) {
		kind = usher.CampaignResume
	}
	if in.Keep != "" {
		codes, err := c.codesToKeep(ctx, req.PathValue("code"), in.Creatives)
		if err != nil {
			return nil, err
		}
		if err := c.keep(ctx, req.PathValue("code"), codes, in.Keep, actOf(user, in.Reason)); err != nil {
			return nil, c.settingsChanged(err)
		}
	}
	job, err := json.Marshal(usher.Job{Campaign: req.PathValue("code"), Creatives: in.Creatives, Reason: in.Reason, Actor: user.Name})
	if err != nil {
		return nil, fmt.Errorf("encode job: %w", err)
	}
	return c.submit(ctx, kind, job)
}

// submitFor publishes a job whose kind has no field for who asked. The audit has that instead, and
// what was asked for.
func (c *Console) submitFor(ctx context.Context, user User, kind usher.Kind, job *usher.Job, what string) (any, error) {
	text, err := json.Marshal(job)
	if err != nil {
		return nil, fmt.Errorf("encode job: %w", err)
	}
	answer, err := c.submit(ctx, kind, text)
	if err != nil {
		return nil, err
	}
	err = c.options.Audit.Changed(ctx, usher.Audit{At: c.options.Now().UTC(), Job: job.ID, Run: 1, Actor: user.Name, Wanted: what, After: what})
	return answer, err
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
