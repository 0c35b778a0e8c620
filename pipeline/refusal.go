package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
)

// requestsPerBatch limits the requests for a refused batch. Retries of a request in place
// count once.
const requestsPerBatch = 64

// halving finds the refused ids of a refused batch. It halves refused lists, largest
// first, down to single ids or until the requests are used up. 64 requests find two
// refused ids among 100,000.
type halving struct {
	f    *flight
	d    *delta
	left int // remaining requests for all pieces of the batch
}

// refusedList is a list that was refused as a whole.
type refusedList struct {
	list
	with *usher.Permanent
}

func newHalving(f *flight, d *delta) *halving {
	return &halving{f: f, d: d, left: requestsPerBatch - 1}
}

// halve finds the refused ids in a refused list. It returns errors other than refusals;
// the batch is not acknowledged then.
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

// giveUp counts ids as refused without sending each.
func (h *halving) giveUp(l refusedList) {
	h.d.refuse(code(l.with), l.ids)
	h.d.refusal, h.d.gaveUp = l.with, true
}

// halves sends the halves of l and returns those that are refused. A half without a
// remaining request counts as refused like l.
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

// Codes are keys in every record with the tally, so they are short, few and printable,
// whatever the platform sends.
const (
	codeLength = 40 // bytes
	codesPart  = 30 // different ones in a part's tally; the rest is otherCode
	otherCode  = "other"
	noCode     = "unknown" // the platform sent no code
)

// code returns the platform's code as a key of the tally.
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

// bounded returns counts with the codes that exceed codesPart, together with have,
// combined as otherCode.
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

// mostGivenUp is the number of consecutive given-up batches that end the job.
const mostGivenUp = 2

// isOver reports whether the platform has refused too many batches in a row.
func isOver(r usher.Refusal) bool { return r.GivenUp >= mostGivenUp }

// refusedNext returns r after the next batch d. Once it is over it stays so, whatever the
// other batches in flight return.
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
		hint = "read the platform's message; the digests are well formed, so the platform refuses the request as a whole: check the target, then replay the job"
	}
	return &usher.Permanent{
		Class: usher.Refused, Code: last.Code, Hint: hint,
		Err: fmt.Errorf("send batches: the platform refused two in a row, whole and in halves: %s", last.Message),
	}
}
