package exports

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"usher/internal/exports/rows"
)

// usualNames are the usual names of columns of device ids, as canonicalName returns
// them.
var usualNames = strings.Fields(`
	idfa gaid aaid adid maid madid ifa rdid
	deviceid deviceidentifier deviceadid deviceadvertisingid devicepublicid
	mobileid mobiledeviceid mobileadid mobileadvertisingid mobileadvertisingidentifier mobiledeviceidentifier
	advertisingid advertisingidentifier adidentifier identifierforadvertising identifierforadvertisers idforadvertisers
	appleadid appleadvertisingid appleidfa appleifa iosid iosidfa iosadid iosadvertisingid iosifa idfaios
	googleadid googleadvertisingid googleaid googlegaid googleadvertiserid
	androidid androidadid androidadvertisingid androidaaid androidgaid androiddeviceid gaidandroid
	geraeteid geraetid geraetekennung geraetekennungen mobilegeraeteid werbeid werbekennung werbungsid mobilewerbeid
	applewerbeid googlewerbeid geraetewerbeid androidwerbeid ioswerbeid
	identifiantpublicitaire idpublicitaire identifiantappareil idappareil identifiantdelappareil iddelappareil
	iddispositivo iddedispositivo iddeldispositivo idpublicitario iddepublicidad identificadordepublicidad
	idpubblicitario iddeldispositivo iddodispositivo iddepublicidade identificadordedispositivo
	apparaatid advertentieid enhetsid annonsid reklamid idurzadzenia
`)

// tellingParts are parts of the names of columns of device ids, such as hashed_idfa
// and user_device_id. Short names that occur in other words (maid in maiden, adid in
// leadid) are not among them.
var tellingParts = []string{
	"idfa", "gaid", "aaid", "madid", "deviceid", "deviceidentifier", "advertisingid", "androidid", "geraeteid", "werbeid",
}

// weakNames show that a row is a header, but not which column has the device ids: a
// customer's number may also be called id.
var weakNames = strings.Fields(`
	id identifier uid uuid udid userid customerid kundenid kundennummer kennung device devices geraet geraete
	hash md5 hashedid hashid value
`)

// Ranks of names.
const (
	nameUnknown = iota // any other text
	nameWeak           // a name of a column, but perhaps not of device ids
	nameTelling        // contains a usual name
	nameUsual          // a usual name of a column of device ids
)

// nameRank returns how well a header names a column of device ids.
func nameRank(header string) int {
	if strings.ContainsAny(header, "{}[]%$<>=@") {
		return nameUnknown // a macro: ${adid}
	}
	name := canonicalName(header)
	for _, n := range []string{name, strings.TrimSuffix(name, "s")} {
		if slices.Contains(usualNames, n) {
			return nameUsual
		}
	}
	if len(name) > 64 {
		return nameUnknown
	}
	if slices.ContainsFunc(tellingParts, func(part string) bool { return strings.Contains(name, part) }) {
		return nameTelling
	}
	for _, n := range []string{name, strings.TrimSuffix(name, "s")} {
		if slices.Contains(weakNames, n) {
			return nameWeak
		}
	}
	return nameUnknown
}

// sameName reports whether two names differ only in case, spaces, hyphens,
// underscores and the spelling of umlauts.
func sameName(a, b string) bool {
	a, b = canonicalName(a), canonicalName(b)
	return a == b && a != ""
}

// canonicalName returns the letters and digits of a name, in lower case and with
// umlauts as two letters.
func canonicalName(name string) string {
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

// headerText returns a header cell as text, without quotes and spaces, at most 64
// bytes. A cell that is not UTF-8 is read as Latin-1.
func headerText(cell []byte) string {
	cell = rows.TrimSpace(bytes.Trim(rows.TrimSpace(cell), `"`))
	cell = cell[:min(len(cell), 256)]
	text := string(cell)
	if !utf8.Valid(cell) {
		runes := make([]rune, len(cell))
		for i, c := range cell {
			runes[i] = rune(c)
		}
		text = string(runes)
	}
	if len(text) > 64 {
		text = strings.ToValidUTF8(text[:64], "")
	}
	return text
}

// looksLikeName reports whether a cell looks like the name of a column and not like
// a value: it begins with a letter and has few digits, and it is neither a
// placeholder nor possibly an id.
func looksLikeName(cell string) bool {
	if cell == "" || len(cell) >= 64 || slices.Contains(placeholders, strings.ToLower(cell)) {
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

var placeholders = []string{"unknown", "null", "none", "nil", "undefined", "nan", "n/a", "na", "true", "false"}
