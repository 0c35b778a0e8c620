package pipeline

import (
	"errors"

	"usher"
)

// deliver has a batch answered: in one request, or in as many as the size asks
// for. Each is tried again in place, for as long as Retry says.
func (f *flight) deliver(d *delta) error {
	d.bytes = int64(d.list.ids)*idBytes - 1
	if f.o.DryRun {
		d.list.addTo(&d.sketch)
		return nil
	}
	h := newHalving(f, d)
	for at := 0; at < d.list.ids; {
		piece, err := f.next(d, at)
		var refused *usher.Permanent
		switch {
		case err == nil:
			piece.addTo(&d.sketch)
		case errors.As(err, &refused) && refused.Class == usher.Refused:
			if err := h.halve(piece, refused); err != nil {
				return err
			}
		default:
			return err
		}
		if at += piece.ids; d.gaveUp {
			d.refuse(code(d.refusal), d.list.ids-at)
			break
		}
	}
	return nil
}

// next has the batch's next piece answered, from id at on. It may be a smaller
// one in each try.
func (f *flight) next(d *delta, at int) (list, error) {
	waits := f.o.Retry.backOff()
	for {
		piece := d.list.piece(at, f.o.Size.now(d.list.ids-at))
		err := f.request(d, piece)
		if err == nil {
			f.o.Size.answered(piece.ids)
			return piece, nil
		}
		if isTooLarge(err) && f.o.Size.shrink(piece.ids, true) {
			continue
		}
		if isTrouble(err) {
			f.o.Size.shrink(piece.ids, false)
		}
		if !f.pause(err, waits) {
			return piece, f.orCause(err)
		}
	}
}

// request sends a piece of a batch.
func (f *flight) request(d *delta, piece list) error {
	b := piece.batch(d.number, f.o.Yield)
	defer b.Release()
	err := f.o.Send(f.ctx, b)
	d.warnings = usher.AddWarnings(d.warnings, b.Warnings...)
	return err
}

// isTooLarge reports whether the platform takes smaller bodies only.
func isTooLarge(err error) bool {
	var refused *usher.Permanent
	return errors.As(err, &refused) && refused.Code == usher.CodeTooLarge
}

// isTrouble reports whether the platform was asked and failed: no answer in
// time, or a 5xx. One that says when to come again does not fail for the size.
func isTrouble(err error) bool {
	var later *usher.RetryAfter
	var trouble *usher.Unavailable
	return !errors.As(err, &later) && errors.As(err, &trouble)
}
