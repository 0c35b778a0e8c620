package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is what is wrong, or doubtful, in a rule file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // from 1 on
	Column  int    `json:"column"` // from 1 on
	Error   bool   `json:"error"`  // false: a warning
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message"` // what is wrong
	Hint    string `json:"hint"`    // what to write instead
	Excerpt string `json:"excerpt"` // the line
}

// String is the problem as a compiler would print it, with the line and a mark
// below it.
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
		// Tabs stay tabs, so that the mark stands below what it means.
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

// inOrder sorts problems as they stand in the file.
func inOrder(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// suggest is the hint on a word that there is not: the nearest that there is,
// or all of a few.
func (s *Set) suggest(word string, known []string) string {
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(known) <= 20 {
		return "there are: " + strings.Join(known, ", ")
	}
	return "`usher rules check --metrics` lists them all"
}

func (s *Set) suggestField(name string) string {
	list := fieldNames()
	if near := nearest(name, list[:Fields]); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// nearest is the known word that is fewest changes away, no more than a third of
// its length; "" for none.
func nearest(word string, known []string) string {
	best, least := "", max(1, (len(word)+1)/3)+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is how many letters must be changed, added, left out or swapped with
// their neighbour to make b of a.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now := make([]int, len(b)+1)
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(now[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last = last, now
	}
	return last[len(b)]
}
