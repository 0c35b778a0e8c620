package rules

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/internal/rules/calendar"
)

// UntilWords are what ParseUntil takes, for help and errors.
const UntilWords = "a duration such as 2h or 3d, tomorrow, monday, next_month, a date, a time (RFC 3339) or released"

// ParseUntil returns the time until which a person keeps rules from a creative or a campaign. Days
// begin in the zone. It is zero if the text is released.
func ParseUntil(text string, now time.Time, zone *time.Location) (time.Time, error) {
	at, err := parseUntil(text, now, zone)
	switch {
	case err != nil:
		return at, fmt.Errorf("until %q: write %s", text, UntilWords)
	case !at.IsZero() && !at.After(now):
		return at, fmt.Errorf("until %q: %s is in the past", text, at.In(zone).Format("2006-01-02 15:04 MST"))
	}
	return at.UTC(), nil
}

func parseUntil(text string, now time.Time, zone *time.Location) (time.Time, error) {
	switch text {
	case usher.Released:
		return time.Time{}, nil
	case untilTomorrow, untilMonday, untilNextMonth:
		return (&Rule{Until: text}).untilDay(now, zone).Begin(zone), nil
	}
	if days, found := strings.CutSuffix(text, "d"); found {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 10_000 {
			return now.AddDate(0, 0, n), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil {
		if d <= 0 {
			return time.Time{}, errors.New("the duration is not above 0")
		}
		return now.Add(d), nil
	}
	if day, err := calendar.ParseDay(text); err == nil {
		return day.Begin(zone), nil
	}
	return time.Parse(time.RFC3339, text)
}

// ZoneOf returns the zone of the account to which campaigns belong: that of a file that has one of
// them in scope, or that of all files. If they have several, or there is no file, it returns UTC.
func ZoneOf(sets []*Set, campaigns ...string) *time.Location {
	zone := time.UTC
	for i, set := range sets {
		if slices.ContainsFunc(campaigns, func(c string) bool { return set.Covers(c, nil) }) {
			return set.Zone
		}
		switch {
		case i == 0:
			zone = set.Zone
		case zone.String() != set.Zone.String():
			zone = time.UTC
		}
	}
	return zone
}
