package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is an error or a warning about a file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`           // from 1
	Column  int    `json:"column"`         // from 1
	Error   bool   `json:"error"`          // false: a warning
	Rule    string `json:"rule,omitempty"` // of a rule file
	Feed    string `json:"feed,omitempty"` // of a feed file
	Message string `json:"message"`
	Hint    string `json:"hint"`    // what to write instead
	Excerpt string `json:"excerpt"` // the line
}

// String returns the problem in the form of a compiler's message, with the line and
// a mark below it.
func (p Problem) String() string {
	kind := "warning"
	if p.Error {
		kind = "error"
	}
	text := fmt.Sprintf("%s:%d:%d: %s: %s", p.File, p.Line, p.Column, kind, p.Message)
	if p.Hint != "" {
		text += "\n    " + p.Hint
	}
	if p.Excerpt != "" {
		number := fmt.Sprintf("%5d", p.Line)
		// Tabs stay tabs, so that the mark is below its column.
		before := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, string([]rune(p.Excerpt)[:min(max(p.Column-1, 0), len([]rune(p.Excerpt)))]))
		text += fmt.Sprintf("\n%s | %s\n%s | %s^", number, p.Excerpt, strings.Repeat(" ", len(number)), before)
	}
	return text
}

// Errors reports whether one of the problems is an error.
func Errors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Error })
}

// Sort sorts problems by their place in the file.
func Sort(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
