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

	text    string // as in the file
	placeIn func(line, column int) place
}

// maxSize bounds a condition. It has no loops, so its size is its cost.
const maxSize = 200

// language is a subset of CEL: numbers, booleans, their operators and names. All
// numbers are doubles. There are no texts, lists, macros or functions, so nothing
// loops; metricOver and rank replace over, rank and count by names.
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
	if faults := findForeignSigns(source); len(faults) > 0 {
		return nil, faults
	}
	parsed, issues := env.Parse(source)
	if issues.Err() != nil {
		return nil, syntaxFaults(issues)
	}
	others, faults := promote(parsed.NativeRep(), b.rule.Scope.Level)
	if len(faults) > 0 {
		return nil, faults
	}
	env, err := env.Extend(others...)
	if err != nil {
		return nil, []conditionFault{{line: 1, message: err.Error(), hint: "this is a bug in usher: report it"}}
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, typeFaults(issues)
	}
	if checked.OutputType() != cel.BoolType {
		return nil, []conditionFault{{line: 1, message: "it is a number, not a condition", hint: "compare it with a number: " + source + " > 0"}}
	}
	c := &Condition{Source: strings.Join(strings.Fields(source), " "), text: source}
	c.root = c.translate(checked.NativeRep(), checked.NativeRep().Expr(), b)
	if len(c.reads) == 0 {
		return nil, []conditionFault{{line: 1, message: "it reads no metric, so its value never changes", hint: "compare a metric: grossMediaSpend >= 0.95 * budget"}}
	}
	return c, nil
}

// promoter prepares a parsed condition for CEL's checker.
type promoter struct {
	tree   *ast.AST
	level  Level
	known  []string // metrics
	size   int
	faults []conditionFault

	others   []cel.EnvOption // the metrics of other windows
	replaced []string        // their names, valid or not
}

// over is the function of a metric of another window.
const over = "over"

// metricOver replaces a metric of another window, such as over("last 14 days").ctr, by
// one name.
func (p *promoter) metricOver(x ast.Expr) {
	field, of := "", x
	if x.Kind() == ast.SelectKind {
		field, of = x.AsSelect().FieldName(), x.AsSelect().Operand()
	}
	if of.Kind() != ast.CallKind || of.AsCall().FunctionName() != over {
		return
	}
	begin, _ := p.tree.SourceInfo().GetOffsetRange(of.ID())
	begin.Start -= int32(len(over)) // CEL's location is that of the parenthesis
	p.tree.SourceInfo().SetOffsetRange(x.ID(), begin)
	name := p.nameOver(x, of.AsCall().Args(), field)
	x.SetKindCase(ast.NewExprFactory().NewIdent(x.ID(), name))
	p.replaced = append(p.replaced, name)
}

// rank replaces rank(ctr) and count() by one name.
func (p *promoter) rank(x ast.Expr) {
	if x.Kind() != ast.CallKind || x.AsCall().FunctionName() != "rank" && x.AsCall().FunctionName() != "count" {
		return
	}
	function, args := x.AsCall().FunctionName(), x.AsCall().Args()
	begin, _ := p.tree.SourceInfo().GetOffsetRange(x.ID())
	begin.Start -= int32(len(function)) // CEL's location is that of the parenthesis
	p.tree.SourceInfo().SetOffsetRange(x.ID(), begin)
	name, metric := count, ""
	if len(args) == 1 && args[0].Kind() == ast.IdentKind {
		metric = args[0].AsIdent()
	}
	if function == "rank" {
		name = rankOf + metric + ")"
	}
	switch {
	case function == "count" && len(args) > 0:
		p.faultf(x, "write count(), which is the number of the campaign's creatives", "count needs no metric")
	case function == "rank" && metric == "":
		p.faultf(x, "write rank(ctr), or another metric", "rank needs the name of a metric")
	case function == "rank" && variableNamed(metric).Name == "":
		p.faultf(x, suggestMetric(metric, metricNames()), "unknown metric %q", metric)
	case p.level != CreativeLevel:
		p.faultf(x, "write level: creative in scope", "%s compares the creatives of a campaign", function)
	case !slices.Contains(p.replaced, name):
		p.others = append(p.others, cel.Variable(name, cel.DoubleType))
	}
	x.SetKindCase(ast.NewExprFactory().NewIdent(x.ID(), name))
	p.replaced = append(p.replaced, name)
}

// nameOver returns the name of a metric of another window, and declares it.
func (p *promoter) nameOver(x ast.Expr, args []ast.Expr, field string) string {
	var text types.String
	if len(args) == 1 && args[0].Kind() == ast.LiteralKind {
		text, _ = args[0].AsLiteral().(types.String)
	}
	window, err := parseWindow(string(text))
	name := fmt.Sprintf("over(%q).%s", window, field)
	switch {
	case text == "":
		p.faultf(x, `write over("last 14 days").ctr`, "over needs a window in quotes")
	case err != nil:
		p.faultf(x, windowHint(string(text)), "%v", err)
	case field == "":
		p.faultf(x, `write over("last 14 days").ctr, or another metric`, "over needs a metric")
	case variableNamed(field).Name == "":
		p.faultf(x, suggestMetric(field, metricNames()), "unknown metric %q", field)
	case !slices.Contains(p.replaced, name):
		p.others = append(p.others, cel.Variable(name, cel.DoubleType))
	}
	return name
}

// promote turns int literals into doubles, so that spend * 2 is valid, and finds
// what is not part of the language. It returns the metrics of other windows, too.
func promote(tree *ast.AST, level Level) (others []cel.EnvOption, faults []conditionFault) {
	p := &promoter{tree: tree, level: level, known: metricNames()}
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(p.metricOver))
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(p.rank))
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(p.visit))
	if p.size > maxSize {
		p.faults = append(p.faults, conditionFault{1, 0, fmt.Sprintf("it has %d parts; %d are allowed", p.size, maxSize), "split it into two rules"})
	}
	return p.others, p.faults
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
		if name := x.AsIdent(); !isPrefixOfMetrics(name) && !slices.Contains(p.replaced, name) {
			p.metric(x, name)
		}
	case ast.SelectKind:
		selected := x.AsSelect()
		if of := selected.Operand(); of.Kind() == ast.IdentKind && isPrefixOfMetrics(of.AsIdent()) {
			p.metric(of, of.AsIdent()+"."+selected.FieldName())
		} else {
			p.part(of, selected.FieldName())
		}
	case ast.CallKind:
		if name := x.AsCall().FunctionName(); operatorOf(name) < 0 {
			p.faultf(x, conditionsHave, "conditions have no %q", strings.Trim(name, "_@"))
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

// part adds the fault of a part of anything but previous, in place of that of the
// operand's name.
func (p *promoter) part(of ast.Expr, field string) {
	hint := "write previous." + field + " for the window before"
	if of.Kind() == ast.IdentKind {
		p.faults = p.faults[:len(p.faults)-1]
		if window, err := parseWindow(of.AsIdent()); err == nil {
			hint = "write " + field + ", and window: " + window.String()
		}
	}
	p.faultf(of, hint, "only previous has parts, such as .%s", field)
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

// translate returns the expression of a part of a checked tree, which has only what the
// language declares.
func (c *Condition) translate(tree *ast.AST, x ast.Expr, b *binder) *expression {
	translated := c.translateKind(tree, x, b)
	begin := tree.SourceInfo().GetStartLocation(x.ID())
	if x.Kind() == ast.SelectKind {
		begin = tree.SourceInfo().GetStartLocation(x.AsSelect().Operand().ID())
	}
	translated.line, translated.start = begin.Line(), begin.Column()
	if prefix, _ := splitMetric(translated.name); x.Kind() == ast.IdentKind && isPrefixOfMetrics(strings.TrimSuffix(prefix, ".")) {
		translated.start -= len(prefix) - 1 // CEL's location is that of the point
	}
	if x.Kind() == ast.CallKind { // whose location is that of the operator
		if first := translated.args[0]; first.line < translated.line || first.line == translated.line && first.start < translated.start {
			translated.line, translated.start = first.line, first.start
		}
	}
	return translated
}

func (c *Condition) translateKind(tree *ast.AST, x ast.Expr, b *binder) *expression {
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
			operation.args = append(operation.args, c.translate(tree, arg, b))
		}
		if level, _ := operation.op.binding(); level == comparing {
			m := operation.money()
			operation.absolute, operation.crosses = m.absolute, m.crosses
		}
		return operation
	}
	name := x.AsIdent() // the checker has turned previous.ctr into one name
	if x.Kind() == ast.SelectKind {
		name = x.AsSelect().Operand().AsIdent() + "." + x.AsSelect().FieldName()
	}
	if !slices.Contains(c.reads, name) {
		c.reads = append(c.reads, name)
	}
	return b.bind(name)
}

// placeOf returns the place of a part of the condition in the file.
func (c *Condition) placeOf(x *expression) place { return c.placeIn(x.line, x.start) }

// numberAt returns a number of the condition as it is written.
func (c *Condition) numberAt(x *expression) string {
	lines := strings.Split(c.text, "\n")
	if x.line < 1 || x.line > len(lines) || x.start > len([]rune(lines[x.line-1])) {
		return ""
	}
	rest := string([]rune(lines[x.line-1])[x.start:])
	return rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789."))]
}
