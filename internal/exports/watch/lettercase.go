package watch

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/rows"
)

// LetterCase counts the ids of a part whose letters have the case of another type. If the samples
// that Plan examines have shown such ids, it looks at each row. They may have shown none, where
// exports were put together: then it looks at a piece of each block only, which takes no
// measurable time, and at each row of a block whose piece has such letters.
type LetterCase struct {
	wanted usher.IDType // "": the letters' case is not looked at
	known  string       // the warning that the samples gave, for all rows; "": none
	digest bool         // 32 digits without hyphens are a digest
	other  int64        // ids whose letters have the case of the other type
	bytes  int64        // of all blocks
	skip   int          // the number of blocks that follow and are not looked at
	pause  int          // skip after the last block that was looked at in vain
}

// NewLetterCase returns a LetterCase for a plan. It counts nothing if the rows have types of their
// own, if the values are no ids, or if Plan has found other evidence.
func NewLetterCase(plan *usher.Plan) *LetterCase {
	if plan.Type != usher.IDFA && plan.Type != usher.AAID || plan.Input == usher.InputMD5 || plan.TypeColumn > 0 || plan.TypePath != "" {
		return &LetterCase{}
	}
	if i := slices.IndexFunc(plan.Warnings, func(w usher.Warning) bool { return w.Code == usher.WarnLetterCase }); i >= 0 {
		return &LetterCase{wanted: plan.Type, known: plan.Warnings[i].OfAllRows(), digest: plan.Hyphens}
	}
	if len(plan.Warnings) > 0 {
		return &LetterCase{}
	}
	return &LetterCase{wanted: plan.Type}
}

// Add looks at the rows of a block.
func (l *LetterCase) Add(data []byte) {
	const piece, every = 64, 8192
	switch {
	case l.wanted == "":
		return
	case l.known != "":
		l.addRows(data)
		return
	}
	l.bytes += int64(len(data))
	if l.skip > 0 {
		l.skip--
		return
	}
	all, other := 0, 0
	for from := 0; from < len(data); from += every {
		upper, lower := countLetters(data[from:min(from+piece, len(data))])
		all, other = all+upper+lower, other+l.otherOf(upper, lower)
	}
	if other == 0 || 200*other < all {
		return // fewer than half of what a warning takes
	}
	before := l.other
	l.addRows(data)
	if l.pause = 2*l.pause + 1; l.other > before {
		l.pause = 0
	}
	l.pause = min(l.pause, 15)
	l.skip = l.pause // the letters are of other words
}

// addRows counts the rows of a block. UUIDs without hyphens count if the samples had evidence: they
// may be digests otherwise.
func (l *LetterCase) addRows(data []byte) {
	const compact = 32
	for line := range bytes.Lines(data) {
		id := bytes.Trim(rows.TrimSpace(line), `"'{}`)
		if !rows.HasUUIDShape(id) && (l.known == "" || l.digest || len(id) != compact || !rows.LooksLikeID(id)) {
			continue
		}
		if upper, lower := countLetters(id); l.otherOf(upper, lower) > 0 && min(upper, lower) == 0 {
			l.other++
		}
	}
}

// otherOf returns the number of letters that have the case of the other type.
func (l *LetterCase) otherOf(upper, lower int) int {
	if l.wanted == usher.AAID {
		return upper
	}
	return lower
}

// countLetters returns the number of upper-case and of lower-case hexadecimal letters in a text,
// eight bytes at once. It also counts @, G, ` and g, because the test of three bits cannot tell
// them from A to F. No id has them, and for this estimate it does not matter if other text does.
func countLetters(text []byte) (upper, lower int) {
	const letter, small = 0x4040404040404040, 0x2020202020202020
	for len(text) > 0 {
		var word uint64
		if len(text) >= 8 {
			word, text = binary.LittleEndian.Uint64(text), text[8:]
		} else {
			var last [8]byte
			copy(last[:], text)
			word, text = binary.LittleEndian.Uint64(last[:]), nil
		}
		// Bit 6 is set and bits 3 and 4 are not: @ to G, and ` to g.
		found := word & letter &^ (word << 3) &^ (word << 2)
		lowered := found & ((word & small) << 1)
		upper, lower = upper+bits.OnesCount64(found^lowered), lower+bits.OnesCount64(lowered)
	}
	return upper, lower
}

// Warnings returns the evidence against the wanted type.
func (l *LetterCase) Warnings() []usher.Warning {
	const row = 37 // bytes of a UUID and its line end
	switch {
	case l.known != "" && l.other > 0:
		return []usher.Warning{{Code: usher.WarnLetterCase, Count: l.other, Description: l.known}}
	case l.known != "", l.other < rows.EnoughIDs, 100*row*l.other < l.bytes:
		return nil
	}
	other := usher.AAID
	if l.wanted == usher.AAID {
		other = usher.IDFA
	}
	return []usher.Warning{{
		Code: usher.WarnLetterCase, Count: l.other,
		Description: "ids beyond the sampled ones" + choose.InCaseOf(other, l.wanted) + choose.SeparateTypes + "; there may be more, because usher looks closely only at pieces of an export with many of them",
	}}
}
