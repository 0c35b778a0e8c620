package campaign_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"usher/workers/campaign"
)

// The state diagram in docs/concepts, its description and the table below it have the states of
// the code, in their order, and the table says which kinds of change have them.
func TestFigureHasTheStates(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile("../../docs/concepts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	figure, page := read("campaign.svg"), read("campaign.md")
	states, status, number := campaign.States()
	if want := strings.Join(states, ", ") + ", done"; !strings.Contains(figure, `<desc id="d">`+want+"<") || !strings.Contains(page, "![States: "+want+"]") {
		t.Errorf("the description of the figure, or its text in the page, is not %q", want)
	}
	for _, name := range append(states, "done") {
		if !strings.Contains(figure, ">"+name+"<") {
			t.Errorf("the figure does not have the state %s", name)
		}
	}
	_, table, _ := strings.Cut(page, "| state |")
	var rows, want []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-zA-Z]+) \| ([a-z]+) \|`).FindAllStringSubmatch(table, -1) {
		rows = append(rows, row[1]+" of "+row[2])
	}
	for _, name := range states {
		of := "both"
		switch {
		case !slices.Contains(number, name):
			of = "status"
		case !slices.Contains(status, name):
			of = "number"
		}
		want = append(want, name+" of "+of)
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the table has the states %q, want %q", rows, want)
	}
}
