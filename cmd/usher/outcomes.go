package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"usher"
	read "usher/cmd/usher/internal/outcomes"
	"usher/internal/exports"
	"usher/internal/feeds"
	"usher/internal/outcomes"
	"usher/internal/readable"
	stored "usher/queues/outcomes"
)

// putOutcomes stores the numbers of a table that came by HTTP or by a feed.
func (p *process) putOutcomes(ctx context.Context, table *exports.Table, o outcomes.Options) (stored.Report, error) {
	o.Account = cmp.Or(o.Account, p.config.String("platform.advertiser"))
	o.Others = append(p.advertisers.named(), p.config.String("platform.advertiser"))
	d, err := read.Read(ctx, p.Platform.Client(o.Account, false), table, o)
	if err != nil {
		return stored.Report{}, err
	}
	return stored.New(p.Queue).Put(ctx, d)
}

// feedOutcomes stores the numbers of an export of a feed, and says what was refused.
func (p *process) feedOutcomes(ctx context.Context, opener *exports.Opener, f *feeds.Feed, src *usher.Source) (refused string, err error) {
	table, err := opener.Table(ctx, src, outcomes.Wanted()...)
	if err != nil {
		return "", err
	}
	report, err := p.putOutcomes(ctx, table, outcomes.Options{Account: f.Job.Advertiser, Complete: f.Complete})
	if errors.Is(err, outcomes.ErrTable) {
		return "", &usher.Permanent{Class: usher.SourceBroken, Err: err}
	}
	if err != nil || len(report.Refused) == 0 {
		return "", err
	}
	return fmt.Sprintf("%s, such as %s", readable.Count(len(report.Refused), "refusal"), report.Refused[0].String()), nil
}
