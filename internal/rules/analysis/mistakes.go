package analysis

import (
	"fmt"
	"slices"
	"strings"

	"usher/internal/readable"
	"usher/internal/rules/condition"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Rule is what a rule is apart from its conditions.
type Rule struct {
	Level      figures.Level
	KeepActive int
	MinData    []figures.Minimum
	Notifies   bool // it changes nothing
}

// PauseMistakes returns likely mistakes in the pause_when of the rule: it is constant or
// misleading.
func (r Rule) PauseMistakes(root *expression.Expression) []condition.Fault {
	constant := constantParts(root)
	faults := slices.Concat(constant, r.comparisonMistakes(root, true))
	if len(constant) == 0 && !r.Notifies { // what does well, or not at all, is worth telling
		faults = append(faults, r.pauseMistakes(root)...)
	}
	return faults
}

// ResumeMistakes returns likely mistakes in the resume_when of the rule.
func (r Rule) ResumeMistakes(root *expression.Expression) []condition.Fault {
	return slices.Concat(constantParts(root), r.comparisonMistakes(root, false))
}

// faultAt returns a fault at the place of an expression.
func faultAt(x *expression.Expression, hint, format string, args ...any) condition.Fault {
	return condition.Fault{Line: x.Line, Column: x.Start, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// constantParts returns a fault for each of the smallest parts of a condition that always
// or never hold.
func constantParts(x *expression.Expression) []condition.Fault {
	if x.IsComparison() && dividesByZero(x) {
		return []condition.Fault{faultAt(x, "divide by a number or a metric", "%s is always unknown: it divides by 0", x)}
	}
	var faults []condition.Fault
	if !x.IsComparison() {
		for _, arg := range x.Args {
			if arg.IsTruth() {
				faults = append(faults, constantParts(arg)...)
			}
		}
	}
	how := ""
	if x.IsComparison() || x.Op == expression.And || x.Op == expression.Or || x.Op == expression.Choose {
		how = constancy(x)
	}
	if len(faults) > 0 || how == "" {
		return faults
	}
	why, hint := unitMistake(x)
	return []condition.Fault{faultAt(x, hint, "%s %s%s", x, how, why)}
}

// dividesByZero reports whether an expression divides by the constant 0.
func dividesByZero(x *expression.Expression) bool {
	return x.Op == expression.Divide && x.Args[1].Op == expression.Number && x.Args[1].Number == 0 || slices.ContainsFunc(x.Args, dividesByZero)
}

// constancy says whether a condition is constant for all figures, or for typical ones.
func constancy(x *expression.Expression) string {
	switch always, never := (figuresOf{}).constant(x); {
	case always:
		return "always holds"
	case never:
		return "never holds"
	}
	switch always, never := (figuresOf{typical: true}).constant(x); {
	case always:
		return "practically always holds"
	case never && (!x.IsComparison() || !simplest(x).product.isFraction()):
		// High rates are what a rule against false clicks looks for.
		return "practically never holds"
	}
	return ""
}

// numbersIn returns the constants in an expression.
func numbersIn(x *expression.Expression) []float64 {
	var list []float64
	if x.Op == expression.Number {
		list = append(list, x.Number)
	}
	for _, arg := range x.Args {
		list = append(list, numbersIn(arg)...)
	}
	return list
}

// unitMistake says why a comparison is constant and what to write instead, if it
// compares a fraction with percents.
func unitMistake(x *expression.Expression) (why, hint string) {
	hint = "compare with a number that some figures reach and others do not"
	if !x.IsComparison() {
		return "", hint
	}
	c := simplest(x)
	if c.number <= 0 || len(slices.DeleteFunc(numbersIn(x), func(v float64) bool { return v == 0 })) == 0 {
		return "", hint
	}
	compared := readable.Exact(c.number)
	advice := fmt.Sprintf("write %s for %s %%", readable.Exact(figures.Round(c.number/100)), compared)
	switch {
	case c.product.isFraction():
		for i, arg := range x.Args {
			if x.Args[1-i].Op == expression.Number {
				why = arg.String() + " is a fraction, and "
			}
		}
		return fmt.Sprintf(": %s%s means %s %%", why, compared, readable.Exact(figures.Round(c.number*100))), advice
	case c.product.isBudgetUsed():
		return fmt.Sprintf(": it means %s times the budget", compared), advice
	}
	return "", hint
}

// comparisonMistakes finds comparisons with a number of another unit, of another time, and
// those that do not fit the rule around them.
func (r Rule) comparisonMistakes(root *expression.Expression, pauses bool) []condition.Fault {
	var faults []condition.Fault
	for _, x := range comparisonsIn(root) {
		if fault, found := r.comparisonMistake(x, pauses); found {
			faults = append(faults, fault)
		}
	}
	return faults
}

func (r Rule) comparisonMistake(x *expression.Expression, pauses bool) (fault condition.Fault, found bool) {
	s := simplest(x)
	_, isSingle := s.product.single()
	if literal := groupedLiteral(x); literal != nil && isSingle {
		return faultAt(literal, "write "+strings.ReplaceAll(literal.Text, ".", "")+" if the point separates thousands, otherwise "+readable.Exact(literal.Number),
			"%s is the number %s", literal.Text, readable.Exact(literal.Number)), true
	}
	what, hint := s.oddUnit(x)
	if isLess := s.op == expression.Less || s.op == expression.LessOrEqual; isLess && r.Notifies {
		what = "" // it tells of what is not delivered
	}
	if what == "" {
		what, hint = s.oddTime(x)
	}
	switch {
	case what != "":
	case pauses:
		what, hint = s.oddPause(r)
	case r.Level == figures.CreativeLevel && s.product.dividesByDelivery(figures.CreativeLevel):
		what, hint = "hardly ever holds after a pause: a paused creative gets no impressions", "remove resume_when, or resume by spend or budget"
	}
	return faultAt(x, hint, "%s %s", x, what), what != ""
}

// oddUnit says what is wrong with the unit of x, whose simplest form is c.
func (c comparison) oddUnit(x *expression.Expression) (what, hint string) {
	single, isSingle := c.product.single()
	isPart := c.number > 0 && c.number < 1
	switch {
	case isSingle && single.isAmount() && isPart:
		return "compares an amount with less than 1", "write " + readable.Exact(c.number) + " * budget"
	case isSingle && single.field == figures.MediaMargin && isPart:
		percent := readable.Exact(figures.Round(c.number * 100))
		return "compares a percentage with a fraction", fmt.Sprintf("write %s for %s %%", percent, percent)
	case x.Op == expression.Equal && c.number != 0 && (!isSingle || !single.field.Counts()) && !c.product.isOfRanks():
		return "hardly ever holds: it compares every digit", "write >= or <="
	}
	return "", ""
}

// oddTime says what is wrong with the windows that x compares.
func (c comparison) oddTime(x *expression.Expression) (what, hint string) {
	if window := c.product.dayOfLifetime(); window != "" {
		return fmt.Sprintf("compares the spend of %s with the budget of all days", window), "write lifetimeUsed >= 0.95, which has the spend of all days, or compare with budget"
	}
	if c.number == 1 && c.product.isChange() {
		now := strings.TrimPrefix(x.Args[0].String(), "previous.")
		return "holds by chance half of the time", fmt.Sprintf("write a margin, such as %s < 0.7 * previous.%s", now, now)
	}
	return "", ""
}

// oddPause says why a rule probably should not pause by the comparison.
func (c comparison) oddPause(r Rule) (what, hint string) {
	isMore := c.op == expression.Greater || c.op == expression.GreaterOrEqual
	switch keep := r.KeepActive; {
	case r.Notifies:
	case r.Level == figures.CampaignLevel && c.product.dividesByDelivery(figures.CampaignLevel):
		return "is the campaign's, and pauses all of its creatives, the good ones, too", "write level: creative in scope, and keep_active: 1, so that each creative is judged by its own figures"
	case keep > 0 && isMore && (c.product.isBudgetUsed() || r.Level == figures.AccountLevel):
		if r.Level == figures.AccountLevel {
			return fmt.Sprintf("does not stop the spend: with keep_active: %d, %s of each campaign goes on to spend", keep, readable.Count(keep, "creative")), "remove keep_active"
		}
		return fmt.Sprintf("does not stop the budget: with keep_active: %d, %s of each campaign goes on to spend", keep, readable.Count(keep, "creative")), "remove keep_active"
	}
	return "", ""
}

// pauseMistakes finds conditions that pause what does well, or what has hardly been shown.
func (r Rule) pauseMistakes(root *expression.Expression) []condition.Fault {
	faults := slices.Concat(r.rankMistakes(root), r.noneMistakes(root))
	if root.IsComparison() {
		faults = append(faults, directionMistakes(root)...)
	}
	if len(r.MinData) == 0 && holdsForFew(root) {
		faults = append(faults, faultAt(root, "write min_data: {impressions: 5000}, or another number that gives it a chance", "%s also holds for a creative that has hardly been shown", root))
	}
	return faults
}

// holdsForFew reports whether a condition also holds for a creative that has hardly been
// shown.
func holdsForFew(root *expression.Expression) bool {
	boxes, ok := figuresOf{}.boxes(root, true)
	return ok && slices.ContainsFunc(boxes, func(b box) bool {
		isFew, isMuch := false, false
		for _, s := range b {
			single, isSingle := s.quantity.product.single()
			isFew = isFew || isSingle && single.field.Counts() && s.high < 1e9
			isMuch = isMuch || isSingle && s.low > 0
		}
		return isFew && !isMuch
	})
}

// directionMistakes finds a comparison that points in the other direction.
func directionMistakes(root *expression.Expression) []condition.Fault {
	s := simplest(root)
	dividend, divisor, isRatio := s.product.ratio()
	if !isRatio {
		return nil
	}
	reversed := *root
	reversed.Op = swapped(reversed.Op)
	isMore := s.op == expression.Greater || s.op == expression.GreaterOrEqual
	isLess := s.op == expression.Less || s.op == expression.LessOrEqual
	var effect string
	switch {
	case s.product.isBudgetUsed() && isLess:
		effect = "what has spent little of its budget"
	case dividend.isAmount() && divisor.field.Counts() && isLess:
		effect = "the cheapest"
	case s.product.isFraction() && divisor.field == figures.Impressions && isMore && s.number < 0.1:
		effect = "the creatives that are clicked most"
	default:
		return nil
	}
	return []condition.Fault{faultAt(root, fmt.Sprintf("write %s", &reversed), "%s pauses %s", root, effect)}
}

// rankMistakes finds comparisons that hold for the first ranks by a metric of which more
// is better.
func (r Rule) rankMistakes(x *expression.Expression) []condition.Fault {
	if x.Op == expression.And {
		return slices.Concat(r.rankMistakes(x.Args[0]), r.rankMistakes(x.Args[1]))
	}
	if !x.IsComparison() {
		return nil
	}
	rank, bound, op := plain(x.Args[0]), plain(x.Args[1]), x.Op
	if bound.Op == expression.Rank {
		rank, bound, op = bound, rank, swapped(op)
	}
	if rank.Op != expression.Rank || bound.Op != expression.Number || op != expression.Less && op != expression.LessOrEqual {
		return nil
	}
	metric := rank.Args[0].String()
	if !slices.Contains([]string{"ctr", "ctr_upper95", "ctr_lower95", "engagementRate", "clicks", "impressions", "engagements", "uniqueClicks", "uniqueEngagements"}, metric) {
		return nil
	}
	hint := fmt.Sprintf("write rank(%s) > count() - %s for the lowest", metric, readable.Exact(bound.Number))
	return []condition.Fault{faultAt(x, hint, "%s pauses the %ss with the highest %s, because 1 is the highest", x, r.Level, metric)}
}

// noneMistakes finds comparisons that are to stop what costs too much for an outcome, such as an
// install, and that do the wrong thing without any: a ratio is UNKNOWN then, and a product of 0 is
// exceeded by the first cent.
func (r Rule) noneMistakes(root *expression.Expression) []condition.Fault {
	var faults []condition.Fault
	compared := comparisonsIn(root)
	for _, x := range compared {
		more, less, isMore := greater(x)
		if !isMore || isConstant(more) {
			continue
		}
		isElsewhere := func(name string) bool {
			return slices.ContainsFunc(compared, func(other *expression.Expression) bool {
				return other != x && slices.ContainsFunc(other.Columns(), func(c *expression.Expression) bool { return c.Name == name })
			})
		}
		if more.Op == expression.Divide {
			count := more.Args[1]
			if count.Op != expression.Column || !count.Source.Field.IsOutcome() || isElsewhere(count.Name) || r.requires(count) {
				continue
			}
			product := *x
			product.Args = []*expression.Expression{more.Args[0], expression.New(expression.Multiply, less, count)}
			if more == x.Args[1] {
				slices.Reverse(product.Args)
			}
			faults = append(faults, faultAt(x, enough(more.Args[0], &product, count), "%s does not stop what has no %s: the ratio is unknown then", x, count.Source.Outcome))
			continue
		}
		count, bounded := outcomeFactor(less), more.Columns()
		if count == nil || more.ReadsOutcomes() || len(r.MinData) > 0 || slices.ContainsFunc(bounded, func(c *expression.Expression) bool { return isElsewhere(c.Name) }) {
			continue
		}
		faults = append(faults, faultAt(x, enough(more, x, count), "%s holds from the first cent if there is no %s yet", x, count.Source.Outcome))
	}
	return faults
}

// enough advises to wait until an amount is reached before a comparison with an outcome counts.
func enough(amount, x, count *expression.Expression) string {
	return fmt.Sprintf("write %s > N && %s, where N is what may be spent without any %s", amount, x, count.Source.Outcome)
}

// greater returns the sides of a comparison with > or >=, or with < or <= turned around.
func greater(x *expression.Expression) (more, less *expression.Expression, ok bool) {
	switch x.Op {
	case expression.Greater, expression.GreaterOrEqual:
		return x.Args[0], x.Args[1], true
	case expression.Less, expression.LessOrEqual:
		return x.Args[1], x.Args[0], true
	}
	return nil, nil, false
}

// outcomeFactor returns the outcome that makes an expression 0 if it is 0, or nil.
func outcomeFactor(x *expression.Expression) *expression.Expression {
	switch {
	case x.Op == expression.Column && x.Source.Field.IsOutcome():
		return x
	case x.Op != expression.Multiply:
		return nil
	}
	for _, arg := range x.Args {
		if found := outcomeFactor(arg); found != nil {
			return found
		}
	}
	return nil
}

// isConstant reports whether an expression reads nothing.
func isConstant(x *expression.Expression) bool { return len(x.Columns()) == 0 }

// requires reports whether the rule's min_data requires some of an outcome.
func (r Rule) requires(count *expression.Expression) bool {
	return slices.ContainsFunc(r.MinData, func(m figures.Minimum) bool { return m.Field == count.Source.Field })
}

// LateMistake finds a comparison of a number of a report with an outcome over different numbers of days:
// where min_days lets days without outcomes count, the report has these days all the same. days is the
// length of the rule's window, and least are the days that must be known.
func LateMistake(root *expression.Expression, window figures.Window, least int) (mistake, hint string) {
	days := window.Length()
	for _, x := range comparisonsIn(root) {
		name, field := sumsIn(x, window)
		subtracted := daysSubtracted(x, field)
		if name == "" || field == "" || days-subtracted == least {
			continue
		}
		late := max(subtracted, days-least)
		const way = "for numbers that come N days late, let the window be N days longer, leave these days out of the report, and require the others: "
		wanted := window
		wanted.Days = days
		if subtracted == 0 {
			wanted.Kind, wanted.Days = figures.LastDays, days+late
		}
		recent := figures.Window{Kind: figures.LastDays, Days: late}
		if late == 1 {
			recent = figures.Window{Kind: figures.Yesterday}
		}
		return fmt.Sprintf("%s is of %d days, and %s may be of %d", field, days-subtracted, name, least),
			fmt.Sprintf("%swindow: %s, min_days: %d, and %s - over(%q).%[4]s", way, wanted, wanted.Length()-late, field, recent.String())
	}
	return "", ""
}

// sumsIn returns an outcome and a number of a report that an expression reads over a window; "" for none.
func sumsIn(x *expression.Expression, window figures.Window) (outcome, ofReport string) {
	for _, c := range x.Columns() {
		switch of := c.Source; {
		case of.Whose == expression.OfAccount || of.Previous || of.Window != window:
		case of.Field.IsOutcome():
			outcome = of.FieldName()
		case of.Field.AddsUp():
			ofReport = of.FieldName()
		}
	}
	return outcome, ofReport
}

// daysSubtracted returns over how many of the last days an expression subtracts a number of a report.
func daysSubtracted(x *expression.Expression, field string) (days int) {
	for _, over := range subtractedIn(x) {
		if over.Source.FieldName() == field && (over.Source.Window.Kind == figures.Yesterday || over.Source.Window.Kind == figures.LastDays) {
			days = over.Source.Window.Length()
		}
	}
	return days
}

// subtractedIn returns the columns that an expression subtracts.
func subtractedIn(x *expression.Expression) []*expression.Expression {
	var list []*expression.Expression
	if x.Op == expression.Subtract {
		list = x.Args[1].Columns()
	}
	for _, arg := range x.Args {
		list = append(list, subtractedIn(arg)...)
	}
	return list
}

// plain returns what a name of a metric stands for, or the expression.
func plain(x *expression.Expression) *expression.Expression {
	if x.Op == expression.Metric {
		return x.Args[0]
	}
	return x
}

// groupedLiteral returns the number of a comparison if it may be meant as thousands.
func groupedLiteral(x *expression.Expression) *expression.Expression {
	for _, arg := range x.Args {
		if arg.Op == expression.Number && condition.IsGrouped(arg.Text) {
			return arg
		}
	}
	return nil
}
