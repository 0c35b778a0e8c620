package rtb

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"usher"
)

// Fault is an error that the platform answered. Its texts are the platform's, without
// control characters, without long hex strings (they may be digests), without tokens
// and other secrets, and cut to a limited length.
type Fault struct {
	Op, Method string
	Path       string // without digests
	Status     int    // of HTTP
	Code       string // the platform's first code; HTTPnnn if it gave none
	Message    string
	Errors     []usher.Warning // the listed errors; for E10059 one for each creative
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

// textLimit is the number of characters that are kept of one text of the platform.
const textLimit = 300

// personal matches what may be a digest or a device id. It is compiled at its first
// use, so that it does not slow down the start of each command.
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
	return personal().ReplaceAllString(printable(text, textLimit), "…")
}

// printable replaces characters that cannot be printed by spaces and cuts the text
// after limit characters.
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
