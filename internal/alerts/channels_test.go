package alerts

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// message is the message of the tests.
func message() Message {
	m := newMessage(DeadLetters, "3f9a21c0", "Jobs fail on segment 7: no <segment> [7](http://x) & none", time.Date(2026, 3, 2, 7, 5, 0, 0, time.UTC))
	m.Details = []string{"not_found, segment.add, such as job crm-1"}
	m.Count, m.Counted = 1200, "dead letter"
	m.Action = "Create the segment. Then replay the jobs."
	m.Link = "https://usher.example.com/#/letters?group=3f9a21c0"
	return m
}

// posted returns the path and the body of what a webhook posts to a server.
func posted(t *testing.T, format Format, m *Message) map[string]any {
	t.Helper()
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/services/SECRET" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s, %v", r.Method, r.URL.Path, r.Header)
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	zone := time.FixedZone("CET", 3600)
	if err := NewWebhook(func() string { return server.URL + "/services/SECRET" }, format, zone).send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return got
}

// at returns the value at a path of keys and indices.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

// Each format says what, since when, how many, and what to do, and links to the page. Nothing of
// it is interpreted as a link or a mention.
func TestFormats(t *testing.T) {
	t.Parallel()
	m := message()
	slack := at(t, posted(t, Auto, &m), "text")
	want := `usher: Jobs fail on segment 7: no &lt;segment&gt; [7](http://x) &amp; none
Since 2026-03-02 08:05 CET, 1,200 dead letters
not_found, segment.add, such as job crm-1
What to do: Create the segment. Then replay the jobs.
https://usher.example.com/#/letters?group=3f9a21c0`
	if slack != want {
		t.Errorf("Slack gets\n%s\nwant\n%s", slack, want)
	}

	teams := posted(t, Teams, &m)
	card := at(t, teams, "attachments", 0, "content")
	if at(t, teams, "type") != "message" || at(t, card, "body", 0, "inlines", 0, "text") != m.Title || at(t, card, "actions", 0, "url") != m.Link ||
		at(t, card, "body", 1, "inlines", 0, "text") != "Since 2026-03-02 08:05 CET, 1,200 dead letters" {
		t.Errorf("Teams gets %v", teams)
	}

	discord := posted(t, Discord, &m)
	text, _ := at(t, discord, "embeds", 0, "description").(string)
	if at(t, discord, "embeds", 0, "title") != `Jobs fail on segment 7: no \<segment\> \[7\](http://x) & none` || !strings.Contains(text, "1,200 dead letters") ||
		!strings.HasSuffix(text, "\n"+m.Link) || len(at(t, discord, "allowed_mentions", "parse").([]any)) != 0 {
		t.Errorf("Discord gets %v", discord)
	}

	solved := m.solved(m.Since.Add(14*time.Minute), "No dead letter of this cause is left.")
	plain := posted(t, JSON, &solved)
	for key, want := range map[string]any{
		"version": 1.0, "event": "solved", "incident": "dead_letters/3f9a21c0", "kind": "dead_letters", "level": "warning", "title": m.Title,
		"since": "2026-03-02T07:05:00Z", "until": "2026-03-02T07:19:00Z", "count": 1200.0, "counted": "dead letter", "link": m.Link,
	} {
		if plain[key] != want {
			t.Errorf("%s is %v, want %v", key, plain[key], want)
		}
	}
	if text, _ := plain["text"].(string); !strings.HasPrefix(text, "usher: Solved after 14 min: Jobs fail on segment 7") {
		t.Errorf("the text is %q", text)
	}
}

// A summary has a line for each message; services with a limit get as much as fits.
func TestSummaryFits(t *testing.T) {
	t.Parallel()
	var messages []Message
	for range 200 {
		m := message()
		m.Incident += strings.Repeat("x", len(messages))
		messages = append(messages, m)
	}
	s := summarize("200 messages", messages)
	if text, _ := at(t, posted(t, Discord, &s), "embeds", 0, "description").(string); len(text) > 4096 || !strings.HasSuffix(text, "…") {
		t.Errorf("Discord gets %d bytes", len(text))
	}
	if n := size(posted(t, Teams, &s)); n > 28_000 {
		t.Errorf("Teams gets %d bytes", n)
	}
	if items := at(t, posted(t, JSON, &s), "items"); len(items.([]any)) != 200 {
		t.Errorf("JSON has %v", items)
	}
}

func TestFormatOfHosts(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]Format{
		"https://hooks.slack.com/services/x": Slack, "https://chat.example.com/hooks/x": Slack, "https://discord.com/api/webhooks/1/x": Discord,
		"https://example.webhook.office.com/webhookb2/x": Teams, "https://prod-1.westeurope.logic.azure.com:443/workflows/x": Teams,
		"https://default1.2.environment.api.powerplatform.com/powerautomate/x": Teams, "https://notdiscord.com/x": Slack,
	} {
		if got := Auto.of(address); got != want {
			t.Errorf("%s has format %s, want %s", address, got, want)
		}
	}
	if got := JSON.of("https://discord.com/x"); got != JSON {
		t.Errorf("a given format is %s", got)
	}
}

// A post is retried after a server error, and errors do not contain the webhook's
// address.
func TestWebhook(t *testing.T) {
	t.Parallel()
	attempts := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if attempts++; attempts == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	w := &webhook{address: func() string { return server.URL + "/services/SECRET" }, client: server.Client(), zone: time.UTC}
	m := message()
	if err := w.send(t.Context(), &m); err != nil || attempts != 2 {
		t.Errorf("send made %d attempts, want 2; error %v", attempts, err)
	}
	server.Close()
	if err := w.post(t.Context(), nil); err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("post to a closed server: error %v, want one without the address", err)
	}
}

// Texts of strangers cannot change the order of what people read, in any format and in mails.
func TestBidirectionalControls(t *testing.T) {
	t.Parallel()
	m := message()
	m.Title, m.Details[0], m.Action = "gpj.\u202exe", "a\u2066b", "c\u200fd"
	for _, format := range []Format{Slack, Teams, Discord, JSON} {
		body, err := format.body(&m, time.UTC)
		if err != nil || bytes.ContainsAny(body, "\u202e\u2066\u200f") || !strings.Contains(string(body), `gpj.\\u202exe`) {
			t.Errorf("%s: %s, %v", format, body, err)
		}
	}
	mail, err := NewMail(Mail{Server: "smtp://127.0.0.1:1", From: "usher@example.com", To: []string{"ops@example.com"}, Zone: time.UTC, Password: func() string { return "" }}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	text := string(mail.(*mailer).text(&m))
	if strings.Contains(text, "=E2=80=AE") || strings.Contains(text, "=E2=81=A6") || !strings.Contains(text, `gpj.\u202exe`) {
		t.Errorf("the mail is %s", text)
	}
}
