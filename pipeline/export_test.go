package pipeline

import "usher/hashing"

// WithWindow returns the options with windows of so many rows.
func (o Options) WithWindow(rows int64) Options {
	o.window = rows
	return o
}

// Window is the window for tests of its own.
type Window struct{ *window }

func NewWindow(rows int64) Window { return Window{newWindow(rows)} }

func (w Window) Fresh(digests []hashing.Digest, rows []int32) int { return w.fresh(digests, rows) }
func (w Window) Clear()                                           { w.clear() }
func (w Window) Slots() int                                       { return len(w.slots) }

// SketchOf is the sketch of digests.
func SketchOf(digests []hashing.Digest) []byte {
	var s sketch
	s.add(digests)
	return s
}

// Has reports whether d is on the list.
func (s *Suppression) Has(d hashing.Digest) bool { return s.has(&d) }
