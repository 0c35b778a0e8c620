package names

import (
	"slices"
	"strings"

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
	Whole  bool // the name, or a segment of a path, is a known name and not only contains one
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

// MeaningOf returns what the name or the path of a column says.
func MeaningOf(name string) Meaning {
	if strings.ContainsAny(name, "{}[]%$<>=@") || len(name) > 256 {
		return Meaning{} // a macro such as ${adid}, or no name
	}
	words, digest := undressed(wordsOf(name))
	switch {
	case len(words) == 0 && digest == DigestNone:
		return Meaning{}
	case len(words) == 0:
		return Meaning{Sense: SenseHeader, Digest: digest, Whole: true}
	}
	last := &words[len(words)-1]
	if last.text = trimNumber(last.text); slices.Contains(aboutIDs, last.text) {
		return Meaning{}
	}
	m := Meaning{Digest: digest}
	m.Sense, m.Whole = senseOf(words)
	if m.Sense == SenseNone && m.Digest == DigestNone {
		m = meaningOfAffixes(last.text)
	}
	return m
}

// senseOf returns the sense of the longest known name that the words end in, otherwise
// of the longest one within them.
func senseOf(words []word) (s Sense, whole bool) {
	for end := len(words); end > 0; end-- {
		text := ""
		for i := end - 1; i >= 0; i-- {
			text = words[i].text + text
			known, found := sensesByName()[text]
			if !found {
				known, found = sensesByName()[strings.TrimSuffix(text, "s")]
			}
			exact := end == len(words) && words[i].begins
			if found && (known != SenseHeader || exact) {
				s, whole = known, exact
			}
		}
		if s != SenseNone {
			return s, whole
		}
	}
	return SenseNone, false
}

// meaningOfAffixes returns the meaning of a name without separators that ends in a known
// one, such as hashedidfa and myidfa.
func meaningOfAffixes(text string) Meaning {
	for _, w := range digestWords {
		for _, rest := range []string{strings.TrimSuffix(text, w.text), strings.TrimPrefix(text, w.text)} {
			if s := sensesByName()[rest]; rest != text && s != SenseNone {
				return Meaning{Sense: s, Digest: w.digest, Whole: true}
			}
		}
	}
	// Only names that do not occur at the end of other words, as adid does in leadid.
	for _, end := range []string{"idfa", "idfv", "gaid", "aaid", "madid", "deviceid", "advertisingid", "androidid", "geraeteid", "werbeid"} {
		if strings.HasSuffix(text, end) {
			return Meaning{Sense: sensesByName()[end]}
		}
	}
	return Meaning{}
}
