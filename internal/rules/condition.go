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
	reads  []string // the metrics in it, each once, in their order
}

// maxSize bounds a condition. It has no loops, so its size is its cost.
const maxSize = 200

// language is a subset of CEL: numbers, booleans, their operators and names. All
// numbers are doubles. There are no texts, lists, macros or functions, so nothing
// loops.
func language() (*cel.Env, error) {
	number, truth := cel.DoubleType, cel.BoolType
	binary := func(name string, of, result *cel.Type) cel.EnvOption {
		return cel.Function(name, cel.Overload(name+" of "+of.String(), []*cel.Type{of, of}, result))
	}
	options := []cel.EnvOption{
		binary(operators.LogicalAnd, truth, truth), binary(operators.LogicalOr, truth, truth),
		cel.Function(operators.LogicalNot, cel.Overload("not", []*cel.Type{truth}, truth)),
		cel.Function(operators.Negate, cel.Overload("negate", []*cel.Type{number}, number)),
		cel.Function(operators.Conditional,
			cel.Overload("choose a number", []*cel.Type{truth, number, number}, number),
			cel.Overload("choose a truth", []*cel.Type{truth, truth, truth}, truth)),
	}
	for _, name := range []string{operators.Add, operators.Subtract, operators.Multiply, operators.Divide} {
		options = append(options, binary(name, number, number))
	}
	for _, name := range []string{
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.Equals, operators.NotEquals,
	} {
		options = append(options, binary(name, number, truth))
	}
	for _, name := range metricNames() {
		options = append(options, cel.Variable(name, number))
	}
	env, err := cel.NewCustomEnv(options...)
	if err != nil {
		return nil, fmt.Errorf("set up the language of conditions: %w", err)
	}
	return env, nil
}

// compile checks a condition and translates it to an expression.
func compile(env *cel.Env, source string, b *binder) (*Condition, []conditionFault) {
	parsed, issues := env.Parse(source)
	if issues.Err() != nil {
		return nil, syntaxFaults(source, issues)
	}
	if faults := promote(parsed.NativeRep()); len(faults) > 0 {
		return nil, faults
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, typeFaults(issues)
	}
	if checked.OutputType() != cel.BoolType {
		return nil, []conditionFault{{line: 1, message: "it is a number, not a condition", hint: "compare it with a number: " + source + " > 0"}}
	}
	c := &Condition{Source: strings.Join(strings.Fields(source), " ")}
	c.root = c.translate(checked.NativeRep().Expr(), b)
	if len(c.reads) == 0 {
		return nil, []conditionFault{{line: 1, message: "it reads no metric, so its value never changes", hint: "compare a metric: grossMediaSpend >= 0.95 * budget"}}
	}
	return c, nil
}

// promoter prepares a parsed condition for CEL's checker.
type promoter struct {
	tree   *ast.AST
	known  []string // metrics
	size   int
	faults []conditionFault
}

// promote turns int literals into doubles, so that spend * 2 is valid, and finds
// what is not part of the language.
func promote(tree *ast.AST) []conditionFault {
	p := &promoter{tree: tree, known: metricNames()}
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(p.visit))
	if p.size > maxSize {
		p.faults = append(p.faults, conditionFault{1, 0, fmt.Sprintf("it has %d parts; %d are allowed", p.size, maxSize), "split it into two rules"})
	}
	return p.faults
}

func (p *promoter) faultf(x ast.Expr, hint, format string, args ...any) {
	at := p.tree.SourceInfo().GetStartLocation(x.ID())
	p.faults = append(p.faults, conditionFault{at.Line(), at.Column(), fmt.Sprintf(format, args...), hint})
}

func (p *promoter) visit(x ast.Expr) {
	p.size++
	switch x.Kind() {
	case ast.LiteralKind:
		p.literal(x)
	case ast.IdentKind:
		if name := x.AsIdent(); name != "previous" {
			p.metric(x, name)
		}
	case ast.SelectKind:
		selected := x.AsSelect()
		if of := selected.Operand(); of.Kind() == ast.IdentKind && of.AsIdent() == "previous" {
			p.metric(x, "previous."+selected.FieldName())
		} else {
			p.faultf(x, "write previous."+selected.FieldName()+" for the window before", "only previous has parts, such as .%s", selected.FieldName())
		}
	case ast.CallKind:
		if name := x.AsCall().FunctionName(); operatorOf(name) < 0 {
			p.faultf(x, "conditions have numbers, metrics, + - * / < <= > >= == != && || ! ?: and parentheses", "conditions have no %q", strings.Trim(name, "_@"))
		}
	default:
		p.faultf(x, "join comparisons with && and ||", "conditions have no lists, maps or messages")
	}
}

func (p *promoter) literal(x ast.Expr) {
	factory := ast.NewExprFactory()
	switch v := x.AsLiteral().(type) {
	case types.Int:
		x.SetKindCase(factory.NewLiteral(x.ID(), types.Double(v)))
	case types.Uint:
		x.SetKindCase(factory.NewLiteral(x.ID(), types.Double(v)))
	case types.Double, types.Bool:
	default:
		p.faultf(x, "select campaigns by scope, and compare numbers here", "conditions compare numbers, and this is not a number")
	}
}

func (p *promoter) metric(x ast.Expr, name string) {
	if !slices.Contains(p.known, name) {
		p.faultf(x, suggestMetric(name, p.known), "unknown metric %q", name)
	}
}

// operatorOf returns the operator of CEL's function, or -1.
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

// translate returns the expression of a checked tree, which has only what the
// language declares.
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
		operation := &expression{op: operatorOf(call.FunctionName())}
		for _, arg := range call.Args() {
			operation.args = append(operation.args, c.translate(arg, b))
		}
		return operation
	}
	name := x.AsIdent() // the checker has turned previous.ctr into one name
	if x.Kind() == ast.SelectKind {
		name = "previous." + x.AsSelect().FieldName()
	}
	if !slices.Contains(c.reads, name) {
		c.reads = append(c.reads, name)
	}
	return b.bind(name)
}
