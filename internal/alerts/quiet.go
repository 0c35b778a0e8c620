package alerts

import (
	"fmt"
	"time"

	"usher/internal/rules/calendar"
)

// Quiet are the hours in which only faults are sent. nil has none.
type Quiet struct{ hours *calendar.Hours }

// ParseQuiet reads quiet hours such as 22:00-07:00 on the clock of a zone. "" has none.
func ParseQuiet(text string, zone *time.Location) (*Quiet, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // nil has no quiet hours
	}
	hours, err := calendar.ParseHours(text, zone)
	if err != nil {
		return nil, fmt.Errorf("%q is not a pair of different times of the day, such as 22:00-07:00", text)
	}
	return &Quiet{hours}, nil
}

func (q *Quiet) contains(at time.Time) bool { return q != nil && q.hours.Contains(at) }

func (q *Quiet) String() string {
	if q == nil {
		return ""
	}
	return q.hours.String()
}
