package main

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/intake"
	"usher/internal/feeds"
	"usher/internal/rules/files"
	"usher/queues/presence"
)

// advertisers says which advertisers the operator names: in the configuration, and in the files of
// rules, feeds and tokens of any worker. A job runs on any worker, which need not have the file of
// the feed or rule that published it.
type advertisers struct {
	config  config.Config
	workers func(context.Context) ([]presence.Answer, error)
	files   atomic.Pointer[namingFiles] // nil until they are open
}

// namingFiles are the files of this worker that name advertisers.
type namingFiles struct {
	rules  *files.Files
	feeds  *feeds.Files
	tokens *intake.Server
}

// workersTime limits the question which advertisers the files of other workers name.
const workersTime = 3 * time.Second

// inFiles returns the advertisers that the files of this worker name.
func (a *advertisers) inFiles() (codes []string) {
	f := a.files.Load()
	if f == nil {
		return nil
	}
	for _, set := range f.rules.All() {
		codes = append(codes, set.Account)
	}
	for _, feed := range f.feeds.All() {
		codes = append(codes, feed.Job.Advertiser)
	}
	codes = append(codes, f.tokens.Advertisers()...)
	slices.Sort(codes)
	return slices.DeleteFunc(slices.Compact(codes), func(code string) bool { return code == "" })
}

// listed returns platform.advertisers as it is now. If it cannot be read again, that is the last
// valid one.
func (a *advertisers) listed() []string {
	now, _ := a.config.Reload()
	return now.Strings("platform.advertisers")
}

// named returns the advertisers that the configuration and the files of this worker name.
func (a *advertisers) named() []string { return append(a.listed(), a.inFiles()...) }

// isNamed reports whether the operator names an advertiser. The error says that other workers, which
// may have files that this worker lacks, did not answer.
func (a *advertisers) isNamed(ctx context.Context, advertiser string) (bool, error) {
	if advertiser == a.config.String("platform.advertiser") || slices.Contains(a.named(), advertiser) {
		return true, nil
	}
	limited, cancel := context.WithTimeout(ctx, workersTime)
	defer cancel()
	workers, err := a.workers(limited)
	return slices.ContainsFunc(workers, func(h presence.Answer) bool { return slices.Contains(h.Advertisers, advertiser) }), err
}

// allow returns why a job may not name an advertiser, or nil. Without a list, it may name any.
func (a *advertisers) allow(advertiser string) error {
	if len(a.listed()) == 0 {
		return nil
	}
	named, err := a.isNamed(context.Background(), advertiser)
	switch {
	case named:
		return nil
	case err != nil:
		return &usher.RetryAfter{After: workersTime, Why: "other workers are asked whether their files name advertiser " + advertiser, Err: fmt.Errorf("ask other workers whether their files name advertiser %s: %w", advertiser, err)}
	}
	return usher.Refuse(usher.Forbidden, "add "+advertiser+" to platform.advertisers, or correct the job's advertiser, and replay",
		"jobs may not name advertiser %s: it is not in platform.advertisers, and no rule file, feed or line of the token file names it", advertiser)
}
