package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
)

// requestsPerBatch is how many requests a batch may cost until its refused part
// is taken as it is. Tries in place of one request count as one.
const requestsPerBatch = 64

// halving finds out which ids of a refused batch are refused: it halves what is
// refused, largest first, until single ids are left or the requests are used
// up. 64 requests find two bad ids among 100,000.
type halving struct {
	f    *flight
	d    *delta
	left int // requests, of all the batch's pieces together
}

// refusedList is ids that were refused as a whole.
type refusedList struct {
	list
	with *usher.Permanent
}

func newHalving(f *flight, d *delta) *halving {
	return &halving{f: f, d: d, left: requestsPerBatch - 1}
}

// halve takes ids that were refused. Its error is one that is no refusal: the
// batch is not answered then.
func (h *halving) halve(whole list, with *usher.Permanent) error {
	h.d.refusal = with
	for queue := []refusedList{{whole, with}}; len(queue) > 0; queue = queue[1:] {
		l := queue[0]
		if l.ids == 1 {
			h.d.refuse(code(l.with), 1)
			continue
		}
		if h.left == 0 {
			h.giveUp(l)
			continue
		}
		again, err := h.halves(l)
		if err != nil {
			return err
		}
		if l.ids == whole.ids && len(again) == 2 && code(again[0].with) == code(again[1].with) {
			l.with = again[0].with
			h.giveUp(l)
			return nil
		}
		queue = append(queue, again...)
	}
	return nil
}

// giveUp counts ids as refused without asking for each.
func (h *halving) giveUp(l refusedList) {
	h.d.refuse(code(l.with), l.ids)
	h.d.refusal, h.d.gaveUp = l.with, true
}

// halves tries the halves of l and returns those that are refused again. One for
// which no request is left counts as refused like l.
func (h *halving) halves(l refusedList) (again []refusedList, _ error) {
	n := l.ids / 2
	for _, half := range []list{l.piece(0, n), l.piece(n, l.ids-n)} {
		if h.left == 0 {
			h.giveUp(refusedList{half, l.with})
			continue
		}
		h.left--
		err := h.f.send(h.d, half)
		var refused *usher.Permanent
		switch {
		case err == nil:
			half.addTo(&h.d.sketch)
		case errors.As(err, &refused) && refused.Class == usher.Refused:
			again = append(again, refusedList{half, refused})
		default:
			return nil, err
		}
	}
	return again, nil
}

// Codes are keys of every record that holds the tally, so they are short, few
// and printable, whatever the platform says.
const (
	codeLength = 40 // bytes
	codesPart  = 30 // different ones in a part's tally; the rest is otherCode
	otherCode  = "other"
	noCode     = "unknown" // the platform gave none
)

// code is the platform's own, as the tally names it.
func code(p *usher.Permanent) string {
	name := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, p.Code[:min(len(p.Code), codeLength)])
	if strings.Trim(name, "_") == "" {
		return noCode
	}
	return name
}

// bounded is counts with the codes left together that are too many beside have.
func bounded(counts, have usher.Counts) usher.Counts {
	room := codesPart - len(have)
	if len(counts) <= room {
		return counts
	}
	kept := usher.Counts{}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		if _, known := have[code]; !known && room <= 0 {
			kept[otherCode] += counts[code]
			continue
		} else if !known {
			room--
		}
		kept[code] += counts[code]
	}
	return kept
}

// mostGivenUp is how many batches in a row may be given up: they end the job.
const mostGivenUp = 2

// isOver reports whether the platform has refused too many batches in a row.
func isOver(r usher.Refusal) bool { return r.GivenUp >= mostGivenUp }

// refusedNext is r after the batch d, the next one. What is over stays so,
// whatever was under way beside it.
func refusedNext(r usher.Refusal, d *delta) usher.Refusal {
	if isOver(r) {
		return r
	}
	if d.refusal != nil {
		r.Code, r.Message, r.Hint = d.refusal.Code, d.refusal.Error(), d.refusal.Hint
	}
	r.GivenUp++
	if !d.gaveUp {
		r.GivenUp = 0
	}
	return r
}

// refuseAll ends the job when it is over.
func refuseAll(last usher.Refusal) error {
	hint := last.Hint
	if hint == "" {
		hint = "read the platform's message; the digests are well formed, so the request as a whole is not welcome: check the target, then replay the job"
	}
	return &usher.Permanent{
		Class: usher.Refused, Code: last.Code, Hint: hint,
		Err: fmt.Errorf("send batches: the platform refused two in a row, whole and in halves: %s", last.Message),
	}
}
