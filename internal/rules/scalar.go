package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/rules/condition"
	"usher/internal/rules/document"
	"usher/internal/rules/number"
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
	if number.IsGrouped(text) {
		f.Warnf(document.PlaceOf(n), "write "+strings.ReplaceAll(text, ".", "")+" if the point separates thousands, otherwise "+number.Text(v), "%s is the number %s", text, number.Text(v))
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
		f.Errorf(document.PlaceOf(n), fmt.Sprintf("write a whole number from %d", low), "%s must be a whole number of at least %d, and this is %s", what, low, number.Text(v))
		return 0
	}
	return int(v)
}
