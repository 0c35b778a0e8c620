package rtb

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"usher"
)

// Fault is what the platform answered instead of doing what it was asked. Its
// texts are the platform's words, cleaned: no control characters, no long hex
// strings (they may be digests), no token, of limited length.
type Fault struct {
	Op, Method string
	Path       string // digests left out
	Status     int    // of HTTP
	Code       string // the platform's first code; HTTPnnn where it gave none
	Message    string
	Errors     []usher.Warning // what it listed: one entry per creative for E10059
}

func (f *Fault) Error() string {
	text := fmt.Sprintf("%s on %s: the platform answered %d", f.Op, f.Path, f.Status)
	if !strings.HasPrefix(f.Code, "HTTP") {
		text += " " + f.Code
	}
	words := f.Message
	if words == "" && len(f.Errors) > 0 {
		words = f.Errors[0].Description
		if more := len(f.Errors) - 1; more > 0 {
			words += fmt.Sprintf(" (and %d more)", more)
		}
	}
	if words == "" {
		return text
	}
	return text + ": " + words
}

// wordLimit is how many characters of one text of the platform are kept.
const wordLimit = 300

// looksPersonal is what may be a digest or a device id. It is compiled
// once, by whoever needs it first: not by every command's start.
var looksPersonal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9A-Fa-f]{32,}|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`)
})

// clean makes a text of the platform fit to be shown.
func clean(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= 4 { // a shorter one would make holes everywhere
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return looksPersonal().ReplaceAllString(printable(text, wordLimit), "…")
}

// printable replaces what is no printable character by a space and cuts after
// limit characters.
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
