package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"usher"
)

// reasonColumn is one of a tally's columns that are counted by reason.
type reasonColumn struct {
	name   string
	counts usher.Counts
}

func columnsOf(t usher.Tally) []reasonColumn {
	return []reasonColumn{{"junk", t.Junk}, {"invalid", t.Invalid}, {"refused", t.Refused}}
}

// writeTally prints where every row went, and that it adds up.
func writeTally(w io.Writer, t usher.Tally, acceptedMeans string) error {
	if err := t.Check(); err != nil {
		return err
	}
	table := grid{header: []string{"", "ROWS", ""}, right: []int{2, 3}}
	row := func(name string, n int64) { table.add(name, number(n), percent(n, t.Read)) }
	row(acceptedMeans, t.Accepted)
	row("duplicate", t.Duplicate)
	row("suppressed", t.Suppressed)
	for _, column := range columnsOf(t) {
		for _, reason := range slices.Sorted(maps.Keys(column.counts)) {
			row(column.name+" "+reason, column.counts[reason])
		}
	}
	row("= read", t.Read)
	return table.write(w)
}

func percent(n, of int64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
