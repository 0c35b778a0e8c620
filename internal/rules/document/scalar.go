package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/rules/number"
	"usher/internal/rules/spelling"
)

// Text returns the text of a scalar.
func (f *File) Text(n ast.Node, what string) (string, bool) {
	text, ok := ScalarText(n)
	switch first, size := utf8.DecodeRuneInString(text); {
	case !ok:
		hint := "write one word or number"
		switch n.(type) {
		case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
			hint = "put quotes around text that begins with *, & or !"
		}
		f.Errorf(PlaceOf(n), hint, "%s must be a text, and this is %s", what, KindOf(n))
	case strings.ContainsRune("“”„‟‘’‚«»", first) && text != "":
		ok = false
		f.Errorf(PlaceOf(n), fmt.Sprintf("write %q", strings.TrimRight(text[size:], "“”„‟‘’‚«»")), "the text begins with %c, which YAML does not read as a quote", first)
	}
	return text, ok
}

// ScalarText returns the text of a scalar.
func ScalarText(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// Word reads one of several words. It returns "" for any other. elsewhere has words of other
// tools, and those that are meant by them.
func (f *File) Word(n ast.Node, what string, elsewhere map[string]string, words ...string) string {
	text, ok := f.Text(n, what)
	if !ok {
		return ""
	}
	if slices.Contains(words, text) {
		return text
	}
	hint := spelling.Hint(text, words, "write one of: "+strings.Join(words, ", "))
	if meant := elsewhere[strings.ToLower(text)]; slices.Contains(words, meant) {
		hint = "write " + meant
	}
	f.Errorf(PlaceOf(n), hint, "unknown %s %q", what, text)
	return ""
}

// Duration reads a duration above 0. Days may be written as 2d.
func (f *File) Duration(n ast.Node, what string) time.Duration {
	text, ok := f.Text(n, what)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if days, found := strings.CutSuffix(text, "d"); found && err != nil {
		var count float64
		count, err = strconv.ParseFloat(days, 64)
		d = time.Duration(count * 24 * float64(time.Hour))
	}
	hint := durationHint(text)
	switch {
	case err == nil && d <= 0:
		hint = "write a duration above 0, such as 1" + text[len(text)-1:] + ", or leave the key out"
	case err == nil && d > MaxDuration:
		hint = "write 3660d or less"
	case err == nil:
		return d
	}
	f.Errorf(PlaceOf(n), hint, "%s must be a duration, and this is %q", what, text)
	return 0
}

// MaxDuration is the longest duration in a file.
const MaxDuration = 10 * 366 * 24 * time.Hour

// durationHint says how to write a duration such as 1 day or 30.
func durationHint(text string) string {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ. ")
	unit := strings.ToLower(strings.Trim(text[len(digits):], ". "))
	switch _, err := strconv.ParseUint(digits, 10, 16); {
	case err != nil:
	case unit == "":
		return fmt.Sprintf("write %sm for minutes, %sh for hours or %sd for days", digits, digits, digits)
	case strings.HasPrefix(unit, "min"), strings.HasPrefix(unit, "h"), strings.HasPrefix(unit, "d"):
		return "write " + digits + unit[:1]
	case strings.HasPrefix(unit, "w"):
		return "write days, such as 7d for a week"
	}
	return "write a duration such as 30m, 1h or 2d"
}

// Share reads a percentage above 0 % and up to 100 %, such as 20%, as a fraction.
func (f *File) Share(n ast.Node, what string) float64 {
	text, ok := f.Text(n, what)
	if !ok {
		return 0
	}
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !percent || v <= 0 || v > 100 {
		hint := "write a percentage above 0% and up to 100%, such as 20%"
		switch {
		case err != nil || percent || v <= 0 || v > 100:
		case v < 1:
			hint = "write " + number.Short(v*100) + "%"
		default:
			hint = "write " + text + "%"
		}
		f.Errorf(PlaceOf(n), hint, "%s must be a percentage, and this is %q", what, text)
		return 0
	}
	return v / 100
}
