package column

import (
	"usher/hashing"
	"usher/internal/exports/places"
)

// warnCommented is the code of the warning for rows that somebody may have commented out.
const warnCommented = "commented_out"

// Commented adds to the evidence that n of all sampled rows with an id begin with a mark. sure says
// that somebody has commented them out, so that the export is refused.
func (s Search) Commented(from places.Origin, mark string, n, all int, hint string, sure bool) {
	if sure && !s.Removes {
		s.Evidence.refuse(from.Broken(hint, "%d of %d sampled rows with an id begin with %q, as if they were commented out", n, all, mark))
		return
	}
	s.Evidence.add(finding{
		code: warnCommented, n: n, all: all,
		text: "sampled rows with an id begin with " + mark + ", and are read: if they were commented out, " + hint,
	}, hashing.MaskIDs(s.Evidence.nameOf(from)))
}
