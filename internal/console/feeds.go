package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"usher"
	"usher/internal/feeds"
	"usher/queues/status"
)

// feedState is the state of a feed, with the last job.
type feedState struct {
	feeds.State

	job usher.State // "": there was none, or it is not on record any more
	// failure is why the last job has failed, so that its export was not uploaded; nil: it has not.
	failure *usher.JobError
}

func (c *Console) loadFeeds(ctx context.Context) ([]feedState, error) {
	known, err := c.options.Feeds.List(ctx)
	states := make([]feedState, 0, len(known))
	for _, s := range known {
		f := feedState{State: s}
		if s.Last != nil && s.Spec.Kind != usher.Outcomes { // which has no jobs
			r, err := c.options.Jobs.Record(ctx, s.Last.Job)
			if err != nil && !errors.Is(err, status.ErrNoJob) {
				return nil, err
			}
			f.job, f.failure = r.State, r.Error
		}
		states = append(states, f)
	}
	return states, err
}

// feedChange is the body of a change of a feed.
type feedChange struct {
	Reason   string   `json:"reason"`
	Versions []string `json:"versions"` // the held exports that the person has seen; empty: all
}

// changeFeed makes a feed look now, decides its held exports, pauses or resumes it.
func (c *Console) changeFeed(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[feedChange](req)
	if err != nil {
		return nil, err
	}
	name, act := req.PathValue("feed"), actOf(user, in.Reason)
	switch req.PathValue("act") {
	case "look":
		_, err = c.options.Feeds.Ask(ctx, name, act)
	case "approve":
		_, err = c.options.Feeds.Decide(ctx, name, in.Versions, true, act)
	case "reject":
		_, err = c.options.Feeds.Decide(ctx, name, in.Versions, false, act)
	case "pause":
		if err = requireReason(in.Reason); err == nil {
			err = c.options.Feeds.Pause(ctx, name, act)
		}
	case "resume":
		err = c.options.Feeds.Resume(ctx, name, act)
	default:
		return nil, refuse(http.StatusNotFound, "a feed can look, be paused or resumed, and its exports approved or rejected")
	}
	switch {
	case errors.Is(err, feeds.ErrUnknown):
		err = refuse(http.StatusNotFound, "no worker has a feed %q", name)
	case errors.Is(err, feeds.ErrNotHeld):
		err = refuse(http.StatusConflict, "no export of the feed %s is held any more", name)
	case errors.Is(err, feeds.ErrOtherHeld):
		err = refuse(http.StatusConflict, "another export of the feed %s is held now: look at that one before you decide", name)
	case errors.Is(err, feeds.ErrFails):
		err = refuse(http.StatusConflict, "the job of an export of the feed %s would fail at once, so it cannot be approved", name)
	}
	c.feeds.invalidate()
	c.audiences.invalidate()
	c.live.notify(topicAudiences)
	return struct{}{}, c.settingsChanged(err)
}

// addFeeds adds the feeds that cannot look, those whose export is late, and those with an export that is held.
// label returns how people call an audience.
func (o *overview) addFeeds(states []feedState, label func(audience string) string) {
	for i := range states {
		s := &states[i]
		page := audiencePage(s.Spec.Target)
		if by, late := s.Late(o.At); late {
			o.add(problem{
				Level: "bad", Message: fmt.Sprintf("The export of feed %s is late", s.Name), About: label(s.Spec.Target) + ", " + s.Spec.Watch, Since: &by,
				Hint: "Ask who writes the export whether it was written, and to this place. It is taken as soon as it is there.", Page: page, Act: "Look now", Subject: s.Name,
			})
		}
		if s.Blind != "" && s.Paused == nil {
			o.add(problem{
				Level: "bad", Message: fmt.Sprintf("Feed %s is blind: its place cannot be looked at", s.Name), About: s.Blind, Since: &s.BlindSince,
				Hint: "New exports are not seen until it can. Check the place, its credentials and sources.allow.", Page: page, Act: "Look now", Subject: s.Name,
			})
		} else if s.Problem != "" {
			o.add(problem{
				Level: "warn", Message: fmt.Sprintf("Something is wrong with feed %s in the feed files", s.Name), About: s.Problem,
				Hint: "usher feeds check FILE shows all of it. A changed file is read again by itself.", Page: page, Act: "Open", Subject: s.Name,
			})
		}
		if held := s.Held(); len(held) > 0 {
			p := problem{
				Level: "warn", Message: fmt.Sprintf("An export of feed %s is held", s.Name), About: held[0].Reason, Since: &held[0].Since, Count: len(held), Of: "export",
				Hint: "Look at the export. Approve it if it is right; otherwise reject it, and the next one is judged again.", Page: page, Act: "Approve export", Subject: s.Name, Versions: s.Approvable(),
			}
			if len(p.Versions) == 0 {
				p.Message, p.Act = fmt.Sprintf("An export of feed %s cannot be taken", s.Name), "Look now"
				p.Hint = "Have it written again, or job.source in the feed file corrected, then look again. It cannot be approved: its job would fail at once."
			}
			o.add(p)
		}
	}
}
