package alerts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher/queues"
	"usher/queues/letters"
	"usher/queues/rulings"
)

// Alerts posts alerts to a webhook in Slack's format.
type Alerts struct {
	detector detector
	webhook  func() string // the current address; secret: anyone who knows it can post
	client   *http.Client
	logger   *slog.Logger
}

// New returns Alerts that post to the address that webhook returns at that time. If it is empty
// when Run begins, Run does nothing.
func New(q *queues.Queue, r *rulings.Rulings, webhook func() string, o Options, logger *slog.Logger) *Alerts {
	return &Alerts{
		detector: detector{Options: o.withDefaults(), queue: q, letters: letters.New(q), rulings: r, notices: rulings.NewNotices(q)},
		webhook:  webhook, logger: logger,
		client: &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// pollInterval is how often a worker checks whether there is something to alert.
const pollInterval = 15 * time.Second

// Run posts alerts until ctx ends. Without a webhook it returns immediately.
func (a *Alerts) Run(ctx context.Context) {
	if a.webhook() == "" {
		return
	}
	tick := time.NewTicker(min(pollInterval, max(a.detector.Every, time.Second)))
	defer tick.Stop()
	writes := time.NewTicker(queues.PulseEvery)
	defer writes.Stop()
	down := a.reportWrites(ctx, false) // an alert has said that NATS takes no writes
	a.deliver(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-writes.C:
			down = a.reportWrites(ctx, down)
		case <-tick.C:
			a.deliver(ctx)
		}
	}
}

// deliver posts all alerts but that of reportWrites.
func (a *Alerts) deliver(ctx context.Context) {
	if err := a.detector.deliver(ctx, a.send); err != nil && ctx.Err() == nil {
		a.logger.Warn("post alert to alerts.webhook", "error", err)
	}
}

// reportWrites posts an alert when NATS no longer takes writes, and another one when it
// takes them again. down reports whether the first one was posted. Other alerts are
// recorded in NATS before they are posted, so that one worker posts them; this one cannot
// be recorded, so every worker posts it.
func (a *Alerts) reportWrites(ctx context.Context, down bool) (nowDown bool) {
	queue := a.detector.queue
	alert := Alert{Worker: queue.Worker()}
	if err := queue.Pulse().CheckWrites(); err != nil {
		alert.WriteError = err.Error()
	}
	if down == (alert.WriteError != "") {
		return down
	}
	alert.WritesResumed = down
	if err := a.send(ctx, alert); err != nil {
		a.logger.Warn("post alert to alerts.webhook", "error", err)
		return down
	}
	return !down
}

// maxAttempts is the maximum number of attempts to post an alert.
const maxAttempts = 4

// send posts an alert, with backoff.
func (a *Alerts) send(ctx context.Context, alert Alert) error {
	body, err := json.Marshal(map[string]string{"text": alertText(&alert, a.detector.Console)})
	if err != nil {
		return fmt.Errorf("encode alert: %w", err)
	}
	policy := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(time.Second), backoff.WithMultiplier(2), backoff.WithRandomizationFactor(0), backoff.WithMaxElapsedTime(0),
	)
	return backoff.Retry(func() error { return a.post(ctx, body) }, backoff.WithContext(backoff.WithMaxRetries(policy, maxAttempts-1), ctx))
}

// post makes one attempt. Its errors do not contain the address, which is secret.
func (a *Alerts) post(ctx context.Context, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.webhook(), bytes.NewReader(body))
	if err != nil {
		return errors.New("post alert: alerts.webhook is not a valid URL")
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := a.client.Do(request)
	var withAddress *url.Error
	if errors.As(err, &withAddress) {
		return fmt.Errorf("post alert: %w", withAddress.Err)
	}
	if err != nil {
		return fmt.Errorf("post alert: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // drained, so that the connection can be reused
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("post alert: the webhook answered %d", response.StatusCode)
	}
	return nil
}
