package feeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
)

// Targets are the segments, with their types, and the campaigns of an advertiser.
type Targets struct {
	segments  map[string]string
	campaigns []string
}

// ReadTargets asks the platform for the targets of a client's advertiser.
func ReadTargets(ctx context.Context, client *rtb.Client) (*Targets, error) {
	t := &Targets{segments: map[string]string{}}
	segments, err := client.Segments.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range segments {
		t.segments[s.ID] = s.Type
	}
	t.campaigns, err = client.Campaigns.List(ctx)
	return t, err
}

// Problem returns what is wrong with the target of a feed, or nil.
func (t *Targets) Problem(f *Feed, advertiser string) *Problem {
	var p Problem
	job := &f.Job
	idType, segment := t.segments[job.Segment]
	switch family := f.Kind.Family(); {
	case family == "target" && !slices.Contains(t.campaigns, job.Campaign):
		p = f.Problem("target", "see usher api campaigns list", "campaign %q does not exist for advertiser %s", job.Campaign, advertiser)
	case family == "segment" && !segment:
		p = f.Problem("target", "see usher api segments list; a segment's id is not its name", "segment %q does not exist for advertiser %s", job.Segment, advertiser)
	case family == "segment" && (idType == rtb.TypeIDFA) != (job.Profile.Type == usher.IDFA):
		p = f.Problem("target", "use a profile that fits, or another segment", "segment %q is of type %s and takes no %s", job.Segment, idType, job.Profile.Type)
	default:
		return nil
	}
	return &p
}

const (
	// checkTime is the time until targets are compared with the platform again.
	checkTime = time.Hour
	// recheckTime is that time while a target is wrong, or the platform does not say.
	recheckTime = time.Minute
)

// watchTargets compares the targets of the feeds with the platform until ctx ends: at once if feeds have
// changed, and from time to time. While the platform does not say which targets there are, what it has
// said before holds.
func (w *Watcher) watchTargets(ctx context.Context) {
	var checked string
	var next time.Time
	for {
		all := w.Feeds.All()
		var named []string
		for _, f := range all {
			named = append(named, f.Name, f.Job.Advertiser, f.Target())
			if f.Job.Profile != nil { // a feed of outcomes has none
				named = append(named, f.Job.Profile.String())
			}
		}
		if state := strings.Join(named, "\n"); state != checked || !w.Now().Before(next) {
			checked, next = state, w.Now().Add(w.checkTargets(ctx, all))
		}
		if usher.Sleep(ctx, maxSleep) != nil {
			return
		}
	}
}

// checkTargets compares the targets of the feeds with the platform, and returns the time until the next
// comparison.
func (w *Watcher) checkTargets(ctx context.Context, all []*Feed) time.Duration {
	again := checkTime
	byAdvertiser := map[string]*Targets{}
	failed := map[string]error{}
	wrong := map[string]string{}
	for _, f := range all {
		of := cmp.Or(f.Job.Advertiser, w.Advertiser)
		if byAdvertiser[of] == nil && failed[of] == nil {
			byAdvertiser[of], failed[of] = w.Targets(ctx, of)
			if err := failed[of]; err != nil && ctx.Err() == nil {
				w.Logger.Debug("asking the platform whether the targets of feeds exist", "error", err)
			}
		}
		var refused *usher.Permanent
		var p *Problem
		switch err := failed[of]; {
		case err == nil:
			if p = byAdvertiser[of].Problem(f, of); p != nil {
				again = recheckTime
			}
		case errors.As(err, &refused): // is not tried again soon, because each try is a refused login
			p = new(f.Problem("target", cmp.Or(refused.Hint, "have the login linked to it"), "the platform refuses advertiser %s: %v", of, err))
		default:
			wrong[f.Name], again = w.wrongTarget(f.Name), recheckTime
		}
		if p != nil {
			wrong[f.Name] = fmt.Sprintf("%s:%d: %s; %s", p.File, p.Line, p.Message, p.Hint)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		if problem := wrong[name]; problem != "" && problem != w.wrongTarget(name) {
			w.Logger.Warn("something is wrong with a feed, see 'usher feeds check'", "feed", name, "problem", problem)
		}
	}
	w.mu.Lock()
	w.wrong = wrong
	w.mu.Unlock()
	w.signal()
	return again
}

// wrongTarget returns what is wrong with the target of a feed, or "".
func (w *Watcher) wrongTarget(feed string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wrong[feed]
}
