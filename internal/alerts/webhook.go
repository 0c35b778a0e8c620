package alerts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// errRefused is the error of a message that is refused for its content.
var errRefused = errors.New("the message was refused")

// webhook posts messages to an address.
type webhook struct {
	address func() string // the current address; secret: anyone who knows it can post
	format  Format
	zone    *time.Location
	client  *http.Client
}

// NewWebhook returns a channel that posts to the address that a function returns at that time. zone
// is that of the times in messages.
func NewWebhook(address func() string, format Format, zone *time.Location) Channel {
	return &webhook{address: address, format: format, zone: zone, client: &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (w *webhook) name() string { return "alerts.webhook" }

// maxAttempts is the maximum number of attempts to send a message.
const maxAttempts = 4

func (w *webhook) send(ctx context.Context, m *Message) error {
	body, err := w.format.of(w.address()).body(m, w.zone)
	if err != nil {
		return err
	}
	policy := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(time.Second), backoff.WithMultiplier(2), backoff.WithRandomizationFactor(0), backoff.WithMaxElapsedTime(0),
	)
	return backoff.Retry(func() error { return w.post(ctx, body) }, backoff.WithContext(backoff.WithMaxRetries(policy, maxAttempts-1), ctx))
}

// post makes one attempt. Its errors do not contain the address, which is secret.
func (w *webhook) post(ctx context.Context, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.address(), bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(errors.New("post to alerts.webhook: it is not a valid URL"))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "usher")
	response, err := w.client.Do(request)
	var withAddress *url.Error
	if errors.As(err, &withAddress) {
		return fmt.Errorf("post to alerts.webhook: %w", withAddress.Err)
	}
	if err != nil {
		return fmt.Errorf("post to alerts.webhook: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // drained, so that the connection can be reused
	switch code := response.StatusCode; {
	case code/100 == 2:
		return nil
	case code == http.StatusBadRequest, code == http.StatusRequestEntityTooLarge, code == http.StatusUnprocessableEntity:
		return backoff.Permanent(fmt.Errorf("post to alerts.webhook: the server answered %d to the format %s: %w", code, w.format.of(w.address()), errRefused))
	default:
		return fmt.Errorf("post to alerts.webhook: the server answered %d", code)
	}
}
