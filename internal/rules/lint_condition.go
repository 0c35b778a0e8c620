package rules

import (
	"fmt"
	"slices"
	"strings"
)

// lintCondition finds conditions that are constant or misleading. key is pause_when or
// resume_when.
func (r *reader) lintCondition(rule *Rule, key string, c *Condition) {
	constant := r.lintConstant(key, c, c.root)
	for _, x := range c.root.comparisons() {
		r.lintComparison(rule, key, c, x)
	}
	if key == "pause_when" && !constant {
		r.lintPause(rule, c)
	}
}

// lintConstant finds the smallest parts of a condition that always or never hold, and
// reports whether there are any.
func (r *reader) lintConstant(key string, c *Condition, x *expression) (found bool) {
	if !x.isComparison() {
		for _, arg := range x.args {
			found = arg.isTruth() && r.lintConstant(key, c, arg) || found
		}
	}
	how := ""
	if x.isComparison() || x.op == opAnd || x.op == opOr || x.op == opChoose {
		how = x.constancy()
	}
	if found || how == "" {
		return found
	}
	why, hint := x.unitMistake()
	r.warnf(c.placeOf(x), hint, "%s: %s %s%s", key, x, how, why)
	return true
}

// constancy says whether a condition is constant for all figures, or for typical ones.
func (x *expression) constancy() string {
	switch always, never := (figuresOf{}).constant(x); {
	case always:
		return "always holds"
	case never:
		return "never holds"
	}
	switch always, never := (figuresOf{typical: true}).constant(x); {
	case always:
		return "practically always holds"
	case never && (!x.isComparison() || !x.comparison().product.isFraction()):
		// High rates are what a rule against false clicks looks for.
		return "practically never holds"
	}
	return ""
}

// numbers returns the constants in the expression.
func (x *expression) numbers() []float64 {
	var list []float64
	if x.op == opNumber {
		list = append(list, x.number)
	}
	for _, arg := range x.args {
		list = append(list, arg.numbers()...)
	}
	return list
}

// unitMistake says why a comparison is constant and what to write instead, if it
// compares a fraction with percents.
func (x *expression) unitMistake() (why, hint string) {
	hint = "compare with a number that some figures reach and others do not"
	if !x.isComparison() {
		return "", hint
	}
	c := x.comparison()
	if c.number <= 0 || len(slices.DeleteFunc(x.numbers(), func(v float64) bool { return v == 0 })) == 0 {
		return "", hint
	}
	number := numberText(c.number)
	advice := fmt.Sprintf("write %s for %s %%", numberText(rounded(c.number/100)), number)
	switch {
	case c.product.isFraction():
		for i, arg := range x.args {
			if x.args[1-i].op == opNumber {
				why = arg.String() + " is a fraction, and "
			}
		}
		return fmt.Sprintf(": %s%s means %s %%", why, number, numberText(rounded(c.number*100))), advice
	case c.product.isBudgetUsed():
		return fmt.Sprintf(": it means %s times the budget", number), advice
	}
	return "", hint
}

// lintComparison finds comparisons with a number of another unit, of another time, and
// those that do not fit the rule around them.
func (r *reader) lintComparison(rule *Rule, key string, c *Condition, x *expression) {
	s := x.comparison()
	_, isSingle := s.product.single()
	if literal := c.groupedLiteral(x); literal != nil && isSingle {
		r.warnf(c.placeOf(literal), "write "+strings.ReplaceAll(c.numberAt(literal), ".", "")+" if the point separates thousands, otherwise "+numberText(literal.number),
			"%s: %s is the number %s", key, c.numberAt(literal), numberText(literal.number))
		return
	}
	what, hint := s.oddUnit(x)
	if what == "" {
		what, hint = s.oddTime(x)
	}
	if what == "" && key == "pause_when" {
		what, hint = s.oddPause(rule)
	}
	if what == "" && key == "resume_when" && rule.Scope.Level == CreativeLevel && s.product.dividesByDelivery() {
		what, hint = "hardly ever holds after a pause: a paused creative gets no impressions", "remove resume_when, or resume by spend or budget"
	}
	if what != "" {
		r.warnf(c.placeOf(x), hint, "%s: %s %s", key, x, what)
	}
}

// oddUnit says what is wrong with the unit of x, whose simplest form is c.
func (c comparison) oddUnit(x *expression) (what, hint string) {
	single, isSingle := c.product.single()
	isPart := c.number > 0 && c.number < 1
	switch {
	case isSingle && single.isAmount() && isPart:
		return "compares an amount with less than 1", "write " + numberText(c.number) + " * budget"
	case isSingle && single.field == MediaMargin && isPart:
		percent := numberText(rounded(c.number * 100))
		return "compares a percentage with a fraction", fmt.Sprintf("write %s for %s %%", percent, percent)
	case x.op == opEqual && c.number != 0 && (!isSingle || !single.field.counts()):
		return "hardly ever holds: it compares every digit", "write >= or <="
	}
	return "", ""
}

// oddTime says what is wrong with the windows that x compares.
func (c comparison) oddTime(x *expression) (what, hint string) {
	if window := c.product.dayOfLifetime(); window != "" {
		return fmt.Sprintf("compares the spend of %s with the budget of all days", window), "write lifetimeUsed >= 0.95, which has the spend of all days, or compare with budget"
	}
	if c.number == 1 && c.product.isChange() {
		now := strings.TrimPrefix(x.args[0].String(), "previous.")
		return "holds by chance half of the time", fmt.Sprintf("write a margin, such as %s < 0.7 * previous.%s", now, now)
	}
	return "", ""
}

// oddPause says why a rule probably should not pause by the comparison.
func (c comparison) oddPause(rule *Rule) (what, hint string) {
	isMore := c.op == opGreater || c.op == opGreaterOrEqual
	switch keep := rule.Scope.KeepActive; {
	case rule.Scope.Level == CampaignLevel && c.product.dividesByDelivery():
		return "is the campaign's, and pauses all of its creatives, the good ones, too", "write level: creative in scope, and keep_active: 1, so that each creative is judged by its own figures"
	case keep > 0 && c.product.isBudgetUsed() && isMore:
		return fmt.Sprintf("does not stop the budget: with keep_active: %d, %s of each campaign goes on to spend", keep, counted(keep, "creative", "creatives")), "remove keep_active"
	}
	return "", ""
}

// lintPause finds rules that pause what does well, or what has hardly been shown.
func (r *reader) lintPause(rule *Rule, c *Condition) {
	if c.root.isComparison() {
		r.lintDirection(c)
	}
	boxes, ok := figuresOf{}.boxes(c.root, true)
	if !ok || len(rule.MinData) > 0 {
		return
	}
	for _, b := range boxes {
		isFew, isMuch := false, false
		for _, s := range b {
			single, isSingle := s.quantity.product.single()
			isFew = isFew || isSingle && single.field.counts() && s.high < 1e9
			isMuch = isMuch || isSingle && s.low > 0
		}
		if isFew && !isMuch {
			r.warnf(c.placeOf(c.root), "write min_data: {impressions: 5000}, or another number that gives it a chance", "pause_when: %s also holds for a creative that has hardly been shown", c.root)
			return
		}
	}
}

// lintDirection finds a comparison that points in the other direction.
func (r *reader) lintDirection(c *Condition) {
	s := c.root.comparison()
	dividend, divisor, isRatio := s.product.ratio()
	if !isRatio {
		return
	}
	reversed := *c.root
	reversed.op = reversed.op.swapped()
	isMore := s.op == opGreater || s.op == opGreaterOrEqual
	isLess := s.op == opLess || s.op == opLessOrEqual
	var effect string
	switch {
	case s.product.isBudgetUsed() && isLess:
		effect = "what has spent little of its budget"
	case dividend.isAmount() && divisor.field.counts() && isLess:
		effect = "the cheapest"
	case s.product.isFraction() && divisor.field == Impressions && isMore && s.number < 0.1:
		effect = "the creatives that are clicked most"
	default:
		return
	}
	r.warnf(c.placeOf(c.root), fmt.Sprintf("write %s", &reversed), "pause_when: %s pauses %s", c.root, effect)
}

// dayOfLifetime returns the window whose spend is compared with the lifetime budget, if
// that window is not the lifetime.
func (p product) dayOfLifetime() string {
	if spend, budget, ok := p.ratio(); ok && budget.field == LifetimeBudget && spend.isAmount() && spend.window.kind != lifetime {
		return spend.window.String()
	}
	return ""
}

// isChange reports whether the product is a quantity divided by the same of the window
// before.
func (p product) isChange() bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(each power) bool {
		opposite := each
		opposite.leaf.previous, opposite.exponent = !each.leaf.previous, -each.exponent
		return !slices.Contains(p, opposite)
	})
}

// dividesByDelivery reports whether the product divides by impressions or clicks.
func (p product) dividesByDelivery() bool {
	return slices.ContainsFunc(p, func(each power) bool {
		return each.exponent < 0 && !each.leaf.previous && (each.leaf.field == Impressions || each.leaf.field == Clicks)
	})
}

// groupedLiteral returns the number of a comparison if it may be meant as thousands.
func (c *Condition) groupedLiteral(x *expression) *expression {
	for _, arg := range x.args {
		if arg.op == opNumber && isGrouped(c.numberAt(arg)) {
			return arg
		}
	}
	return nil
}
