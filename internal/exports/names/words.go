package names

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// aboutIDs are the last words of names of columns that tell something about an id and
// do not hold it, such as device_id_type and idfa_consent.
var aboutIDs = strings.Fields(`
	type types typ count counts status source date time timestamp ts at os platform consent consented flag enabled available
	limited tracking version name model length valid
`)

// dressing are the last words of names of columns that do not change their meaning.
var dressing = strings.Fields("s raw value values upper lower uppercase lowercase plain list clean")

// digestWords are the words of names of columns of digests. A word comes before those
// that it contains.
var digestWords = []struct {
	text   string
	digest Digest
}{
	{"md5", DigestMD5}, {"hashedid", DigestMD5}, {"hashid", DigestMD5}, {"hashed", DigestMD5}, {"hash", DigestMD5},
	{"sha1", DigestOther}, {"sha256", DigestOther}, {"sha512", DigestOther}, {"sha2", DigestOther}, {"sha", DigestOther},
}

// digestOf returns the digest that a word names.
func digestOf(text string) Digest {
	for _, w := range digestWords {
		if w.text == text {
			return w.digest
		}
	}
	return DigestNone
}

// undressed returns the words without those of digests and those at the end that do not
// change what the name says, and the digest.
func undressed(words []word) ([]word, Digest) {
	found, begins, rest := DigestNone, false, words[:0]
	for _, w := range words {
		begins = begins || w.begins
		if d := digestOf(w.text); d != DigestNone {
			found = max(found, d)
			continue
		}
		rest = append(rest, word{w.text, begins})
		begins = false
	}
	words = rest
	for len(words) > 1 && (slices.Contains(dressing, words[len(words)-1].text) || trimNumber(words[len(words)-1].text) == "") {
		words = words[:len(words)-1]
	}
	return words, found
}

// trimNumber removes the digits at the end of a word.
func trimNumber(text string) string { return strings.TrimRight(text, "0123456789") }

// word is a word of a name.
type word struct {
	text   string // as Canonical returns it
	begins bool   // a segment of a path, or the name
}

// LastWord returns the last word of a name, without separators and in lower case: id of
// device_adId. It is "" if the name has none.
func LastWord(name string) string {
	words := wordsOf(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1].text
}

// wordsOf splits a name at what is no letter or digit, and before capitals.
func wordsOf(name string) []word {
	var words []word
	begins, from, last := true, 0, rune(0)
	add := func(to int) {
		if text := Canonical(name[from:to]); text != "" {
			words = append(words, word{text, begins})
			begins = false
		}
	}
	name = strings.ToValidUTF8(name, "\uFFFD") // an invalid byte would be shorter than its rune
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			add(i)
			from = i + utf8.RuneLen(r)
			begins = begins || r == '.'
		case unicode.IsUpper(r) && unicode.IsLower(last):
			add(i)
			from = i
		}
		last = r
	}
	add(len(name))
	return words
}

// Same reports whether two names differ only in case, spaces, hyphens,
// underscores and the spelling of umlauts.
func Same(a, b string) bool {
	a, b = Canonical(a), Canonical(b)
	return a == b && a != ""
}

// Canonical returns the letters and digits of a name, in lower case and with
// umlauts as two letters.
func Canonical(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch r {
		case 'ä':
			b.WriteString("ae")
		case 'ö':
			b.WriteString("oe")
		case 'ü':
			b.WriteString("ue")
		case 'ß':
			b.WriteString("ss")
		case '\u0308': // a combining diaeresis
			b.WriteByte('e')
		case 'é', 'è', 'ê':
			b.WriteByte('e')
		default:
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
