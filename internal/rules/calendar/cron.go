package calendar

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"usher/internal/readable"
)

// ParseSchedule reads a schedule in a zone. Its error is an *Advice. The well-known
// library is not maintained and does not document how it handles clock changes.
func ParseSchedule(text string, zone *time.Location) (*Schedule, error) {
	s, err := parseSchedule(text, zone)
	if err == nil {
		return s, nil
	}
	advice := &Advice{Message: err.Error(), Hint: scheduleHint(text, zone)}
	var inField *cronFieldError
	if errors.As(err, &inField) {
		advice.Column = 1 + regexp.MustCompile(`\S+`).FindAllStringIndex(text, -1)[inField.field][0]
	}
	return nil, advice
}

func parseSchedule(text string, zone *time.Location) (*Schedule, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return nil, fmt.Errorf("schedule %q has %s: a schedule has five (minute hour day month weekday)", text, readable.Count(len(fields), "field"))
	}
	s := &Schedule{text: text, zone: zone}
	for i, f := range []struct {
		name      string
		low, high int
		into      *[]bool
	}{
		{"minute", 0, 59, &s.minutes}, {"hour", 0, 23, &s.hours}, {"day", 1, 31, &s.days}, {"month", 1, 12, &s.months}, {"weekday", 0, 7, &s.weekdays},
	} {
		set, err := parseCronField(fields[i], f.low, f.high)
		if err != nil {
			return nil, &cronFieldError{i, fmt.Errorf("schedule %q: %s %q: %w", text, f.name, fields[i], err)}
		}
		*f.into = set
	}
	s.weekdays[0] = s.weekdays[0] || s.weekdays[7]
	s.everyMinute, s.everyHour = fields[0] == "*", strings.HasPrefix(fields[1], "*")
	s.everyDay, s.everyWeekday = strings.HasPrefix(fields[2], "*"), strings.HasPrefix(fields[4], "*")
	if s.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return nil, fmt.Errorf("schedule %q is never due: there is no such day", text)
	}
	return s, nil
}

// cronFieldError is an error in one of the five fields, which count from 0.
type cronFieldError struct {
	field int
	error
}

// parseCronField reads a list of *, n and n-m, each with an optional /step, and
// returns for each number whether it is in the list.
func parseCronField(text string, low, high int) ([]bool, error) {
	set := make([]bool, high+1)
	for part := range strings.SplitSeq(text, ",") {
		numbers, stepText, hasStep := strings.Cut(part, "/")
		step, err := parseStep(stepText, hasStep, high)
		if err != nil {
			return nil, err
		}
		from, to, err := parseRange(numbers, hasStep, low, high)
		if err != nil || from < low || to > high || from > to {
			return nil, fmt.Errorf("write *, a number from %d to %d, a range such as %d-%d, or a step such as */%d", low, high, low, high, max(2, high/4))
		}
		for n := from; n <= to; n += step {
			set[n] = true
		}
	}
	return set, nil
}

func parseStep(text string, given bool, high int) (int, error) {
	if !given {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > high {
		return 0, fmt.Errorf("step %q is not a whole number from 1 to %d", text, high)
	}
	return n, nil
}

// parseRange reads *, n, or n-m. With a step, n goes up to high.
func parseRange(text string, hasStep bool, low, high int) (from, to int, err error) {
	if text == "*" {
		return low, high, nil
	}
	first, last, isRange := strings.Cut(text, "-")
	from, err = strconv.Atoi(first)
	switch {
	case isRange:
		var lastErr error
		to, lastErr = strconv.Atoi(last)
		return from, to, errors.Join(err, lastErr)
	case hasStep:
		return from, high, err
	}
	return from, from, err
}
