package usher_test

import (
	"testing"

	"usher"
)

// TestRateShared checks that the reserve is at least one call a second and at most half of the rate.
func TestRateShared(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rate usher.Rate
		want float64
	}{
		{usher.Rate{}, 0},
		{usher.Rate{PerSecond: 20}, 16},
		{usher.Rate{PerSecond: 3}, 2},
		{usher.Rate{PerSecond: 1}, 0.5},
		{usher.Rate{PerSecond: 10, ReservePercent: 90}, 5},
		{usher.Rate{PerSecond: 10, ReservePercent: 5}, 9},
	} {
		if got := test.rate.Shared(); got != test.want {
			t.Errorf("%+v shares %g calls a second, want %g", test.rate, got, test.want)
		}
	}
}
