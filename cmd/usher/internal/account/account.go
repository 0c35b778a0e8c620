package account

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	stored "usher/internal/outcomes"
	"usher/internal/readable"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
	"usher/queues"
	"usher/queues/outcomes"
	"usher/workers/evaluation"
)

// progressInterval is the time between progress messages. Reading that takes less time
// prints none.
const progressInterval = 2 * time.Second

// Open returns the account of a rule file, with the campaigns and creatives in scope. It
// uses the configured login and prints progress and warnings to stderr.
func Open(ctx context.Context, cmd *cobra.Command, set *rules.Set) (*Account, error) {
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	login := connect.NewLogin(cmd, cfg)
	login.Advertiser = set.Account
	client, err := login.Paced(cfg)
	if err != nil {
		return nil, err
	}
	a := &Account{set: set, actions: cfg.Strings("actions"), stderr: cmd.ErrOrStderr(), client: client}
	a.outcomes = func(_ context.Context, need figures.OutcomeNeed) (all *stored.Stored, err error) {
		err = connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
			all, err = outcomes.New(q).Read(ctx, set.Account, need)
			return err
		})
		if err != nil {
			err = fmt.Errorf("read the outcomes that %s reads, which are stored in NATS: %w", set.File, err)
		}
		return all, err
	}
	if err := a.findCampaigns(ctx); err != nil {
		return nil, fmt.Errorf("%w%s", err, login.Hint(err))
	}
	if estimate := time.Duration(float64(len(a.Campaigns)) / cfg.Float64("platform.rate") * float64(time.Second)); estimate > progressInterval {
		fmt.Fprintf(a.stderr, "reading the statuses of %s takes about %s at platform.rate\n", readable.Count(len(a.Campaigns), "campaign"), readable.Duration(estimate))
	}
	a.Creatives, err = evaluation.ReadCreatives(ctx, a.client, a.Campaigns, set)
	if err == nil {
		a.warnOfSelections()
	}
	return a, err
}

// warnOfSelections warns about rules that have campaigns in scope and select none of
// their creatives.
func (a *Account) warnOfSelections() {
	for _, rule := range a.set.Rules {
		selection := rule.Scope.Selection()
		covered := slices.ContainsFunc(a.Campaigns, func(code string) bool { return a.set.Covers(code, []string{rule.Name}) })
		if selection == "" || !covered || slices.ContainsFunc(a.Creatives, func(c rules.Creative) bool { return a.set.Has(c, []string{rule.Name}, time.Time{}) }) {
			continue
		}
		fmt.Fprintf(a.stderr, "%s:%d: warning: rule %s selects no creative of its campaigns by %s\n", a.set.File, rule.Line, rule.Name, selection)
	}
}

// Delivered returns the names of the numbers from outside that were ever delivered for the account of a
// rule file.
func Delivered(cmd *cobra.Command, set *rules.Set) (names []string, err error) {
	err = connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		names, err = outcomes.New(q).Names(ctx, set.Account)
		return err
	})
	return names, err
}

// Read is like Open, but uses a given client and queue, and prints neither progress nor warnings.
func Read(ctx context.Context, client *rtb.Client, q *queues.Queue, set *rules.Set) (*Account, error) {
	a := &Account{set: set, stderr: io.Discard, client: client}
	a.outcomes = func(ctx context.Context, need figures.OutcomeNeed) (*stored.Stored, error) {
		return outcomes.New(q).Read(ctx, set.Account, need)
	}
	err := a.findCampaigns(ctx)
	if err == nil {
		a.Creatives, err = evaluation.ReadCreatives(ctx, a.client, a.Campaigns, set)
	}
	return a, err
}

// Account is the advertiser of a rule file, as preview and backtest read it from the
// platform.
type Account struct {
	client    *rtb.Client
	set       *rules.Set
	Campaigns []string // those in the scope of a rule
	Creatives []rules.Creative
	actions   []string // what the configuration lets rules change in addition to creatives
	stderr    io.Writer
	outcomes  func(ctx context.Context, need figures.OutcomeNeed) (*stored.Stored, error)
}

// AddOutcomes adds to figures the numbers from outside that the rules need, as they are known now.
func (a *Account) AddOutcomes(ctx context.Context, f *rules.Figures) error {
	need := f.OutcomeNeeds()
	if len(need.Names) == 0 {
		return nil
	}
	all, err := a.outcomes(ctx, need)
	if err != nil {
		return err
	}
	return f.AddOutcomes(all.Facts(need, time.Time{}))
}

// findCampaigns lists the campaigns in the scope of a rule. It warns about rules whose
// scope is empty, and about patterns of exclude that match nothing.
func (a *Account) findCampaigns(ctx context.Context) error {
	set := a.set
	all, err := a.client.Campaigns.List(ctx)
	if err != nil {
		return fmt.Errorf("read campaigns of account %s: %w", set.Account, err)
	}
	for _, rule := range set.Rules {
		if !slices.ContainsFunc(all, func(code string) bool { return set.Covers(code, []string{rule.Name}) }) {
			fmt.Fprintf(a.stderr, "%s:%d: warning: the scope of rule %s matches none of the account's %s: write patterns of codes such as \"%s-*\"\n",
				set.File, rule.Line, rule.Name, readable.Count(len(all), "campaign"), set.Account)
		}
		for _, glob := range rule.Scope.Exclude {
			matches := func(code string) bool { ok, _ := path.Match(glob, code); return ok }
			if !slices.ContainsFunc(all, matches) {
				fmt.Fprintf(a.stderr, "%s:%d: warning: exclude %q of rule %s matches none of the account's %s, so it protects none: correct it, or remove it\n",
					set.File, rule.Line, glob, rule.Name, readable.Count(len(all), "campaign"))
			}
		}
	}
	a.Campaigns = slices.DeleteFunc(all, func(code string) bool { return !set.Covers(code, nil) })
	slices.Sort(a.Campaigns)
	return nil
}

// ReadReports reads the reports in needs and calls add for each row. It reports progress
// if that takes long.
func (a *Account) ReadReports(ctx context.Context, needs []figures.Need, add func(figures.Row) error) error {
	var campaigns []string // those whose rules need reports on creatives
	for _, campaign := range a.Campaigns {
		if a.set.Reads(figures.CreativeLevel, campaign, nil) {
			campaigns = append(campaigns, campaign)
		}
	}
	start, rows := time.Now(), 0
	lastMessage := start
	defer func() {
		if time.Since(start) > progressInterval {
			fmt.Fprintf(a.stderr, "read %s from reports in %s\n", readable.Count(rows, "row"), readable.Duration(time.Since(start)))
		}
	}()
	unnamed, err := evaluation.ReadReports(ctx, a.client, needs, campaigns, func(row figures.Row) error {
		if rows++; time.Since(lastMessage) > progressInterval {
			lastMessage = time.Now()
			fmt.Fprintf(a.stderr, "reading reports: %s so far, campaign %s\n", readable.Count(rows, "row"), row.Campaign)
		}
		return add(row)
	})
	if unnamed > 0 {
		fmt.Fprintf(a.stderr, "warning: %s of the platform's report have no code of a campaign or creative: left out\n", readable.Count(unnamed, "row"))
	}
	return err
}

// ReadPresent reads what reports with holes need of the campaigns as they are now.
func (a *Account) ReadPresent(ctx context.Context, f *rules.Figures) error {
	return evaluation.ReadPresent(ctx, a.client, f, a.Campaigns)
}

// Decide evaluates all rules of the account as a worker with the same configuration would:
// first those on creatives, then those on budgets and bids.
func (a *Account) Decide(ctx context.Context, s rules.Snapshot) ([]*rules.Run, error) {
	s.Creatives = a.Creatives
	run, err := a.set.Decide(ctx, s)
	if err != nil {
		return nil, err
	}
	runs := []*rules.Run{run}
	s.Disabled = func(field usher.BiddingField) bool { return !slices.Contains(a.actions, string(field)) }
	for _, field := range a.set.Changes(nil) {
		run, _, err := evaluation.DecideNumbers(ctx, a.client, a.set, field, a.Campaigns, s)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// Backtest runs the rules of the account on the days from and to and all days between.
func (a *Account) Backtest(ctx context.Context, from, to string) (*backtest.Outcome, error) {
	input, err := a.read(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if a.set.ReadsOutcomes() {
		all, err := a.readOutcomes(ctx, from, to)
		if err != nil {
			return nil, err
		}
		input.Outcomes = all.Facts
	}
	return backtest.Run(ctx, a.set, input)
}

// Effects returns what each rule alone would have done at the end of a day.
func (a *Account) Effects(ctx context.Context, date string) ([]backtest.Effect, error) {
	input, err := a.read(ctx, date, date)
	if err != nil {
		return nil, err
	}
	if a.set.ReadsOutcomes() {
		all, err := a.readOutcomes(ctx, date, date)
		if err != nil {
			return nil, err
		}
		input.Outcomes = func(need figures.OutcomeNeed, _ time.Time) *figures.Outcomes { return all.Facts(need, time.Time{}) }
	}
	return backtest.Effects(ctx, a.set, input)
}

// readOutcomes reads the numbers from outside that the rules need on the days from and to and all days between.
func (a *Account) readOutcomes(ctx context.Context, from, to string) (*stored.Stored, error) {
	first, err := a.set.EndOf(from)
	if err != nil {
		return nil, err
	}
	last, err := a.set.EndOf(to)
	if err != nil {
		return nil, err
	}
	need := rules.NewFigures(a.set, first).OutcomeNeeds()
	need.To = rules.NewFigures(a.set, last).OutcomeNeeds().To
	return a.outcomes(ctx, need)
}

// read returns the input of a backtest on the days from and to and all days between.
func (a *Account) read(ctx context.Context, from, to string) (backtest.Input, error) {
	input := backtest.Input{From: from, To: to, Creatives: a.Creatives}
	needs, err := backtest.Needs(a.set, from, to)
	if err != nil {
		return input, err
	}
	for _, field := range a.set.Changes(nil) {
		if input.Numbers == nil {
			input.Numbers = map[usher.BiddingField][]rules.Number{}
		}
		if input.Numbers[field], err = evaluation.ReadNumbers(ctx, a.client, field, a.Campaigns); err != nil {
			return input, err
		}
	}
	err = a.ReadReports(ctx, needs, func(row figures.Row) error {
		input.Rows = append(input.Rows, row)
		return nil
	})
	return input, err
}
