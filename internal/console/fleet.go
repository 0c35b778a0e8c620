package console

import (
	"context"
	"net/http"
	"strings"
)

// reason is what a change of the whole is asked with.
type reason struct {
	Reason string `json:"reason"`
}

// said refuses what gives no reason.
func said(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return refuse(http.StatusUnprocessableEntity, "say why: the reason stands in the audit")
	}
	return nil
}

func (c *Console) stopActions(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	if err := said(in.Reason); err != nil {
		return nil, err
	}
	return struct{}{}, c.turned(c.Fleet.Stop(ctx, in.Reason, user))
}

func (c *Console) startActions(ctx context.Context, _ *http.Request, user User) (any, error) {
	return struct{}{}, c.turned(c.Fleet.Start(ctx, user))
}

func (c *Console) setLane(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	if err := said(in.Reason); err != nil {
		return nil, err
	}
	paused := strings.HasSuffix(req.URL.Path, "/pause")
	return struct{}{}, c.turned(c.Fleet.SetLane(ctx, req.PathValue("lane"), paused, in.Reason, user))
}

func (c *Console) setLimit(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		PerSecond float64 `json:"perSecond"`
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	if err := said(in.Reason); err != nil {
		return nil, err
	}
	if in.PerSecond < 0 || in.PerSecond > 1e6 {
		return nil, refuse(http.StatusUnprocessableEntity, "the limit is a number of calls a second above 0, or 0 for the configured one")
	}
	return struct{}{}, c.turned(c.Fleet.SetLimit(ctx, in.PerSecond, in.Reason, user))
}

// turned tells the pages that something of the whole was set.
func (c *Console) turned(err error) error {
	c.runs.invalidate()
	c.live.notify(topicRules)
	c.live.notify(topicOverview)
	return err
}
