// Package names says what the names of columns tell of their values: which of them hold
// device ids, of which type, and which hold other kinds of ids. Its table has the names
// that attribution, analytics and CRM products give their columns, with a source for each.
package names

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"usher"
	"usher/hashing"
	"usher/internal/exports/rows"
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

// namedIDs are the columns of ids that exports are known to have. Names are written
// without separators and in lower case; Canonical returns them so.
var namedIDs = []struct {
	sense Sense
	names string
}{
	// Nobody's in particular.
	{SenseHeader, "id identifier uid uuid udid kennung device devices geraet geraete value"},
	{SenseDevice, `deviceid deviceidentifier devicepublicid mobileid mobiledeviceid mobiledeviceidentifier
		geraeteid geraetid geraetekennung geraetekennungen mobilegeraeteid identifiantappareil idappareil identifiantdelappareil
		iddelappareil iddispositivo iddedispositivo iddeldispositivo iddodispositivo identificadordedispositivo apparaatid enhetsid
		idurzadzenia`},
	{SenseAdvertising, `maid madid ifa rdid advertisingid advertisingidentifier adidentifier adid deviceadid deviceadvertisingid
		mobileadid mobileadvertisingid mobileadvertisingidentifier identifierforadvertising identifierforadvertisers idforadvertisers
		werbeid werbekennung werbungsid mobilewerbeid geraetewerbeid identifiantpublicitaire idpublicitaire idpublicitario
		iddepublicidad identificadordepublicidad idpubblicitario iddepublicidade advertentieid annonsid reklamid`},
	{SenseIDFA, `idfa appleadid appleadvertisingid appleidfa appleifa iosid iosidfa iosadid iosadvertisingid iosifa idfaios
		applewerbeid ioswerbeid`},
	{SenseAAID, `gaid aaid googleadid googleadvertisingid googleaid googlegaid googleadvertiserid androidadid androidadvertisingid
		androidaaid androidgaid gaidandroid googlewerbeid androidwerbeid`},
	{SenseAndroidID, "androidid androiddeviceid ssaid"},
	{SenseVendor, "idfv vendorid identifierforvendor identifierforvendors iosidfv iosvendorid appleidfv imei macaddress"},
	{SenseOther, `userid customerid customernumber clientid contactid accountid memberid subscriberid personid profileid leadid crmid
		kundenid kundennummer kundennr nutzerid benutzerid visitorid cookieid sessionid installid installationid eventid messageid
		clickid impressionid transactionid orderid requestid anonymousid externalid email phone pushtoken registrationid appsetid`},

	// AppsFlyer, raw data field dictionary (IDFA, Advertising ID, Android ID, IDFV, OAID,
	// Amazon Fire ID, AppsFlyer ID, Customer User ID).
	// https://support.appsflyer.com/hc/en-us/articles/208387843
	{SenseVendor, "oaid amazonfireid amazonaid amazonadvertisingid"},
	{SenseOther, "appsflyerid customeruserid cuid"},
	// Adjust, device identifiers and placeholders; for adid, Adjust's own id, see column.Meanings.
	// https://help.adjust.com/en/article/device-identifiers
	{SenseAAID, "gpsadid"},
	{SenseVendor, "fireadid"},
	// Branch, advertising identifiers (user_data_idfa, user_data_aaid, user_data_idfv).
	// https://help.branch.io/using-branch/docs/advertising-identifiers-for-attribution
	{SenseOther, "developeridentity userdatadeveloperidentity browserfingerprintid"},
	// Kochava, query reference and device_ids of its API (idfa, adid, android_id).
	// https://support.kochava.com/advanced-tools/query-reference/
	{SenseOther, "kochavadeviceid kochavaid"},
	// Singular, user-level schemas (idfa, idfv, gaid, android_id, custom_user_id) and
	// server-to-server parameters (aifa, andi, asid, amid).
	// https://support.singular.net/hc/en-us/articles/360048784092
	{SenseAAID, "aifa"},
	{SenseAndroidID, "andi"},
	{SenseVendor, "amid asid"},
	{SenseOther, "customuserid singulardeviceid sdid"},
	// mParticle, device_info and device identities.
	// https://docs.mparticle.com/developers/apis/json-reference/
	{SenseAndroidID, "androiduuid"},
	{SenseVendor, "fireadvertisingid rokuadvertisingid rokupublisherid microsoftadvertisingid microsoftpublisherid"},
	{SenseOther, "mpid mpdeviceid deviceapplicationstamp"},
	// Segment, common fields: context.device.id is the IDFV on iOS.
	// https://segment.com/docs/connections/spec/common/
	{SenseVendor, "contextdeviceid"},
	// GA4 and Firebase, BigQuery export.
	// https://support.google.com/firebase/answer/7029846
	{SenseOther, "userpseudoid pseudouserid appinstanceid gaclientid gasessionid"},
	// Braze, user export and personalization (google_ad_id, braze_id, external_id).
	// https://www.braze.com/docs/api/endpoints/export/user_data/
	{SenseOther, "brazeid externaluserid"},
	// Salesforce, Engagement Mobile SDK and MobilePush (advertiserId, registrationId).
	// https://developer.salesforce.com/docs/data/data-cloud-ref/
	{SenseAdvertising, "advertiserid deviceadvertiserid"},
	{SenseOther, "contactkey subscriberkey individualid"},
}

// sensesByName is namedIDs by name.
var sensesByName = sync.OnceValue(func() map[string]Sense {
	senses := map[string]Sense{}
	for _, entry := range namedIDs {
		for name := range strings.FieldsSeq(entry.names) {
			senses[name] = entry.sense
		}
	}
	return senses
})

// aboutIDs are the last words of names of columns that tell something about an id and
// do not hold it, such as device_id_type and idfa_consent.
var aboutIDs = strings.Fields(`
	type types typ count counts status source date time timestamp ts at os platform consent consented flag enabled available
	limited tracking version name model length valid
`)

// dressing are the last words of names of columns that do not change their meaning.
var dressing = strings.Fields("s raw value values upper lower uppercase lowercase plain list clean")

// typeNames are the names of columns of operating systems and of types of ids.
var typeNames = strings.Fields(`
	os osname ostype operatingsystem deviceos mobileos clientos platform plattform deviceplatform system betriebssystem
	type typ idtype deviceidtype deviceidstype advertisingidtype adidtype ifatype maidtype identifiertype devicetype kennungstyp
	geraetetyp
`)

// Digest says which digests of ids the name of a column promises.
type Digest uint8

// The digests.
const (
	DigestNone  Digest = iota
	DigestMD5          // md5, or hash alone
	DigestOther        // SHA-1 and its successors, which usher does not take
)

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

// IsTypeName reports whether the name or the path of a column is one of operating
// systems or of types of ids.
func IsTypeName(name string) bool {
	text, words := "", wordsOf(name)
	for _, w := range slices.Backward(words) {
		if text = w.text + text; slices.Contains(typeNames, text) {
			return true
		}
	}
	return false
}

// Ranks of names.
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
	case m.IsDevice() && m.Whole && m.Digest == DigestNone:
		return RankUsual
	case m.IsDevice() && len(header) <= 64:
		return RankTelling
	case m.Sense != SenseNone && m.Whole:
		return RankWeak
	}
	return RankUnknown
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

// HoldsID reports whether a cell that is taken for a header may hold a device id, which
// would be shown and stored with it.
func HoldsID(cell []byte) bool {
	text := string(cell[:min(len(cell), longestHeader)])
	return hashing.MaskIDs(text) != text
}

const longestHeader = 1 << 10 // bytes that are looked at

// HeaderText returns a header cell as text, without quotes and spaces, at most 64
// bytes. A cell that is not UTF-8 is read as Latin-1.
func HeaderText(cell []byte) string {
	cell = rows.TrimSpace(bytes.Trim(rows.TrimSpace(cell), `"`))
	cell = cell[:min(len(cell), longestHeader)]
	text := string(cell)
	if !utf8.Valid(cell) {
		runes := make([]rune, len(cell))
		for i, c := range cell {
			runes[i] = rune(c)
		}
		text = string(runes)
	}
	if len(text) > 64 {
		text = hashing.MaskIDs(text) // the rest of an id that is cut would no longer look like one
	}
	if len(text) > 64 {
		text = strings.ToValidUTF8(text[:64], "")
	}
	return text
}

// LooksLikeName reports whether a cell looks like the name of a column and not like
// a value: it begins with a letter and has few digits, and it is neither a
// placeholder nor possibly an id.
func LooksLikeName(cell string) bool {
	if cell == "" || len(cell) >= 64 || hashing.IsPlaceholder([]byte(cell)) || strings.EqualFold(cell, "true") || strings.EqualFold(cell, "false") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(cell)
	if !unicode.IsLetter(first) || strings.ContainsAny(cell, "@{}[]%$=<>\"\\\x00") {
		return false
	}
	digits, hex := 0, 0
	for _, c := range []byte(cell) {
		if '0' <= c && c <= '9' {
			digits++
		}
		if rows.IsHex(c) || c == '-' {
			hex++
		}
	}
	return digits <= 2 && (hex < len(cell) || len(cell) < 8)
}
