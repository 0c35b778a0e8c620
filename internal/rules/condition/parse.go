package condition

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher/internal/readable"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// parser reads a condition and checks it. These are the operators, from the weakest to the
// strongest:
//
//	?:  ||  &&  < <= > >= == !=  + -  * /  ! and - before an operand
type parser struct {
	source string
	tokens []token
	at     int // the token that is read next
	depth  int // of parentheses
	signs  int // before an operand
	size   int // in metrics, numbers and operators
	binder binder

	syntax *Fault  // the first place that cannot be read; nothing behind it is
	names  []Fault // unknown metrics, and what conditions do not have
	types  []Fault // numbers and comparisons in the wrong place
	mixed  []Fault // && and || without parentheses
}

// operand is a part of a condition that was read.
type operand struct {
	*expression.Expression       // nil: it has a fault
	first                  token // where it begins, inside its parentheses
	start, end             int   // in the source, with its parentheses
	operator               token // of an operation
	isAnd                  bool  // it is an && without parentheses
	isBroken               bool
}

// describe names what the operand is.
func (o operand) describe() string {
	if o.IsTruth() {
		return "a comparison"
	}
	return "a number"
}

// parse reads the whole condition.
func (p *parser) parse() operand {
	root := p.choice()
	if t := p.next(); t.kind != endToken {
		p.unexpected(t)
	}
	return root
}

func (p *parser) next() token { return p.tokens[p.at] }

// take returns the next token and goes behind it.
func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endToken {
		p.at++
	}
	return t
}

// accept goes behind the next token if that is one of some signs.
func (p *parser) accept(signs ...string) (token, bool) {
	if t := p.next(); t.kind == signToken && slices.Contains(signs, t.text) {
		return p.take(), true
	}
	return token{}, false
}

// expect goes behind a sign, or adds a fault.
func (p *parser) expect(sign string) token {
	t, found := p.accept(sign)
	if !found {
		p.unexpected(p.next())
	}
	return t
}

// unexpected notes that the condition cannot be read at a token, and reads nothing more.
func (p *parser) unexpected(t token) {
	message, hint := "it cannot be read here", "write a comparison such as grossMediaSpend >= 0.95 * budget"
	switch {
	case t.kind == endToken && p.depth > 0:
		message, hint = "a parenthesis is not closed", "write ) behind what ( begins"
	case t.kind == endToken:
		message += ": it ends where a number or a metric is missing"
	case t.kind == wordToken || t.kind == numberToken:
		message += fmt.Sprintf(": there is no operator before %q", t.text)
		hint = "write one, such as > or &&; a metric is one word: `usher rules check --metrics` lists them"
	default:
		if t.text == "," {
			hint = "join comparisons with && (all of them) or || (any of them)"
		}
		message += fmt.Sprintf(": %q does not belong here", t.text)
	}
	p.fail(Fault{t.line, t.column, message, hint})
}

// fail notes the first place that cannot be read, and goes to the end.
func (p *parser) fail(f Fault) {
	if p.syntax == nil {
		p.syntax = &f
	}
	p.at = len(p.tokens) - 1
}

// namef adds a fault at a token.
func (p *parser) namef(at token, hint, format string, args ...any) {
	p.names = append(p.names, Fault{at.line, at.column, fmt.Sprintf(format, args...), hint})
}

// operators maps the signs of operators that have two operands.
var operators = map[string]expression.Op{
	"||": expression.Or, "&&": expression.And,
	"<": expression.Less, "<=": expression.LessOrEqual, ">": expression.Greater, ">=": expression.GreaterOrEqual, "==": expression.Equal, "!=": expression.Unequal,
	"+": expression.Add, "-": expression.Subtract, "*": expression.Multiply, "/": expression.Divide,
}

// apply returns an operator with its operands, which must be numbers or comparisons as it
// needs them.
func (p *parser) apply(op expression.Op, sign token, args ...operand) operand {
	p.size++
	first, last := args[0], args[len(args)-1]
	whole := operand{first: first.first, operator: sign, start: first.start, end: last.end}
	if slices.ContainsFunc(args, func(o operand) bool { return o.isBroken }) {
		whole.isBroken = true
		return whole
	}
	var list []*expression.Expression
	for _, arg := range args {
		list = append(list, arg.Expression)
	}
	if !takes(op, list) {
		var kinds []string
		for _, arg := range args {
			kinds = append(kinds, arg.describe())
		}
		name := sign.text
		if op == expression.Choose {
			name = "?:"
		}
		p.types = append(p.types, Fault{
			sign.line, sign.column, fmt.Sprintf("there is no %s of %s", name, strings.Join(kinds, " and ")),
			"compare numbers (ctr < 0.001) and join comparisons (… && …)",
		})
		whole.isBroken = true
		return whole
	}
	whole.Expression = at(expression.New(op, list...), whole.first)
	return whole
}

// takes reports whether an operator has a value for operands that are numbers or comparisons.
func takes(op expression.Op, args []*expression.Expression) bool {
	if op == expression.Choose {
		return args[0].IsTruth() && args[1].IsTruth() == args[2].IsTruth()
	}
	wantsTruth := op == expression.And || op == expression.Or || op == expression.Not
	return !slices.ContainsFunc(args, func(x *expression.Expression) bool { return x.IsTruth() != wantsTruth })
}

// at sets the place of an expression.
func at(x *expression.Expression, t token) *expression.Expression {
	x.Line, x.Start = t.line, t.column
	return x
}

// choice reads a ? b : c, or what is stronger.
func (p *parser) choice() operand {
	condition := p.or()
	sign, found := p.accept("?")
	if !found {
		return condition
	}
	yes := p.or()
	p.expect(":")
	no := p.choice()
	return p.apply(expression.Choose, sign, condition, yes, no)
}

// or reads operands joined by ||, and notes if && is mixed into them.
func (p *parser) or() operand {
	left := p.and()
	parts, mixes := []operand{left}, token{}
	for {
		sign, found := p.accept("||")
		if !found {
			break
		}
		right := p.and()
		switch {
		case mixes.text != "":
		case parts[0].isAnd:
			mixes = sign
		case right.isAnd:
			mixes = p.firstAnd(sign)
		}
		parts = append(parts, right)
		left = p.apply(expression.Or, sign, left, right)
	}
	if mixes.text != "" && p.syntax == nil {
		p.addMixed(mixes, parts)
	}
	return left
}

// firstAnd returns the first && behind a sign that stands in no further parentheses.
func (p *parser) firstAnd(sign token) token {
	depth := 0
	for _, t := range p.tokens {
		switch {
		case t.start < sign.end:
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.is("&&") && depth == 0:
			return t
		}
	}
	return sign
}

// addMixed adds the fault of parts joined by ||, some of which are joined by && without
// parentheses.
func (p *parser) addMixed(second token, parts []operand) {
	var texts []string
	for _, part := range parts {
		text := strings.Join(strings.Fields(p.source[part.start:part.end]), " ")
		if part.isAnd {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	p.mixed = append(p.mixed, Fault{
		second.line, second.column, "&& and || are mixed without parentheses, and && is read first",
		fmt.Sprintf("write %s, as it is read, or put the parentheses where you mean them", strings.Join(texts, " || ")),
	})
}

func (p *parser) and() operand {
	left := p.operation(0)
	for {
		sign, found := p.accept("&&")
		if !found {
			return left
		}
		left = p.apply(expression.And, sign, left, p.operation(0))
		left.isAnd = true
	}
}

// levels are the signs of comparisons and of arithmetic, by their strength.
var levels = [][]string{{"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/"}}

// operation reads operands joined by the operators of a level, from left to right.
func (p *parser) operation(level int) operand {
	if level == len(levels) {
		return p.unary()
	}
	left := p.operation(level + 1)
	for {
		sign, found := p.accept(levels[level]...)
		if !found {
			return left
		}
		left = p.apply(operators[sign.text], sign, left, p.operation(level+1))
	}
}

// unary reads !, or - before an operand. A - before a number is part of it.
func (p *parser) unary() operand {
	sign, found := p.accept("!", "-")
	if !found {
		return p.primary()
	}
	if p.signs++; p.signs > MaxSize {
		p.unexpected(sign)
	}
	defer func() { p.signs-- }()
	if number := p.next(); sign.is("-") && number.kind == numberToken {
		o := p.number(p.take())
		o.Number, o.Text = -o.Number, ""
		o.first, o.start = sign, sign.start
		at(o.Expression, sign)
		return o
	}
	op := expression.Not
	if sign.is("-") {
		op = expression.Negate
	}
	whole := p.apply(op, sign, p.unary())
	whole.first, whole.start = sign, sign.start
	if !whole.isBroken {
		at(whole.Expression, sign)
	}
	return whole
}

// primary reads a number, a metric, or a condition in parentheses.
func (p *parser) primary() operand {
	t := p.take()
	switch t.kind {
	case numberToken:
		return p.number(t)
	case textToken:
		p.namef(t, "select campaigns by scope, and compare numbers here", "conditions compare numbers, and this is not a number")
		return p.broken(t)
	case wordToken:
		return p.word(t)
	}
	switch {
	case t.is("("):
		return p.parenthesis(t)
	case t.is("["), t.is("{"):
		p.fail(Fault{t.line, t.column, "conditions have no lists, maps or messages", "join comparisons with && and ||"})
	default:
		p.unexpected(t)
	}
	return p.broken(t)
}

// broken returns the operand of a token that has a fault. Its value is not known.
func (p *parser) broken(t token) operand {
	p.size++
	return operand{first: t, start: t.start, end: t.end, isBroken: true}
}

func (p *parser) parenthesis(open token) operand {
	if p.depth++; p.depth > MaxSize {
		p.fail(Fault{open.line, open.column, "it cannot be read here: there are too many parentheses in each other", "leave out those that are not needed"})
		return p.broken(open)
	}
	inner := p.choice()
	p.expect(")")
	p.depth--
	inner.start, inner.end, inner.isAnd = open.start, p.tokens[max(p.at-1, 0)].end, false
	if _, found := p.accept("."); found {
		place, field := inner.first, p.take()
		if inner.operator.text != "" {
			place = inner.operator
		}
		p.namef(place, "leave out ."+field.text, "only names have parts, such as .%s", field.text)
		inner.isBroken = true
	}
	return inner
}

func (p *parser) number(t token) operand {
	p.size++
	v, err := strconv.ParseFloat(t.text, 64)
	if err != nil {
		p.namef(t, "write it in digits", "%q is not a number", t.text)
		return operand{first: t, start: t.start, end: t.end, isBroken: true, Expression: expression.Constant(0)}
	}
	x := expression.Constant(v)
	x.Text = t.text
	return operand{Expression: at(x, t), first: t, start: t.start, end: t.end}
}

// word reads true and false, a metric, or a function and its arguments.
func (p *parser) word(t token) operand {
	if t.text == "true" || t.text == "false" {
		x := &expression.Expression{Op: expression.Truth}
		if t.text == "true" {
			x.Number = 1
		}
		p.size++
		return operand{Expression: at(x, t), first: t, start: t.start, end: t.end}
	}
	if open, found := p.accept("("); found {
		return p.function(t, open)
	}
	name := []string{t.text}
	for {
		if _, found := p.accept("."); !found {
			break
		}
		part := p.take()
		if part.kind != wordToken {
			p.unexpected(part)
			return p.broken(t)
		}
		name = append(name, part.text)
	}
	full := strings.Join(name, ".")
	switch isPrefix := isPrefixOfMetrics(name[0]); {
	case isMetric(full):
		return p.metric(t, full)
	case len(name) == 1 && isPrefix:
		p.namef(t, "write "+full+".ctr, or another metric", "%q is not a metric", full)
	case name[0] == targetWord:
		return p.target(t, name[1:])
	case isPrefix && len(name) > 1 && name[1] == targetWord:
		p.namef(t, "write "+strings.Join(name[1:], "."), "a target has no window, and is always that of the campaign")
	case slices.Contains(name[:min(len(name), 2)], outcomeWord):
		p.namef(t, outcomeHint, "%q is not an outcome", full)
	case len(name) > 1 && !isPrefix:
		p.part(t, name[0], name[1])
	default:
		p.namef(t, metricHint(full, metricNames()), "unknown metric %q", full)
	}
	return p.broken(t)
}

// targetWord stands before the name of a column of targets, with a point.
const targetWord = "target"

// target reads a target of the campaign, such as target.cpa.
func (p *parser) target(t token, names []string) operand {
	known := p.binder.Targets
	column := strings.Join(names, ".")
	switch {
	case p.binder.Level == figures.AccountLevel:
		p.namef(t, "write the number, or level: campaign", "with level: account there is no campaign that has a target")
	case column != "" && p.binder.AnyTarget, slices.Contains(known, column) && IsName(column):
		p.size++
		x := &expression.Expression{Op: expression.Target, Name: expression.TargetPrefix + column}
		return operand{Expression: at(x, t), first: t, start: t.start, end: p.tokens[p.at-1].end}
	case known == nil && !p.binder.AnyTarget:
		p.namef(t, "write targets: targets.csv at the top of the file, with a table that has the columns campaign and "+cmp.Or(column, "cpa"), "the file has no targets")
	case column == "":
		p.namef(t, "write target. and a column: "+strings.Join(known, ", "), "%q is not a target", targetWord)
	case slices.Contains(known, column):
		p.namef(t, "name it by a letter, and letters, digits and _", "the column %q is no name", column)
	default:
		p.namef(t, readable.Suggest(column, known, "the table has "+cmp.Or(strings.Join(known, ", "), "no column but campaign")), "the table of targets has no column %q", column)
	}
	return p.broken(t)
}

// outcomeWord stands before the name of an outcome, with a point.
const outcomeWord = "outcome"

const outcomeHint = "write outcome. and the name of a column that `usher outcomes put` has stored, such as outcome.installs"

// metric returns the operand of a metric that is known. It begins with a token and ends before
// the next one.
func (p *parser) metric(first token, name string) operand {
	p.size++
	if p.binder.Level == figures.AccountLevel {
		switch prefix, bare := expression.SplitName(name); {
		case prefix == "campaign.":
			p.namef(first, "write "+bare+", which is the sum over the campaigns in scope, or level: campaign", "with level: account there is no campaign of which %s could be", name)
			return p.broken(first)
		case prefix == expression.RankOf, name == count:
			p.namef(first, "write level: campaign", "with level: account there is nothing to rank")
			return p.broken(first)
		case bare == figures.MediaMargin.String():
			p.namef(first, "write level: campaign", "margins of campaigns do not add up")
			return p.broken(first)
		}
	}
	return operand{Expression: at(p.binder.bind(name), first), first: first, start: first.start, end: p.tokens[p.at-1].end}
}

// part adds the fault of a part of a name that has no parts, such as ctr.today.
func (p *parser) part(t token, name, field string) {
	if isMetric(name) {
		hint := "leave out ." + field
		if isPrefixOfMetrics(field) {
			hint = "write " + field + "." + name
		}
		p.namef(t, hint, "%s is a number and has no parts, such as .%s", name, field)
		return
	}
	if cannot := cannotRead[strings.ToLower(name)]; cannot != "" {
		p.namef(t, cannot, "%s has no parts, such as .%s", name, field)
		return
	}
	hint := fmt.Sprintf("write campaign.%s for that of the creative's campaign, account.%s for that of the account, previous.%s for the window before, over(\"last 14 days\").%s for another window", field, field, field, field)
	if window, err := figures.ParseWindow(name); err == nil {
		hint = "write " + field + ", and window: " + window.String()
	}
	p.namef(t, hint, "%s has no parts, such as .%s", name, field)
}

// function reads the arguments of a function, and a metric behind over(…).
func (p *parser) function(name, open token) operand {
	p.depth++
	first := p.at
	for !p.next().is(")") && p.next().kind != endToken {
		p.choice()
		if _, found := p.accept(","); !found {
			break
		}
	}
	tokens := p.tokens[first:p.at]
	p.expect(")")
	p.depth--
	if p.syntax != nil {
		return p.broken(name)
	}
	switch name.text {
	case over:
		p.dropNames(tokens)
		return p.over(name, tokens)
	case "rank", "count":
		p.dropNames(tokens)
		return p.rank(name, tokens)
	}
	p.namef(open, functionHint(strings.ToLower(name.text), tokens), "conditions have no %q", name.text)
	return p.broken(name)
}

// dropNames drops the faults of some tokens, and their sizes: they are part of one metric.
func (p *parser) dropNames(tokens []token) {
	p.size -= len(tokens)
	p.names = slices.DeleteFunc(p.names, func(f Fault) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return t.line == f.Line && t.column == f.Column })
	})
}

// over reads the metric of another window, such as over("last 14 days").ctr.
func (p *parser) over(name token, args []token) operand {
	field := ""
	if _, found := p.accept("."); found {
		field = p.take().text
		if field == outcomeWord && p.next().is(".") {
			p.take()
			field += "." + p.take().text
		}
	}
	text := ""
	if len(args) == 1 && args[0].kind == textToken {
		text = args[0].text
	}
	window, err := figures.ParseWindow(text)
	switch {
	case text == "":
		p.namef(name, `write over("last 14 days").ctr`, "over needs a window in quotes")
	case err != nil:
		p.namef(name, figures.WindowHint(text), "%v", err)
	case field == "":
		p.namef(name, `write over("last 14 days").ctr, or another metric`, "over needs a metric")
	case variableNamed(field).Name == "":
		p.namef(name, metricHint(field, metricNames()), "unknown metric %q", field)
	case window.Kind == figures.SameDay && !hasSameDay(p.binder.Window):
		p.namef(name, "write window: yesterday or today, or compare with over(\"last 7 days\")", "%s is a day, and the rule's window %s is none", window, p.binder.Window)
	default:
		full := fmt.Sprintf("over(%q).%s", window, field)
		if _, found := p.accept("."); found {
			p.namef(name, "leave out ."+p.next().text, "%s is a number and has no parts, such as .%s", full, p.take().text)
			break
		}
		return p.metric(name, full)
	}
	return p.broken(name)
}

// hasSameDay reports whether a window is one day, which has a same day of last week.
func hasSameDay(w figures.Window) bool {
	_, is := figures.SameDayOf(w)
	return is
}

// rank reads rank(ctr) and count().
func (p *parser) rank(name token, args []token) operand {
	metric := ""
	if len(args) == 1 && args[0].kind == wordToken {
		metric = args[0].text
	}
	if len(args) == 3 && args[0].text == outcomeWord && args[1].is(".") {
		metric = args[0].text + "." + args[2].text
	}
	switch {
	case name.text == "count" && len(args) > 0:
		p.namef(name, "write count(), which is the number of those that are ranked", "count needs no metric")
	case name.text == "rank" && metric == "":
		p.namef(name, "write rank(ctr), or another metric", "rank needs the name of a metric")
	case name.text == "rank" && variableNamed(metric).Name == "":
		p.namef(name, metricHint(metric, metricNames()), "unknown metric %q", metric)
	case name.text == "rank":
		return p.metric(name, expression.RankOf+metric+")")
	default:
		return p.metric(name, count)
	}
	return p.broken(name)
}

// functionHint returns the hint on a function, in lower case, that conditions do not have.
func functionHint(name string, args []token) string {
	metric, n := "ctr", "3"
	for i, arg := range args {
		isAlone := (i == 0 || args[i-1].is(",")) && (i == len(args)-1 || args[i+1].is(","))
		switch {
		case isAlone && arg.kind == wordToken:
			metric = arg.text
		case isAlone && arg.kind == numberToken:
			v, _ := strconv.ParseFloat(arg.text, 64) // it has been read
			n = readable.Exact(v)
		}
	}
	switch name {
	case "all", "and":
		return "join comparisons with &&"
	case "any", "or":
		return "join comparisons with ||"
	case "bottom", "lowest", "worst":
		return fmt.Sprintf("write rank(%s) > count() - %s for the lowest", metric, n)
	case "top", "highest", "best":
		return fmt.Sprintf("write rank(%s) <= %s for the highest", metric, n)
	}
	if hint := elsewhere[strings.ReplaceAll(name, "_", "")]; hint == noClock {
		return hint
	}
	return conditionsHave
}
