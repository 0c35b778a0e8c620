package feeds

import (
	"fmt"
	"math"
	"time"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/rules/calendar"
	"usher/internal/rules/document"
)

// Feed watches a place for new exports.
type Feed struct {
	Name string // by which all that is known of the feed is kept: a feed with another name is another one
	File string // the feed file
	Line int    // of the feed in it

	Watch    places.Location
	Shown    string // Watch as people see it
	Every    time.Duration
	Schedule *calendar.Schedule // nil: every Every
	Marker   string             // name of the file that marks an export as complete; "": Settle decides
	Settle   time.Duration      // how long an export must be unchanged

	Kind usher.Kind
	Job  usher.Job // without its id and the URL of its source
	// Complete says of outcomes that campaigns without a row are 0 on the days of an export.
	Complete bool

	Expect Expect
	Move   *places.Location // the folder for exports whose jobs are done; nil: they stay

	document *document.File
	places   map[string]document.Place // of some values, by their keys
}

// Expect is what is expected of the exports of a feed. The zero value expects nothing.
type Expect struct {
	By        string  `json:"by,omitempty"` // a time of the day, such as 07:00
	Timezone  string  `json:"timezone,omitempty"`
	MinRows   int64   `json:"minRows,omitempty"`
	MaxChange float64 `json:"maxChange,omitempty"` // of the number of rows since the last export, as a fraction
	MaxShift  float64 `json:"maxShift,omitempty"`  // of the share of the rows of a reason since the last good export, as a fraction; 0: the default

	zone *time.Location
}

// needsRows reports whether the rows of an export must be counted.
func (e *Expect) needsRows() bool { return e.MinRows > 0 || e.MaxChange > 0 }

// location returns the time zone.
func (e *Expect) location() *time.Location {
	if e.zone != nil {
		return e.zone
	}
	if zone, err := time.LoadLocation(e.Timezone); err == nil && e.Timezone != "" {
		return zone
	}
	return time.UTC
}

// deadline returns the time of the day By on the day of a time that is a number of days later.
func (e *Expect) deadline(at time.Time, days int) time.Time {
	by, err := time.Parse("15:04", e.By)
	if err != nil {
		return time.Time{}
	}
	year, month, day := at.In(e.location()).Date()
	return time.Date(year, month, day+days, by.Hour(), by.Minute(), 0, 0, e.location())
}

// Last returns the last time, not after another, by which an export was expected.
func (e *Expect) Last(at time.Time) time.Time {
	for days := 0; days >= -2; days-- { // a change of the clocks may skip one
		if last := e.deadline(at, days); !last.After(at) {
			return last
		}
	}
	return time.Time{}
}

// Next returns the first time after another by which an export is expected.
func (e *Expect) Next(at time.Time) time.Time {
	for days := range 3 {
		if next := e.deadline(at, days); next.After(at) {
			return next
		}
	}
	return time.Time{}
}

// maxShift returns by how many points of percent the share of the rows of a reason may grow.
func (f *Feed) maxShift() float64 {
	switch {
	case f.Expect.MaxShift > 0:
		return math.Round(1e8*f.Expect.MaxShift) / 1e6
	case f.Job.MaxShift != nil:
		return *f.Job.MaxShift
	}
	return usher.DefaultMaxShift
}

// isEach reports whether each file is an export of its own.
func (f *Feed) isEach() bool { return f.Watch.IsGlob() && f.Marker == "" }

// next returns when to look again after a time.
func (f *Feed) next(after time.Time) time.Time {
	if f.Schedule != nil {
		return f.Schedule.Next(after)
	}
	return after.Add(f.Every)
}

// Target names what the jobs of the feed change.
func (f *Feed) Target() string { return f.Job.Target(f.Kind) }

// jobID returns the id of the job of a version.
func jobID(feed, version string) string { return fmt.Sprintf("feed-%s-%s", feed, version) }

// Problem returns an error about the value of a key of the feed: name, watch, move, or that of
// its job's target.
func (f *Feed) Problem(key, hint, format string, args ...any) Problem {
	at, known := f.places[key]
	if !known {
		at = document.At(f.Line, 1)
	}
	p := f.document.Problem(at, true, hint, fmt.Sprintf(format, args...))
	p.Feed = f.Name
	return p
}
