package column

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Watch counts the values of all columns while a sheet without a header is read, whose column
// of ids was chosen by values. If another column has ids as well, the export is refused.
type Watch struct {
	from   places.Origin
	counts pathCounts // by number
	chosen string     // the column of ids, as counts has it
	sample func() ([]Column, error)
	reads  int
}

// NewWatch returns a watch. chosen is the number of the column of ids, from 1.
// sample returns the columns of the export's sample, whose names an error shows.
func NewWatch(from places.Origin, chosen string, sample func() ([]Column, error)) *Watch {
	return &Watch{from: from, counts: pathCounts{}, chosen: chosen, sample: sample}
}

// AddCell counts a cell of a sheet, and reports whether it looks like an id. column is its
// number from 0.
func (w *Watch) AddCell(column int, text string) bool {
	w.counts.at(strconv.Itoa(column + 1)).Count([]byte(text))
	return rows.LooksLikeID([]byte(text))
}

// Over returns a reader of in that fails if another column has ids.
func (w *Watch) Over(in io.Reader) io.Reader { return &watched{in, w} }

// watched is what a watch is over.
type watched struct {
	io.Reader

	watch *Watch
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
func (w *Watch) other(ended bool) string {
	for name, c := range w.counts {
		if name != w.chosen && c.HoldsIDs() && (ended || c.IDs >= rows.EnoughIDs) {
			return name
		}
	}
	return ""
}

// refuse returns the error for an export whose other column has ids as well.
func (w *Watch) refuse(other string) error {
	columns, err := w.sample()
	if err != nil {
		return err
	}
	var which []int
	for _, name := range []string{w.chosen, other} {
		at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name || strconv.Itoa(c.Number) == name })
		if at < 0 { // it has no value in the head
			at = len(columns)
			number, _ := strconv.Atoi(name)
			columns = append(columns, Column{Name: name, Number: number})
		}
		which = append(which, at)
	}
	slices.Sort(which)
	return w.from.Broken(setColumn(columns, which), "which of its columns holds the device ids cannot be determined: more than one has values that look like them")
}
