package condition

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"usher/internal/readable"
	"usher/internal/rules/figures"
)

// sign is a spelling of other tools, of spreadsheets or of people for something that
// conditions write in another way.
type sign struct {
	form *regexp.Regexp // at the start of a text
	// fault returns the message and the hint for the text and its groups. Without a
	// message, the sign is part of conditions.
	fault func(found []string) (message, hint string)
}

// conditionsHave is the hint on what is not part of conditions.
const conditionsHave = "conditions have numbers, metrics, + - * / < <= > >= == != && || ! ?: and parentheses"

// noOperator is the fault of a sign that stands for an operator.
func noOperator(hint string) func([]string) (string, string) {
	return func(found []string) (string, string) { return fmt.Sprintf("%q is not an operator", found[0]), hint }
}

// noJoin is the fault of a sign that stands for && or ||.
func noJoin(hint string) func([]string) (string, string) {
	return func(found []string) (string, string) {
		return fmt.Sprintf("%q does not join conditions", found[0]), hint
	}
}

// noNumber is the fault of a number that must be written in another way.
func noNumber(found []string) (message, hint string) {
	return fmt.Sprintf("%q is not a number", found[0]), "write " + PlainNumber(found[0])
}

func noPlace(text string) string { return fmt.Sprintf("%q has no place in a condition", text) }

// share is the fault of a percentage of a metric, or of one that is added to it: base is 1.
func share(percent string, base, sign float64) (message, hint string) {
	v, _ := strconv.ParseFloat(percent, 64) // digits alone
	factor := readable.Exact(figures.Round(base + sign*v/100))
	return "conditions have no percent signs", "write " + factor + " * and the metric, such as " + factor + " * budget"
}

// noTrend is the fault of a change in words, such as ctr drops by 20%.
func noTrend(found []string) (message, hint string) {
	metric, operator, sign := found[1], "<", -1.0
	if found[2] == "" {
		operator, sign = ">", 1
	}
	v, _ := strconv.ParseFloat(found[3], 64) // digits alone
	return fmt.Sprintf("%q is not a comparison", found[0]),
		fmt.Sprintf("write %s %s %s * previous.%s, which is %s in the window before", metric, operator, readable.Exact(figures.Round(1+sign*v/100)), metric, metric)
}

func noCurrency(found []string) (message, hint string) {
	return "amounts have no currency", "write " + found[1] + ": amounts are in the account's currency"
}

// accepted is the fault function of a sign that conditions have: there is no fault.
func accepted([]string) (message, hint string) { return "", "" }

// The forms of numbers with separators of thousands, with a decimal comma, and with a
// unit.
const (
	grouped   = `\d{1,3}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+,\d+|(?:\.\d{3}){2,}|(?:[_'’  ]\d{3})+(?:[.,]\d+)?)\b`
	commaed   = `\d+,\d+\b`
	shortened = `\d+(?:\.\d+)?\s?(?:k|K|M|m|mio|Mio|million|thousand)\b`
	currency  = `(?:EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|TRY|ZAR|euros?|dollars?|pounds?)\b`
)

// signs has the signs by the class of their first byte, so that few regular expressions
// are tried at each place. The signs of a class are in the order in which they are tried:
// a form stands before those that match its beginning.
type signs struct {
	digits, letters, others []sign // of a class; letters include _
}

var allSigns = sync.OnceValue(func() signs {
	return signs{
		digits:  compile(numberForms()),
		letters: compile(phraseForms(), wordForms()),
		others:  compile(numberForms(), operatorForms(), quoteForms(), otherForms()),
	}
})

func compile(groups ...[]form) []sign {
	var list []sign
	for _, f := range slices.Concat(groups...) {
		list = append(list, sign{regexp.MustCompile(`^(?:` + f.expression + `)`), f.fault})
	}
	return list
}

// startingLike returns the signs that may start with a byte.
func (s signs) startingLike(first byte) []sign {
	switch {
	case first >= '0' && first <= '9':
		return s.digits
	case first >= 'a' && first <= 'z', first >= 'A' && first <= 'Z', first == '_':
		return s.letters
	default:
		return s.others
	}
}

// form is a sign whose regular expression is not compiled yet.
type form struct {
	expression string
	fault      func([]string) (message, hint string)
}

// numberForms are numbers, percentages and amounts of money.
func numberForms() []form {
	return []form{
		{`0,\d+\b`, noNumber}, {grouped, noNumber}, {commaed, noNumber}, {shortened, noNumber},
		{`(\d+(?:\.\d+)?)\s?%\s+of\b`, func(found []string) (string, string) { return share(found[1], 0, 1) }},
		{`-\s*(\d+(?:\.\d+)?)\s?%`, func(found []string) (string, string) { return share(found[1], 1, -1) }},
		{`\+\s*(\d+(?:\.\d+)?)\s?%`, func(found []string) (string, string) { return share(found[1], 1, 1) }},
		{`(\d+(?:\.\d+)?)\s?%`, func(found []string) (string, string) {
			return "conditions have no percent signs", "write " + found[0] + " as " + hundredth(found[1])
		}},
		{`(\d+(?:\.\d+)?)\s?(?:[$€£¥₹]|` + currency + `)`, noCurrency},
		{`[$€£¥₹]\s?(\d+(?:\.\d+)?)`, noCurrency},
		{`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`, accepted},
	}
}

// operatorForms are the operators of other languages, and those of conditions.
func operatorForms() []form {
	return []form{
		{`=>|≥|⩾`, noOperator("write >=")}, {`=<|≤|⩽`, noOperator("write <=")},
		{`>\s+=`, noOperator("write >= without a space")}, {`<\s+=`, noOperator("write <= without a space")},
		{`<>|≠|=!|=/=`, noOperator("write !=")}, {`===`, noOperator("write ==")},
		{`==|<=|>=|!=|&&|\|\|`, accepted},
		{`=`, func([]string) (string, string) {
			return "a single = is not an operator", "write == for equal, >= for at least"
		}},
		{`&`, noJoin("write &&")}, {`\|`, noJoin("write ||")},
		{`[×·⋅∗]`, noOperator("write *")}, {`[÷∕]`, noOperator("write /")}, {`[−–—]`, noOperator("write -")},
		{`\^|\*\*`, noOperator("write clicks * clicks for a square")},
		{`;`, func([]string) (string, string) { return `";" does not end a condition`, "leave it out" }},
	}
}

// quoteForms are texts in quotes.
func quoteForms() []form {
	return []form{
		{`[“”„‟‘’‚«»` + "`" + `]([^“”„‟‘’‚«»` + "`" + `]*)[“”„‟‘’‚«»` + "`" + `]?`, func(found []string) (string, string) {
			if _, err := figures.ParseWindow(found[1]); err == nil {
				return "these are no plain quotes", fmt.Sprintf("write %q", found[1])
			}
			return "conditions have no quotes", "write " + found[1]
		}},
		{`"[^"]*"?|'[^']*'?`, accepted}, // CEL's checker explains that there are no texts
	}
}

// phraseForms are phrases of several words.
func phraseForms() []form {
	return []form{
		{over + `\s*\(\s*([a-z][a-z0-9 ]*)\)`, func(found []string) (string, string) {
			if window, err := figures.ParseWindow(strings.TrimSpace(found[1])); err == nil {
				return "the window has no quotes", fmt.Sprintf("write over(%q)", window)
			}
			return "", "" // CEL's parser or checker explains it
		}},
		{`(?i)last\s+(\d+)\s+days?\b`, func(found []string) (string, string) {
			return noPlace(found[0]), "write the key window: last " + found[1] + " days in the rule"
		}},
		{`([A-Za-z_][\w.]*)\s+(?i)(?:is\s+)?(between)\s+(\S+)\s+(?i)and\s+([^\s)]+)`, func(found []string) (string, string) {
			return fmt.Sprintf("%q is not an operator", found[2]), fmt.Sprintf("write %s >= %s && %s <= %s", found[1], found[3], found[1], found[4])
		}},
		{`([A-Za-z_]\w*)\s+(?i)(?:(drops|dropped|falls|fell|decreases|decreased)|rises|rose|increases|increased)\s+by\s+(?:more\s+than\s+)?(\d+(?:\.\d+)?)\s?%`, noTrend},
		{`(?i)for\s+(\d+\s+days?)\b`, func(found []string) (string, string) {
			return noPlace(found[0]), "write the key for: " + found[1] + " in the rule"
		}},
		{`(?i)(?:in|over|during|within)\s+(?:the\s+)?(?:last|past)\s+(\d+)\s+days?\b`, func(found []string) (string, string) {
			return noPlace(found[0]), "write the key window: last " + found[1] + " days in the rule"
		}},
		{`(?i)(?:is\s+)?(?:in|among)\s+(?:the\s+)?(?:bottom|top|worst|best|lowest|highest)\s+\d+\b`, noOperator("write rank(ctr) > count() - 3 for the lowest three, rank(ctr) <= 3 for the highest three")},
		{`(?i)(?:average|avg|mean|median)\b\s*\(?\s*([a-z]\w*)?\s*\)?`, func(found []string) (string, string) {
			metric := cmp.Or(found[1], "ctr")
			return "conditions have no averages", "write campaign." + metric + " for that of the campaign's creatives together, account." + metric + " for that of the account"
		}},
		{`(?i)(?:time|hour)\s+of\s+(?:the\s+)?day\b`, func([]string) (string, string) {
			return "a condition has no clock", `write the key active_hours: "08:00-22:00" in the rule, which pauses outside these hours`
		}},
	}
}

// wordForms are operators in words, and names of metrics.
func wordForms() []form {
	return []form{
		{`(?i)(?:is\s+)?(?:less|lower|smaller|fewer)\s+than\b|(?:is\s+)?(?:below|under)\b`, noOperator("write <")},
		{`(?i)(?:is\s+)?(?:greater|more|higher|larger)\s+than\b|(?:is\s+)?above\b|exceeds\b`, noOperator("write >")},
		{`(?i)at\s+least\b`, noOperator("write >=")}, {`(?i)at\s+most\b`, noOperator("write <=")},
		{`(?i)between\b`, noOperator("write clicks >= 1 && clicks <= 5, with your metric and numbers")},
		{`(?i)(?:is|equals)\b`, noOperator("write ==, <, <=, > or >=")},
		{`(?i)not\b`, noOperator("write !( … )")},
		{`(?i)and\b`, noJoin("write &&")}, {`(?i)or\b`, noJoin("write ||")},
		{`(?i)(?:if|then|when|else)\b`, func(found []string) (string, string) {
			return noPlace(found[0]), "write only the comparison, such as clicks > 5"
		}},
		{spacedNames(), spacedName},
		{`(?i)(lifetime|yesterday|today)\s+([a-z]\w*)\b`, func(found []string) (string, string) {
			return fmt.Sprintf("%q is no metric", found[0]), "write " + found[2] + ", and window: " + strings.ToLower(found[1])
		}},
		{`[A-Za-z_]\w*`, accepted},
	}
}

// otherForms are the spaces and signs that no other form matches.
func otherForms() []form {
	return []form{
		{`[\x{a0}\x{2000}-\x{200f}\x{202f}\x{2060}\x{3000}\x{feff}]+`, func([]string) (string, string) {
			return "a space that is not a plain space", "type a space"
		}},
		{`[[:ascii:]]`, accepted}, // CEL's parser explains it
		{`[^[:ascii:]]`, func(found []string) (string, string) {
			return fmt.Sprintf("conditions have no %q", found[0]), conditionsHave
		}},
	}
}

// spacedNames returns the form of the names of metrics in several words, such as gross
// media spend.
func spacedNames() string {
	var forms []string
	for _, name := range metricNames() {
		words := regexp.MustCompile(`[A-Z]?[a-z]+`).FindAllString(name, -1)
		if len(words) > 1 && !strings.ContainsAny(name, "._") {
			forms = append(forms, strings.Join(words, `[ _-]+`))
		}
	}
	return `(?i)(?:` + strings.Join(forms, "|") + `)\b`
}

func spacedName(found []string) (message, hint string) {
	joined := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(found[0])
	for _, name := range metricNames() {
		if strings.EqualFold(name, joined) {
			hint = "write " + name
		}
	}
	return fmt.Sprintf("unknown metric %q", found[0]), hint
}

// findForeignSigns explains signs, numbers and words that conditions do not have.
func findForeignSigns(source string) []Fault {
	var faults []Fault
	for n, line := range strings.Split(source, "\n") {
		for at := 0; at < len(line); {
			length, message, hint := readSign(line[at:])
			if message != "" {
				faults = append(faults, Fault{n + 1, utf8.RuneCountInString(line[:at]), message, hint})
			}
			at += length
		}
	}
	return faults
}

// readSign returns the length of the first sign of a text, and its fault.
func readSign(text string) (length int, message, hint string) {
	if text == "" {
		return 0, "", ""
	}
	for _, s := range allSigns().startingLike(text[0]) {
		found := s.form.FindStringSubmatch(text)
		if found != nil {
			message, hint = s.fault(found)
			return len(found[0]), message, hint
		}
	}
	return 1, "", ""
}

// hundredth returns a percentage as a fraction.
func hundredth(percent string) string {
	v, _ := strconv.ParseFloat(percent, 64) // digits alone
	return readable.Exact(figures.Round(v / 100))
}

// NumberHint returns what to write instead of a text that was meant to be a number, or "".
func NumberHint(text string) string {
	if length, _, hint := readSign(text); length == len(text) {
		return hint
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
