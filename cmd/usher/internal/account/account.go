package account

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/workers/evaluation"
)

// progressAfter is how long a reading may take before it says how far it is.
const progressAfter = 2 * time.Second

// Open reads which campaigns and creatives a set is about, with the
// configured login.
func Open(ctx context.Context, cmd *cobra.Command, set *rules.Set) (*Account, error) {
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	login := connect.NewLogin(cmd, cfg)
	login.Advertiser = set.Account
	a := &Account{set: set, errs: cmd.ErrOrStderr(), client: login.Paced(cfg)}
	if err := a.findCampaigns(ctx); err != nil {
		return nil, fmt.Errorf("%w%s", err, login.Hint(err))
	}
	if takes := time.Duration(float64(len(a.Campaigns)) / cfg.Float64("platform.rate") * float64(time.Second)); takes > progressAfter {
		fmt.Fprintf(a.errs, "reading the statuses of %s, which takes about %s at platform.rate\n", readable.Count(int64(len(a.Campaigns)), "campaign"), readable.Duration(takes))
	}
	a.Creatives, err = evaluation.ReadCreatives(ctx, a.client, a.Campaigns)
	return a, err
}

// Read reads which campaigns and creatives a set is about, with a client.
func Read(ctx context.Context, client *rtb.Client, set *rules.Set) (*Account, error) {
	a := &Account{set: set, errs: io.Discard, client: client}
	err := a.findCampaigns(ctx)
	if err == nil {
		a.Creatives, err = evaluation.ReadCreatives(ctx, a.client, a.Campaigns)
	}
	return a, err
}

// Account is what a rule file's advertiser has on the platform, as preview and
// backtest read it: by themselves, without NATS and Redis.
type Account struct {
	client    *rtb.Client
	set       *rules.Set
	Campaigns []string // in the scope of a rule
	Creatives []rules.Creative
	errs      io.Writer
}

// findCampaigns lists the campaigns in the scope of a rule. It warns of rules whose
// scope is empty.
func (a *Account) findCampaigns(ctx context.Context) error {
	set := a.set
	all, err := a.client.Campaigns.List(ctx)
	if err != nil {
		return fmt.Errorf("read campaigns of account %s: %w", set.Account, err)
	}
	for _, rule := range set.Rules {
		if !slices.ContainsFunc(all, func(code string) bool { return set.Covers(code, []string{rule.Name}) }) {
			fmt.Fprintf(a.errs, "%s:%d: warning: the scope of rule %s matches none of the account's %s: write patterns of codes such as \"%s-*\"\n",
				set.File, rule.Line, rule.Name, readable.Count(int64(len(all)), "campaign"), set.Account)
		}
	}
	a.Campaigns = slices.DeleteFunc(all, func(code string) bool { return !set.Covers(code, nil) })
	slices.Sort(a.Campaigns)
	return nil
}

// Read reads the reports that are needed and hands their rows to add. It says
// how far it is when that takes long.
func (a *Account) Read(ctx context.Context, needs []rules.Need, add func(rules.Row) error) error {
	var asked []string
	for _, campaign := range a.Campaigns {
		if a.set.Reads(rules.CreativeLevel, campaign, nil) {
			asked = append(asked, campaign)
		}
	}
	began, said, rows := time.Now(), time.Now(), 0
	defer func() {
		if time.Since(began) > progressAfter {
			fmt.Fprintf(a.errs, "read %s of reports in %s\n", readable.Count(int64(rows), "row"), readable.Duration(time.Since(began)))
		}
	}()
	return evaluation.ReadReports(ctx, a.client, needs, asked, func(row rules.Row) error {
		if rows++; time.Since(said) > progressAfter {
			said = time.Now()
			fmt.Fprintf(a.errs, "reading reports: %s, last of campaign %s\n", readable.Count(int64(rows), "row"), row.Campaign)
		}
		return add(row)
	})
}

// Backtest tries the account's rules on days that have passed.
func (a *Account) Backtest(ctx context.Context, from, to string) (*rules.Outcome, error) {
	needs, err := a.set.Needs(from, to)
	if err != nil {
		return nil, err
	}
	tried := rules.Backtest{From: from, To: to, Creatives: a.Creatives}
	err = a.Read(ctx, needs, func(row rules.Row) error {
		tried.Rows = append(tried.Rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.set.Backtest(ctx, tried)
}
