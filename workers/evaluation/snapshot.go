package evaluation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// snapshot reads the creatives that the rules decide about. A scheduled run over
// thousands of campaigns reads only those that may change.
func (e *evaluation) snapshot(ctx context.Context) (rules.Snapshot, error) {
	// Independent reads run concurrently, because the pause of an event waits
	// for all of them.
	var reads sync.WaitGroup
	var stopped string
	var kept map[string]usher.Setting
	var memoryErr, findingsErr, keptErr error
	reads.Go(func() { stopped = e.stopReason(ctx) })
	reads.Go(func() { e.findings, findingsErr = e.readFindings(ctx) })
	if e.handler.Kept != nil {
		reads.Go(func() { kept, keptErr = e.handler.Kept(ctx) })
	}
	reads.Go(func() { e.memory, memoryErr = e.handler.Store.Memory(ctx, e.campaigns) })
	var creatives []rules.Creative
	sizes, err := e.sizes(ctx)
	if err == nil && e.isEvent() {
		creatives, err = ReadCreatives(ctx, e.platform, e.campaigns, e.sets()...)
	}
	reads.Wait()
	e.stopped = stopped
	if err = errors.Join(memoryErr, findingsErr, keptErr, err); err == nil && !e.isEvent() {
		creatives, err = e.readCreatives(ctx)
	}
	if err != nil {
		return rules.Snapshot{}, err
	}
	e.creatives = map[string]rules.Creative{}
	for _, c := range creatives {
		e.creatives[c.Code] = c
	}
	return rules.Snapshot{
		Campaign: e.only(), Figures: e.figures, Creatives: creatives, Due: e.due, Sizes: sizes, Stopped: stopped, Kept: kept,
		Memory: func(creative string) usher.CreativeMemory {
			return usher.NewCreativeMemory(e.memory[e.creatives[creative].Campaign][creative], e.set.Zone)
		},
	}, nil
}

// readFindings reads the findings on campaigns that the rules that are due report.
func (e *evaluation) readFindings(ctx context.Context) (map[string]map[string][]usher.Finding, error) {
	reported := slices.DeleteFunc(slices.Clone(e.campaigns), func(campaign string) bool { return !e.set.Notifies(campaign, e.due) })
	if len(reported) == 0 {
		return nil, nil
	}
	return e.handler.Store.Findings(ctx, reported)
}

// stopReason returns why the stop switch is on, or "" if it is off. An unreadable switch
// counts as on.
func (e *evaluation) stopReason(ctx context.Context) string {
	reason, stopped, err := e.handler.Stopped(ctx)
	switch {
	case err != nil:
		return "the stop switch cannot be read"
	case stopped && reason == "":
		return "no reason was given"
	}
	return reason
}

// readCreatives reads the creatives that may change.
func (e *evaluation) readCreatives(ctx context.Context) ([]rules.Creative, error) {
	campaigns, err := e.changingCampaigns(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.readVotes(ctx, campaigns); err != nil {
		return nil, err
	}
	return ReadCreatives(ctx, e.platform, campaigns, e.sets()...)
}

// changingCampaigns returns the campaigns in which a creative would be paused if it were
// ACTIVE, those with a creative that a rule paused, and those with findings, which may
// have ended. For the other campaigns it keeps the UNKNOWN decisions in e.unread.
func (e *evaluation) changingCampaigns(ctx context.Context) ([]string, error) {
	run, err := e.set.Decide(ctx, rules.Snapshot{Figures: e.figures, Creatives: e.supposedCreatives(), Due: e.due})
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", e.set.Name, err)
	}
	e.supposed = run
	changing := map[string]bool{}
	var unknown []usher.Decision
	for d := range run.Decisions(func(a usher.Action) bool { return a != usher.None }) {
		if d.Action == usher.Unknown {
			unknown = append(unknown, d)
			continue
		}
		changing[d.Campaign] = true
	}
	for campaign := range e.findings {
		changing[campaign] = true
	}
	for campaign := range e.memory {
		if e.hasOwned(campaign) {
			changing[campaign] = true
		}
	}
	for _, d := range unknown {
		if !changing[d.Campaign] && (d.Creative != "" || len(e.rows[d.Campaign]) == 0) {
			e.unread = append(e.unread, d)
		}
	}
	return slices.Sorted(maps.Keys(changing)), nil
}

// supposedCreatives returns the creatives of which something is known, and one without a
// code for each campaign, all of them as if they were ACTIVE.
func (e *evaluation) supposedCreatives() []rules.Creative {
	const longAgo = "2000-01-01" // no creative is too young before its latestUpdate is known
	var supposed []rules.Creative
	for _, campaign := range e.campaigns {
		for _, code := range append([]string{""}, e.knownCreatives(campaign)...) {
			supposed = append(supposed, rules.Creative{Campaign: campaign, Code: code, Type: rules.AnyType, Status: rtb.Active, LatestUpdate: longAgo})
		}
	}
	return supposed
}

// knownCreatives returns the creatives of a campaign that the reports have rows of and, if a rule that is due
// decides by the numbers of each creative, those that have numbers from outside, with or without a row.
func (e *evaluation) knownCreatives(campaign string) []string {
	codes := slices.Clone(e.rows[campaign])
	if e.set.Reads(figures.CreativeLevel, campaign, e.due) {
		codes = slices.AppendSeq(codes, maps.Keys(e.delivered[campaign]))
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// hasOwned reports whether a campaign has a creative that a rule paused.
func (e *evaluation) hasOwned(campaign string) bool {
	for _, changes := range e.memory[campaign] {
		if usher.NewCreativeMemory(changes, e.set.Zone).Owner != nil {
			return true
		}
	}
	return false
}
