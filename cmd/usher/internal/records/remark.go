package records

import (
	"fmt"

	"usher"
)

// LetterID is the id of a letter's job, as far as one could be read.
func LetterID(l *usher.DeadLetter) string {
	if l.ID == nil {
		return "–"
	}
	return *l.ID
}

// Remark is what is worth saying of a job in a list.
func Remark(r usher.Record) string {
	switch {
	case r.Error != nil:
		return string(r.Error.Class)
	case r.Why != nil:
		return *r.Why
	case r.Parts.Total > 1 && !r.State.Ended():
		return fmt.Sprintf("%d of %d parts done", r.Parts.Done, r.Parts.Total)
	}
	return ""
}
