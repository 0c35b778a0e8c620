package terminal

import (
	"fmt"
	"io"
	"strings"
)

// Wrap breaks text between words into lines of at most width columns. A longer word has a
// line for itself.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case TextWidth(line)+1+TextWidth(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// wrapHard is Wrap that also breaks words that are longer than width, such as ids and URLs.
func wrapHard(text string, width int) []string {
	var lines []string
	for _, line := range Wrap(text, width) {
		for TextWidth(line) > width {
			head := []rune{}
			used := 0
			for _, r := range line {
				if used += TextWidth(string(r)); used > width && len(head) > 0 {
					break
				}
				head = append(head, r)
			}
			lines = append(lines, string(head))
			line = line[len(string(head)):]
		}
		lines = append(lines, line)
	}
	return lines
}

// WriteWrapped writes a text in lines that fit the terminal.
func WriteWrapped(w io.Writer, text string) error {
	lines := []string{text}
	if width := Width(w); width > 0 {
		lines = Wrap(text, width)
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}
