package choose

import (
	"fmt"
	"hash/maphash"

	"usher/hashing"
)

// The widths of ANDROID_IDs, in characters.
const (
	leastWidth = 9
	fullWidth  = 16
)

// lastDigits is the number of characters at the end of an id that are random even if the ids of a
// sample are neighbours in a sorted export.
const lastDigits = 8

// androidIDs counts the different ANDROID_IDs of a column, for damage that no single one shows:
// an id of digits alone is valid, and one in 1,850 is, but a spreadsheet takes it for a number and
// changes it.
type androidIDs struct {
	seen map[uint64]struct{}

	all     int
	width   [fullWidth + 1]int // by their number of characters
	begun   [fullWidth + 1]int // of these, ids that are decimal digits up to their last eight characters
	digits  [fullWidth + 1]int // of these, ids of decimal digits alone
	rounded int                // ids of 16 decimal digits, the last of which is 0
}

// idSeed is the seed of the hashes of ids that were seen.
var idSeed = maphash.MakeSeed()

// count counts a value that may be an ANDROID_ID.
func (a *androidIDs) count(value []byte) {
	if n := len(value); n < leastWidth || n > fullWidth || !hashing.IsHex(value) || !hashing.IsAndroidID(value) {
		return
	}
	key := maphash.Bytes(idSeed, value)
	if _, found := a.seen[key]; found {
		return
	}
	if a.seen == nil {
		a.seen = map[uint64]struct{}{}
	}
	a.seen[key] = struct{}{}
	n := len(value)
	a.all++
	a.width[n]++
	if !isDecimal(value[:n-lastDigits]) {
		return
	}
	a.begun[n]++
	if !isDecimal(value[n-lastDigits:]) {
		return
	}
	a.digits[n]++
	a.rounded += one(n == fullWidth && value[n-1] == '0')
}

func isDecimal(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// damage returns the number of ids that have been damaged, that of the ids that they are compared
// with, and what they have in common. It returns 0 if chance explains all of it.
func (a *androidIDs) damage() (n, of int, text string) {
	const decimal = 10. / 16 // the probability of a digit to be a decimal one
	last := 1.
	for range lastDigits {
		last *= decimal
	}
	begun, digits := 0, 0
	for w := leastWidth; w <= fullWidth; w++ {
		begun, digits = begun+a.begun[w], digits+a.digits[w]
	}
	if atLeast(digits, begun, last) < tooRare {
		return digits, a.all, "are digits alone, as one random id in 1,850 is"
	}
	if d := a.digits[fullWidth]; atLeast(a.rounded, d, 0.1) < tooRare {
		return a.rounded, d, "of 16 digits end in 0, as one in 10 would"
	}
	for w := leastWidth; w < fullWidth; w++ {
		if atLeast(a.digits[w], a.begun[w], last) < tooRare {
			return a.digits[w], a.width[w], fmt.Sprintf("of %d characters are digits alone, so that zeros in front were lost", w)
		}
		rare := 1.
		for range fullWidth - w {
			rare /= 16
		}
		if 2*a.width[w] > a.all && atLeast(a.width[w], a.all, rare) < tooRare {
			return a.width[w], a.all, fmt.Sprintf("have %d characters, and ids have 16", w)
		}
	}
	return 0, 0, ""
}

// exportAgain is what to do about ids that a spreadsheet has changed.
const exportAgain = "export the ids from their source again and do not save them in a spreadsheet: it takes an ANDROID_ID of digits for a number, so that zeros in front are lost, digits behind the 15th become 0, and others become 1.2E+15"
