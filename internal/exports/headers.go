package exports

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"usher/internal/exports/rows"
)

// usualNames are what a column of device ids is usually called, as
// canonicalName writes them.
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

// telling are parts of names that tell a column of device ids: hashed_idfa,
// user_device_id. Short ones that stand in other words too (maid in maiden,
// adid in leadid) are not among them.
var telling = []string{
	"idfa", "gaid", "aaid", "madid", "deviceid", "deviceidentifier", "advertisingid", "androidid", "geraeteid", "werbeid",
}

// weakNames tell a header from a row, but not which column to take: a
// customer's number is called id too.
var weakNames = strings.Fields(`
	id identifier uid uuid udid userid customerid kundenid kundennummer kennung device devices geraet geraete
	hash md5 hashedid hashid value
`)

// nameRank says how much a header tells: 3 for one of the usual names of a
// column of device ids, 2 for one that has it within, 1 for a name that at least
// is no row, 0 for anything else.
func nameRank(header string) int {
	if strings.ContainsAny(header, "{}[]%$<>=@") {
		return 0 // a macro: ${adid}
	}
	name := canonicalName(header)
	for _, n := range []string{name, strings.TrimSuffix(name, "s")} {
		if slices.Contains(usualNames, n) {
			return 3
		}
	}
	if len(name) > 64 {
		return 0
	}
	if slices.ContainsFunc(telling, func(part string) bool { return strings.Contains(name, part) }) {
		return 2
	}
	for _, n := range []string{name, strings.TrimSuffix(name, "s")} {
		if slices.Contains(weakNames, n) {
			return 1
		}
	}
	return 0
}

// sameName reports whether two names are the same but for case, spaces,
// hyphens, underscores and how umlauts are written.
func sameName(a, b string) bool {
	a, b = canonicalName(a), canonicalName(b)
	return a == b && a != ""
}

// canonicalName is a name in lower-case letters and digits, umlauts as two
// letters.
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

// headerText is a header cell as text: without quotes and space, from Latin-1
// where it is no UTF-8, at most 64 bytes.
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

// readsAsName reports whether a cell reads as the name of a column rather than
// as a value: a letter first, few digits, no placeholder, and nothing that could
// be an id.
func readsAsName(cell string) bool {
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
