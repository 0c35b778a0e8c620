package exports

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// watch counts the values of all columns while an export is read whose column of ids was
// chosen by values. If another column has ids as well, the export is refused.
type watch struct {
	counts pathCounts // by path or by number
	chosen string     // the column of ids, as counts has it
	refuse func(other string) error
	reads  int
}

// watch returns a watch of an export.
func (o *Opener) watch(ctx context.Context, f *places.File, plan *usher.Plan, chosen string) *watch {
	return &watch{counts: pathCounts{}, chosen: chosen, refuse: func(other string) error {
		columns, _, err := o.survey(ctx, f, plan)
		if err != nil {
			return err
		}
		return refuseSecond(f.Origin, columns, chosen, other)
	}}
}

// refuseSecond is the error for an export with a second column of ids.
func refuseSecond(from places.Origin, columns []column, chosen, other string) error {
	var which []int
	for _, name := range []string{chosen, other} {
		at := slices.IndexFunc(columns, func(c column) bool { return c.name == name || strconv.Itoa(c.number) == name })
		if at < 0 { // it has no value in the head
			at = len(columns)
			number, _ := strconv.Atoi(name)
			columns = append(columns, column{name: name, number: number})
		}
		which = append(which, at)
	}
	slices.Sort(which)
	return from.Broken(setColumn(columns, which), "which of its columns holds the device ids cannot be told: more than one has values that look like them")
}

// cell counts a cell of a sheet, and reports whether it looks like an id.
func (w *watch) cell(column int, text string) bool {
	w.counts.at(strconv.Itoa(column + 1)).count([]byte(text))
	return rows.LooksLikeID([]byte(text))
}

// over returns a reader of in that fails if another column has ids.
func (w *watch) over(in io.Reader) io.Reader { return &watched{in, w} }

// watched is what a watch is over.
type watched struct {
	io.Reader

	watch *watch
}

// Read implements io.Reader.
func (r *watched) Read(p []byte) (int, error) {
	const every = 64
	n, err := r.Reader.Read(p)
	ended := errors.Is(err, io.EOF)
	if r.watch.reads++; !ended && r.watch.reads%every > 0 {
		return n, err
	}
	if other := r.watch.other(ended); other != "" {
		return 0, r.watch.refuse(other)
	}
	return n, err
}

// other returns another column of ids, "" if there is none. Before the end, a few values
// are not enough to tell.
func (w *watch) other(ended bool) string {
	for name, c := range w.counts {
		if name != w.chosen && c.holdsIDs() && (ended || c.ids >= enoughIDs) {
			return name
		}
	}
	return ""
}
