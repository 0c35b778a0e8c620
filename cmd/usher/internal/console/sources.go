package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"usher"
	"usher/cmd/usher/internal/account"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	command "usher/cmd/usher/internal/ledger"
	"usher/cmd/usher/internal/review"
	"usher/internal/console"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/files"
	"usher/queues/backups"
	"usher/queues/decisions"
	"usher/queues/heads"
	"usher/queues/lanes"
	"usher/queues/letters"
)

// consoleSources connects the console to the same packages that the commands use.
func consoleSources(c config.Config, p Parts) console.Sources {
	jobs, review, slots := p.Queue.Status(), reviewer{p}, map[lanes.Lane]int{}
	live := jobs.NewLive(console.KeptJobs)
	dead := letters.New(p.Queue).Knowing(func(context.Context) (*letters.Uploads, error) {
		uploads := letters.NewUploads()
		for _, r := range live.Kept().Jobs {
			uploads.Add(r)
		}
		return uploads, nil
	})
	for _, lane := range lanes.All() {
		slots[lane] = c.Int("lanes." + string(lane))
	}
	return console.Sources{
		Jobs: jobs, Live: live, Presence: p.Queue.Presence(), Submitter: p.Queue, Lanes: p.Queue.Lanes(), Settings: p.Queue.Settings(), Audit: p.Queue.Audit(),
		Cancel: p.Queue.Cancel, Changes: jobs.Changes, Logins: p.Queue.Store().State,
		Letters: dead, Edits: dead,
		Runs: p.Decisions, Approvals: review.interventions(), Review: review,
		Rules: ruleFiles{p.Rules, p}, Campaigns: campaigns{p}, Services: services{p}, Slots: slots, Room: p.Queue.Room,
		Backup: func(ctx context.Context) (backups.Age, error) { return backups.ReadAge(ctx, p.Queue.Store()) },
		Ledger: p.Ledger, Lapsing: heads.In(p.Queue.Store()).Lapsing, Feeds: p.Feeds,
		Verify: func(ctx context.Context, t ledger.Target, sample int) (console.Verification, error) {
			return verify(ctx, p, t, sample)
		},
		Names: p.Queue.Names(), ListSegments: func(ctx context.Context) error { return listSegments(ctx, c, p) },
		Platform: func() console.Platform { return platformOf(c, p) },
	}
}

// reviewer implements console.Review.
type reviewer struct {
	parts Parts
}

// open returns the reviewer by the rules as they are now.
func (r reviewer) open() *review.Reviewer {
	return &review.Reviewer{Queue: r.parts.Queue, Rules: r.parts.Rules.All(), Platform: func(advertiser string) (*rtb.Client, error) {
		return r.parts.Platform.Client(advertiser, false), nil
	}}
}

// interventions are those of people, which decide again before an approval.
func (r reviewer) interventions() decisions.Interventions {
	i := r.parts.Decisions.Interventions()
	i.Again = func(ctx context.Context, e usher.Evaluation, held []usher.StoredDecision) (map[string]usher.Decision, error) {
		now, err := r.open().Approval(ctx, &e, held)
		if err != nil {
			return nil, err
		}
		return now.Decisions, nil
	}
	return i
}

func (r reviewer) Approval(ctx context.Context, e *usher.Evaluation, held []usher.StoredDecision) (map[string]usher.Decision, console.Stake, error) {
	now, err := r.open().Approval(ctx, e, held)
	if err != nil {
		return nil, console.Stake{}, err
	}
	return now.Decisions, console.Stake(now.Stake), nil
}

func (r reviewer) Reversals(ctx context.Context, campaign string, creatives []string) ([]console.Reversal, error) {
	found, err := r.open().Reversals(ctx, campaign, creatives)
	all := make([]console.Reversal, len(found))
	for i := range found {
		all[i] = console.Reversal(found[i])
	}
	return all, err
}

func (r reviewer) Preview(ctx context.Context, set *rules.Set) ([]usher.Decision, error) {
	return r.open().Preview(ctx, set)
}

func (r reviewer) Saved(ctx context.Context, of *decisions.Activity) (map[string]*backtest.Saving, error) {
	return r.open().Saved(ctx, of, nil)
}

// verify compares the ledger of a target with the platform.
func verify(ctx context.Context, p Parts, t ledger.Target, sample int) (console.Verification, error) {
	if !p.Ledger.HasFiles() {
		return console.Verification{}, &console.Refusal{Status: http.StatusConflict, Message: "this worker has no ledger: set ledger.url"}
	}
	head, _, err := p.Ledger.Head(ctx, t)
	if errors.Is(err, ledger.ErrNone) {
		return console.Verification{}, &console.Refusal{Status: http.StatusConflict, Message: fmt.Sprintf("there is no ledger of %s: the first mirror makes one", t)}
	}
	if err != nil {
		return console.Verification{}, err
	}
	found, err := command.Verify(ctx, p.Ledger, p.Platform.Client(t.Advertiser, false), head, sample)
	return console.Verification{
		Count: found.Count, Uncertain: found.Uncertain, Asked: found.Asked, Missing: found.Missing, Unexpected: found.Unexpected, Low: found.Low, High: found.High,
	}, err
}

// listSegments notes the segments of the configured advertiser.
func listSegments(ctx context.Context, c config.Config, p Parts) error {
	list, err := p.Platform.Client("", false).Segments.List(ctx)
	if err != nil {
		return err
	}
	return connect.NoteSegments(ctx, c, p.Queue, c.String("platform.advertiser"), list...)
}

// platformOf describes the platform's state as seen by this process.
func platformOf(c config.Config, p Parts) console.Platform {
	advertiser := c.String("platform.advertiser")
	limit := p.Platform.Rate(advertiser)
	shown := console.Platform{
		URL: config.HideLogin(c.String("platform.url")), Advertiser: advertiser, Up: true,
		Answers: p.Platform.Answers(), Limit: limit.PerSecond, Configured: c.Float64("platform.rate"), Reserve: limit.Reserve(),
		Workers: p.Queue.Presence().Count(), RetryAfter: p.Platform.PausedUntil(),
	}
	if since, err := p.Platform.Breaker.Outage(); err != nil {
		shown.Up, shown.Error = false, fmt.Sprintf("it %s, and has failed since %s; usher probes it every five seconds", rtb.HowDown(err), since.UTC().Format("15:04:05 MST"))
		if errors.Is(err, usher.ErrUnauthorized) {
			shown.Refused, shown.Error = true, "it refuses usher's login; usher logs in again within a minute"
		}
	}
	return shown
}

// ruleFiles implements console.RuleFiles.
type ruleFiles struct {
	*files.Files
	parts Parts
}

func (r ruleFiles) Backtest(ctx context.Context, set *rules.Set, from, to string) (*backtest.Outcome, error) {
	a, err := account.Read(ctx, r.parts.Platform.Client(set.Account, false), r.parts.Queue, set)
	if err != nil {
		return nil, err
	}
	return a.Backtest(ctx, from, to)
}

// campaigns implements console.Campaigns for the configured advertiser.
type campaigns struct{ Parts }

func (c campaigns) List(ctx context.Context) ([]string, error) {
	return c.Platform.Client("", false).Campaigns.List(ctx)
}

// Spends reads the report of yesterday and today, because the platform's day may have begun
// earlier or later than UTC's.
func (c campaigns) Spends(ctx context.Context) (map[string]console.Spend, error) {
	now := c.Queue.Now().UTC()
	rows, err := c.Platform.Client("", false).Reporting.Campaigns(ctx, now.AddDate(0, 0, -1).Format(time.DateOnly), now.Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	spends := map[string]console.Spend{}
	for i := range rows {
		row := &rows[i]
		if spends[row.CampaignCode].Date < row.ReportDate {
			spends[row.CampaignCode] = console.Spend{Date: row.ReportDate, Spent: row.GrossMediaSpend, Budget: row.Budget, Currency: row.CurrencyCode}
		}
	}
	return spends, nil
}

func (c campaigns) Creatives(ctx context.Context, campaign string) ([]console.Creative, error) {
	statuses, err := c.Platform.Client("", false).Campaigns.Status(ctx, campaign)
	var permanent *usher.Permanent
	if errors.As(err, &permanent) && permanent.Class == usher.NotFound {
		return nil, &console.Refusal{Status: http.StatusNotFound, Message: fmt.Sprintf("there is no campaign %q", campaign)}
	}
	shown := make([]console.Creative, 0, len(statuses))
	for _, s := range statuses {
		shown = append(shown, console.Creative{Code: s.CreativeCode, Status: s.ApprovalStatus, Message: s.ApprovalMessage, Updated: s.LatestUpdate})
	}
	return shown, err
}

func (c campaigns) Holder(ctx context.Context, campaign string) (string, error) {
	return c.Fleet.Holder(ctx, "campaign/"+campaign)
}
