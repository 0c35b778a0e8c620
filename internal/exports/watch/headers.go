package watch

import (
	"slices"
	"strings"

	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// HeadersBeside returns what tells other headers from that of the column of ids. Without
// one, the names of device ids may be right; package hashing compares them with the
// profile.
func HeadersBeside(header string) func(cell []byte) csv.Name {
	own := names.MeaningOf(header)
	return func(cell []byte) csv.Name {
		text := strings.TrimLeft(names.HeaderText(cell), "_") // of MongoDB's _id
		if !names.LooksLikeName(text) {
			return csv.NoName
		}
		switch m := names.MeaningOf(text); {
		case header == "" && m.Digest == names.DigestNone && m.IsDevice() && m.Sense != names.SenseVendor:
			return csv.SameIDs
		case own.IsDevice() && names.Same(text, header), m.IsType() && m.Sense == own.Sense && m.Digest == own.Digest:
			return csv.SameIDs
		case m.Sense > names.SenseHeader: // id and device may be words as well
			return csv.OtherIDs
		case slices.Contains([]string{"id", "uid", "uuid", "guid", "udid", "key", "identifier"}, names.LastWord(text)):
			return csv.IDName
		case names.IsState(text):
			return csv.State
		}
		return csv.AnyName
	}
}

// NewWords returns a function that reports whether a cell of the column of ids is a word that
// did not occur before and is not the column's name: its row may be another header. After a
// few words it reports none, since the column has words then.
func NewWords(header string) func(text string) bool {
	const few = 16
	words := map[string]bool{}
	return func(text string) bool {
		if rows.HasUUIDShape([]byte(text)) || len(words) == few || words[text] || !names.LooksLikeName(names.HeaderText([]byte(text))) || names.Same(text, header) {
			return false
		}
		words[text] = true
		return true
	}
}
