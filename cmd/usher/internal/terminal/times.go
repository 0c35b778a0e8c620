package terminal

import (
	"io"
	"time"

	"usher/internal/readable"
)

// Times writes the times of a list: on a terminal as ages, because people ask how long ago
// something was, and elsewhere as dates, because a file is read later.
type Times struct {
	ages bool
	now  time.Time
}

// NewTimes returns the Times of a list that is written to w. absolute asks for dates.
func NewTimes(w io.Writer, absolute bool, now time.Time) Times {
	return Times{ages: !absolute && Width(w) > 0, now: now}
}

// Text returns a time as an age or a date.
func (t Times) Text(at time.Time) string {
	if t.ages {
		return readable.Ago(at, t.now)
	}
	return readable.Time(at)
}

// Phrase returns a time as an age, or as "at" and a date.
func (t Times) Phrase(at time.Time) string {
	if t.ages {
		return readable.Ago(at, t.now)
	}
	return "at " + readable.Time(at)
}

// When returns a time as a date, and on a terminal also as an age.
func When(w io.Writer, at time.Time) string {
	if at.IsZero() || Width(w) == 0 {
		return readable.Time(at)
	}
	return readable.Time(at) + " (" + readable.Ago(at, time.Now()) + ")"
}
