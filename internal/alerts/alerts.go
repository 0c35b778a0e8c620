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
	"strings"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher/internal/readable"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/rulings"
)

// Alerts posts news to a webhook in Slack's format.
type Alerts struct {
	detector detector
	webhook  string // secret: anyone who knows the address can post
	client   *http.Client
	logger   *slog.Logger
}

// New returns Alerts that post to webhook. If webhook is empty, Run does nothing.
func New(q *queues.Queue, r *rulings.Rulings, webhook string, o Options, logger *slog.Logger) *Alerts {
	return &Alerts{
		detector: detector{Options: o.withDefaults(), queue: q, letters: letters.New(q), rulings: r},
		webhook:  webhook, logger: logger,
		client: &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// pollInterval is how often a worker looks for news.
const pollInterval = 15 * time.Second

// Run posts alerts until ctx ends. Without a webhook it returns immediately.
func (a *Alerts) Run(ctx context.Context) {
	if a.webhook == "" {
		return
	}
	tick := time.NewTicker(min(pollInterval, max(a.detector.Every, time.Second)))
	defer tick.Stop()
	silent := false // NATS takes no writes, and an alert said so
	for {
		silent = a.reportWrites(ctx, silent)
		if err := a.detector.deliver(ctx, a.send); err != nil && ctx.Err() == nil {
			a.logger.Warn("post alert to alerts.webhook", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// reportWrites posts an alert when NATS stops to take writes, and when it takes them
// again. Other alerts are noted in NATS before they are sent, so that one worker sends
// them; this one is sent by every worker.
func (a *Alerts) reportWrites(ctx context.Context, silent bool) (nowSilent bool) {
	queue := a.detector.queue
	news := News{Worker: queue.Worker()}
	if err := queue.CheckWrites(); err != nil {
		news.Writes = err.Error()
	}
	if silent == (news.Writes != "") {
		return silent
	}
	news.Written = silent
	if err := a.send(ctx, news); err != nil {
		a.logger.Warn("post alert to alerts.webhook", "error", err)
		return silent
	}
	return !silent
}

// maxAttempts is the maximum number of attempts to post an alert.
const maxAttempts = 4

func (a *Alerts) send(ctx context.Context, news News) error {
	body, err := json.Marshal(map[string]string{"text": alertText(&news, a.detector.Console)})
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
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.webhook, bytes.NewReader(body))
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

// maxListed is the maximum number of causes and of runs that an alert lists.
const maxListed = 5

// alertText formats n for Slack, which requires & < > to be escaped. console is the address
// of the console for links, or "".
func alertText(n *News, console string) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	switch {
	case n.Writes != "":
		add("usher: worker %s: %s No job runs or ends until it does (usher doctor)", n.Worker, n.Writes)
	case n.Written:
		add("usher: worker %s: NATS takes writes again", n.Worker)
	}
	if n.Letters > 0 {
		add("usher: %s", readable.Count(int64(n.Letters), "new dead letter"))
		for _, g := range n.Groups[:min(len(n.Groups), maxListed)] {
			add("• %s %s %s on %s: %s (such as %s; usher dead show --group %s)", readable.Number(int64(g.Count)), g.Class, g.Kind, g.Target, readable.Line(g.Message, 150), g.Sample, g.Group)
		}
		if more := len(n.Groups) - maxListed; more > 0 {
			add("• and %s more; usher dead groups", readable.Count(int64(more), "cause"))
		}
	}
	for _, e := range n.Held[:min(len(n.Held), maxListed)] {
		add("usher: run %s of rules %s is held: %s (usher rules run %s; approve or reject it)", e.ID, e.File, readable.Line(e.Why, 150), e.ID)
	}
	if more := len(n.Held) - maxListed; more > 0 {
		add("usher: and %s more are held", readable.Count(int64(more), "run"))
	}
	for _, line := range noticeLines(n.Notified, console) {
		add("%s", line)
	}
	for _, l := range n.Stalled {
		add("usher: lane %s has stalled: %s waiting, the oldest for %s (usher lanes ls)", l.Lane, readable.Count(l.Waiting, "job"), readable.Duration(l.Waits(n.At)))
	}
	for _, l := range n.Recovered {
		add("usher: lane %s has recovered", l)
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(strings.Join(lines, "\n"))
}
