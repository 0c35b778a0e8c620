package rtb

import (
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
	return personal().ReplaceAllString(printable(text, textLimit), "…")
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
