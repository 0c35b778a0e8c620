package figures

import (
	"slices"
	"time"
)

// Columns are the columns that the conditions of a rule file read: fields, each of them
// summed over a window. The zero Columns are none.
type Columns struct {
	Zone *time.Location // of the account

	windows [2][]reading // by level
}

// reading is a window that conditions read, and the columns they read.
type reading struct {
	Window   Window
	Previous bool // the window before it
	reads    [columns]bool
}

// Add adds columns of a window of a level, or of the window before it, and returns the
// place of the window among those of the level. Without fields, it is the window whose
// days are counted.
func (c *Columns) Add(l Level, w Window, previous bool, fields ...Field) int {
	windows := &c.windows[l.Index()]
	at := slices.IndexFunc(*windows, func(known reading) bool { return known.Window == w && known.Previous == previous })
	if at < 0 {
		at = len(*windows)
		*windows = append(*windows, reading{Window: w, Previous: previous})
	}
	for _, f := range fields {
		(*windows)[at].reads[f] = true
	}
	return at
}
