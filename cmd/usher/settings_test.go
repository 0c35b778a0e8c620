package main

import (
	"path/filepath"
	"testing"

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
