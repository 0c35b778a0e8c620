package figures

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"usher/internal/readable"
	"usher/internal/rules/calendar"
)

// Window selects the days over which figures are summed, in the account's zone. The zero
// Window is invalid.
type Window struct {
	Kind Kind
	Days int // of LastDays, DaysAgo and SameDay
}

// Kind is the kind of a window.
type Kind int

// The kinds of windows.
const (
	Today     Kind = iota + 1 // the running day
	Yesterday                 // the complete day before it
	LastDays                  // a number of complete days before it
	ThisMonth                 // the complete days of its month before it: on the first, none
	Lifetime                  // all days until now, including the running one
	FirstRows                 // the days in which a first row is looked for; not in rule files
	DaysAgo                   // the complete day a number of days before it; not in rule files
	ThisWeek                  // the complete days since Monday: on a Monday, none
	SameDay                   // the day a week before that of the rule's window, which is a number of days before it; in over only
)

// MaxDays is the length of the longest window of LastDays.
const MaxDays = 366

// FirstRowDays is the number of days before today in which a first row is looked for.
const FirstRowDays = 90

// firstDay is the first day of a lifetime.
var firstDay = calendar.DayOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))

// ParseWindow reads today, yesterday, last N days, this week, this month, lifetime, or same day
// last week, whose days the window of the rule says (SameDayOf).
func ParseWindow(text string) (Window, error) {
	switch text {
	case "today":
		return Window{Kind: Today}, nil
	case "yesterday":
		return Window{Kind: Yesterday}, nil
	case "this week":
		return Window{Kind: ThisWeek}, nil
	case "this month":
		return Window{Kind: ThisMonth}, nil
	case "same day last week":
		return Window{Kind: SameDay}, nil
	case "lifetime":
		return Window{Kind: Lifetime}, nil
	}
	words := strings.Fields(text)
	if len(words) == 3 && words[0] == "last" && (words[2] == "days" || words[2] == "day") {
		if n, err := strconv.Atoi(words[1]); err == nil && n >= 1 && n <= MaxDays {
			return Window{Kind: LastDays, Days: n}, nil
		}
		return Window{}, fmt.Errorf("window %q: N is a whole number from 1 to %d", text, MaxDays)
	}
	return Window{}, fmt.Errorf("unknown window %q", text)
}

// SameDayOf returns the window same day last week of a rule with a window of one day, and reports
// whether there is one.
func SameDayOf(w Window) (Window, bool) {
	switch w.Kind {
	case Today:
		return Window{SameDay, 7}, true
	case Yesterday:
		return Window{SameDay, 8}, true
	}
	return Window{}, false
}

// WindowHint returns the window that was probably meant by a text.
func WindowHint(text string) string {
	text = strings.ToLower(text)
	for _, word := range []string{"mtd", "this month", "current month", "month to date"} {
		if strings.Contains(text, word) {
			return `did you mean "this month"?`
		}
	}
	for _, word := range []string{"wtd", "this week", "current week", "week to date", "since monday"} {
		if strings.Contains(text, word) {
			return `did you mean "this week"?`
		}
	}
	if digits := regexp.MustCompile(`\d{1,4}`).FindString(text); digits != "" && !strings.ContainsAny(text, "hm") {
		n, _ := strconv.Atoi(digits) // four digits at most
		return fmt.Sprintf("did you mean %q?", Window{LastDays, min(max(n, 1), MaxDays)})
	}
	for _, each := range []struct{ word, window string }{
		{"week", "last 7 days"}, {"month", "last 30 days"}, {"max", "lifetime"}, {"all", "lifetime"}, {"ever", "lifetime"},
	} {
		if strings.Contains(text, each.word) {
			return fmt.Sprintf("did you mean %q?", each.window)
		}
	}
	return readable.Suggest(text, []string{"today", "yesterday", "last 7 days", "this week", "this month", "lifetime"}, "write today, yesterday, last 7 days, this week, this month or lifetime")
}

// String returns the window as in rule files.
func (w Window) String() string {
	switch w.Kind {
	case Yesterday:
		return "yesterday"
	case Lifetime:
		return "lifetime"
	case LastDays:
		return "last " + readable.Count(w.Days, "day")
	case ThisWeek:
		return "this week"
	case ThisMonth:
		return "this month"
	case SameDay:
		return "same day last week"
	case DaysAgo:
		return "the day"
	}
	return "today"
}

// InText names the window in a sentence: the last 7 days.
func (w Window) InText() string {
	if w.Kind == LastDays || w.Kind == Lifetime || w.Kind == SameDay {
		return "the " + w.String()
	}
	return w.String()
}

// Span returns the first and the last day of the window on a running day, or of
// the window before it.
func (w Window) Span(day calendar.Day, previous bool) (from, to calendar.Day) {
	length := calendar.Day(1)
	switch w.Kind {
	case Today:
		from, to = day, day
	case Yesterday:
		from, to = day-1, day-1
	case LastDays:
		length = calendar.Day(w.Days)
		from, to = day-length, day-1
	case ThisWeek:
		return day.Week(), day - 1
	case ThisMonth:
		return day.Month(), day - 1
	case Lifetime:
		return firstDay, day
	case FirstRows:
		return day - FirstRowDays, day
	case DaysAgo, SameDay:
		ago := day - calendar.Day(w.Days)
		return ago, ago
	}
	if previous {
		return from - length, to - length
	}
	return from, to
}

// Length returns the number of days of the window; 0: no fixed number.
func (w Window) Length() int {
	switch w.Kind {
	case Today, Yesterday, DaysAgo, SameDay:
		return 1
	case LastDays:
		return w.Days
	}
	return 0
}

// HasPrevious reports whether there is a window of the same length before the window.
func (w Window) HasPrevious() bool {
	return w.Kind != Lifetime && w.Kind != ThisMonth && w.Kind != ThisWeek
}

// IsRunning reports whether the window contains the running day.
func (w Window) IsRunning() bool { return w.Kind == Today || w.Kind == Lifetime }
