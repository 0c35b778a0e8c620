package main

import (
	"path/filepath"
	"testing"

	"usher"
	"usher/cmd/usher/internal/config"
)

func atRoot(name string) string { return filepath.Join("..", "..", filepath.FromSlash(name)) }

// Campaign actions and rules have priority over uploads.
func TestPriorityLanes(t *testing.T) {
	t.Parallel()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	for _, lane := range workerLanes(c, nil, nil) {
		if want := lane.Name == "campaign" || lane.Name == "rules"; lane.First != want || lane.Slots == 0 {
			t.Errorf("lane %s has priority %t and %d slots, want priority %t and at least one slot", lane.Name, lane.First, lane.Slots, want)
		}
	}
}

// Instead of a limit that cannot be read, the configured one applies, and not a rate of 0.
func TestDamagedLimitIsNoRate(t *testing.T) {
	t.Parallel()
	rates := ratesOf(map[string]usher.Setting{
		"A": {Kind: usher.RateLimit, Name: "A", Rate: usher.Rate{PerSecond: 20}}, "B": {Kind: usher.RateLimit, Name: "B", Damaged: true},
	})
	if len(rates) != 1 || rates["A"].PerSecond != 20 {
		t.Errorf("rates are %v", rates)
	}
}
