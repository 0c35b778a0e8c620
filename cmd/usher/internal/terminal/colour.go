package terminal

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"usher"
)

// IsTerminal reports whether file, a reader or a writer, is a terminal.
func IsTerminal(file any) bool {
	f := fileOf(file)
	return f != nil && isatty.IsTerminal(f.Fd())
}

// fileOf returns the file behind a reader or writer, or nil.
func fileOf(file any) *os.File {
	switch file := file.(type) {
	case *os.File:
		return file
	case *frame:
		return file.file
	}
	return nil
}

// Colour returns a job's state or a finding in its colour, if w is a terminal and
// NO_COLOR is not set. It returns other words unchanged.
func Colour(w io.Writer, word string) string {
	if !IsTerminal(w) || os.Getenv("NO_COLOR") != "" {
		return word
	}
	const green, red, yellow, cyan = "32", "31", "33", "36"
	var code string
	switch word {
	case string(usher.Done), "ok":
		code = green
	case string(usher.Failed), "problem":
		code = red
	case string(usher.Retrying), string(usher.Cancelled):
		code = yellow
	case string(usher.Running):
		code = cyan
	default:
		return word
	}
	return "\x1b[" + code + "m" + word + "\x1b[0m"
}
