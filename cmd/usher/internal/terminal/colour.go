package terminal

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"usher"
)

// IsTerminal reports whether w is a terminal: bars and colours are for people.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Coloured is a word in its colour, where w shows colours.
func Coloured(w io.Writer, word string) string {
	if !IsTerminal(w) || os.Getenv("NO_COLOR") != "" {
		return word
	}
	code := ""
	switch word {
	case string(usher.Done), "ok":
		code = "32"
	case string(usher.Failed), "problem":
		code = "31"
	case string(usher.Retrying), string(usher.Cancelled):
		code = "33"
	case string(usher.Running):
		code = "36"
	}
	if code == "" {
		return word
	}
	return "\x1b[" + code + "m" + word + "\x1b[0m"
}
