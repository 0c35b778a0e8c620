package condition

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// rewriter prepares a parsed condition for CEL's checker.
type rewriter struct {
	tree   *ast.AST
	level  figures.Level
	known  []string // metrics
	size   int
	faults []Fault

	others   []cel.EnvOption // the metrics of other windows
	replaced []string        // their names, valid or not
}

// metricOver replaces a metric of another window, such as over("last 14 days").ctr, by
// one name.
func (p *rewriter) metricOver(x ast.Expr) {
	field, call := "", x
	if x.Kind() == ast.SelectKind {
		field, call = x.AsSelect().FieldName(), x.AsSelect().Operand()
	}
	if call.Kind() != ast.CallKind || call.AsCall().FunctionName() != over {
		return
	}
	begin, _ := p.tree.SourceInfo().GetOffsetRange(call.ID())
	begin.Start -= int32(len(over)) // CEL's location is that of the parenthesis
	p.tree.SourceInfo().SetOffsetRange(x.ID(), begin)
	name := p.nameOver(x, call.AsCall().Args(), field)
	x.SetKindCase(ast.NewExprFactory().NewIdent(x.ID(), name))
	p.replaced = append(p.replaced, name)
}

// rank replaces rank(ctr) and count() by one name.
func (p *rewriter) rank(x ast.Expr) {
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
		name = expression.RankOf + metric + ")"
	}
	switch {
	case function == "count" && len(args) > 0:
		p.faultf(x, "write count(), which is the number of the campaign's creatives", "count needs no metric")
	case function == "rank" && metric == "":
		p.faultf(x, "write rank(ctr), or another metric", "rank needs the name of a metric")
	case function == "rank" && variableNamed(metric).Name == "":
		p.faultf(x, metricHint(metric, metricNames()), "unknown metric %q", metric)
	case p.level != figures.CreativeLevel:
		p.faultf(x, "write level: creative in scope", "%s compares the creatives of a campaign", function)
	case !slices.Contains(p.replaced, name):
		p.others = append(p.others, cel.Variable(name, cel.DoubleType))
	}
	x.SetKindCase(ast.NewExprFactory().NewIdent(x.ID(), name))
	p.replaced = append(p.replaced, name)
}

// nameOver returns the name of a metric of another window, and declares it.
func (p *rewriter) nameOver(x ast.Expr, args []ast.Expr, field string) string {
	var text types.String
	if len(args) == 1 && args[0].Kind() == ast.LiteralKind {
		text, _ = args[0].AsLiteral().(types.String)
	}
	window, err := figures.ParseWindow(string(text))
	name := fmt.Sprintf("over(%q).%s", window, field)
	switch {
	case text == "":
		p.faultf(x, `write over("last 14 days").ctr`, "over needs a window in quotes")
	case err != nil:
		p.faultf(x, figures.WindowHint(string(text)), "%v", err)
	case field == "":
		p.faultf(x, `write over("last 14 days").ctr, or another metric`, "over needs a metric")
	case variableNamed(field).Name == "":
		p.faultf(x, metricHint(field, metricNames()), "unknown metric %q", field)
	case !slices.Contains(p.replaced, name):
		p.others = append(p.others, cel.Variable(name, cel.DoubleType))
	}
	return name
}

// rewrite turns int literals into doubles, so that spend * 2 is valid, and finds
// what is not part of the language. It returns the metrics of other windows, too.
func rewrite(tree *ast.AST, level figures.Level) (others []cel.EnvOption, faults []Fault) {
	p := &rewriter{tree: tree, level: level, known: metricNames()}
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(p.metricOver))
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(p.rank))
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(p.visit))
	if p.size > MaxSize {
		p.faults = append(p.faults, Fault{1, 0, fmt.Sprintf("it has %d parts; %d are allowed", p.size, MaxSize), "split it into two rules"})
	}
	return p.others, p.faults
}

func (p *rewriter) faultf(x ast.Expr, hint, format string, args ...any) {
	at := p.tree.SourceInfo().GetStartLocation(x.ID())
	p.faults = append(p.faults, Fault{at.Line(), at.Column(), fmt.Sprintf(format, args...), hint})
}

func (p *rewriter) visit(x ast.Expr) {
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
		if operand := selected.Operand(); operand.Kind() == ast.IdentKind && isPrefixOfMetrics(operand.AsIdent()) {
			p.metric(operand, operand.AsIdent()+"."+selected.FieldName())
		} else {
			p.part(operand, selected.FieldName())
		}
	case ast.CallKind:
		if name := x.AsCall().FunctionName(); operatorOf(name) < 0 {
			p.faultf(x, functionHint(strings.ToLower(name), x.AsCall().Args()), "conditions have no %q", strings.Trim(name, "_@"))
		}
	default:
		p.faultf(x, "join comparisons with && and ||", "conditions have no lists, maps or messages")
	}
}

// functionHint returns the hint on a function, in lower case, that conditions do not have.
func functionHint(name string, args []ast.Expr) string {
	metric, n := "ctr", "3"
	for _, arg := range args {
		switch arg.Kind() {
		case ast.IdentKind:
			metric = arg.AsIdent()
		case ast.LiteralKind:
			n = fmt.Sprint(arg.AsLiteral().Value())
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
	return conditionsHave
}

func (p *rewriter) literal(x ast.Expr) {
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

func (p *rewriter) metric(x ast.Expr, name string) {
	if !slices.Contains(p.known, name) {
		p.faultf(x, metricHint(name, p.known), "unknown metric %q", name)
	}
}

// part adds the fault of a part of an expression that has no parts, such as ctr.today. It
// replaces the fault of the name before it.
func (p *rewriter) part(whole ast.Expr, field string) {
	if whole.Kind() != ast.IdentKind {
		p.faultf(whole, "leave out ."+field, "only names have parts, such as .%s", field)
		return
	}
	name := whole.AsIdent()
	if slices.Contains(p.known, name) || slices.Contains(p.replaced, name) {
		hint := "leave out ." + field
		if field == "previous" || field == "campaign" || field == "account" {
			hint = "write " + field + "." + name
		}
		p.faultf(whole, hint, "%s is a number and has no parts, such as .%s", name, field)
		return
	}
	p.faults = p.faults[:len(p.faults)-1] // that the name is no metric
	hint := fmt.Sprintf("write campaign.%s for that of the creative's campaign, account.%s for that of the account, previous.%s for the window before, over(\"last 14 days\").%s for another window", field, field, field, field)
	if window, err := figures.ParseWindow(name); err == nil {
		hint = "write " + field + ", and window: " + window.String()
	}
	p.faultf(whole, hint, "%s has no parts, such as .%s", name, field)
}
