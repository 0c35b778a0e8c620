package rtb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"usher"
)

// Fault is an error in an answer of the platform. Its texts are the platform's, without
// control characters, long hex strings (they may be digests), tokens and other secrets,
// and shortened.
type Fault struct {
	Op, Method string
	Path       string // without digests
	Status     int    // of HTTP
	Code       string // the first code in the answer, or HTTP and the status
	Message    string
	Errors     []usher.Warning // the errors in the answer; E10059 has one for each creative

	sent *sent // a pointer, so that no verb of fmt prints its secrets
}

// sent is what the platform sent, and the secrets and digests of the call.
type sent struct {
	body   []byte
	hidden []string // Whole and Body hide them
}

func (f *Fault) Error() string {
	text := fmt.Sprintf("%s on %s: the platform answered %d", f.Op, f.Path, f.Status)
	if !strings.HasPrefix(f.Code, "HTTP") {
		text += " " + f.Code
	}
	message := f.Message
	if message == "" && len(f.Errors) > 0 {
		message = f.Errors[0].Description
		if more := len(f.Errors) - 1; more > 0 {
			message += fmt.Sprintf(" (and %d more)", more)
		}
	}
	if message == "" {
		return text
	}
	return text + ": " + message
}

// textLimit is the number of characters to which a text of the platform is shortened.
const textLimit = 300

// cleanedLimit is the number of bytes of a text of the platform that are searched for ids.
const cleanedLimit = 64 << 10

// personal matches text that may be a digest or a device id. It is compiled at its first
// use, so that it does not slow down the start of every command.
var personal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9A-Fa-f]{32,}|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`)
})

// clean removes secrets, digests and device ids from a text of the platform.
func clean(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= 4 { // a shorter one would match ordinary words
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	// The rest of an id that is cut no longer looks like one. So ids are masked before the text is shortened, and where
	// a long one is cut before that, no part of an id is left at its end.
	if len(text) > cleanedLimit {
		text = strings.TrimRight(text[:cleanedLimit], "0123456789ABCDEFabcdef-") + "…"
	}
	return printable(personal().ReplaceAllString(text, "…"), textLimit)
}

// printable replaces characters that cannot be printed by spaces and shortens the text
// to limit characters.
func printable(text string, limit int) string {
	var b strings.Builder
	count := 0
	for _, r := range text {
		if count++; count > limit {
			b.WriteRune('…')
			break
		}
		if !unicode.IsPrint(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Whole returns the error with the texts of the platform as it sent them, and with all of
// its errors, a line each. Ids are shown and nothing is shortened; only the secrets and
// digests of the call are hidden. Whole is for the terminal of the person who made the
// call, never for records and logs.
func (f *Fault) Whole() string {
	if f.sent == nil {
		return f.Error()
	}
	var e envelope
	var n notes
	_ = json.Unmarshal(f.sent.body, &e) // the texts are optional
	_ = json.Unmarshal(e.Data, &n)
	shown := *f
	shown.Message, shown.Errors = f.hide(e.Message), nil
	if shown.Message == "" && len(n.Errors) == 0 {
		shown.Message = f.Message // it is usher's, or the body is not an envelope
	}
	if shown.Message == "" && len(n.Errors) > 0 {
		shown.Message, n.Errors = f.hide(n.Errors[0].Description), n.Errors[1:]
	}
	lines := []string{shown.Error()}
	for _, more := range n.Errors {
		lines = append(lines, "       "+f.hide(more.Code)+": "+f.hide(more.Description))
	}
	return strings.Join(lines, "\n")
}

// Body returns the body of the answer if it is JSON, and otherwise nil. Only the secrets
// and digests of the call are hidden, as by Whole.
func (f *Fault) Body() json.RawMessage {
	if f.sent == nil || !json.Valid(f.sent.body) || len(bytes.TrimSpace(f.sent.body)) == 0 {
		return nil
	}
	return json.RawMessage(hideAll(string(f.sent.body), f.sent.hidden))
}

// hide hides secrets in a text of the platform and replaces what a terminal would interpret.
func (f *Fault) hide(text string) string {
	const limit = 64 << 10                                // characters
	return printable(hideAll(text, f.sent.hidden), limit) // a secret that is cut would not be found
}

// hideAll replaces all secrets in a text by an ellipsis.
func hideAll(text string, secrets []string) string {
	for _, secret := range secrets {
		text = hideSecret(text, secret)
		if quoted, err := json.Marshal(secret); err == nil { // as JSON writes it
			text = hideSecret(text, string(quoted[1:len(quoted)-1]))
		}
	}
	return text
}

// hideSecret hides a secret in a text. A short one, such as a card's CVV, is hidden only
// where it stands alone, because it would match parts of ids. A card number is hidden
// however its digits are grouped.
func hideSecret(text, secret string) string {
	const long = 6
	if digits := strings.NewReplacer(" ", "", "-", "").Replace(secret); CardScheme(secret) != "" {
		return regexp.MustCompile(strings.Join(strings.Split(digits, ""), "[ -]?")).ReplaceAllString(text, "…")
	}
	if len(secret) >= long {
		return strings.ReplaceAll(text, secret, "…")
	}
	if secret == "" {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, secret)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if endsInWord(before) || beginsWithWord(after) {
			b.WriteString(secret)
		} else {
			b.WriteString("…")
		}
		text = after
	}
}

func endsInWord(text string) bool {
	runes := []rune(text)
	return len(runes) > 0 && isWord(runes[len(runes)-1])
}

func beginsWithWord(text string) bool {
	for _, r := range text {
		return isWord(r)
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
