package condition

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"usher/internal/readable"
	"usher/internal/rules/figures"
)

// foreign finds the spellings of other tools, of spreadsheets and of people for what
// conditions write in another way.
type foreign struct {
	source string
	tokens []token // the last one is an endToken
}

// finding is a foreign spelling: a number of tokens, and its fault. Without a message, the
// tokens are part of conditions.
type finding struct {
	length        int
	message, hint string
}

// conditionsHave is the hint on what is not part of conditions.
const conditionsHave = "conditions have numbers, metrics, + - * / < <= > >= == != && || ! ?: and parentheses"

// findForeign returns a fault for each foreign spelling.
func findForeign(source string, tokens []token) []Fault {
	f := foreign{source, tokens}
	var faults []Fault
	for at := 0; tokens[at].kind != endToken; {
		found := f.read(at)
		if found.message != "" {
			faults = append(faults, Fault{tokens[at].line, tokens[at].column, found.message, found.hint})
		}
		at += max(found.length, 1)
	}
	return faults
}

// read returns the finding that begins with a token.
func (f foreign) read(at int) finding {
	switch t := f.tokens[at]; t.kind {
	case numberToken:
		return f.number(at)
	case quoteToken:
		if _, err := figures.ParseWindow(t.text); err == nil {
			return finding{1, "these are no plain quotes", fmt.Sprintf("write %q", t.text)}
		}
		return finding{1, "conditions have no quotes", "write " + t.text}
	case spaceToken:
		return finding{1, "a space that is not a plain space", "type a space"}
	case signToken:
		return f.sign(at)
	case wordToken:
		for _, phrase := range []func(int) finding{f.window, f.comparison, f.operator, f.place, f.name} {
			if found := phrase(at); found.length > 0 {
				return found
			}
		}
	}
	return finding{}
}

// token returns a token, or the endToken.
func (f foreign) token(at int) token { return f.tokens[min(at, len(f.tokens)-1)] }

// text returns some tokens as they are written.
func (f foreign) text(at, length int) string {
	return f.source[f.token(at).start:f.token(at+length-1).end]
}

// skip returns the place behind a token if that is one of some words, otherwise the place.
func (f foreign) skip(at int, words ...string) int {
	if f.token(at).isWord(words...) {
		return at + 1
	}
	return at
}

// follow reports whether words stand at a place, one after the other; | separates
// alternatives.
func (f foreign) follow(at int, words ...string) bool {
	for n, alternatives := range words {
		if !f.token(at + n).isWord(strings.Split(alternatives, "|")...) {
			return false
		}
	}
	return true
}

// percent returns the number of a percentage at a place.
func (f foreign) percent(at int) (v float64, found bool) {
	if f.token(at).kind != numberToken || !f.token(at+1).is("%") || !isPlain(f.token(at).text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(f.token(at).text, 64)
	return v, err == nil
}

var (
	units      = []string{"k", "m", "mio", "million", "thousand"}
	currencies = strings.Fields("eur usd gbp chf jpy cny inr aud cad sek nok dkk pln czk brl mxn try zar euro euros dollar dollars pound pounds")
)

const currencySigns = "$€£¥₹"

// number reads a number that is written in another way, a percentage or an amount.
func (f foreign) number(at int) finding {
	t, next := f.tokens[at], f.token(at+1)
	switch {
	case next.isWord(units...) && next.start-t.end <= 1 && isPlain(t.text) && next.text != "MIO":
		text := f.text(at, 2)
		return finding{2, fmt.Sprintf("%q is not a number", text), "write " + PlainNumber(text)}
	case !isPlain(t.text):
		return finding{1, fmt.Sprintf("%q is not a number", t.text), "write " + PlainNumber(t.text)}
	case next.isWord(currencies...), next.kind == signToken && strings.Contains(currencySigns, next.text):
		return amount(2, t.text)
	}
	v, isPercent := f.percent(at)
	switch {
	case isPercent && f.follow(at+2, "of"):
		return share(3, v/100)
	case isPercent:
		return finding{2, "conditions have no percent signs", "write " + f.text(at, 2) + " as " + readable.Exact(figures.Round(v/100))}
	}
	return finding{1, "", ""}
}

// share is the finding of a percentage of a metric, or of one that is added to it.
func share(length int, factor float64) finding {
	text := readable.Exact(figures.Round(factor))
	return finding{length, "conditions have no percent signs", "write " + text + " * and the metric, such as " + text + " * budget"}
}

func amount(length int, number string) finding {
	return finding{length, "amounts have no currency", "write " + number + ": amounts are in the account's currency; convert it if this is another one"}
}

// foreignSigns has what to write instead of a sign for an operator.
var foreignSigns = map[string]string{
	"=>": "write >=", "≥": "write >=", "⩾": "write >=", "=<": "write <=", "≤": "write <=", "⩽": "write <=",
	"<>": "write !=", "≠": "write !=", "=!": "write !=", "=/=": "write !=", "===": "write ==",
	"×": "write *", "·": "write *", "⋅": "write *", "∗": "write *", "÷": "write /", "∕": "write /", "−": "write -", "–": "write -", "—": "write -",
	"^": "write clicks * clicks for a square", "**": "write clicks * clicks for a square",
}

// sign reads a sign that conditions do not have.
func (f foreign) sign(at int) finding {
	t, next := f.tokens[at], f.token(at+1)
	hint, isOperator := foreignSigns[t.text]
	v, isPercent := f.percent(at + 1)
	switch {
	case isOperator:
		return finding{1, fmt.Sprintf("%q is not an operator", t.text), hint}
	case (t.is(">") || t.is("<")) && next.is("="):
		return finding{2, fmt.Sprintf("%q is not an operator", f.text(at, 2)), "write " + t.text + "= without a space"}
	case t.is("="):
		return finding{1, "a single = is not an operator", "write == for equal, >= for at least"}
	case t.is("&"), t.is("|"):
		return finding{1, fmt.Sprintf("%q does not join conditions", t.text), "write " + t.text + t.text}
	case t.is(";"):
		return finding{1, `";" does not end a condition`, "leave it out"}
	case t.is("-") && isPercent:
		return share(3, 1-v/100)
	case t.is("+") && isPercent:
		return share(3, 1+v/100)
	case strings.Contains(currencySigns, t.text) && next.kind == numberToken:
		return amount(2, next.text)
	case t.text[0] >= utf8.RuneSelf:
		return finding{1, fmt.Sprintf("conditions have no %q", t.text), conditionsHave}
	}
	return finding{1, "", ""}
}

// window reads days that belong into keys of the rule, and a window without quotes.
func (f foreign) window(at int) finding {
	inRule := func(length int, key, days string) finding {
		return finding{length, noPlace(f.text(at, length)), "write the key " + key + days + " in the rule"}
	}
	isDays := func(at int) bool { return f.token(at).kind == numberToken && f.follow(at+1, "day|days") }
	if f.tokens[at].text == over && f.token(at+1).is("(") {
		last := at + 2
		for f.token(last).kind == wordToken || f.token(last).kind == numberToken {
			last++
		}
		if last == at+2 || !f.token(last).is(")") {
			return finding{}
		}
		window, err := figures.ParseWindow(f.text(at+2, last-at-2))
		if err != nil {
			return finding{last + 1 - at, "", ""}
		}
		return finding{last + 1 - at, "the window has no quotes", fmt.Sprintf("write over(%q)", window)}
	}
	switch {
	case f.follow(at, "last") && isDays(at+1):
		return inRule(3, "window: last ", f.token(at+1).text+" days")
	case f.follow(at, "for") && isDays(at+1):
		return inRule(3, "for: ", f.text(at+1, 2))
	case f.follow(at, "in|over|during|within"):
		if past := f.skip(at+1, "the"); f.follow(past, "last|past") && isDays(past+1) {
			return inRule(past+3-at, "window: last ", f.token(past+1).text+" days")
		}
	}
	return finding{}
}

// comparison reads a comparison in words that begins with a metric: ctr between 1 and 5, ctr
// drops by 20%.
func (f foreign) comparison(at int) finding {
	metric := f.tokens[at].text
	if verb := f.skip(at+1, "is"); f.follow(verb, "between") && f.follow(verb+2, "and") && f.token(verb+3).kind != endToken {
		low, high := f.token(verb+1).text, f.token(verb+3).text
		return finding{verb + 4 - at, fmt.Sprintf("%q is not an operator", f.token(verb).text), fmt.Sprintf("write %s >= %s && %s <= %s", metric, low, metric, high)}
	}
	falls := f.follow(at+1, "drops|dropped|falls|fell|decreases|decreased", "by")
	if !falls && !f.follow(at+1, "rises|rose|increases|increased", "by") {
		return finding{}
	}
	number := at + 3
	if f.follow(number, "more", "than") {
		number += 2
	}
	v, isPercent := f.percent(number)
	if !isPercent {
		return finding{}
	}
	operator, factor := ">", 1+v/100
	if falls {
		operator, factor = "<", 1-v/100
	}
	length := number + 2 - at
	return finding{
		length, fmt.Sprintf("%q is not a comparison", f.text(at, length)),
		fmt.Sprintf("write %s %s %s * previous.%s, which is %s in the window before", metric, operator, readable.Exact(figures.Round(factor)), metric, metric),
	}
}

// operator reads an operator in words.
func (f foreign) operator(at int) finding {
	found := func(length int, hint string) finding {
		return finding{length, fmt.Sprintf("%q is not an operator", f.text(at, length)), hint}
	}
	verb := f.skip(at, "is")
	set := verb + 1
	if f.follow(set, "the") {
		set++
	}
	switch {
	case f.follow(verb, "in|among") && f.follow(set, "bottom|top|worst|best|lowest|highest") && f.token(set+1).kind == numberToken:
		return found(set+2-at, "write rank(ctr) > count() - 3 for the lowest three, rank(ctr) <= 3 for the highest three")
	case f.follow(verb, "less|lower|smaller|fewer", "than"):
		return found(verb+2-at, "write <")
	case f.follow(verb, "below|under"):
		return found(verb+1-at, "write <")
	case f.follow(verb, "greater|more|higher|larger", "than"):
		return found(verb+2-at, "write >")
	case f.follow(verb, "above"), verb == at && f.follow(at, "exceeds"):
		return found(verb+1-at, "write >")
	case f.follow(at, "at", "least"):
		return found(2, "write >=")
	case f.follow(at, "at", "most"):
		return found(2, "write <=")
	case f.follow(at, "between"):
		return found(1, "write clicks >= 1 && clicks <= 5, with your metric and numbers")
	case f.follow(at, "is|equals"):
		return found(1, "write ==, <, <=, > or >=")
	case f.follow(at, "not"):
		return found(1, "write !( … )")
	case f.follow(at, "and"):
		return finding{1, fmt.Sprintf("%q does not join conditions", f.tokens[at].text), "write &&"}
	case f.follow(at, "or"):
		return finding{1, fmt.Sprintf("%q does not join conditions", f.tokens[at].text), "write ||"}
	}
	return finding{}
}

func noPlace(text string) string { return fmt.Sprintf("%q has no place in a condition", text) }

// place reads words around comparisons, averages and times of the day.
func (f foreign) place(at int) finding {
	switch {
	case f.follow(at, "if|then|when|else"):
		return finding{1, noPlace(f.tokens[at].text), "write only the comparison, such as clicks > 5"}
	case f.follow(at, "average|avg|mean|median"):
		length, metric := 1, "ctr"
		if f.token(at + 1).is("(") {
			length++
		}
		if named := f.token(at + length); named.kind == wordToken {
			length, metric = length+1, named.text
		}
		if f.token(at + length).is(")") {
			length++
		}
		return finding{length, "conditions have no averages", "write campaign." + metric + " for that of the campaign's creatives together, account." + metric + " for that of the account"}
	case f.follow(at, "time|hour", "of"):
		if day := f.skip(at+2, "the"); f.follow(day, "day") {
			return finding{day + 1 - at, "a condition has no clock", `write the key active_hours: "08:00-22:00" in the rule, which pauses outside these hours`}
		}
	}
	return finding{}
}

// name reads the name of a metric in several words, such as gross media spend, and a metric
// with its window before it.
func (f foreign) name(at int) finding {
	const mostWords = 4
	var words []string
	for length := 1; length < 2*mostWords; length++ {
		switch t := f.token(at + length - 1); {
		case t.kind == wordToken:
			words = append(words, strings.ReplaceAll(t.text, "_", ""))
		case !t.is("-"):
			length = 2 * mostWords
			continue
		}
		joined := strings.Join(words, "")
		if length == 1 && joined == f.tokens[at].text {
			continue // it is one word
		}
		if name := metricWords().spelled[strings.ToLower(joined)]; name != "" && f.token(at+length-1).kind == wordToken {
			return finding{length, fmt.Sprintf("unknown metric %q", f.text(at, length)), "write " + name}
		}
	}
	if next := f.token(at + 1); f.follow(at, "lifetime|yesterday|today") && next.kind == wordToken {
		return finding{2, fmt.Sprintf("%q is no metric", f.text(at, 2)), "write " + next.text + ", and window: " + strings.ToLower(f.tokens[at].text)}
	}
	return finding{}
}

// NumberHint returns what to write instead of a text that was meant to be a number, or "".
func NumberHint(text string) string {
	tokens := tokenize(text)
	if found := (foreign{text, tokens}).read(0); found.length == len(tokens)-1 {
		return found.hint
	}
	return ""
}

// PlainNumber returns the digits of a number without separators of thousands and units, and with
// a decimal point: 1500 for 1,500 and for 1.5k.
func PlainNumber(text string) string {
	digits := strings.TrimRight(text, "kKMmiotlhusand ")
	factor := 1.0
	switch unit := strings.TrimSpace(strings.ToLower(text[len(digits):])); {
	case strings.HasPrefix(unit, "k"), unit == "thousand":
		factor = 1e3
	case unit != "":
		factor = 1e6
	}
	decimals := ""
	if at := strings.LastIndexAny(digits, ".,"); at >= 0 && isDecimal(digits, at) {
		digits, decimals = digits[:at], "."+digits[at+1:]
	}
	digits = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, digits)
	if factor == 1 {
		return digits + decimals
	}
	v, _ := strconv.ParseFloat(digits+decimals, 64) // digits alone
	return readable.Exact(v * factor)
}

// isDecimal reports whether the last point or comma of a number separates decimals, not
// thousands.
func isDecimal(digits string, at int) bool {
	if strings.Count(digits, digits[at:at+1]) > 1 {
		return false // it separates more than two groups
	}
	return digits[at] == '.' || len(digits)-at != 4 || strings.HasPrefix(digits, "0") || strings.ContainsAny(digits[:at], ".,_' ’")
}

// IsGrouped reports whether a number has three decimals and may be meant as thousands:
// 1.000, but not 0.950.
func IsGrouped(text string) bool {
	whole, decimals, _ := strings.Cut(text, ".")
	return len(decimals) == 3 && len(whole) <= 3 && whole != "" && whole[0] != '0' && strings.Trim(text, "0123456789.") == ""
}
