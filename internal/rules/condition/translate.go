package condition

import (
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"usher/internal/rules/expression"
)

// operatorOf returns the operator of CEL's function, or -1.
func operatorOf(name string) expression.Op {
	operator, known := map[string]expression.Op{
		operators.LogicalAnd: expression.And, operators.LogicalOr: expression.Or, operators.LogicalNot: expression.Not, operators.Conditional: expression.Choose,
		operators.Add: expression.Add, operators.Subtract: expression.Subtract, operators.Multiply: expression.Multiply, operators.Divide: expression.Divide, operators.Negate: expression.Negate,
		operators.Less: expression.Less, operators.LessEquals: expression.LessOrEqual, operators.Greater: expression.Greater, operators.GreaterEquals: expression.GreaterOrEqual,
		operators.Equals: expression.Equal, operators.NotEquals: expression.Unequal,
	}[name]
	if !known {
		return -1
	}
	return operator
}

// translator translates a checked tree, which has only what the language declares.
type translator struct {
	tree   *ast.AST
	lines  []string // of the condition
	binder binder
}

// translate returns the expression of a part of the tree.
func (t *translator) translate(x ast.Expr) *expression.Expression {
	translated := t.translateKind(x)
	begin := t.tree.SourceInfo().GetStartLocation(x.ID())
	if x.Kind() == ast.SelectKind {
		begin = t.tree.SourceInfo().GetStartLocation(x.AsSelect().Operand().ID())
	}
	translated.Line, translated.Start = begin.Line(), begin.Column()
	if prefix, _ := expression.SplitName(translated.Name); x.Kind() == ast.IdentKind && isPrefixOfMetrics(strings.TrimSuffix(prefix, ".")) {
		translated.Start -= len(prefix) - 1 // CEL's location is that of the point
	}
	if x.Kind() == ast.CallKind { // whose location is that of the operator
		if first := translated.Args[0]; first.Line < translated.Line || first.Line == translated.Line && first.Start < translated.Start {
			translated.Line, translated.Start = first.Line, first.Start
		}
	}
	if translated.Op == expression.Number {
		translated.Text = t.numberAt(translated.Line, translated.Start)
	}
	return translated
}

func (t *translator) translateKind(x ast.Expr) *expression.Expression {
	switch x.Kind() {
	case ast.LiteralKind:
		if truth, ok := x.AsLiteral().(types.Bool); ok {
			if truth {
				return &expression.Expression{Op: expression.Truth, Number: 1}
			}
			return &expression.Expression{Op: expression.Truth}
		}
		number, _ := x.AsLiteral().(types.Double)
		return expression.Constant(float64(number))
	case ast.CallKind:
		call := x.AsCall()
		var args []*expression.Expression
		for _, arg := range call.Args() {
			args = append(args, t.translate(arg))
		}
		return expression.New(operatorOf(call.FunctionName()), args...)
	case ast.SelectKind:
		return t.binder.bind(x.AsSelect().Operand().AsIdent() + "." + x.AsSelect().FieldName())
	}
	return t.binder.bind(x.AsIdent()) // the checker has turned previous.ctr into one name
}

// numberAt returns a number of the condition as it is written.
func (t *translator) numberAt(line, start int) string {
	if line < 1 || line > len(t.lines) || start > len([]rune(t.lines[line-1])) {
		return ""
	}
	rest := string([]rune(t.lines[line-1])[start:])
	return rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789."))]
}
