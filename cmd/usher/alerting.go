package main

import (
	"context"
	"fmt"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/alerts"
	"usher/queues/presence"
)

// newAlerts returns the alerts with the channels that are configured.
func (p *process) newAlerts() (*alerts.Alerts, error) {
	c := p.config
	zone, err := time.LoadLocation(c.String("alerts.timezone"))
	if err != nil {
		return nil, fmt.Errorf("read alerts.timezone: %w", err)
	}
	quiet, err := alerts.ParseQuiet(c.String("alerts.quiet"), zone)
	if err != nil {
		return nil, fmt.Errorf("read alerts.quiet: %w", err)
	}
	channels, err := alertChannels(c, zone, p.Queue.Now)
	if err != nil {
		return nil, err
	}
	o := alerts.Options{
		Every: c.Duration("alerts.every"), Stalled: c.Duration("alerts.stalled"), Console: c.String("console.url"),
		Quiet: quiet, Zone: zone, Outages: p.outages,
	}
	return alerts.New(p.Queue, p.Decisions, channels, o, p.logger), nil
}

// outages returns since when workers cannot use the platform and Redis, which sources are slow, and which
// copies of the streams are away.
func (p *process) outages(ctx context.Context) (found alerts.Outages) {
	workers, err := p.Queue.Presence().Workers(ctx)
	found.Known = err == nil
	note := func(o *alerts.Outage, worker string, since *time.Time, how string) {
		if since != nil && (o.Since.IsZero() || since.Before(o.Since)) {
			*o = alerts.Outage{Since: *since, Worker: worker, How: how}
		}
	}
	for _, w := range workers {
		platform, redis := &found.Platform, &found.Redis
		if w.Refused {
			platform = &found.Login
		}
		if w.RedisRefused {
			redis = &found.RedisLogin
		}
		note(platform, w.Worker, w.Down, w.How)
		note(redis, w.Worker, w.NoRedis, "")
		found.Slow = append(found.Slow, w.Slow...)
	}
	found.Failing = presence.AllFailing(workers)
	found.Away, err = p.Queue.AwayCopies(ctx)
	found.AwayKnown = err == nil // if NATS does not respond, that is another alert
	return found
}

// alertChannels returns the channels that are configured.
func alertChannels(c config.Config, zone *time.Location, now func() time.Time) ([]alerts.Channel, error) {
	var channels []alerts.Channel
	if c.String("alerts.webhook") != "" {
		channels = append(channels, alerts.NewWebhook(currentValue(c, "alerts.webhook"), alerts.Format(c.String("alerts.format")), zone))
	}
	if server := c.String("alerts.smtp"); server != "" {
		roots, err := connect.MailRoots(c)
		if err != nil {
			return nil, err
		}
		mail, err := alerts.NewMail(alerts.Mail{
			Server: server, User: c.String("alerts.smtp_user"), Password: currentValue(c, "alerts.smtp_password"), Plain: c.String("alerts.smtp_plain"), Roots: roots,
			From: c.String("alerts.email_from"), To: c.Strings("alerts.email_to"), Zone: zone,
		}, now)
		if err != nil {
			return nil, err
		}
		channels = append(channels, mail)
	}
	return channels, nil
}
