package condition

import (
	"slices"
	"strings"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Reads reports whether the condition reads a metric, of whatever window.
func (c *Condition) Reads(metric string) bool {
	return slices.ContainsFunc(c.Root.Metrics(), func(name string) bool {
		_, bare := expression.SplitName(name)
		return bare == metric
	})
}

// ReadsPrevious reports whether the condition reads the window before the rule's.
func (c *Condition) ReadsPrevious() bool {
	return slices.ContainsFunc(c.Root.Metrics(), func(name string) bool { return strings.HasPrefix(name, "previous.") })
}

// ReadsToday reports whether the condition reads over("today"), whatever its window is.
func (c *Condition) ReadsToday() bool {
	prefix := over + `("` + figures.Window{Kind: figures.Today}.String() + `").`
	return slices.ContainsFunc(c.Root.Metrics(), func(name string) bool { return strings.HasPrefix(name, prefix) })
}

// Ratio returns a metric of the condition that divides by a count, so that it means little
// while that is small, or "".
func (c *Condition) Ratio() string {
	for _, name := range c.Root.Metrics() {
		if _, bare := expression.SplitName(name); variableNamed(bare).ratio {
			return name
		}
	}
	return ""
}

// Falling returns a metric of the condition that may fall in the course of a day, or "".
func (c *Condition) Falling() string {
	for _, name := range c.Root.Metrics() {
		prefix, bare := expression.SplitName(name)
		if variableNamed(bare).falls && prefix != "previous." && !strings.HasPrefix(prefix, over) {
			return name
		}
	}
	return ""
}

// NotDaily returns a metric of the condition that single days do not have, or "".
func (c *Condition) NotDaily() string {
	for _, name := range c.Root.Metrics() {
		prefix, bare := expression.SplitName(name)
		if prefix == "previous." || strings.HasPrefix(prefix, over) || bare == "lifetimeUsed" || bare == "projectedSpend" || bare == "monthEndSpend" {
			return name
		}
	}
	return ""
}

// Over returns the condition over another window, which it adds to columns.
func (c *Condition) Over(w figures.Window, columns *figures.Columns) *Condition {
	other := *c
	other.Root = c.Root.Over(w, columns)
	return &other
}
