package expression

import (
	"strconv"
	"strings"

	"usher/internal/readable"
	"usher/internal/rules/figures"
)

// bindings are the precedence and the sign of each operator.
var bindings = map[Op]struct {
	level int
	sign  string
}{
	Choose: {1, "?"},
	Or:     {2, "||"},
	And:    {3, "&&"},
	Less:   {comparing, "<"}, LessOrEqual: {comparing, "<="}, Greater: {comparing, ">"}, GreaterOrEqual: {comparing, ">="},
	Equal: {comparing, "=="}, Unequal: {comparing, "!="},
	Add: {5, "+"}, Subtract: {5, "-"},
	Multiply: {6, "*"}, Divide: {6, "/"},
	Not: {7, "!"}, Negate: {7, "-"},
}

// comparing is the precedence of comparisons.
const comparing = 4

// binding returns the precedence of an operator and its sign.
func (o Op) binding() (level int, sign string) {
	b, found := bindings[o]
	if !found {
		return 8, ""
	}
	return b.level, b.sign
}

// String returns the expression in the syntax of conditions, without needless
// parentheses.
func (x *Expression) String() string {
	level, sign := x.Op.binding()
	// wrapped puts an argument in parentheses if its precedence is less than least.
	wrapped := func(n, least int) string {
		if inner, _ := x.Args[n].Op.binding(); inner < least {
			return "(" + x.Args[n].String() + ")"
		}
		return x.Args[n].String()
	}
	switch {
	case x.Op == Truth:
		return strconv.FormatBool(x.Number == 1)
	case x.Op == Number:
		return readable.Exact(x.Number)
	case x.Name != "":
		return x.Name
	case x.Op == Column: // of the formula of a metric
		return x.Source.FieldName()
	case x.Op == Choose:
		return wrapped(0, level+1) + " ? " + wrapped(1, level+1) + " : " + wrapped(2, level)
	case len(x.Args) == 1:
		return sign + wrapped(0, level)
	}
	return wrapped(0, level) + " " + sign + " " + wrapped(1, level+1)
}

// RankOf begins the name of a rank, such as rank(ctr).
const RankOf = "rank("

// SplitName returns the prefix of a metric, such as previous., rank( or over("last 14
// days")., and its name without it. The name of an outcome begins with outcome, that of a target with
// target.
func SplitName(name string) (prefix, bare string) {
	if metric, isRank := strings.CutPrefix(name, RankOf); isRank {
		return RankOf, strings.TrimSuffix(metric, ")")
	}
	at := strings.LastIndexByte(name, '.') + 1
	if outcome := strings.LastIndex(name, figures.OutcomePrefix); outcome >= 0 {
		at = outcome
	}
	if strings.HasPrefix(name, TargetPrefix) {
		at = 0
	}
	return name[:at], name[at:]
}
