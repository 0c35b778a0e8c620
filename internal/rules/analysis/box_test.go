package analysis

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"usher/internal/rules/condition"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// drawCondition draws a condition over a few metrics.
func drawCondition(t *rapid.T, depth int) string {
	if depth > 0 && rapid.Bool().Draw(t, "joined") {
		a, b := drawCondition(t, depth-1), drawCondition(t, depth-1)
		return rapid.SampledFrom([]string{
			fmt.Sprintf("(%s && %s)", a, b), fmt.Sprintf("(%s || %s)", a, b), fmt.Sprintf("!(%s)", a), fmt.Sprintf("(%s ? %s : %s)", a, b, b),
		}).Draw(t, "join")
	}
	number := func(label string) string {
		metric := rapid.SampledFrom([]string{
			"clicks", "impressions", "won", "uniqueClicks", "engagements", "grossMediaSpend", "netMediaSpend", "budget", "mediaMargin",
			"ctr", "previous.ctr", "cpc", "budgetUsed", "winRate", "displayRate", "pacing", "spendRate", "projectedSpend", "ctr_upper95", "ctr_lower95", "previous.clicks", "impressions / clicks",
			"(won - clicks)", "won * clicks", "-clicks", "clicks / (impressions + 1)",
		}).Draw(t, label)
		factor := rapid.SampledFrom([]string{"", "", "2 * ", "0.5 * ", "100 * "}).Draw(t, "factor")
		return factor + metric
	}
	right := rapid.SampledFrom([]string{"0", "1", "0.5", "-1", "3", "0.01", "100"}).Draw(t, "number")
	if rapid.Bool().Draw(t, "two metrics") {
		right = number("right")
	}
	return number("left") + rapid.SampledFrom([]string{" < ", " <= ", " > ", " >= ", " == ", " != "}).Draw(t, "comparison") + right
}

// drawFigures draws values for the columns of an expression, of which no part is greater
// than its whole.
func drawFigures(t *rapid.T, x *expression.Expression) map[leaf]float64 {
	values := map[leaf]float64{}
	var drawn func(l leaf) float64
	drawn = func(l leaf) float64 {
		if v, known := values[l]; known {
			return v
		}
		most := float64(rapid.SampledFrom([]int{0, 1, 2, 50, 100, 1_000_000}).Draw(t, "most"))
		if parent, known := parents[l.field]; known && l.field != figures.Engagements {
			whole := l
			whole.field = parent
			most = drawn(whole)
		}
		if l.field == figures.MediaMargin {
			most = 100
		}
		share := float64(rapid.IntRange(0, 100).Draw(t, "share")) / 100
		if l.field == figures.Clicks && share == 1 {
			share = 0.99
		}
		values[l] = most * share
		return values[l]
	}
	for _, column := range x.Columns() {
		drawn(leafOf(column.Source))
		of := leafOf(column.Source)
		of.field, of.metric = noField, projected
		values[of] = float64(rapid.IntRange(0, 1000).Draw(t, "projected"))
		for _, of.metric = range []string{upper95, lower95} {
			values[of] = float64(rapid.IntRange(0, 99).Draw(t, "bound")) / 100
		}
	}
	return values
}

// cancelsZero reports whether a comparison is brought to its simplest form by dividing by
// a 0: clicks < impressions is the same as ctr < 1 for other figures only.
func cancelsZero(x *expression.Expression, values map[leaf]float64) bool {
	return slices.ContainsFunc(comparisonsIn(x), func(x *expression.Expression) bool {
		return len(simplest(x).product) > 1 && slices.ContainsFunc(x.Columns(), func(column *expression.Expression) bool { return values[leafOf(column.Source)] == 0 })
	})
}

// TestConstantConditionsAreConstant checks with random figures that conditions of which
// lint says that they always or never hold do so, and that examples are examples.
func TestConstantConditionsAreConstant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := drawCondition(t, 2)
		c, faults := condition.Compile(source, condition.Scope{Level: figures.CreativeLevel, Window: figures.Window{Kind: figures.Yesterday}, Columns: &figures.Columns{}})
		if faults != nil {
			t.Fatalf("%s: %v", source, faults)
		}
		always, never := figuresOf{}.constant(c.Root)
		for range 5 {
			values := drawFigures(t, c.Root)
			if cancelsZero(c.Root, values) {
				continue
			}
			if value := expression.Value(with(c.Root, values)); always && value == 0 || never && value == 1 {
				t.Fatalf("%s is %v with %s: always %v, never %v", source, value, describe(values), always, never)
			}
		}
		boxes, ok := figuresOf{}.boxes(c.Root, true)
		for _, box := range boxes {
			if values := box.example(c.Root); values != nil && (!ok || expression.Value(with(c.Root, values)) != 1) {
				t.Fatalf("%s does not hold with %s", source, describe(values))
			}
		}
	})
}
