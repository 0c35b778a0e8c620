package rules

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// Condition is a checked condition of a rule.
type Condition struct {
	Source string
	root   *expression
	reads  []string // the variables in it, each once, in their order
}

// maxSize bounds a condition: it has no loops, so its size is what it costs.
const maxSize = 200

// conditionFault is what is wrong with a condition, and where in it.
type conditionFault struct {
	line, column  int // of the condition's text, from 1 and from 0 on
	message, hint string
}

// language is CEL cut down to what conditions have: numbers, truths, their
// operators and names. There are no ints beside the doubles, no texts, lists,
// macros or functions, so nothing loops, and nothing is a number here and a
// text there.
func language() (*cel.Env, error) {
	number, truth := cel.DoubleType, cel.BoolType
	two := func(name string, of, result *cel.Type) cel.EnvOption {
		return cel.Function(name, cel.Overload(name+" of "+of.String(), []*cel.Type{of, of}, result))
	}
	options := []cel.EnvOption{
		two(operators.LogicalAnd, truth, truth), two(operators.LogicalOr, truth, truth),
		cel.Function(operators.LogicalNot, cel.Overload("not", []*cel.Type{truth}, truth)),
		cel.Function(operators.Negate, cel.Overload("negate", []*cel.Type{number}, number)),
		cel.Function(operators.Conditional,
			cel.Overload("choose a number", []*cel.Type{truth, number, number}, number),
			cel.Overload("choose a truth", []*cel.Type{truth, truth, truth}, truth)),
	}
	for _, name := range []string{operators.Add, operators.Subtract, operators.Multiply, operators.Divide} {
		options = append(options, two(name, number, number))
	}
	for _, name := range []string{
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.Equals, operators.NotEquals,
	} {
		options = append(options, two(name, number, truth))
	}
	for _, name := range names() {
		options = append(options, cel.Variable(name, number))
	}
	env, err := cel.NewCustomEnv(options...)
	if err != nil {
		return nil, fmt.Errorf("set up the language of conditions: %w", err)
	}
	return env, nil
}

// compile checks a condition and makes it ready for evaluation.
func compile(env *cel.Env, source string, b *binder) (*Condition, []conditionFault) {
	parsed, issues := env.Parse(source)
	if issues.Err() != nil {
		return nil, syntaxFaults(source, issues)
	}
	tree := parsed.NativeRep()
	if faults := promote(tree, b.set); len(faults) > 0 {
		return nil, faults
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, typeFaults(issues)
	}
	if checked.OutputType() != cel.BoolType {
		return nil, []conditionFault{{line: 1, message: "it is a number, not a condition", hint: "compare it with something: " + source + " > 0"}}
	}
	c := &Condition{Source: strings.Join(strings.Fields(source), " ")}
	c.root = c.translate(checked.NativeRep().Expr(), b)
	if len(c.reads) == 0 {
		return nil, []conditionFault{{line: 1, message: "it reads no metric, so it is always the same", hint: "compare a metric: grossMediaSpend >= 0.95 * budget"}}
	}
	return c, nil
}

// promote makes doubles of int literals, so that spend * 2 is no error, and
// finds names that there are not and conditions that are too large.
func promote(tree *ast.AST, s *Set) []conditionFault {
	var faults []conditionFault
	size, factory, known := 0, ast.NewExprFactory(), names()
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		size++
		at := tree.SourceInfo().GetStartLocation(x.ID())
		fault := func(message, hint string) {
			faults = append(faults, conditionFault{at.Line(), at.Column(), message, hint})
		}
		switch x.Kind() {
		case ast.LiteralKind:
			switch v := x.AsLiteral().(type) {
			case types.Int:
				x.SetKindCase(factory.NewLiteral(x.ID(), types.Double(v)))
			case types.Uint:
				x.SetKindCase(factory.NewLiteral(x.ID(), types.Double(v)))
			case types.Double, types.Bool:
			default:
				fault("conditions are about numbers, and this is none", "choose campaigns by scope, and compare numbers here")
			}
		case ast.IdentKind:
			if name := x.AsIdent(); name != "previous" && !slices.Contains(known, name) {
				fault(fmt.Sprintf("there is no metric %q", name), s.suggest(name, known))
			}
		case ast.SelectKind:
			selected := x.AsSelect()
			if of := selected.Operand(); of.Kind() != ast.IdentKind || of.AsIdent() != "previous" {
				fault(fmt.Sprintf("nothing here has parts but previous: .%s", selected.FieldName()), "write previous."+selected.FieldName()+" for the window before")
			} else if name := "previous." + selected.FieldName(); !slices.Contains(known, name) {
				fault(fmt.Sprintf("there is no metric %q", name), s.suggest(name, known))
			}
		case ast.CallKind:
			if name := x.AsCall().FunctionName(); operatorOf(name) < 0 {
				fault(fmt.Sprintf("conditions have no %q", strings.Trim(name, "_@")), "they have numbers, metrics, + - * / < <= > >= == != && || ! ?: and parentheses")
			}
		default:
			fault("conditions have no lists, maps or messages", "join comparisons by && and ||")
		}
	}))
	if size > maxSize {
		faults = append(faults, conditionFault{1, 0, fmt.Sprintf("it has %d parts; %d are allowed", size, maxSize), "make two rules of it"})
	}
	return faults
}

// operatorOf is an operator of the language; -1: it has none of this name.
func operatorOf(name string) op {
	operator, known := map[string]op{
		operators.LogicalAnd: opAnd, operators.LogicalOr: opOr, operators.LogicalNot: opNot, operators.Conditional: opChoose,
		operators.Add: opAdd, operators.Subtract: opSubtract, operators.Multiply: opMultiply, operators.Divide: opDivide, operators.Negate: opNegate,
		operators.Less: opLess, operators.LessEquals: opLessOrEqual, operators.Greater: opGreater, operators.GreaterEquals: opGreaterOrEqual,
		operators.Equals: opEqual, operators.NotEquals: opUnequal,
	}[name]
	if !known {
		return -1
	}
	return operator
}

// translate makes the expression of a checked tree, which has nothing but what
// the language declares.
func (c *Condition) translate(x ast.Expr, b *binder) *expression {
	switch x.Kind() {
	case ast.LiteralKind:
		if truth, ok := x.AsLiteral().(types.Bool); ok {
			if truth {
				return &expression{op: opTruth, number: 1}
			}
			return &expression{op: opTruth}
		}
		number, _ := x.AsLiteral().(types.Double)
		return constant(float64(number))
	case ast.CallKind:
		call := x.AsCall()
		made := &expression{op: operatorOf(call.FunctionName())}
		for _, arg := range call.Args() {
			made.args = append(made.args, c.translate(arg, b))
		}
		return made
	}
	// The checker has made one name of previous.ctr.
	name := x.AsIdent()
	if x.Kind() == ast.SelectKind {
		name = "previous." + x.AsSelect().FieldName()
	}
	if !slices.Contains(c.reads, name) {
		c.reads = append(c.reads, name)
	}
	return b.bind(name)
}

// syntaxFaults says of what CEL's parser cannot read what to write instead. It
// gives the first one only: what follows is confusion.
func syntaxFaults(source string, issues *cel.Issues) []conditionFault {
	first := issues.Errors()[0]
	message, _, _ := strings.Cut(strings.TrimPrefix(first.Message, "Syntax error: "), " expecting ")
	message = "it cannot be read here: " + message
	rest := ""
	if lines := strings.Split(source, "\n"); first.Location.Line() >= 1 && first.Location.Line() <= len(lines) {
		if runes := []rune(lines[first.Location.Line()-1]); first.Location.Column() < len(runes) {
			rest = string(runes[first.Location.Column():])
		}
	}
	hint := "write a comparison such as grossMediaSpend >= 0.95 * budget"
	word, _, _ := strings.Cut(strings.ToLower(rest), " ")
	switch {
	case strings.HasPrefix(rest, "="):
		message, hint = "a single = compares nothing", "write == for equal, >= for at least"
	case word == "and" || strings.HasPrefix(rest, "&"):
		message, hint = fmt.Sprintf("%q is not how conditions are joined", word), "write &&"
	case word == "or" || strings.HasPrefix(rest, "|"):
		message, hint = fmt.Sprintf("%q is not how conditions are joined", word), "write ||"
	case word == "not":
		message, hint = `"not" is no operator`, "write !( … )"
	case strings.Contains(source, "%"):
		message, hint = "there are no percent signs in conditions", "write 95% as 0.95"
	}
	return []conditionFault{{first.Location.Line(), first.Location.Column(), message, hint}}
}

// typeFaults puts what CEL's checker says into words of people.
func typeFaults(issues *cel.Issues) []conditionFault {
	words := strings.NewReplacer(
		"'_?_:_'", "?:", "'_&&_'", "&&", "'_||_'", "||", "'!_'", "!", "'-_'", "-", "'_+_'", "+", "'_-_'", "-", "'_*_'", "*", "'_/_'", "/",
		"'_<_'", "<", "'_<=_'", "<=", "'_>_'", ">", "'_>=_'", ">=", "'_==_'", "==", "'_!=_'", "!=",
		"found no matching overload for", "there is no", "applied to", "of",
		"expected type 'bool' but found 'double'", "a comparison is wanted here, and this is a number",
		"expected type 'double' but found 'bool'", "a number is wanted here, and this is a comparison",
		"double", "number", "bool", "comparison",
	)
	var faults []conditionFault
	for _, issue := range issues.Errors() {
		faults = append(faults, conditionFault{
			issue.Location.Line(), issue.Location.Column(), words.Replace(issue.Message),
			"numbers are compared (ctr < 0.001), comparisons are joined (… && …)",
		})
	}
	return faults
}
