package pipeline

import (
	"errors"

	"usher"
	"usher/hashing"
)

// deliver sends a batch in one request, or in several if Size requires it. Each request is
// retried in place as configured by Retry.
func (f *flight) deliver(b *batchRows) error {
	defer func() { b.bytes = max(int64(b.list.ids)*idBytes-1, 0) }()
	if f.o.DryRun {
		return f.accept(b, b.list)
	}
	if err := f.begin(b); err != nil {
		return err
	}
	screening := &screening{flight: f, batch: b, list: f.o.Suppressed}
	defer screening.end()
	h := newHalving(f, b, screening)
	for at := 0; at < b.list.ids; {
		piece, err := f.sendPiece(b, screening, at)
		var refused *usher.Permanent
		switch {
		case err == nil:
			err = screening.accept(piece)
		case errors.As(err, &refused) && refused.Class == usher.Refused:
			err = h.halve(piece, refused)
		}
		if err != nil {
			return err
		}
		if at += piece.ids; b.gaveUp {
			return f.refuse(b, b.list.piece(at, b.list.ids-at), code(b.refusal))
		}
	}
	return nil
}

// begin tells the caller of the upload that a batch is about to be sent.
func (f *flight) begin(b *batchRows) error {
	if f.o.Begin == nil {
		return nil
	}
	var digests [][]hashing.Digest
	for _, s := range b.list.spans {
		digests = append(digests, s.digests)
	}
	return f.o.Begin(f.ctx, b.number, digests)
}

// accept counts ids that the platform has accepted.
func (f *flight) accept(b *batchRows, ids list) error {
	ids.addTo(&b.sketch)
	return f.outcome(ids, true)
}

// refuse counts ids as refused.
func (f *flight) refuse(b *batchRows, ids list, code string) error {
	b.refuse(code, ids.ids)
	return f.outcome(ids, false)
}

// outcome passes the outcome of ids to Options.Outcome.
func (f *flight) outcome(ids list, accepted bool) error {
	if f.o.Outcome == nil {
		return nil
	}
	for _, s := range ids.spans {
		if err := f.o.Outcome(f.ctx, s.digests, accepted); err != nil {
			return err
		}
	}
	return nil
}

// sendPiece sends the piece of the batch that begins at id at. The piece may be smaller in
// each attempt.
func (f *flight) sendPiece(b *batchRows, s *screening, at int) (list, error) {
	waits := f.o.Retry.backOff()
	for {
		err := s.before(at)
		if err == nil && at == b.list.ids {
			return list{}, nil // the rest was suppressed
		}
		var piece list
		if err == nil {
			piece = b.list.piece(at, f.o.Size.next(b.list.ids-at))
			err = s.request(piece)
		}
		if err == nil {
			f.o.Size.succeeded(piece.ids)
			return piece, nil
		}
		if isTooLarge(err) && f.o.Size.shrink(piece.ids, true) {
			continue
		}
		if isUnavailable(err) {
			f.o.Size.shrink(piece.ids, false)
		}
		if !f.pause(err, waits) {
			return piece, f.orCause(err)
		}
	}
}

// isTooLarge reports whether the body was too large for the platform.
func isTooLarge(err error) bool {
	var refused *usher.Permanent
	return errors.As(err, &refused) && refused.Code == usher.CodeTooLarge
}

// isUnavailable reports whether the platform failed: no response in time, or a 5xx. A
// response with Retry-After does not count, because the size is not its cause.
func isUnavailable(err error) bool {
	var later *usher.RetryAfter
	var unavailable *usher.Unavailable
	return !errors.As(err, &later) && errors.As(err, &unavailable)
}

// screening removes the digests from a batch that were suppressed after the batch was cut.
type screening struct {
	flight *flight
	batch  *batchRows
	list   *Suppression // the list with which the batch was last screened
	done   func(certain bool)
	lost   bool // a request since before may still arrive, because no response has come

	refused []usher.RefusedDigest // ids of the last request, which was otherwise accepted
}

// before must be called before each request. It removes the suppressed digests from the
// batch, beginning at id at.
func (s *screening) before(at int) error {
	o := s.flight.o
	if o.Screen == nil {
		return nil
	}
	current, done, err := o.Screen(s.flight.ctx)
	if err != nil {
		return err
	}
	s.end() // after the new call of Screen, so that a request is allowed at any time
	s.done = done
	if current == s.list || current == nil {
		return nil
	}
	s.list = current
	suppressed := s.batch.list.extract(at, current)
	if suppressed.ids == 0 {
		return nil
	}
	s.batch.tally.Accepted -= int64(suppressed.ids)
	s.batch.tally.Suppressed += int64(suppressed.ids)
	return s.flight.outcome(suppressed, false)
}

// request sends a piece of the batch once.
func (s *screening) request(piece list) error {
	sent := piece.batch(s.batch.number, s.flight.o.Yield)
	defer sent.Release()
	sent.Window = (s.batch.to - 1) / s.flight.o.Window
	err := s.flight.o.Send(s.flight.ctx, sent)
	s.batch.warnings = usher.AddWarnings(s.batch.warnings, sent.Warnings...)
	if s.refused = nil; err == nil {
		s.refused = sent.Refused
	}
	var refused *usher.Permanent
	if err != nil && !errors.As(err, &refused) {
		s.lost = true
	}
	return err
}

// accept counts the ids of the last request, which the platform has accepted but for those that it
// has refused one by one.
func (s *screening) accept(ids list) error {
	f, b, at := s.flight, s.batch, 0
	refused := s.refused
	s.refused = nil
	for _, r := range refused {
		b.refusal = r.Why
		if err := f.accept(b, ids.piece(at, r.At-at)); err != nil {
			return err
		}
		if err := f.refuse(b, ids.piece(r.At, 1), code(r.Why)); err != nil {
			return err
		}
		at = r.At + 1
	}
	return f.accept(b, ids.piece(at, ids.ids-at))
}

func (s *screening) end() {
	if s.done != nil {
		s.done(!s.lost)
	}
	s.done, s.lost = nil, false
}

// extract removes the digests of a set from a list, beginning at id at, and returns them.
// The returned list does not retain the segments.
func (l *list) extract(at int, set *Suppression) (out list) {
	var spans []span
	for _, s := range l.spans {
		skip := min(at, len(s.digests))
		at -= skip
		begin, kept := 0, 0
		keep := func(to int) {
			if to > begin {
				if kept++; kept > 1 {
					s.segment.retain()
				}
				spans = append(spans, span{s.segment, s.digests[begin:to]})
			}
		}
		for i := skip; i < len(s.digests); i++ {
			if set.Has(&s.digests[i]) {
				keep(i)
				begin = i + 1
				out.spans = append(out.spans, span{s.segment, s.digests[i:begin]})
				out.ids++
			}
		}
		if keep(len(s.digests)); kept == 0 {
			spans = append(spans, span{s.segment, []hashing.Digest{}}) // it is released with the list
		}
	}
	l.spans = spans
	l.ids -= out.ids
	return out
}
