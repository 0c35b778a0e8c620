package names

import (
	"slices"
	"strings"
)

// typeNames are the names of columns of operating systems and of types of ids.
var typeNames = strings.Fields(`
	os osname ostype operatingsystem deviceos mobileos clientos platform plattform deviceplatform system betriebssystem
	type typ idtype deviceidtype deviceidstype advertisingidtype adidtype ifatype maidtype identifiertype devicetype kennungstyp
	geraetetyp
`)

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
