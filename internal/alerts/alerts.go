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

// Alerts posts to a webhook, as Slack takes it, what people must be told: new
// dead letters, rule runs that are held, lanes that came to a halt. Of a fleet's
// workers one does.
type Alerts struct {
	finder  finder
	webhook string // secret: whoever knows it may post
	client  *http.Client
	logger  *slog.Logger
}

// New posts to webhook, or nowhere if that is empty.
func New(q *queues.Queue, r *rulings.Rulings, webhook string, o Options, logger *slog.Logger) *Alerts {
	return &Alerts{
		finder:  finder{Options: o.withDefaults(), queue: q, letters: letters.New(q), rulings: r},
		webhook: webhook, logger: logger,
		client: &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// lookEvery is how often a worker looks for news.
const lookEvery = 15 * time.Second

// Run looks for news until ctx ends. Without a webhook it returns at once.
func (a *Alerts) Run(ctx context.Context) {
	if a.webhook == "" {
		return
	}
	tick := time.NewTicker(min(lookEvery, max(a.finder.Every, time.Second)))
	defer tick.Stop()
	for {
		if err := a.finder.deliver(ctx, a.send); err != nil && ctx.Err() == nil {
			a.logger.Warn("sending an alert to alerts.webhook", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// webhookTries is the largest number of attempts to post an alert.
const webhookTries = 4

func (a *Alerts) send(ctx context.Context, news News) error {
	body, err := json.Marshal(map[string]string{"text": alertText(&news)})
	if err != nil {
		return fmt.Errorf("encode alert: %w", err)
	}
	waits := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(time.Second), backoff.WithMultiplier(2), backoff.WithRandomizationFactor(0), backoff.WithMaxElapsedTime(0),
	)
	return backoff.Retry(func() error { return a.post(ctx, body) }, backoff.WithContext(backoff.WithMaxRetries(waits, webhookTries-1), ctx))
}

// post posts once. Its errors do not name the address.
func (a *Alerts) post(ctx context.Context, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.webhook, bytes.NewReader(body))
	if err != nil {
		return errors.New("post alert: alerts.webhook is no URL")
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := a.client.Do(request)
	var in *url.Error
	if errors.As(err, &in) {
		return fmt.Errorf("post alert: %w", in.Err)
	}
	if err != nil {
		return fmt.Errorf("post alert: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("post alert: the webhook answered %d", answer.StatusCode)
	}
	return nil
}

// alertGroups is how many causes and runs an alert names.
const alertGroups = 5

// alertText is an alert in Slack's words, in which & < > are written otherwise.
func alertText(n *News) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if n.Letters > 0 {
		add("usher: %s", readable.Count(int64(n.Letters), "new dead letter"))
		for _, g := range n.Groups[:min(len(n.Groups), alertGroups)] {
			add("• %s %s %s on %s: %s (such as %s; usher dead show --group %s)", readable.Number(int64(g.Count)), g.Class, g.Kind, g.Target, readable.Line(g.Message, 150), g.Sample, g.Group)
		}
		if more := len(n.Groups) - alertGroups; more > 0 {
			add("• and %s more; usher dead groups", readable.Count(int64(more), "cause"))
		}
	}
	for _, e := range n.Held[:min(len(n.Held), alertGroups)] {
		add("usher: the run %s of rules %s is held: %s (usher rules run %s; approve or reject it)", e.ID, e.File, readable.Line(e.Why, 150), e.ID)
	}
	if more := len(n.Held) - alertGroups; more > 0 {
		add("usher: and %s more are held", readable.Count(int64(more), "run"))
	}
	for _, l := range n.Stalled {
		add("usher: lane %s has come to a halt: %s wait, the oldest for %s (usher lanes ls)", l.Lane, readable.Count(l.Waiting, "job"), readable.Duration(l.Waits(time.Now())))
	}
	for _, l := range n.Moving {
		add("usher: lane %s goes on again", l)
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(strings.Join(lines, "\n"))
}
