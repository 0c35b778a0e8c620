package pipeline

import (
	"errors"

	"usher"
	"usher/hashing"
)

// screening removes the digests from a batch that were suppressed after the batch was cut.
type screening struct {
	flight *flight
	batch  *batchRows
	list   *Suppression // the list with which the batch was last screened
	done   func(certain bool)
	lost   bool // a request may still arrive, because no response has come
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

// answered notes the result of a request.
func (s *screening) answered(err error) {
	var refused *usher.Permanent
	s.lost = err != nil && !errors.As(err, &refused)
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
