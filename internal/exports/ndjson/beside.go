package ndjson

import "iter"

// NewFinderBeside returns a Finder of the values at a path that stand beside ids at another one. Use its method
// FindBeside instead of Find.
func NewFinderBeside(path, ids string) *Finder {
	shared := 0
	for i := 0; i < min(len(path), len(ids)) && path[i] == ids[i]; i++ {
		if path[i] == '.' {
			shared = i + 1
		}
	}
	return &Finder{path: path, below: len(path) - shared}
}

// element is where an object lies in the record that may have both ids and the values beside them: in an array, the
// element with both.
type element struct{ from, to int }

func (e element) contains(s span) bool { return e.from < s.from && s.from < e.to }

// group is a number of ids, one behind the other, and the values of found that stand beside each of them.
type group struct{ ids, from, to int }

// element scans an object that is an element.
func (f *Finder) element(path string, depth int, within uint64) bool {
	from := f.at
	if !f.object(path, true, depth, within) {
		return false
	}
	f.elements = append(f.elements, element{from, f.at})
	return true
}

// FindBeside finds the values in a record, and which of them stand beside each id that ids has found in it: those in
// the same element of an array. If an element has as many ids as values, each id has its own value; otherwise each has
// all of them. A record without ids has one empty row. FindBeside reports what Find does.
func (f *Finder) FindBeside(record []byte, ids *Finder) bool {
	f.elements, f.groups = f.elements[:0], f.groups[:0]
	if !f.Find(record) {
		return false
	}
	id, value := 0, 0
	for _, e := range f.elements {
		firstID, firstValue := id, value
		for id < len(ids.found) && e.contains(ids.found[id]) {
			id++
		}
		for value < len(f.found) && e.contains(f.found[value]) {
			value++
		}
		f.group(id-firstID, firstValue, value)
	}
	if id == 0 || id < len(ids.found) || value < len(f.found) { // some have keys with dots, and lie in no element
		f.groups = f.groups[:0]
		f.group(max(len(ids.found), 1), 0, len(f.found))
	}
	return true
}

// group adds a number of ids of one element with its values.
func (f *Finder) group(ids, from, to int) {
	switch {
	case ids == to-from:
		for ; from < to; from++ {
			f.groups = append(f.groups, group{1, from, from + 1})
		}
	case ids > 0:
		f.groups = append(f.groups, group{ids, from, to})
	}
}

// Beside returns what FindBeside has found: a number of ids, one behind the other, and the values beside each of them as
// text.
func (f *Finder) Beside() iter.Seq2[int, []string] {
	return func(yield func(ids int, values []string) bool) {
		for _, g := range f.groups {
			if !yield(g.ids, f.texts(f.found[g.from:g.to])) {
				return
			}
		}
	}
}
