package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"usher/internal/readable"
	"usher/internal/rules/condition"
	"usher/internal/rules/document"
)

// word reads one of several words. It returns "" for any other.
func (f *file) word(n ast.Node, what string, words ...string) string {
	return f.Word(n, what, wordsElsewhere, words...)
}

// wordsElsewhere has words of other tools, and those that are meant here.
var wordsElsewhere = map[string]string{
	"ad": "creative", "ads": "creative", "adset": "campaign", "ad set": "campaign", "ad_set": "campaign",
	"true": "digest", "yes": "digest", "always": "each", "immediately": "each",
	"alert": "notify", "email": "notify", "notification": "notify", "dry-run": "observe", "dryrun": "observe", "test": "observe", "off": "observe", "active": "act", "on": "act", "pause": "act", "turn off": "act", "turn_off": "act", "ask": "approve", "manual": "approve",
}

// number reads a finite number.
func (f *file) number(n ast.Node, what string) (float64, bool) {
	text, ok := f.Text(n, what)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		hint := "write it in digits"
		if plain := condition.NumberHint(text); plain != "" {
			hint = plain
		}
		f.Errorf(document.PlaceOf(n), hint, "%s must be a number, and this is %q", what, text)
		return 0, false
	}
	if condition.IsGrouped(text) {
		f.Warnf(document.PlaceOf(n), "write "+strings.ReplaceAll(text, ".", "")+" if the point separates thousands, otherwise "+readable.Exact(v), "%s is the number %s", text, readable.Exact(v))
	}
	return v, true
}

// integer reads an integer of at least low.
func (f *file) integer(n ast.Node, what string, low int) int {
	if text, ok := n.(*ast.StringNode); ok && strings.HasSuffix(text.Value, "%") {
		hint := "write a whole number"
		if strings.HasPrefix(what, "max_") {
			hint = "write max_share: " + text.Value + ", or a whole number"
		}
		f.Errorf(document.PlaceOf(n), hint, "%s must be a whole number, and this is %q", what, text.Value)
		return 0
	}
	v, ok := f.number(n, what)
	if ok && (v != math.Trunc(v) || v < float64(low) || v > 1e9) {
		f.Errorf(document.PlaceOf(n), fmt.Sprintf("write a whole number from %d", low), "%s must be a whole number of at least %d, and this is %s", what, low, readable.Exact(v))
		return 0
	}
	return int(v)
}

// condition reads the text of a condition. It also returns a function that turns a
// position in the text, from 1 and from 0, into one in the file.
func (f *file) condition(n ast.Node, what string) (string, func(line, column int) document.Place) {
	if block, ok := n.(*ast.LiteralNode); ok {
		return f.block(block)
	}
	text := f.conditionText(n, what)
	begin := document.PlaceOf(n)
	if t := n.GetToken(); t != nil && (t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType) {
		begin.Column++
	}
	return text, func(line, column int) document.Place {
		if line > 1 {
			return begin // an empty line is a line break
		}
		last := max(utf8.RuneCountInString(text)-1, 0)
		at := f.joined(begin, min(column, last))
		at.Column += max(column-last, 0)
		return at
	}
}

// joined returns the place of a column, from 0, of a text that begins at a place and that YAML
// joined from several lines by spaces. It returns the beginning for a column beyond the text.
func (f *file) joined(begin document.Place, column int) document.Place {
	at := document.At(begin.Line, begin.Column+column)
	for at.Line <= len(f.Lines) {
		line := strings.TrimRight(f.Lines[at.Line-1], " \t\r")
		beyond := at.Column - utf8.RuneCountInString(line) - 1 // 0: the space that joins it with the next line
		if beyond <= 0 {
			return at
		}
		if at.Line == len(f.Lines) {
			break
		}
		next := f.Lines[at.Line]
		at = document.At(at.Line+1, beyond+utf8.RuneCountInString(next)-utf8.RuneCountInString(strings.TrimLeft(next, " \t")))
	}
	return begin
}

// conditionText returns the text of a condition in one line, or "" after it has added
// an error.
func (f *file) conditionText(n ast.Node, what string) string {
	hint := "write one line, such as clicks > 5"
	switch n.(type) {
	case *ast.SequenceNode:
		hint = "join comparisons with && (all of them) or || (any of them): clicks > 5 && won > 5"
	case *ast.TagNode:
		hint = "put quotes around a condition that begins with !"
	default:
		if text, ok := document.ScalarText(n); ok {
			return text
		}
	}
	f.Errorf(document.PlaceOf(n), hint, "%s must be one line of text, and this is %s", what, document.KindOf(n))
	return ""
}

// block reads a text below | or > with the line breaks of the file, which are like
// spaces in a condition.
func (f *file) block(n *ast.LiteralNode) (string, func(line, column int) document.Place) {
	first := n.Start.Position.Line // of the text, from 0
	indent, last := 0, first
	for ; last < len(f.Lines); last++ {
		line := f.Lines[last]
		if strings.TrimSpace(line) == "" {
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if indent == 0 {
			indent = depth
		}
		if depth < indent || indent == 0 {
			break
		}
	}
	var text []string
	for _, line := range f.Lines[first:last] {
		text = append(text, strings.TrimRight(line[min(indent, len(line)):], " \r"))
	}
	return strings.TrimRight(strings.Join(text, "\n"), "\n"), func(line, column int) document.Place {
		return document.At(first+line, indent+column+1)
	}
}
