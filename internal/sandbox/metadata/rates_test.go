package metadata

import (
	"math"
	"testing"
)

// TestRatesAreNumbers reads the whole table of rates.
func TestRatesAreNumbers(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for currency := range Currencies() {
		names[currency.Code] = currency.Name
	}
	for code, list := range rates().usd {
		if names[code] == "" {
			t.Errorf("%s has no name", code)
		}
		for i, rate := range list {
			if math.IsNaN(rate) || rate < 0 || rate > 10 {
				t.Errorf("%s is worth %v USD on %s", code, rate, rates().days[i])
			}
		}
	}
	if days := rates().days; len(days) < 28 || days[0] > "2013-01-01" {
		t.Errorf("there are %d days, from %s", len(days), days[0])
	}
}
