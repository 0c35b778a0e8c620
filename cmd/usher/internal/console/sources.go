package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"usher"
	"usher/cmd/usher/internal/account"
	"usher/cmd/usher/internal/config"
	"usher/internal/console"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/files"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/rulings"
)

// consoleSources connects the console to the same packages that the commands use.
func consoleSources(c config.Config, p Parts) console.Sources {
	dead, slots := letters.New(p.Queue), map[lanes.Lane]int{}
	for _, lane := range lanes.All() {
		slots[lane] = c.Int("lanes." + string(lane))
	}
	jobs := p.Queue.Status()
	return console.Sources{
		Jobs: jobs, Submitter: p.Queue, Lanes: p.Queue.Lanes(), Limits: p.Queue.Limits(), Audit: p.Queue.Audit(),
		Cancel: p.Queue.Cancel, Changes: jobs.Changes,
		Letters: dead, Edits: dead,
		Runs: p.Rulings, Approvals: p.Rulings.Interventions(), Switch: rulings.NewStopSwitch(p.Queue),
		Rules: ruleFiles{p.Rules, p}, Campaigns: campaigns{p}, Services: services{p}, Slots: slots,
		Platform: func() console.Platform { return platformOf(c, p) },
	}
}

// platformOf describes the platform's state as seen by this process.
func platformOf(c config.Config, p Parts) console.Platform {
	advertiser := c.String("platform.advertiser")
	limit := p.Clients.Rate(advertiser)
	shown := console.Platform{
		URL: config.HideLogin(c.String("platform.url")), Advertiser: advertiser, Up: true,
		Answers: p.Clients.Answers(), Limit: limit.PerSecond, Configured: c.Float64("platform.rate"), Reserve: limit.ReservePercent,
		Workers: p.Fleet.Workers(), RetryAfter: p.Clients.PausedUntil(),
	}
	if p.Clients.Breaker.Open() {
		shown.Up, shown.Error = false, "it failed to respond five times in a row; usher probes it every five seconds"
	}
	return shown
}

// ruleFiles implements console.RuleFiles.
type ruleFiles struct {
	*files.Files
	parts Parts
}

func (r ruleFiles) Backtest(ctx context.Context, set *rules.Set, from, to string) (*backtest.Outcome, error) {
	a, err := account.Read(ctx, r.parts.Clients.Client(set.Account, false), set)
	if err != nil {
		return nil, err
	}
	return a.Backtest(ctx, from, to)
}

// campaigns implements console.Campaigns for the configured advertiser.
type campaigns struct{ Parts }

func (c campaigns) List(ctx context.Context) ([]string, error) {
	return c.Clients.Client("", false).Campaigns.List(ctx)
}

func (c campaigns) Creatives(ctx context.Context, campaign string) ([]console.Creative, error) {
	statuses, err := c.Clients.Client("", false).Campaigns.Status(ctx, campaign)
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
