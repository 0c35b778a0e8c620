package calendar

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Hours are a part of each day or of some weekdays, on the clock of a zone.
type Hours struct {
	text     string   // empty: whole days
	days     []string // the weekdays on which they begin; none: all
	from, to int      // minutes of the day, to excluded; from > to: over midnight
	zone     *time.Location
}

// Weekdays returns the names of the weekdays, from Monday on.
func Weekdays() []string { return []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} }

// OnDays returns the hours on some weekdays, by their names; of nil, these whole days.
func (h *Hours) OnDays(days []string, zone *time.Location) *Hours {
	on := Hours{to: minutesPerDay, zone: zone}
	if h != nil {
		on = *h
	}
	on.days = days
	return &on
}

// minutesPerDay are those of a day without a change of the clocks.
const minutesPerDay = 24 * 60

// ParseHours reads two times of the day, such as 08:00-22:00. Its error is an *Advice.
func ParseHours(text string, zone *time.Location) (*Hours, error) {
	from, to, isRange := strings.Cut(text, "-")
	h := &Hours{text: text, zone: zone}
	var fromOK, toOK bool
	h.from, fromOK = ParseClock(from)
	h.to, toOK = ParseClock(to)
	switch {
	case !isRange || !fromOK || !toOK || h.from == minutesPerDay:
		return nil, &Advice{Message: fmt.Sprintf("active_hours must be two times of the day, and this is %q", text), Hint: hoursHint(text)}
	case h.from == h.to, h.from == 0 && h.to == minutesPerDay:
		return nil, &Advice{
			Message: fmt.Sprintf("active_hours %q have no end: no time is outside", text),
			Hint:    `write "08:00-22:00", or remove active_hours if the rule has none`,
		}
	}
	return h, nil
}

// String returns the hours as they were written, or nothing if they are whole days.
func (h *Hours) String() string { return h.text }

// Days returns the weekdays on which the hours begin, or nothing if these are all.
func (h *Hours) Days() string { return strings.Join(h.days, ", ") }

// Describe names the keys and their values: active_hours 08:00-22:00 on mon, tue.
func (h *Hours) Describe() string {
	switch {
	case h.text == "":
		return "active_days " + h.Days()
	case len(h.days) == 0:
		return "active_hours " + h.text
	}
	return "active_hours " + h.text + " on " + h.Days()
}

// Contains reports whether a time is within the hours. nil contains every time.
func (h *Hours) Contains(at time.Time) bool {
	if h == nil {
		return true
	}
	clock := at.In(h.zone)
	minute, day := clock.Hour()*60+clock.Minute(), DayOf(clock)
	if h.from > h.to && minute < h.to {
		return h.beginsOn(day - 1)
	}
	return h.beginsOn(day) && h.from <= minute && (minute < h.to || h.from > h.to)
}

// beginsOn reports whether the hours begin on a day.
func (h *Hours) beginsOn(day Day) bool {
	return len(h.days) == 0 || slices.Contains(h.days, Weekdays()[day.weekday()])
}

// Clock returns what the clock of the hours shows at a time: 07:30 in Europe/London.
func (h *Hours) Clock(at time.Time) string {
	form := "15:04"
	if len(h.days) > 0 {
		form = "Mon 15:04"
	}
	return at.In(h.zone).Format(form) + " in " + h.zone.String()
}

// MissedBy returns the edge of the hours, such as "begin at 08:00", after which a schedule
// is not due for an hour. It returns "" if there is none.
func (h *Hours) MissedBy(s *Schedule) string {
	for _, edge := range []struct {
		minute int
		verb   string
	}{{h.from, "begin"}, {h.to % minutesPerDay, "end"}} {
		if !s.isDueWithin(edge.minute, 60) {
			return fmt.Sprintf("%s at %02d:%02d", edge.verb, edge.minute/60, edge.minute%60)
		}
	}
	return ""
}

// ParseClock returns the minute of the day of a time such as 08:00, up to 24:00.
func ParseClock(text string) (minute int, ok bool) {
	if !regexp.MustCompile(`^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$`).MatchString(text) {
		return 0, false
	}
	hour, _ := strconv.Atoi(text[:2])
	minute, _ = strconv.Atoi(text[3:])
	return hour*60 + minute, true
}

// hoursForm matches two times of the day as other tools write them: 8-22, Mon-Fri 8am to 10pm.
const hoursForm = `(?i)^\s*([a-z]{3,}(?:\s*-\s*[a-z]{3,})?\s+)?(\d{1,2})(?:[:.](\d{2}))?\s*([ap]m)?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.](\d{2}))?\s*([ap]m)?\s*$`

// hoursHint returns the hours that were probably meant by a text, such as 8-22.
func hoursHint(text string) string {
	const otherwise = `write "08:00-22:00"`
	found := regexp.MustCompile(hoursForm).FindStringSubmatch(text)
	if found == nil {
		return otherwise
	}
	from, to := clockOf(found[2], found[3], found[4]), clockOf(found[5], found[6], found[7])
	_, fromOK := ParseClock(from)
	if _, toOK := ParseClock(to); !fromOK || !toOK || from == "24:00" {
		return otherwise
	}
	hint := fmt.Sprintf("write %q", from+"-"+to)
	if found[1] != "" {
		hint += ", and active_days: [mon, tue, wed, thu, fri] for the days"
	}
	return hint
}

// clockOf returns a time of the day such as 22:00. half is am, pm or empty.
func clockOf(hour, minute, half string) string {
	h, _ := strconv.Atoi(hour)
	switch half = strings.ToLower(half); {
	case half == "am" && h == 12:
		h = 0
	case half == "pm" && h < 12:
		h += 12
	}
	return fmt.Sprintf("%02d:%02s", h, minute)
}
