package rules

import (
	"math"
	"strconv"
	"strings"
)

// bindings are the precedence and the sign of each operator.
var bindings = map[op]struct {
	level int
	sign  string
}{
	opChoose: {1, "?"},
	opOr:     {2, "||"},
	opAnd:    {3, "&&"},
	opLess:   {comparing, "<"}, opLessOrEqual: {comparing, "<="}, opGreater: {comparing, ">"}, opGreaterOrEqual: {comparing, ">="},
	opEqual: {comparing, "=="}, opUnequal: {comparing, "!="},
	opAdd: {5, "+"}, opSubtract: {5, "-"},
	opMultiply: {6, "*"}, opDivide: {6, "/"},
	opNot: {7, "!"}, opNegate: {7, "-"},
}

// comparing is the precedence of comparisons.
const comparing = 4

// binding returns the precedence of an operator and its sign.
func (o op) binding() (level int, sign string) {
	b, found := bindings[o]
	if !found {
		return 8, ""
	}
	return b.level, b.sign
}

// String returns the expression in the syntax of conditions, without needless
// parentheses.
func (x *expression) String() string {
	level, sign := x.op.binding()
	// wrapped puts an argument in parentheses if its precedence is less than least.
	wrapped := func(n, least int) string {
		if inner, _ := x.args[n].op.binding(); inner < least {
			return "(" + x.args[n].String() + ")"
		}
		return x.args[n].String()
	}
	switch {
	case x.op == opTruth:
		return strconv.FormatBool(x.number == 1)
	case x.op == opNumber:
		return numberText(x.number)
	case x.name != "":
		return x.name
	case x.op == opChoose:
		return wrapped(0, level+1) + " ? " + wrapped(1, level+1) + " : " + wrapped(2, level)
	case len(x.args) == 1:
		return sign + wrapped(0, level)
	}
	return wrapped(0, level) + " " + sign + " " + wrapped(1, level+1)
}

// numberText returns a number without needless digits.
func numberText(n float64) string {
	if magnitude := math.Abs(n); magnitude >= 1e15 || magnitude < 1e-6 && n != 0 {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// rounded rounds v to 12 digits, which removes the errors of summing decimal
// fractions.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// short returns a number with six significant digits, without exponent.
func short(v float64) string {
	if math.IsNaN(v) {
		return "unknown"
	}
	decimals := 6
	if v != 0 {
		decimals = min(max(5-int(math.Floor(math.Log10(math.Abs(v)))), 0), 12)
	}
	if math.Abs(v) >= 100 {
		decimals = min(decimals, 2)
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
