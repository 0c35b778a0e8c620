package command

import (
	"fmt"
	"strconv"
	"strings"
)

// delimiter is the value of the flag for a CSV's delimiter. It may be given by name or
// escaped, since it is often a character that a shell treats specially.
type delimiter string

func (d *delimiter) String() string { return string(*d) }

// word returns the delimiter as it can be typed.
func (d *delimiter) word() string {
	switch word := string(*d); {
	case word == "\t":
		return "tab"
	case len(word) == 1 && (word[0] < ' ' || word[0] == 0x7F):
		return fmt.Sprintf(`\u%04x`, word[0])
	default:
		return word
	}
}

func (*delimiter) Type() string { return "character" }

func (d *delimiter) Set(word string) error {
	named := map[string]string{"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "^A": "\x01", "auto": "auto"}
	character, ok := named[word]
	if !ok {
		character = word
		if strings.HasPrefix(word, `\`) && len(word) > 1 {
			if text, err := strconv.Unquote(`"` + word + `"`); err == nil {
				character = text
			}
		}
		if len(character) != 1 || strings.ContainsAny(character, "\"\r\n\x00") || character[0] > 0x7F {
			return fmt.Errorf(`accepted are auto, tab, \u0001, and any one ASCII character except a quote and a line end%s`,
				DidYouMean(word, []string{"tab", "comma", "semicolon", "pipe", "auto"}))
		}
	}
	*d = delimiter(character)
	return nil
}
