package expression

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/figures"
)

// Explainer explains the values of a rule's conditions for one campaign or creative.
type Explainer struct {
	evaluation *Evaluation
	at         int // -1: it has no figures
}

// Explain returns the explainer of a place; -1 has no figures.
func (e *Evaluation) Explain(at int) Explainer {
	one := *e
	one.registers = nil
	if at >= 0 {
		one.block(at, at+1)
	}
	return Explainer{&one, at}
}

// On returns the explainer of a condition that takes first days in some way.
func (e Explainer) On(first FirstDay) Explainer {
	one := *e.evaluation
	one.firstDay, one.registers = first, nil
	return Explainer{&one, e.at}
}

// within returns the explainer of an argument of an expression.
func (e Explainer) within(x *Expression, arg int) Explainer {
	first := e.evaluation.firstDay
	if within := first.within(x, arg); within != first {
		return e.On(within)
	}
	return e
}

// Value returns the value of an expression.
func (e Explainer) Value(x *Expression) Range {
	if e.at < 0 {
		return Range{math.NaN(), math.NaN()}
	}
	v := e.evaluation.run(x, 0)
	return Range{v.low[0], v.upper()[0]}
}

// Sum returns a field of the rule's window.
func (e Explainer) Sum(f figures.Field) Range {
	if e.evaluation.Level == figures.AccountLevel && e.at >= 0 {
		return e.evaluation.totalIn(e.evaluation.Window, f)
	}
	return e.Value(&Expression{Op: Column, Source: Source{Place: e.evaluation.Window, Field: f}})
}

// Metrics returns the metrics that the rule's conditions and min_data read, and the
// fields of which these are made. UNKNOWN ones are left out, and those that are a range.
func (e Explainer) Metrics() map[string]float64 {
	metrics := map[string]float64{}
	for _, x := range e.evaluation.Conditions {
		e.addMetrics(metrics, x, "")
	}
	for _, least := range e.evaluation.MinData {
		addMetric(metrics, least.Name(), e.Sum(least.Field))
	}
	return metrics
}

// addMetrics adds the metrics in an expression. prefix is that of the window of its
// fields.
func (e Explainer) addMetrics(metrics map[string]float64, x *Expression, prefix string) {
	switch {
	case x.Op == Metric:
		addMetric(metrics, x.Name, e.Value(x))
		own, name := SplitName(x.Name)
		switch {
		case name == "lifetimeUsed": // of all days, whatever the window is
			prefix = "lifetime."
		case name == "monthEndSpend":
			prefix = `over("this month").`
		case own != "" && own != RankOf:
			prefix = own
		}
	case x.Op == Target, x.Op == Column && x.Name != "":
		addMetric(metrics, x.Name, e.Value(x))
	case x.Op == Column && (x.Source.Field < figures.Fields || x.Source.Field.IsOutcome()):
		addMetric(metrics, prefix+x.Source.FieldName(), e.Value(x))
	}
	for n, arg := range x.Args {
		e.within(x, n).addMetrics(metrics, arg, prefix)
	}
}

func addMetric(metrics map[string]float64, name string, v Range) {
	if v.IsExact() {
		metrics[name] = figures.Round(v.Low)
	}
}

// Values returns the parts of a condition with their values, from the inside out,
// each once.
func (e Explainer) Values(root *Expression) []usher.Value {
	var list []usher.Value
	var walk func(e Explainer, x *Expression)
	walk = func(e Explainer, x *Expression) {
		if x.Op == Number || x.Op == Truth {
			return
		}
		if x.Op != Metric {
			for n, arg := range x.Args {
				walk(e.within(x, n), arg)
			}
		}
		v := usher.Value{Expression: x.String(), Result: resultText(x, e.Value(x))}
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	walk(e, root)
	return list
}

func resultText(x *Expression, v Range) string {
	switch {
	case v.IsUnknown():
		return "unknown"
	case x.IsTruth():
		return strconv.FormatBool(v.Low == 1)
	}
	return v.String()
}

// Compared returns a condition with its numbers: for a comparison "57.2 >= 56.05" or
// "53 is not >= 56.05", for others the metrics that it reads; and on how many days they rest.
// A range is compared with a plain number by itself: "at least 877.08, on 12 of 14 days".
func (e Explainer) Compared(root *Expression) string {
	notes := slices.Concat(e.togetherNote(), e.notes(root))
	if !root.IsComparison() {
		var list []string
		for _, name := range root.Metrics() {
			isNoted := func(note string) bool {
				return strings.HasPrefix(name, TargetPrefix) && strings.HasPrefix(note, name+" ")
			}
			if !slices.ContainsFunc(notes, isNoted) {
				list = append(list, name+" "+e.metric(root, name).Apart(e.comparedWith(root, name)...))
			}
		}
		return strings.Join(append(list, notes...), ", ")
	}
	_, sign := root.Op.binding()
	if e.Value(root).Low == 0 {
		sign = "is not " + sign
	}
	left, right := e.Value(root.Args[0]), e.Value(root.Args[1])
	text := left.Apart(right)
	if left.IsExact() || root.Args[1].Op != Number {
		text += " " + sign + " " + right.Apart(left)
	}
	return strings.Join(append([]string{text}, notes...), ", ")
}

// metric returns the value of a metric in an expression.
func (e Explainer) metric(x *Expression, name string) Range {
	if x.Name == name {
		return e.Value(x)
	}
	for n, arg := range x.Args {
		if v := e.within(x, n).metric(arg, name); !v.IsUnknown() {
			return v
		}
	}
	return Range{math.NaN(), math.NaN()}
}

// comparedWith returns the values with which an expression compares a metric.
func (e Explainer) comparedWith(x *Expression, name string) []Range {
	var list []Range
	if x.IsComparison() {
		for i, arg := range x.Args {
			if arg.Name == name {
				list = append(list, e.Value(x.Args[1-i]))
			}
		}
	}
	for _, arg := range x.Args {
		list = append(list, e.comparedWith(arg, name)...)
	}
	return list
}

// isSum reports whether the figures are those of several campaigns, summed.
func (w Whose) isSum() bool { return w == OfAccount || w == OfScope }

// text says whose figures are meant, if they are not the rule's own.
func (w Whose) text() string {
	return map[Whose]string{OfCampaign: " of the campaign", OfAccount: " of the account", OfScope: " of the campaigns in scope"}[w]
}

// togetherNote says how many campaigns a rule of level account decides on together.
func (e Explainer) togetherNote() []string {
	if e.evaluation.Level != figures.AccountLevel || e.evaluation.recent == nil {
		return nil
	}
	_, all := e.evaluation.campaigns[e.evaluation.Window].LackingDays(e.evaluation.MinDays, e.evaluation.recent, e.evaluation.scopeOf(OfScope))
	return []string{"of " + readable.Count(all, "campaign") + " together"}
}

// notes says on how many days the numbers in an expression rest, if these are not all days of
// their windows, and what was left out or filled in.
func (e Explainer) notes(root *Expression) []string {
	if e.at < 0 {
		return nil
	}
	var list []string
	for _, x := range root.Columns() {
		if x.Source.Field.IsOutcome() {
			if note := e.outcomeNote(x.Source); note != "" && !slices.Contains(list, note) {
				list = append(list, note)
			}
			continue
		}
		for _, note := range []string{e.daysNote(x.Source), e.ageNote(x.Source), e.budgetNote(x.Source), e.negativeNote(x.Source)} {
			if note != "" && !slices.Contains(list, note) {
				list = append(list, note)
			}
		}
	}
	eachTarget(root, func(x *Expression) {
		if note := e.targetNote(x); note != "" && !slices.Contains(list, note) {
			list = append(list, note)
		}
	})
	return list
}

// sums returns the window of a column and the place in it; -1: it has none.
func (e Explainer) sums(source Source) (*figures.Sums, int) {
	switch source.Whose {
	case OfAccount, OfScope:
		return &e.evaluation.campaigns[source.Place], -1
	case OfCampaign:
		return &e.evaluation.campaigns[source.Place], int(e.evaluation.campaign[e.at])
	}
	return &e.evaluation.windows[source.Place], e.at
}

// daysNote says on how many days of its window a column rests.
func (e Explainer) daysNote(source Source) string {
	w, at := e.sums(source)
	if source.Whose.isSum() {
		if w.IsEmpty() || e.evaluation.recent == nil {
			return ""
		}
		if lacking, all := w.LackingDays(e.evaluation.MinDays, e.evaluation.recent, e.evaluation.scopeOf(source.Whose)); lacking > 0 {
			return fmt.Sprintf("%d of %s without some days of %s", lacking, readable.Count(all, "campaign"), w)
		}
		return ""
	}
	if at < 0 {
		return ""
	}
	days, all := w.Days(at), w.Required(0)
	switch {
	case w.IsEmpty() && days == 0:
		return w.String() + " has no complete day yet"
	case w.Window.Kind == figures.Lifetime && days < maxKnownDays:
		return "on " + readable.Count(days, "day") + e.whoseText(source, w)
	case w.Window.Kind == figures.Lifetime, days >= all:
		return ""
	}
	return fmt.Sprintf("on %d of %s", days, readable.Count(all, "day")) + e.whoseText(source, w)
}

// maxKnownDays is a number of days that only a test's figures have.
const maxKnownDays = math.MaxUint16

// whoseText says whose days are counted, if they are not those of the rule's window.
func (e Explainer) whoseText(source Source, w *figures.Sums) string {
	switch {
	case source.Whose == OfCampaign:
		return " of the campaign in " + w.String()
	case source.Place != e.evaluation.Window:
		return " in " + w.String()
	}
	return ""
}

// ageNote says of which day the newest row is, if it is older than the rule accepts.
func (e Explainer) ageNote(source Source) string {
	w, at := e.sums(source)
	if source.Whose == OfScope && e.evaluation.oldestOf(OfScope) > 0 {
		return "by a report of " + w.NewestOf(e.evaluation.scopeOf(OfScope)).String()
	}
	if at < 0 || w.Newest(at) == 0 || w.Newest(at) >= e.evaluation.Oldest {
		return ""
	}
	return "by a report of " + w.Newest(at).String()
}

// outcomeNote says on how many days of its window an outcome is known.
func (e Explainer) outcomeNote(source Source) string {
	w, at := e.sums(source)
	switch name := source.FieldName(); {
	case source.Whose.isSum():
		if lacking, all := w.LackingOutcomes(source.Field, e.evaluation.MinDays, e.evaluation.scopeOf(source.Whose)); lacking > 0 {
			return fmt.Sprintf("%s of %d of %s is not known on some days of %s", name, lacking, readable.Count(all, "campaign"), w)
		}
		return ""
	case at < 0:
		return ""
	case w.Window.Kind == figures.Lifetime:
		if days := w.OutcomeDays(source.Field, at); days < maxKnownDays {
			return name + " on " + readable.Count(days, "day")
		}
		return ""
	default:
		if days, all := w.OutcomeDays(source.Field, at), w.Required(0); days < all {
			return fmt.Sprintf("%s on %d of %s", name, days, readable.Count(all, "day")) + e.whoseText(source, w)
		}
		return ""
	}
}

// outcomeGap says why an outcome is UNKNOWN, or a range.
func (e Explainer) outcomeGap(source Source) string {
	w, at := e.sums(source)
	whose := source.Whose.text()
	if delivered, never := w.NeverDelivered(source.Field); never {
		return NeverDelivered(source.FieldName(), delivered)
	}
	switch name := source.FieldName() + whose; {
	case source.Whose.isSum():
		if note := e.outcomeNote(source); note != "" {
			return note
		}
		return "no " + name + " in " + w.String()
	case at < 0 || w.OutcomeDays(source.Field, at) == 0:
		return name + " was not delivered for " + w.String()
	default:
		return fmt.Sprintf("%s was delivered for %d of %d days of %s", name, w.OutcomeDays(source.Field, at), w.Required(0), w)
	}
}

// maxDelivered is the number of delivered names that are listed.
const maxDelivered = 10

// NeverDelivered says of an outcome that nobody has ever delivered which other ones were, and which of
// them may be meant.
func NeverDelivered(name string, delivered []string) string {
	text := name + " was never delivered"
	if len(delivered) == 0 {
		return text + ", and neither was any other number"
	}
	if meant := readable.Nearest(strings.TrimPrefix(name, figures.OutcomePrefix), delivered); meant != "" {
		text += ": did you mean " + figures.OutcomePrefix + meant + "? Delivered were "
	} else {
		text += "; delivered were "
	}
	text += strings.Join(delivered[:min(maxDelivered, len(delivered))], ", ")
	if more := len(delivered) - maxDelivered; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// budgetNote says which budget the missing days have.
func (e Explainer) budgetNote(source Source) string {
	w, at := e.sums(source)
	if at < 0 || source.Field != figures.Budget && source.Field != figures.BudgetDue {
		return ""
	}
	days := w.FilledBudget(at, e.evaluation.MinDays)
	if days == 0 {
		return ""
	}
	budget, day := w.NewestBudget(at)
	if day == 0 {
		return fmt.Sprintf("with the campaign's present budget, %s, on the other %s", readable.Short(budget), readable.Count(days, "day"))
	}
	return fmt.Sprintf("with the budget of %s, %s, on the other %s", day, readable.Short(budget), readable.Count(days, "day"))
}

// negativeNote says that a negative number was left out.
func (e Explainer) negativeNote(source Source) string {
	w, at := e.sums(source)
	if at < 0 || source.Field >= figures.Fields || !w.HasNegative(source.Field, at) {
		return ""
	}
	return "without a negative " + source.Field.String()
}

// LacksRows reports whether the value of the conditions is UNKNOWN because rows or numbers are
// missing, negative, too old or in several currencies, not only because of what they are.
func (e Explainer) LacksRows() bool {
	return slices.ContainsFunc(e.evaluation.Conditions, e.lacksRows)
}

func (e Explainer) lacksRows(x *Expression) bool {
	if x.IsTruth() && !e.Value(x).IsUnknown() {
		return false
	}
	switch x.Op {
	case Column:
	case Target:
		return e.Value(x).IsUnknown()
	default:
		return e.currencyGap(x) != "" || slices.ContainsFunc(x.Args, e.lacksRows)
	}
	if e.at < 0 || e.Value(x).IsExact() {
		return e.at < 0
	}
	w, _ := e.sums(x.Source)
	isHidden := x.Source.Whose == Own && x.Source.Place == e.evaluation.Before && e.evaluation.hidden != nil && e.evaluation.hidden[0]
	return !w.IsEmpty() && !isHidden
}

// Gaps says why the value of the conditions is UNKNOWN: what the windows lack.
func (e Explainer) Gaps() []string {
	var list []string
	add := func(gap string) {
		if !slices.Contains(list, gap) {
			list = append(list, gap)
		}
	}
	for _, x := range e.evaluation.Conditions {
		e.eachGap(x, add)
	}
	if len(list) == 0 {
		gap := "a division by zero in " + e.evaluation.windows[e.evaluation.Window].Window.InText()
		if divisor := e.zeroDivisor(e.evaluation.Conditions...); divisor != nil {
			gap += ": " + divisor.String() + " is 0"
		}
		add(gap)
	}
	return list
}

// zeroDivisor returns what is 0 and divides in expressions that are UNKNOWN, or nil.
func (e Explainer) zeroDivisor(list ...*Expression) *Expression {
	for _, x := range list {
		if x.IsTruth() && !e.Value(x).IsUnknown() {
			continue
		}
		if x.Op == Divide && e.Value(x.Args[1]) == (Range{}) {
			return x.Args[1]
		}
		if divisor := e.zeroDivisor(x.Args...); divisor != nil {
			return divisor
		}
	}
	return nil
}

// eachGap calls add with what is missing in an expression.
func (e Explainer) eachGap(x *Expression, add func(gap string)) {
	value := e.Value(x)
	if x.IsTruth() && !value.IsUnknown() {
		return
	}
	for n, arg := range x.Args {
		if x.isZeroUnknown(n) && e.Value(arg) == (Range{}) {
			add(arg.Source.Field.String() + " is 0")
		}
		e.within(x, n).eachGap(arg, add)
	}
	switch {
	case x.Op == Column && e.at >= 0 && e.evaluation.isEmpty(x.Source, 0):
		w, _ := e.sums(x.Source)
		add(w.String() + " has no complete day yet")
	case value.IsExact():
	case x.Op == Column:
		add(e.gap(x, value))
	case x.Op == Target:
		add(e.targetGap(x))
	default:
		if gap := e.currencyGap(x); gap != "" {
			add(gap)
		}
	}
}

// currencyGap says that an expression that is UNKNOWN depends on several currencies; "": it does not.
func (e Explainer) currencyGap(x *Expression) string {
	switch {
	case e.at < 0 || !e.Value(x).IsUnknown():
	case e.evaluation.ranksNone(x):
		return "the ranks compare amounts, and there are several currencies"
	case (x.absolute || x.crosses) && e.evaluation.hasSeveralCurrencies() && e.evaluation.mixesCurrencies(x, x.amountPlaces(Own), e.at):
		return x.String() + " depends on the currency, and there are several"
	}
	return ""
}

// gap says why a column is UNKNOWN, or a range.
func (e Explainer) gap(x *Expression, value Range) string {
	source := x.Source
	w, at := e.sums(source)
	whose := source.Whose.text()
	switch {
	case w.IsEmpty():
		return w.String() + " has no complete day yet"
	case source.Field.IsOutcome():
		return e.outcomeGap(source)
	case source.Whose.isSum():
		return e.sumGap(source, value)
	case source.Whose == OfCampaign && (at < 0 || w.Days(at) == 0):
		return "the campaign has no row in " + w.String()
	case e.lacksDays(w, at) && source.Whose == OfCampaign:
		return fmt.Sprintf("the campaign has %d of %d days of %s", w.Days(at), w.Required(0), w)
	case e.lacksDays(w, at):
		return fmt.Sprintf("%s has %d of %d days", w, w.Days(at), w.Required(0))
	case source.Whose == Own && source.Place == e.evaluation.Before && e.evaluation.hidden != nil && e.evaluation.hidden[0]:
		return w.String() + " is below min_data"
	case w.HasSeveralCurrencies(at) && source.Field.IsAmount():
		return "the rows of " + w.String() + " have several currencies"
	case w.HasNegative(source.Field, at):
		return "a negative " + source.Field.String() + whose + " in " + w.String()
	case source.Field >= figures.Fields:
		return "no budget" + whose + " in " + w.String()
	case w.Window.Kind == figures.DaysAgo, source.Whose == OfCampaign:
		return "no " + source.Field.String() + whose + inWindow(w)
	}
	return "no " + source.Field.String() + " on a day of " + w.String()
}

// sumGap says why the sum of several campaigns is UNKNOWN, or a range.
func (e Explainer) sumGap(source Source, value Range) string {
	w, _ := e.sums(source)
	if source.Whose == OfScope && source.Place == e.evaluation.Before && !e.evaluation.reaches(source.Place) {
		return w.String() + " is below min_data"
	}
	text := "no " + source.Field.String() + source.Whose.text() + " in " + w.String()
	if value.Low > 0 {
		text = source.Field.String() + source.Whose.text() + " is " + value.String()
	}
	if note := e.daysNote(source); note != "" {
		text += ": " + note
	}
	return text
}

// Bounds says what is known of the rule's own metrics in conditions that are UNKNOWN: "grossMediaSpend is
// at least 877.08".
func (e Explainer) Bounds() []string {
	var list []string
	for _, x := range e.evaluation.Conditions {
		e.eachBound(x, func(bound string) {
			if !slices.Contains(list, bound) {
				list = append(list, bound)
			}
		})
	}
	return list
}

// eachBound calls add with what is known of metrics in an expression that are ranges.
func (e Explainer) eachBound(x *Expression, add func(bound string)) {
	value := e.Value(x)
	switch {
	case x.IsTruth() && !value.IsUnknown():
		return
	case x.Op == Column && x.Source.Whose == Own && !value.IsUnknown() && !value.IsExact() && value.Low > 0:
		add(x.Source.FieldName() + " is " + value.String())
	}
	for _, arg := range x.Args {
		e.eachBound(arg, add)
	}
}

// inWindow names a window that is more than a day of for.
func inWindow(w *figures.Sums) string {
	if w.Window.Kind == figures.DaysAgo {
		return ""
	}
	return " in " + w.String()
}

// lacksDays reports whether too few days of a window have a row.
func (e Explainer) lacksDays(w *figures.Sums, at int) bool {
	return w.Days(at) < w.Required(e.evaluation.MinDays)
}
