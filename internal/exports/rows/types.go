package rows

import (
	"slices"
	"strings"

	"usher"
)

// typeWords are the letters, in lower case, of the values of columns of operating
// systems and of types of ids.
var typeWords = map[string]usher.RowType{
	"ios": usher.RowIOS, "iphone": usher.RowIOS, "iphoneos": usher.RowIOS, "ipad": usher.RowIOS, "ipados": usher.RowIOS, "ipod": usher.RowIOS,
	"apple": usher.RowIOS, "appleios": usher.RowIOS, "iosapple": usher.RowIOS, "tvos": usher.RowIOS, "appletv": usher.RowIOS,
	"idfa": usher.RowIOS, "iosidfa": usher.RowIOS, "appleidfa": usher.RowIOS, "ifa": usher.RowIOS,
	"android": usher.RowAndroid, "androidos": usher.RowAndroid, //nolint:misspell // Android OS
	"google": usher.RowAndroid, "googleandroid": usher.RowAndroid, "googleplay": usher.RowAndroid, "androidtv": usher.RowAndroid,
	"aaid": usher.RowAAID, "gaid": usher.RowAAID, "adid": usher.RowAAID, "googleadid": usher.RowAAID, "googleaid": usher.RowAAID, "googleadvertisingid": usher.RowAAID,
	"androidadid": usher.RowAAID, "androidaaid": usher.RowAAID, "androidgaid": usher.RowAAID, "androidadvertisingid": usher.RowAAID,
	"androidid": usher.RowAndroidID, "ssaid": usher.RowAndroidID,
}

// otherSystems are the letters, in lower case, of values beside them that name no type of ids.
var otherSystems = strings.Fields(`
	windows windowsphone windowsmobile mac macos macosx osx linux chromeos web mobileweb desktop browser webos tizen roku rokuos
	fireos firetv harmonyos huawei kaios blackberry playstation xbox watchos other others unknown andere sonstige unbekannt
`)

// unnamedSystems are those of them that may be any system, or where somebody signed up.
var unnamedSystems = strings.Fields("other others unknown andere sonstige unbekannt web mobileweb desktop browser")

// companies are the values that name a type of ids in a column of operating systems, and something
// else in other columns.
var companies = []string{"apple", "google"}

// maxTypeWord is the length of the longest cell that can name a type.
const maxTypeWord = 64

// ParseType returns the type that a cell names: ios, "iPhone OS", Android 14, google_ad_id.
// Only letters count, in either case.
func ParseType(cell []byte) usher.RowType {
	return typeWords[string(appendLetters(make([]byte, 0, maxTypeWord), cell))]
}

// IsOtherSystem reports whether a cell names an operating system, or a system without a name, that
// has no type of ids.
func IsOtherSystem(cell []byte) bool {
	return slices.Contains(otherSystems, string(appendLetters(make([]byte, 0, maxTypeWord), cell)))
}

// IsNamedSystem reports whether a cell names an operating system that has no type of ids.
func IsNamedSystem(cell []byte) bool {
	letters := string(appendLetters(make([]byte, 0, maxTypeWord), cell))
	return slices.Contains(otherSystems, letters) && !slices.Contains(unnamedSystems, letters)
}

// IsCompany reports whether a cell names a type by the name of a company.
func IsCompany(cell []byte) bool {
	return slices.Contains(companies, string(appendLetters(make([]byte, 0, maxTypeWord), cell)))
}

// appendLetters appends the letters of a cell in lower case, none of a long one.
func appendLetters(out, cell []byte) []byte {
	if len(cell) > maxTypeWord {
		return out
	}
	for _, c := range cell {
		if c |= 0x20; 'a' <= c && c <= 'z' {
			out = append(out, c)
		}
	}
	return out
}

// TypeCache remembers the types of the last few cells, since a column of types
// repeats the same few words.
type TypeCache struct{ last recent[usher.RowType] }

// Lookup is ParseType.
func (t *TypeCache) Lookup(cell []byte) usher.RowType { return t.last.lookup(cell, ParseType) }
