package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/workers"
)

// progressAfter is how long a reading may take before it says how far it is.
const progressAfter = 2 * time.Second

// account is what a rule file's advertiser has on the platform, as preview and
// backtest read it: by themselves, without NATS and Redis.
type account struct {
	client    *rtb.Client
	set       *rules.Set
	campaigns []string // in the scope of a rule
	creatives []rules.Creative
	errs      io.Writer
}

// openAccount reads which campaigns and creatives a set is about.
func openAccount(ctx context.Context, cmd *cobra.Command, set *rules.Set) (*account, error) {
	cfg, err := loadConfig(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	login := loginOf(cmd, cfg)
	login.advertiser = set.Account
	a := &account{set: set, errs: cmd.ErrOrStderr(), client: login.paced(cfg)}
	all, err := a.client.Campaigns.List(ctx)
	if err != nil {
		var fault *rtb.Fault
		errors.As(err, &fault)
		return nil, fmt.Errorf("read campaigns of account %s: %w%s", set.Account, err, hintFor(err, fault, login))
	}
	for _, rule := range set.Rules {
		if !slices.ContainsFunc(all, func(code string) bool { return set.Covers(code, []string{rule.Name}) }) {
			fmt.Fprintf(a.errs, "%s:%d: warning: the scope of rule %s matches none of the account's %s: write patterns of codes such as \"%s-*\"\n",
				set.File, rule.Line, rule.Name, plural(int64(len(all)), "campaign"), set.Account)
		}
	}
	a.campaigns = slices.DeleteFunc(all, func(code string) bool { return !set.Covers(code, nil) })
	slices.Sort(a.campaigns)
	if takes := time.Duration(float64(len(a.campaigns)) / cfg.Float64("platform.rate") * float64(time.Second)); takes > progressAfter {
		fmt.Fprintf(a.errs, "reading the statuses of %s, which takes about %s at platform.rate\n", plural(int64(len(a.campaigns)), "campaign"), brief(takes))
	}
	a.creatives, err = workers.ReadCreatives(ctx, a.client, a.campaigns)
	return a, err
}

// paced is a client that keeps to the configured rate by itself: it shares no
// limit with workers.
func (l apiLogin) paced(cfg config) *rtb.Client {
	const connections = 8
	options := rtb.Options{BaseURL: l.base, Advertiser: l.advertiser, HTTP: rtb.NewHTTPClient(connections, cfg.Duration("platform.timeout"))}
	enter := rtb.New(options)
	options.Tokens = rtb.NewTokens(func(ctx context.Context) (string, error) { return enter.Auth.Token(ctx, l.username, l.password) })
	perSecond := cfg.Float64("platform.rate")
	options.Gate = rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond/10))).Wait
	return rtb.New(options)
}

// read reads the reports that are needed and hands their rows to add. It says
// how far it is when that takes long.
func (a *account) read(ctx context.Context, needs []rules.Need, add func(rules.Row) error) error {
	var asked []string
	for _, campaign := range a.campaigns {
		if a.set.Reads(rules.CreativeLevel, campaign, nil) {
			asked = append(asked, campaign)
		}
	}
	began, said, rows := time.Now(), time.Now(), 0
	defer func() {
		if time.Since(began) > progressAfter {
			fmt.Fprintf(a.errs, "read %s of reports in %s\n", plural(int64(rows), "row"), brief(time.Since(began)))
		}
	}()
	return workers.ReadReports(ctx, a.client, needs, asked, func(row rules.Row) error {
		if rows++; time.Since(said) > progressAfter {
			said = time.Now()
			fmt.Fprintf(a.errs, "reading reports: %s, last of campaign %s\n", plural(int64(rows), "row"), row.Campaign)
		}
		return add(row)
	})
}
