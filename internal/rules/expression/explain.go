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

// Value returns the value of an expression.
func (e Explainer) Value(x *Expression) float64 {
	if e.at < 0 {
		return math.NaN()
	}
	return e.evaluation.Run(x)[0]
}

// Sum returns a field of the rule's window.
func (e Explainer) Sum(f figures.Field) float64 {
	return e.Value(&Expression{Op: Column, Source: Source{Place: e.evaluation.Window, Field: f}})
}

// Metrics returns the metrics that the rule's conditions and min_data read, and the
// fields of which these are made. UNKNOWN ones are left out.
func (e Explainer) Metrics() map[string]float64 {
	metrics := map[string]float64{}
	for _, x := range e.evaluation.Conditions {
		e.addMetrics(metrics, x, "")
	}
	for _, least := range e.evaluation.MinData {
		addMetric(metrics, least.Field.String(), e.Sum(least.Field))
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
	case x.Op == Column && x.Name != "":
		addMetric(metrics, x.Name, e.Value(x))
	case x.Op == Column && x.Source.Field < figures.Fields:
		addMetric(metrics, prefix+x.Source.Field.String(), e.Value(x))
	}
	for _, arg := range x.Args {
		e.addMetrics(metrics, arg, prefix)
	}
}

func addMetric(metrics map[string]float64, name string, v float64) {
	if !math.IsNaN(v) {
		metrics[name] = figures.Round(v)
	}
}

// Values returns the parts of a condition with their values, from the inside out,
// each once.
func (e Explainer) Values(root *Expression) []usher.Value {
	var list []usher.Value
	var walk func(x *Expression)
	walk = func(x *Expression) {
		if x.Op == Number || x.Op == Truth {
			return
		}
		if x.Op != Metric {
			for _, arg := range x.Args {
				walk(arg)
			}
		}
		v := usher.Value{Expression: x.String(), Result: resultText(x, e.Value(x))}
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	walk(root)
	return list
}

func resultText(x *Expression, v float64) string {
	switch {
	case math.IsNaN(v):
		return "unknown"
	case x.IsTruth():
		return strconv.FormatBool(v == 1)
	}
	return readable.Short(v)
}

// Compared returns a condition with its numbers: for a comparison "57.2 >= 56.05" or
// "53 is not >= 56.05", for others the metrics that it reads.
func (e Explainer) Compared(root *Expression) string {
	if root.IsComparison() {
		_, sign := root.Op.binding()
		if e.Value(root) == 0 {
			sign = "is not " + sign
		}
		return readable.Short(e.Value(root.Args[0])) + " " + sign + " " + readable.Short(e.Value(root.Args[1]))
	}
	var list []string
	for _, name := range root.Metrics() {
		list = append(list, name+" "+readable.Short(e.metric(root, name)))
	}
	return strings.Join(list, ", ")
}

// metric returns the value of a metric in an expression.
func (e Explainer) metric(x *Expression, name string) float64 {
	if x.Name == name {
		return e.Value(x)
	}
	for _, arg := range x.Args {
		if v := e.metric(arg, name); !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
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
		add("a division by zero in " + e.evaluation.windows[e.evaluation.Window].Window.String())
	}
	return list
}

// eachGap calls add with what is missing in an expression.
func (e Explainer) eachGap(x *Expression, add func(gap string)) {
	for n, arg := range x.Args {
		if x.isZeroUnknown(n) && e.Value(arg) == 0 {
			add(arg.Source.Field.String() + " is 0")
		}
		e.eachGap(arg, add)
	}
	switch {
	case !math.IsNaN(e.Value(x)):
	case x.Op == Column:
		add(e.gap(x))
	case (x.absolute || x.crosses) && e.evaluation.hasSeveralCurrencies():
		add(x.String() + " depends on the currency, and there are several")
	}
}

// gap says why a column is UNKNOWN.
func (e Explainer) gap(x *Expression) string {
	if x.Source.Whose != Own {
		return e.relativeGap(x)
	}
	w := &e.evaluation.windows[x.Source.Place]
	days, need := w.Days(e.at), w.Required(e.evaluation.MinDays)
	switch {
	case w.IsEmpty():
		return w.String() + " has no complete day yet"
	case x.Source.Place != e.evaluation.Window && days < need:
		return fmt.Sprintf("%s has %d of %d days", w, days, w.Required(0))
	case x.Source.Place == e.evaluation.Before && e.evaluation.hidden[0]:
		return w.String() + " is below min_data"
	case w.HasSeveralCurrencies(e.at) && x.Source.Field.IsAmount():
		return "the rows of " + w.String() + " have several currencies"
	case x.Source.Field >= figures.Fields:
		return "no budget in " + w.String()
	}
	if w.Window.Kind == figures.DaysAgo {
		return "no " + x.Source.Field.String()
	}
	return "no " + x.Source.Field.String() + " on a day of " + w.String()
}

// relativeGap says why a column of the campaign or of the account is UNKNOWN.
func (e Explainer) relativeGap(x *Expression) string {
	w := &e.evaluation.campaigns[x.Source.Place]
	if w.IsEmpty() {
		return w.String() + " has no complete day yet"
	}
	if x.Source.Whose == OfAccount {
		return "no " + x.Source.Field.String() + " of the account in " + w.String()
	}
	at, days := int(e.evaluation.campaign[e.at]), 0
	if at >= 0 {
		days = w.Days(at)
	}
	switch {
	case days == 0:
		return "the campaign has no row in " + w.String()
	case days < w.Required(e.evaluation.MinDays):
		return fmt.Sprintf("the campaign has %d of %d days of %s", days, w.Required(0), w)
	}
	return "no " + x.Source.Field.String() + " of the campaign in " + w.String()
}
