package column

import (
	"iter"
	"slices"
	"strings"

	"usher/internal/exports/rows"
)

// OtherIDs returns the indexes of columns beside the chosen one, which is at an index. ids may
// hold ids: they do in the sample beside those of the chosen one, or their names say that they
// hold those of another kind. apart are the others whose names say that their ids are not those
// of the chosen one. pairs returns the cells of the chosen column and of another one, row by row.
func OtherIDs(columns []Column, at int, pairs func(other int) iter.Seq2[string, string]) (ids, apart []int) {
	var own Meaning
	if at < len(columns) {
		own = MeaningOf(columns[at].Name)
	}
	ids = Pick(columns, func(i int) bool {
		return i != at && (isOtherKind(MeaningOf(columns[i].Name), own) || columns[i].HoldsIDs() && !replacesIDs(pairs(i)))
	})
	meanings := Meanings(columns)
	apart = Pick(columns, func(i int) bool {
		return i != at && meanings[i].Sense > SenseAdvertising && !slices.Contains(ids, i)
	})
	return ids, apart
}

// replacesIDs reports whether a column has ids in rows whose cell of the chosen column is another
// word, and hardly any beside an id. Two exports were put together then.
func replacesIDs(pairs iter.Seq2[string, string]) bool {
	beside, instead := 0, 0
	for id, other := range pairs {
		switch {
		case !rows.LooksLikeID([]byte(other)):
		case rows.LooksLikeIDs([]byte(id)):
			beside++
		case rows.MayBeMoved([]byte(id)):
			instead++
		}
	}
	return instead > 0 && rows.HardlyAny(beside, beside+instead)
}

// isOtherKind reports whether a name says that ids are of another kind than those of own.
func isOtherKind(m, own Meaning) bool {
	return m.Sense == SenseVendor || m.Digest != own.Digest || m.IsType() && m.Sense != own.Sense
}

// Meanings returns what the names of an export's columns say, one meaning for each column. Beside AppsFlyer's,
// Kochava's and Adjust's own ids, two names have another meaning; names.go has
// the sources.
func Meanings(columns []Column) []Meaning {
	meanings := make([]Meaning, len(columns))
	beside := map[string]bool{}
	for i := range columns {
		meanings[i] = MeaningOf(columns[i].Name)
		beside[Canonical(lastSegment(columns[i].Name))] = true
	}
	for i := range columns {
		if meanings[i].Sense != SenseAdvertising || meanings[i].Digest != DigestNone {
			continue
		}
		switch last := LastWord(columns[i].Name); {
		case beside["appsflyerid"] && Canonical(lastSegment(columns[i].Name)) == "advertisingid":
			meanings[i].Sense = SenseAAID // the IDFA stands in another column
		case beside["kochavadeviceid"] && last == "adid":
			meanings[i].Sense = SenseAAID
		case (beside["gpsadid"] || beside["fireadid"] || beside["idfa"] || beside["idfv"]) && last == "adid":
			meanings[i].Sense = SenseOther // Adjust's own id of an installation
		}
	}
	return meanings
}

// parentOf returns a dotted path without its last segment.
func parentOf(path string) string { return strings.TrimSuffix(path, lastSegment(path)) }

// lastSegment returns the last segment of a dotted path.
func lastSegment(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
