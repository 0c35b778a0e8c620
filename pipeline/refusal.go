package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
)

// requestsPerBatch limits the requests for a refused batch. A request counts once, however
// often it is retried in place.
const requestsPerBatch = 64

// halving finds the refused ids of a refused batch. It halves refused lists, largest
// first, down to single ids or until the requests are used up. 64 requests find two
// refused ids among 100,000.
type halving struct {
	f         *flight
	batch     *batchRows
	screening *screening
	left      int // remaining requests for all pieces of the batch
}

// refusedList is a list that was refused as a whole.
type refusedList struct {
	list
	refusal *usher.Permanent
}

func newHalving(f *flight, b *batchRows, s *screening) *halving {
	return &halving{f: f, batch: b, screening: s, left: requestsPerBatch - 1}
}

// halve finds the refused ids in a refused list. If it returns an error, which is not a
// refusal, the batch is not acknowledged.
func (h *halving) halve(whole list, refusal *usher.Permanent) error {
	h.batch.refusal = refusal
	for queue := []refusedList{{whole, refusal}}; len(queue) > 0; queue = queue[1:] {
		l := queue[0]
		var refused []refusedList
		var err error
		switch {
		case l.ids == 1:
			err = h.f.refuse(h.batch, l.list, code(l.refusal))
		case h.left == 0:
			err = h.giveUp(l)
		default:
			refused, err = h.sendHalves(l)
		}
		if err != nil {
			return err
		}
		if l.ids == whole.ids && refusedAlike(refused) {
			return h.giveUp(refusedList{whole, refused[0].refusal})
		}
		queue = append(queue, refused...)
	}
	return nil
}

// refusedAlike reports whether both halves of a list were refused with the same code.
func refusedAlike(halves []refusedList) bool {
	return len(halves) == 2 && code(halves[0].refusal) == code(halves[1].refusal)
}

// giveUp counts ids as refused without sending them one by one.
func (h *halving) giveUp(l refusedList) error {
	h.batch.refusal, h.batch.gaveUp = l.refusal, true
	return h.f.refuse(h.batch, l.list, code(l.refusal))
}

// sendHalves sends the halves of l and returns those that are refused. If no request is
// left for a half, it counts as refused like l.
func (h *halving) sendHalves(l refusedList) (refused []refusedList, _ error) {
	n := l.ids / 2
	for _, half := range []list{l.piece(0, n), l.piece(n, l.ids-n)} {
		if h.left == 0 {
			if err := h.giveUp(refusedList{half, l.refusal}); err != nil {
				return nil, err
			}
			continue
		}
		h.left--
		err := h.screening.send(half)
		var permanent *usher.Permanent
		switch {
		case err == nil:
			if err := h.screening.accept(half); err != nil {
				return nil, err
			}
		case errors.As(err, &permanent) && permanent.Class == usher.Refused:
			refused = append(refused, refusedList{half, permanent})
		default:
			return nil, err
		}
	}
	return refused, nil
}

// Error codes are keys of the tally, which is in every record. They are therefore short,
// few and printable, whatever the platform sends.
const (
	codeLength = 40 // maximum length of a code in bytes
	codesPart  = 30 // maximum number of different codes in a part's tally; all others count as otherCode
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

// bounded returns counts, which is to be added to sum. Codes are combined as otherCode if
// the sum would otherwise have more than codesPart codes.
func bounded(counts, sum usher.Counts) usher.Counts {
	room := codesPart - len(sum)
	if len(counts) <= room {
		return counts
	}
	kept := usher.Counts{}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		if _, known := sum[code]; !known && room <= 0 {
			kept[otherCode] += counts[code]
			continue
		} else if !known {
			room--
		}
		kept[code] += counts[code]
	}
	return kept
}

// maxGivenUp is the number of consecutive given-up batches that end the job.
const maxGivenUp = 2

// endsJob reports whether the platform has refused too many batches in a row.
func endsJob(r usher.Refusal) bool { return r.GivenUp >= maxGivenUp }

// nextRefusal returns r after the next batch b. A refusal that ends the job stays,
// whatever the platform responds to the other batches in flight.
func nextRefusal(r usher.Refusal, b *batchRows) usher.Refusal {
	if endsJob(r) {
		return r
	}
	if b.refusal != nil {
		r.Code, r.Message, r.Hint = b.refusal.Code, b.refusal.Error(), b.refusal.Hint
	}
	r.GivenUp++
	if !b.gaveUp {
		r.GivenUp = 0
	}
	return r
}

// refusalError returns the error that ends the job after a refusal for which endsJob is
// true.
func refusalError(last usher.Refusal) error {
	hint := last.Hint
	if hint == "" {
		hint = "read the platform's message; the digests are well formed, so the platform refuses the request as a whole: check the target, then replay the job"
	}
	return &usher.Permanent{
		Class: usher.Refused, Code: last.Code, Hint: hint,
		Err: fmt.Errorf("send batches: the platform refused two in a row, whole and in halves: %s", last.Message),
	}
}
