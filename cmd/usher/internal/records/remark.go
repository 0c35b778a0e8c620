package records

import (
	"fmt"

	"usher"
)

// LetterID returns the id of a letter's job, or a dash if it is not readable.
func LetterID(l *usher.DeadLetter) string {
	if l.ID == nil {
		return "–"
	}
	return *l.ID
}

// Remark returns the error class, the reason for waiting, or the progress of a job, for
// lists.
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
