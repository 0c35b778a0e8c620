package csv

import (
	"slices"

	"usher/internal/exports/rows"
)

// checkKnown is check and checkGap for a record whose structure is known.
func (r *Reader) checkKnown(record, cell []byte, ends []uint16, begin int) {
	r.check(record, cell)
	if r.layout.Fits != nil && (r.gaps.Watched() != "" || r.mayFill(ends, begin)) {
		r.checkGap(record, cell)
	}
}

// mayFill reports whether a field of a record whose structure is known may be an id that is
// meant where Column has none, by its length. The record begins at begin, and its fields end
// at ends.
func (r *Reader) mayFill(ends []uint16, begin int) bool {
	const enclosing = 3 // quotes and a CR
	for at, end := range ends {
		if n := int(end) - begin; n >= r.layout.FitLen && n <= 36+enclosing && r.isCandidate(at) {
			return true
		}
		begin = int(end) + 1
	}
	return false
}

// isCandidate reports whether a column may have ids that are meant where Column has none.
func (r *Reader) isCandidate(at int) bool {
	return at != r.layout.Column && !slices.Contains(r.layout.OtherIDs, at) && !slices.Contains(r.layout.UnrelatedIDs, at)
}

// checkGap looks for an id in another column of a record if the wanted cell says that there is
// none.
func (r *Reader) checkGap(record, cell []byte) {
	if !rows.IsGap(cell) {
		if r.gaps.Watched() != "" && rows.LooksLikeIDs(cell) {
			r.watchID(record)
		}
		return
	}
	split, open := r.layout.SplitRecord(record)
	if open {
		return
	}
	fits := func(at int) bool { return at < len(split.Fields) && r.layout.Fits([]byte(split.Fields[at])) }
	if r.gaps.Watched() == "" && !r.beginWatch(len(split.Fields), fits) {
		return
	}
	r.gaps.AddGap(fits(r.watched))
}

// beginWatch watches the first column with an id that fits, and reports whether there is one.
func (r *Reader) beginWatch(fields int, fits func(at int) bool) bool {
	for at := range fields {
		if r.isCandidate(at) && fits(at) && r.gaps.Begin(columnAt(at), r.row()) {
			r.watched = at
			return true
		}
	}
	return false
}

// watchKnown is watchID if another column is watched.
func (r *Reader) watchKnown(record []byte) {
	if r.gaps.Watched() != "" {
		r.watchID(record)
	}
}

// watchID notes a record with an id while another column is watched.
func (r *Reader) watchID(record []byte) {
	if split, open := r.layout.SplitRecord(record); !open {
		r.gaps.AddID(r.watched < len(split.Fields) && rows.LooksLikeID([]byte(split.Fields[r.watched])))
	}
}

// filledGaps returns an error if another column has the ids that are meant where Column has
// none.
func (r *Reader) filledGaps(ended bool) error {
	if !r.gaps.Filled(ended) {
		return nil
	}
	return r.gaps.Err(r.lines.Origin(), columnAt(r.layout.Column))
}
