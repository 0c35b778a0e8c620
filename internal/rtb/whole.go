package rtb

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
)

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
	const limit = 64 << 10 // characters
	return hideAll(printable(text, limit), f.sent.hidden)
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
