package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
)

// requestsPerBatch is how many requests a batch may cost until its refused part
// is taken as it is. Tries in place of one request count as one.
const requestsPerBatch = 64

// halving finds out which ids of a refused batch are refused: it halves what is
// refused, largest first, until single ids are left or the requests are used
// up. 64 requests find two bad ids among 100,000.
type halving struct {
	send func(*usher.Batch) error
	left int // requests

	accepted sketch
	refused  usher.Counts
	warnings []usher.Warning
	gaveUp   *usher.Permanent // with which the rest was counted as refused untried
}

// piece is joined digests that were refused as a whole.
type piece struct {
	digests []byte
	ids     int
	refused *usher.Permanent
}

func newHalving(send func(*usher.Batch) error) *halving {
	return &halving{send: send, left: requestsPerBatch - 1, refused: usher.Counts{}}
}

// halve takes a batch that was refused. Its error is one that is no refusal: the
// batch is not answered then.
func (h *halving) halve(b *usher.Batch, refused *usher.Permanent) error {
	whole := piece{b.Digests(), b.IDs, refused}
	for queue := []piece{whole}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if p.ids == 1 {
			h.count(p, p.refused)
			continue
		}
		if h.left == 0 {
			h.count(p, p.refused)
			h.gaveUp = p.refused
			continue
		}
		again, err := h.halves(p, b.Number)
		if err != nil {
			return err
		}
		if p.ids == b.IDs && len(again) == 2 && code(again[0].refused) == code(again[1].refused) {
			h.count(p, again[0].refused)
			h.gaveUp = again[0].refused
			return nil
		}
		queue = append(queue, again...)
	}
	return nil
}

// halves tries the halves of p and returns those that are refused again. One for
// which no request is left counts as refused like p.
func (h *halving) halves(p piece, number int64) (again []piece, _ error) {
	n := p.ids / 2
	for _, half := range []piece{
		{digests: p.digests[:n*idBytes-1], ids: n},
		{digests: p.digests[n*idBytes:], ids: p.ids - n},
	} {
		if h.left == 0 {
			h.count(half, p.refused)
			h.gaveUp = p.refused
			continue
		}
		err := h.try(half, number)
		var refused *usher.Permanent
		switch {
		case err == nil:
			if err := h.accept(half); err != nil {
				return nil, err
			}
		case errors.As(err, &refused) && refused.Class == usher.Refused:
			half.refused = refused
			again = append(again, half)
		default:
			return nil, err
		}
	}
	return again, nil
}

// try sends a piece in a buffer of its own: a frame around it would overwrite
// its neighbours.
func (h *halving) try(p piece, number int64) error {
	h.left--
	b := usher.NewBatch(p.ids, nil)
	defer b.Release()
	b.Number = number
	b.SetDigests(copy(b.Buffer(), p.digests), p.ids)
	err := h.send(b)
	h.warnings = usher.AddWarnings(h.warnings, b.Warnings...)
	return err
}

func (h *halving) accept(p piece) error {
	digests, _, err := hashing.ParseDigests(make([]hashing.Digest, 0, p.ids), p.digests, true)
	if err != nil {
		return fmt.Errorf("read back batch: %w", err)
	}
	h.accepted.add(digests)
	return nil
}

func (h *halving) count(p piece, refused *usher.Permanent) {
	h.refused[code(refused)] += int64(p.ids)
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

// refuseAll ends the job after two batches in a row that were given up.
func refuseAll(last *usher.Permanent) error {
	hint := last.Hint
	if hint == "" {
		hint = "read the platform's message; the digests are well formed, so the request as a whole is not welcome: check the target, then replay the job"
	}
	return &usher.Permanent{
		Class: usher.Refused, Code: last.Code, Hint: hint,
		Err: fmt.Errorf("send batches: the platform refused two in a row, whole and in halves: %w", last),
	}
}
