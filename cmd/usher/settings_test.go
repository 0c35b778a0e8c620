package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
)

func atRoot(name string) string { return filepath.Join("..", "..", filepath.FromSlash(name)) }

// TestReadmeNamesEverything checks that the README mentions all kinds, classes,
// tally reasons and commands.
func TestReadmeNamesEverything(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(atRoot("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := append(command.Kinds(), command.Classes()...)
	words = append(words, usher.ZeroID, usher.SharedID, usher.OtherID, usher.Placeholder, usher.Macro, usher.Header, usher.Empty,
		usher.Shape, usher.LooksHashed, usher.SHA1, usher.SHA256, usher.WrongType)
	for _, command := range rootCommand(true).Commands() {
		words = append(words, "usher "+command.Name())
	}
	for _, word := range words {
		if !strings.Contains(string(text), "`"+word) && !strings.Contains(string(text), "\n"+word+" ") {
			t.Errorf("README.md does not mention %s", word)
		}
	}
}

// Campaign actions and rules have priority over uploads.
func TestPriorityLanes(t *testing.T) {
	t.Parallel()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	for _, lane := range workerLanes(c, nil) {
		if want := lane.Name == "campaign" || lane.Name == "rules"; lane.First != want || lane.Slots == 0 {
			t.Errorf("lane %s has priority %t and %d slots, want priority %t and at least one slot", lane.Name, lane.First, lane.Slots, want)
		}
	}
}
