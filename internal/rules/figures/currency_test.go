package figures_test

import (
	"testing"

	"usher/internal/rules/figures"
)

func TestScale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount, part float64
		currency     string
		want         float64
	}{
		{100, -0.2, "USD", 80},
		{99.95, -0.2, "EUR", 79.96},
		{0.29, -0.5, "EUR", 0.15}, // 0.145, which is below a half as a binary fraction
		{1.005, 0.1, "USD", 1.11},
		{1.15, 0.333, "", 1.53},
		{1001, -0.15, "JPY", 851},
		{1.2345, 0.1, "KWD", 1.358},
		{0.01, -0.2, "USD", 0.01},
		{0.02, -0.9, "USD", 0},
		{123456789.01, 1, "USD", 246913578.02},
	} {
		if got := figures.Scale(c.amount, c.part, figures.MinorDigits(c.currency)); got != c.want {
			t.Errorf("%v by %v in %s is %v, not %v", c.amount, c.part, c.currency, got, c.want)
		}
	}
}
