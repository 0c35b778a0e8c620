package document

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// yamlError adds an error of the YAML parser.
func (f *File) yamlError(err error) {
	at, message := Place{1, 1}, err.Error()
	var positioned interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &positioned) {
		message = positioned.GetMessage()
		if t := positioned.GetToken(); t != nil {
			at = Place{t.Position.Line, t.Position.Column}
		}
	}
	at, message, hint := f.explainYAML(at, message)
	f.Errorf(at, hint, "the file is not valid YAML: %s", message)
}

// The lines of which the YAML parser's messages do not say what is wrong with them.
const (
	tabbed   = `^ *\t`
	unspaced = `^( *(?:- )?)(\w+) *[:=] *(\S.*)$`                          // window:yesterday, window = yesterday
	unquoted = `^( *(?:- )?)(\w+): +([!>|*&%@` + "`" + `].*|[^"'].*: .*)$` // schedule: */15 * * * *
	starred  = `^(.*?[[,:{] *)(\*[^] ,}]*)`                                // [*-loyalty]
)

// explainYAML returns the Place, the message and the hint for an error of the YAML
// parser, in plain words if its line is one of the usual mistakes.
func (f *File) explainYAML(at Place, message string) (where Place, what, hint string) {
	for i, line := range f.Lines {
		if tabs := regexp.MustCompile(tabbed).FindString(line); tabs != "" {
			return Place{i + 1, len(tabs)}, "the line is indented with a tab", "indent with spaces"
		}
	}
	hint = "indent with spaces, equally for lines of one block; put quotes around text that begins with : # or *"
	if at.Line < 1 || at.Line > len(f.Lines) {
		return at, message, hint
	}
	line := strings.TrimRight(f.Lines[at.Line-1], " ")
	if parts := regexp.MustCompile(unquoted).FindStringSubmatch(line); parts != nil && !strings.HasPrefix(parts[3], "[") && !strings.HasPrefix(parts[3], "{") {
		return Place{at.Line, len(line) - len(parts[3]) + 1}, "the text has a sign that YAML reads otherwise", fmt.Sprintf("put quotes around it: %s: '%s'", parts[2], strings.ReplaceAll(parts[3], "'", "''"))
	}
	if parts := regexp.MustCompile(starred).FindStringSubmatch(line); parts != nil {
		return Place{at.Line, utf8.RuneCountInString(parts[1]) + 1}, "a * begins an alias", fmt.Sprintf("put quotes around it: %q", parts[2])
	}
	if parts := regexp.MustCompile(unspaced).FindStringSubmatch(line); parts != nil && !strings.Contains(line, ": ") {
		return Place{at.Line, len(parts[1]) + 1}, "a key must end with a colon and a space", fmt.Sprintf("write %s: %s", parts[2], parts[3])
	}
	return at, message, hint
}
