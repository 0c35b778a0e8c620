package column

import (
	"strings"

	"usher/hashing"
	"usher/internal/exports/places"
)

// warnOtherSheets is the code of the warning for sheets with ids that are not read.
const warnOtherSheets = "other_sheets"

// OtherSheets adds to the evidence that sheets with ids are not read. own is the one that is.
func (s Search) OtherSheets(from places.Origin, own string, names []string, all int) {
	if s.Evidence == nil || len(names) == 0 {
		return
	}
	const most = 5
	named := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		named += " …"
	}
	s.Evidence.add(finding{
		code: warnOtherSheets, n: len(names), all: all,
		text: "sheets have device ids as well and are not read (" + named + "), only " + own + " is: set source.sheet to the name of the one that is meant",
	}, hashing.MaskIDs(s.Evidence.nameOf(from)))
}
