package rules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"usher/internal/rules/condition"
	"usher/internal/rules/number"
	"usher/internal/rules/spelling"
)

// file is a rule file while it is read, and the problems found so far.
type file struct {
	name     string
	lines    []string
	ruleName string // of the rule that is being read
	problems []Problem
}

// place is a position in the file. Both numbers count from 1.
type place struct{ line, column int }

func placeOf(n ast.Node) place {
	if n == nil || n.GetToken() == nil {
		return place{1, 1}
	}
	return place{n.GetToken().Position.Line, n.GetToken().Position.Column}
}

// errorf adds an error. The hint says what to write instead.
func (f *file) errorf(at place, hint, format string, args ...any) {
	f.add(at, true, hint, fmt.Sprintf(format, args...))
}

// warnf adds a warning.
func (f *file) warnf(at place, hint, format string, args ...any) {
	f.add(at, false, hint, fmt.Sprintf(format, args...))
}

func (f *file) add(at place, isError bool, hint, message string) {
	p := Problem{File: f.name, Line: at.line, Column: at.column, Error: isError, Rule: f.ruleName, Message: message, Hint: hint}
	if at.line >= 1 && at.line <= len(f.lines) {
		p.Excerpt = f.lines[at.line-1]
		p.Column = min(p.Column, utf8.RuneCountInString(p.Excerpt)+1)
	}
	f.problems = append(f.problems, p)
}

// entries calls the function of each key of a mapping with its value. A key without
// a function is an error. It returns the places of the keys, or nil if n is not a
// mapping.
func (f *file) entries(n ast.Node, what string, keys map[string]func(ast.Node)) map[string]place {
	m, ok := n.(ast.MapNode)
	if !ok {
		f.errorf(placeOf(n), "write one key a line: "+strings.Join(sorted(keys), ", "), "%s must be keys with values, and this is %s", what, kindOf(n))
		return nil
	}
	given := map[string]place{}
	value := "" // of the key before
	for each := m.MapRange(); each.Next(); value = each.Value().GetToken().Value {
		key := each.Key().GetToken().Value
		read, known := keys[key]
		if !known {
			hint, meant := keyHint(key, value, keys)
			if meant != "" {
				given[meant] = placeOf(each.Key()) // so that it is not reported as missing, too
			}
			f.errorf(placeOf(each.Key()), hint, "%s has no key %q", what, key)
			continue
		}
		given[key] = placeOf(each.Key())
		if _, empty := each.Value().(*ast.NullNode); empty {
			f.errorf(placeOf(each.Key()), "give it a value, or leave the key out", "key %q has no value", key)
			continue
		}
		read(each.Value())
	}
	return given
}

// keyHint returns the hint for an unknown key that follows a value, and the key that
// was meant, if any.
func keyHint(key, before string, keys map[string]func(ast.Node)) (hint, meant string) {
	if strings.Trim(key, "0123456789%") == "" {
		return "write " + number.Plain(before+","+strings.TrimRight(key, "%")) + key[len(strings.TrimRight(key, "%")):] + ": a comma begins the next key", ""
	}
	if meant = keysElsewhere[key]; keys[meant] != nil {
		return fmt.Sprintf("write %s", meant), meant
	}
	if strings.HasPrefix(meant, "mode") && keys["mode"] != nil {
		return "write " + meant, ""
	}
	if key == "action" && keys["mode"] != nil {
		return "leave it out: pause_when pauses, and mode: notify only tells", ""
	}
	if meant = spelling.Nearest(key, sorted(keys)); meant != "" {
		return fmt.Sprintf("did you mean %q?", meant), meant
	}
	return "it takes: " + strings.Join(sorted(keys), ", "), ""
}

// keysElsewhere has keys of other tools, and what they mean here.
var keysElsewhere = map[string]string{
	"when": "pause_when", "if": "pause_when", "condition": "pause_when", "conditions": "pause_when", "pause_if": "pause_when", "turn_off_when": "pause_when", "turn_on_when": "resume_when", "pause": "pause_when", "resume": "resume_when", "unpause_when": "resume_when",
	"lower_when": "decrease_when", "raise_when": "increase_when", "daily_budget": "budget", "max_bid": "bid", "lower": "decrease", "raise": "increase", "by": "decrease", "floor": "min", "not_below": "min", "ceiling": "max", "not_above": "max", "max_changes_per_day": "max_flips_per_day",
	"every": "schedule", "interval": "schedule", "cron": "schedule", "run": "schedule", "time_range": "window", "lookback": "window", "period": "window", "campaign": "campaigns",
	"enabled": "mode: observe for a rule that must not act", "active": "mode: observe for a rule that must not act", "disabled": "mode: observe for a rule that must not act",
	"hours": "active_hours", "dayparting": "active_hours", "active_time": "active_hours",
	"alert": "notify", "alerts": "notify", "notification": "notify", "notifications": "notify",
	"creative": "creatives", "creative_names": "creatives", "creative_name": "creatives", "type": "types", "creative_types": "types", "label": "labels", "tags": "labels", "tag": "labels", "start": "from", "end": "to", "until": "to",
	"advertiser": "account", "time_zone": "timezone", "tz": "timezone", "minimum": "min_data", "for_days": "for", "days": "for", "duration": "for",
}

// items calls read with each item of a list.
func (f *file) items(n ast.Node, what string, read func(ast.Node)) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.errorf(placeOf(n), "write a list: one line that begins with - for each item", "%s must be a list, and this is %s", what, kindOf(n))
		return
	}
	for _, item := range list.Values {
		read(item)
	}
}

// text returns the text of a scalar.
func (f *file) text(n ast.Node, what string) (string, bool) {
	text, ok := scalarText(n)
	switch first, size := utf8.DecodeRuneInString(text); {
	case !ok:
		hint := "write one word or number"
		switch n.(type) {
		case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
			hint = "put quotes around text that begins with *, & or !"
		}
		f.errorf(placeOf(n), hint, "%s must be a text, and this is %s", what, kindOf(n))
	case strings.ContainsRune("“”„‟‘’‚«»", first) && text != "":
		ok = false
		f.errorf(placeOf(n), fmt.Sprintf("write %q", strings.TrimRight(text[size:], "“”„‟‘’‚«»")), "the text begins with %c, which YAML does not read as a quote", first)
	}
	return text, ok
}

// scalarText returns the text of a scalar.
func scalarText(n ast.Node) (string, bool) {
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

// word reads one of several words. It returns "" for any other.
func (f *file) word(n ast.Node, what string, words ...string) string {
	text, ok := f.text(n, what)
	if !ok {
		return ""
	}
	if slices.Contains(words, text) {
		return text
	}
	f.errorf(placeOf(n), spelling.Hint(text, words, "write one of: "+strings.Join(words, ", ")), "unknown %s %q", what, text)
	return ""
}

// number reads a finite number.
func (f *file) number(n ast.Node, what string) (float64, bool) {
	text, ok := f.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		hint := "write it in digits"
		if plain := condition.NumberHint(text); plain != "" {
			hint = plain
		}
		f.errorf(placeOf(n), hint, "%s must be a number, and this is %q", what, text)
		return 0, false
	}
	if number.IsGrouped(text) {
		f.warnf(placeOf(n), "write "+strings.ReplaceAll(text, ".", "")+" if the point separates thousands, otherwise "+number.Text(v), "%s is the number %s", text, number.Text(v))
	}
	return v, true
}

// integer reads an integer of at least low.
func (f *file) integer(n ast.Node, what string, low int) int {
	v, ok := f.number(n, what)
	if ok && (v != math.Trunc(v) || v < float64(low) || v > 1e9) {
		f.errorf(placeOf(n), fmt.Sprintf("write a whole number from %d", low), "%s must be a whole number of at least %d, and this is %s", what, low, number.Text(v))
		return 0
	}
	return int(v)
}

// duration reads a duration above 0. Days may be written as 2d.
func (f *file) duration(n ast.Node, what string) time.Duration {
	text, ok := f.text(n, what)
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
	case err == nil && d > maxDuration:
		hint = "write " + ageText(maxDuration) + " or less"
	case err == nil:
		return d
	}
	f.errorf(placeOf(n), hint, "%s must be a duration, and this is %q", what, text)
	return 0
}

const maxDuration = 10 * 366 * 24 * time.Hour

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

// share reads a percentage above 0 % and up to 100 %, such as 20%, as a fraction.
func (f *file) share(n ast.Node, what string) float64 {
	text, ok := f.text(n, what)
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
		f.errorf(placeOf(n), hint, "%s must be a percentage, and this is %q", what, text)
		return 0
	}
	return v / 100
}

// condition reads the text of a condition. It also returns a function that turns a
// position in the text, as CEL reports it, into one in the file.
func (f *file) condition(n ast.Node, what string) (string, func(line, column int) place) {
	if block, ok := n.(*ast.LiteralNode); ok {
		return f.block(block)
	}
	text := f.conditionText(n, what)
	begin := placeOf(n)
	if t := n.GetToken(); t != nil && (t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType) {
		begin.column++
	}
	return text, func(line, column int) place {
		at := place{begin.line, begin.column + column}
		// Beyond the line: YAML joined it with the lines below.
		if line > 1 || at.line > len(f.lines) || at.column > utf8.RuneCountInString(f.lines[at.line-1])+1 {
			return begin
		}
		return at
	}
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
		if text, ok := scalarText(n); ok {
			return text
		}
	}
	f.errorf(placeOf(n), hint, "%s must be one line of text, and this is %s", what, kindOf(n))
	return ""
}

// block reads a text below | or > with the line breaks of the file, which are like
// spaces to CEL.
func (f *file) block(n *ast.LiteralNode) (string, func(line, column int) place) {
	first := n.Start.Position.Line // of the text, from 0
	indent, last := 0, first
	for ; last < len(f.lines); last++ {
		line := f.lines[last]
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
	for _, line := range f.lines[first:last] {
		text = append(text, strings.TrimRight(line[min(indent, len(line)):], " \r"))
	}
	return strings.TrimRight(strings.Join(text, "\n"), "\n"), func(line, column int) place {
		return place{first + line, indent + column + 1}
	}
}

func kindOf(n ast.Node) string {
	switch n.(type) {
	case ast.MapNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or alias, which rule files cannot have"
	case *ast.TagNode:
		return "a tag, which rule files cannot have"
	}
	return "a single value"
}
