package alerts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher/internal/readable"
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

// Format is the format of a webhook's messages.
type Format string

// The formats. Auto is that of the address's host, and Slack's for other hosts, which many
// chat servers take.
const (
	Auto    Format = "auto"
	Slack   Format = "slack"
	Teams   Format = "teams"
	Discord Format = "discord"
	JSON    Format = "json"
)

// hosts are the hosts of services, with their subdomains.
var hosts = map[string]Format{
	"webhook.office.com": Teams, "logic.azure.com": Teams, "api.powerplatform.com": Teams,
	"discord.com": Discord, "discordapp.com": Discord,
}

// of returns the format of an address.
func (f Format) of(address string) Format {
	if f != Auto && f != "" {
		return f
	}
	u, err := url.Parse(address)
	if err != nil {
		return Slack
	}
	for host, format := range hosts {
		if name := strings.ToLower(u.Hostname()); name == host || strings.HasSuffix(name, "."+host) {
			return format
		}
	}
	return Slack
}

// Limits of services, in bytes or characters, with a margin.
const (
	maxSlack   = 30_000
	maxTeams   = 20_000
	maxDiscord = 3_900
)

// body returns a message in the format.
func (f Format) body(m *Message, zone *time.Location) ([]byte, error) {
	var v any
	switch f {
	case Teams:
		v = teamsCard(m, zone)
	case Discord:
		v = discordEmbed(m, zone)
	case JSON:
		v = struct {
			Version int    `json:"version"`
			Text    string `json:"text"`
			Message
		}{1, m.Text(zone), *m}
	default:
		text := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(cut(m.Text(zone), maxSlack))
		v = map[string]string{"text": text}
	}
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode alert: %w", err)
	}
	return readable.UnbidiShown(body), nil
}

// cut shortens a text to n bytes, between characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

type object = map[string]any

// teamsCard returns a message with an Adaptive Card. The text is in RichTextBlocks, in which
// Markdown is not interpreted: texts may come from any publisher.
func teamsCard(m *Message, zone *time.Location) object {
	colour := map[Level]string{Fault: "Attention", Warning: "Warning"}[m.Level]
	if m.Event == Solved {
		colour = "Good"
	}
	run := func(text string) object { return object{"type": "TextRun", "text": text} }
	title := run(m.Headline())
	title["weight"], title["size"], title["color"] = "Bolder", "Medium", colour
	blocks := []object{{"type": "RichTextBlock", "inlines": []object{title}}}
	left := maxTeams
	for _, line := range m.Lines(zone) {
		if line == m.Link {
			continue
		}
		if left -= len(line) + 80; left < 0 {
			line = "…"
		}
		blocks = append(blocks, object{"type": "RichTextBlock", "inlines": []object{run(line)}})
		if left < 0 {
			break
		}
	}
	card := object{"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": blocks}
	if m.Link != "" {
		card["actions"] = []object{{"type": "Action.OpenUrl", "title": "Open in usher", "url": m.Link}}
	}
	return object{"type": "message", "attachments": []object{{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}}}
}

// discordMarks precede with a backslash what Discord would interpret as Markdown or a mention.
var discordMarks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, ">", `\>`, "<", `\<`, "[", `\[`, "]", `\]`, "#", `\#`)

// discordEmbed returns a message with an embed, which mentions nobody.
func discordEmbed(m *Message, zone *time.Location) object {
	colour := map[Level]int{Fault: 0xd1242f, Warning: 0xbf8700}[m.Level]
	if m.Event == Solved {
		colour = 0x1a7f37
	}
	var lines []string
	left := maxDiscord
	for _, line := range m.Lines(zone) {
		if !strings.HasPrefix(strings.TrimSpace(line), "https://") && !strings.HasPrefix(strings.TrimSpace(line), "http://") {
			line = discordMarks.Replace(line)
		}
		if left -= len(line) + 1; left < 0 {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, line)
	}
	embed := object{"title": cut(discordMarks.Replace(m.Headline()), 240), "description": strings.Join(lines, "\n"), "color": colour}
	return object{"username": "usher", "embeds": []object{embed}, "allowed_mentions": object{"parse": []string{}}}
}
