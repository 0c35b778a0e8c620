package names

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"usher"
)

// Sense is the kind of value that the name of a column promises.
type Sense uint8

// The senses.
const (
	SenseNone        Sense = iota
	SenseHeader            // the name of a column, but not of which values: id, value
	SenseDevice            // ids of devices, of any type
	SenseAdvertising       // advertising ids, of any type
	SenseIDFA
	SenseAAID
	SenseAndroidID
	SenseVendor // ids of a device that are no advertising ids: IDFV, OAID, Amazon's, IMEI
	SenseOther  // ids of something else: a customer, an installation, a session
)

// Digest says which digests of ids the name of a column promises.
type Digest uint8

// The digests.
const (
	DigestNone  Digest = iota
	DigestMD5          // md5, or hash alone
	DigestOther        // SHA-1 and its successors, which usher does not take
)

// Meaning is what the name of a column says.
type Meaning struct {
	Sense  Sense
	Digest Digest
	Known  bool // the name is one of the table, and does not only contain one
}

// IsType reports whether the name is of one type of ids.
func (m Meaning) IsType() bool { return SenseIDFA <= m.Sense && m.Sense <= SenseAndroidID }

// IsDevice reports whether the name is of ids of devices.
func (m Meaning) IsDevice() bool { return SenseDevice <= m.Sense && m.Sense <= SenseVendor }

// IDType returns the type of ids that the name promises, "" for any.
func (m Meaning) IDType() usher.IDType {
	switch m.Sense {
	case SenseIDFA:
		return usher.IDFA
	case SenseAAID:
		return usher.AAID
	case SenseAndroidID:
		return usher.AndroidID
	default:
		return ""
	}
}

// String describes the values that the name promises.
func (m Meaning) String() string {
	switch {
	case m.Digest == DigestMD5:
		return "MD5 digests"
	case m.Digest == DigestOther:
		return "SHA digests"
	case m.Sense == SenseVendor:
		return "ids that are no advertising ids"
	case m.IsType():
		return string(m.IDType())
	case m.Sense == SenseOther:
		return "ids of something other than devices"
	}
	return "device ids"
}

// longestName is the size of the longest name that says something.
const longestName = 256

// MeaningOf returns what the name or the path of a column says.
func MeaningOf(name string) Meaning {
	if strings.ContainsAny(name, "{}[]%$<>=@") || len(name) > longestName {
		return Meaning{} // a macro such as ${adid}, or no name
	}
	words, digest := undressed(wordsOf(strings.TrimSuffix(name, "__c"))) // of Salesforce's custom fields
	switch {
	case len(words) == 0 && digest == DigestNone:
		return Meaning{}
	case len(words) == 0:
		return Meaning{Sense: SenseHeader, Digest: digest, Known: true}
	}
	if s := knownSense(words); s != SenseNone {
		return Meaning{Sense: s, Digest: digest, Known: true}
	}
	last := &words[len(words)-1]
	if last.text = trimNumber(last.text); slices.Contains(aboutIDs, last.text) {
		return Meaning{}
	}
	m := Meaning{Sense: containedSense(words), Digest: digest}
	if m.Sense == SenseNone && m.Digest == DigestNone {
		m = meaningOfAffixes(last.text)
	}
	return m
}

// knownSense returns the sense of a name of the table: the whole name, the last segments of a
// path, or one of these behind prefixes. It is SenseNone for any other name, also for one that
// contains a known name, such as gaid_old, and for one in a path such as previous.gaid.
func knownSense(words []word) Sense {
	last := beginOfLast(words)
	for from := 0; from <= last; from++ {
		if s := senseOf(words[from:]); words[from].begins && s != SenseNone && (s >= SenseVendor || !isContrary(words[:from])) {
			return s
		}
	}
	for from := last; from < len(words)-1 && slices.Contains(prefixes, words[from].text) && !isContrary(words[:last]); from++ {
		if s := senseOf(words[from+1:]); s > SenseHeader {
			return s
		}
	}
	return SenseNone
}

// beginOfLast returns the index of the word that begins the last segment of a path.
func beginOfLast(words []word) int {
	last := 0
	for i := range words {
		if words[i].begins {
			last = i
		}
	}
	return last
}

// prefixes are the words before a known name that do not change what it says.
var prefixes = []string{"user", "device", "primary"}

// isContrary reports whether segments of a path say that the ids below them are not meant.
func isContrary(segments []word) bool {
	return slices.ContainsFunc(segments, func(w word) bool { return slices.Contains(contraryWords, w.text) })
}

// senseOf returns the sense of a name of the table, in the singular or plural.
func senseOf(words []word) Sense {
	text := strings.Join(textsOf(words), "")
	if s, found := sensesByName()[text]; found {
		return s
	}
	return sensesByName()[strings.TrimSuffix(text, "s")]
}

// containedSense returns the sense of the longest known name that the words end in, otherwise
// of the longest one within them.
func containedSense(words []word) Sense {
	for end := len(words); end > 0; end-- {
		for from := range end {
			if s := senseOf(words[from:end]); s > SenseHeader {
				return s
			}
		}
	}
	return SenseNone
}

// SaysOther reports whether a name says that a column has something other than the ids of
// devices, such as session_uuid, gaid_old and a path whose other segments are not neutral. It
// does not say so of a known name, or of one that means nothing, such as uuid.
func SaysOther(name string) bool {
	m := MeaningOf(name)
	if m.Known && m.Sense > SenseHeader {
		return m.Sense >= SenseVendor
	}
	nested := strings.Contains(name, ".")
	return m.Sense > SenseHeader || slices.ContainsFunc(wordsOf(name), func(w word) bool {
		return slices.Contains(ownerWords, w.text) || slices.Contains(contraryWords, w.text) || slices.Contains(aboutIDs, w.text) ||
			nested && !slices.Contains(neutralWords, w.text) && sensesByName()[w.text] != SenseHeader
	})
}

// neutralWords are the segments of paths that only hold values.
var neutralWords = strings.Fields("data result results items entries rows records list ids values export audience")

// meaningOfAffixes returns the meaning of a name without separators that ends in a known
// one, such as hashedidfa and myidfa.
func meaningOfAffixes(text string) Meaning {
	for _, w := range digestWords {
		for _, rest := range []string{strings.TrimSuffix(text, w.text), strings.TrimPrefix(text, w.text)} {
			if s := sensesByName()[rest]; rest != text && s != SenseNone {
				return Meaning{Sense: s, Digest: w.digest, Known: true}
			}
		}
	}
	// Only names that do not also end other words, as adid ends leadid.
	for _, end := range []string{"idfa", "idfv", "gaid", "aaid", "madid", "deviceid", "advertisingid", "androidid", "geraeteid", "werbeid"} {
		if strings.HasSuffix(text, end) {
			return Meaning{Sense: sensesByName()[end]}
		}
	}
	return Meaning{}
}

// Ranks of headers, as RankOf returns them, from the worst to the best.
const (
	RankUnknown = iota // any other text
	RankWeak           // a name of a column, but perhaps not of device ids
	RankTelling        // contains a usual name
	RankUsual          // a usual name of a column of device ids
)

// RankOf returns how well a header names a column of device ids.
func RankOf(header string) int {
	m := MeaningOf(header)
	switch {
	case m.IsDevice() && m.Known && m.Digest == DigestNone:
		return RankUsual
	case m.IsDevice() && len(header) <= 64:
		return RankTelling
	case m.Sense != SenseNone && m.Known:
		return RankWeak
	}
	return RankUnknown
}

// aboutIDs are the last words of names of columns that tell something about an id and
// do not hold it, such as device_id_type and idfa_consent.
var aboutIDs = strings.Fields(`
	type types typ count counts status source date time timestamp ts at os platform consent consented flag enabled available
	limited tracking version name model length valid
`)

// dressing are the last words of names of columns that do not change their meaning.
var dressing = strings.Fields("s raw value values upper lower uppercase lowercase plain")

// digestWords are the words of names of columns of digests. A word comes before those
// that it contains.
var digestWords = []struct {
	text   string
	digest Digest
}{
	{"md5", DigestMD5}, {"hashedid", DigestMD5}, {"hashid", DigestMD5}, {"hashed", DigestMD5}, {"hash", DigestMD5},
	{"sha1", DigestOther}, {"sha256", DigestOther}, {"sha512", DigestOther}, {"sha2", DigestOther}, {"sha", DigestOther},
}

// digestOf returns the digest that a word of a name stands for, such as MD5 for hashed.
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
	for len(words) > 1 && slices.Contains(dressing, words[len(words)-1].text) {
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

// accented are letters with accents, by the letter that they are without.
var accented = [...]string{
	"aàáâãåąā", "cçćč", "eéèêëęē", "gğ", "iìíîïıī", "lł", "nñń", "oòóôõøō", "sşśš", "uùúûū", "yý", "zżźž",
}

// baseLetter returns the letter of ASCII that an accented one is without its accent, otherwise 0.
func baseLetter(r rune) byte {
	if r < utf8.RuneSelf {
		return 0
	}
	for _, letters := range accented {
		if strings.ContainsRune(letters, r) {
			return letters[0]
		}
	}
	return 0
}

// Canonical returns the letters and digits of a name, in lower case, without accents, and with
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
		default:
			if base := baseLetter(r); base != 0 {
				b.WriteByte(base)
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// ParentOf returns a dotted path without its last segment.
func ParentOf(path string) string { return strings.TrimSuffix(path, LastSegment(path)) }

// LastSegment returns the last segment of a dotted path.
func LastSegment(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// IsOtherKind reports whether a name says that ids are of another kind than those of own.
func (m Meaning) IsOtherKind(own Meaning) bool {
	return m.Sense == SenseVendor || m.Digest != own.Digest || m.IsType() && m.Sense != own.Sense
}

// MeaningsOf returns what the names of an export's columns say, one meaning for each. Beside AppsFlyer's,
// Kochava's and Adjust's own ids, two names have another meaning; names.go has
// the sources.
func MeaningsOf(columns []string) []Meaning {
	meanings := make([]Meaning, len(columns))
	beside := map[string]bool{}
	for i := range columns {
		meanings[i] = MeaningOf(columns[i])
		beside[Canonical(LastSegment(columns[i]))] = true
	}
	for i := range columns {
		if meanings[i].Sense != SenseAdvertising || meanings[i].Digest != DigestNone {
			continue
		}
		switch last := LastWord(columns[i]); {
		case beside["appsflyerid"] && Canonical(LastSegment(columns[i])) == "advertisingid":
			meanings[i].Sense = SenseAAID // the IDFA stands in another column
		case beside["kochavadeviceid"] && last == "adid":
			meanings[i].Sense = SenseAAID
		case (beside["gpsadid"] || beside["fireadid"] || beside["idfa"] || beside["idfv"]) && last == "adid":
			meanings[i].Sense = SenseOther // Adjust's own id of an installation
		}
	}
	return meanings
}

// BeforeLastWord returns a name without its last word, as Canonical does; "" if it has one word only.
func BeforeLastWord(name string) string {
	words := textsOf(wordsOf(name))
	return strings.Join(words[:max(len(words)-1, 0)], "")
}
