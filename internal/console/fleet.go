package console

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/settings"
)

// laneRow is a lane on the page.
type laneRow struct {
	Name    string     `json:"name"`
	Waiting int64      `json:"waiting"` // not yet taken
	Running int64      `json:"running"` // running, or between attempts
	Slots   int        `json:"slots"`   // of this worker
	Oldest  *time.Time `json:"oldest"`  // when the oldest waiting or running job was published
	Paused  string     `json:"paused"`  // by whom and why; "" if the lane is not paused
}

func (c *Console) lanes(ctx context.Context) ([]laneRow, error) {
	states, err := c.options.Lanes.States(ctx)
	rows := make([]laneRow, 0, len(states))
	for _, s := range states {
		row := laneRow{Name: string(s.Lane), Waiting: s.Waiting, Running: s.Running, Oldest: s.Oldest, Slots: c.options.Slots[s.Lane]}
		if s.Paused != nil {
			row.Paused = strings.TrimSuffix(s.Paused.By+": "+s.Paused.Reason, ": ")
		}
		rows = append(rows, row)
	}
	return rows, err
}

// reason is the body of a request that changes a setting.
type reason struct {
	Reason string `json:"reason"`
}

// requireReason refuses a request without a reason.
func requireReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return refuse(http.StatusUnprocessableEntity, "a reason is required: it is recorded in the audit")
	}
	return nil
}

func (c *Console) stopActions(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	return struct{}{}, c.settingsChanged(c.options.Settings.Set(ctx, usher.Setting{Kind: usher.StopSwitch}, actOf(user, in.Reason)))
}

// stop shows the stop switch in a response. In a request, it says which stop is to end.
type stop struct {
	Stop *usher.Setting `json:"stop"` // null: in a response, the switch is off; in a request, any stop is to end
}

func (c *Console) showStop(ctx context.Context, _ *http.Request, _ User) (any, error) {
	set, err := c.options.Settings.Get(ctx, usher.StopSwitch, "")
	return stop{set}, err
}

// startActions ends the stop that the page has shown, and none that somebody has set since.
func (c *Console) startActions(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		stop
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	act := actOf(user, in.Reason)
	if in.Stop == nil {
		err = c.options.Settings.TakeBack(ctx, usher.StopSwitch, "", act)
	} else {
		err = c.options.Settings.TakeBackShown(ctx, usher.StopSwitch, "", in.Stop, act)
	}
	if errors.Is(err, settings.ErrSetAgain) {
		err = refuse(http.StatusConflict, "%v; look at that stop before you end it", err)
	}
	return struct{}{}, c.settingsChanged(err)
}

func (c *Console) setLane(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	lane := lanes.Lane(req.PathValue("lane"))
	if !lane.Known() {
		return nil, refuse(http.StatusNotFound, "there is no lane %q", lane)
	}
	change := c.options.Lanes.Resume
	if strings.HasSuffix(req.URL.Path, "/pause") {
		change = c.options.Lanes.Pause
	}
	return struct{}{}, c.settingsChanged(change(ctx, lane, actOf(user, in.Reason)))
}

func (c *Console) setLimit(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		PerSecond float64 `json:"perSecond"`
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	if in.PerSecond < 0 || in.PerSecond > 1e6 {
		return nil, refuse(http.StatusUnprocessableEntity, "the limit must be a number of calls a second; 0 means the configured limit")
	}
	advertiser, act := c.options.Platform().Advertiser, actOf(user, in.Reason)
	if in.PerSecond == 0 {
		return struct{}{}, c.settingsChanged(c.options.Settings.TakeBack(ctx, usher.RateLimit, advertiser, act))
	}
	limit := usher.Setting{Kind: usher.RateLimit, Name: advertiser, Rate: usher.Rate{PerSecond: in.PerSecond}}
	return struct{}{}, c.settingsChanged(c.options.Settings.Set(ctx, limit, act))
}

// settingsChanged announces that a setting may have changed, and returns err.
func (c *Console) settingsChanged(err error) error {
	c.runs.invalidate()
	c.held.invalidate()
	c.live.notify(topicRules)
	c.live.notify(topicOverview)
	return err
}
