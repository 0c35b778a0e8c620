package feeds

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/hashing"
	"usher/queues/audit"
)

// State is what is known of a feed. All workers share it; each change is a compare-and-set. It
// has no names of files except masked ones.
type State struct {
	Name      string    `json:"name"`
	Spec      Spec      `json:"spec"`
	Created   time.Time `json:"created"`
	Announced time.Time `json:"announced"` // when a worker last had the feed

	Paused *usher.Setting `json:"-"` // States adds it

	Asked  time.Time `json:"asked,omitzero"`  // when somebody asked to look now
	Looked time.Time `json:"looked,omitzero"` // the end of the last look
	Next   time.Time `json:"next,omitzero"`   // the next look
	// Looking is when the worker that looks last said so; zero: nobody looks.
	Looking time.Time `json:"looking,omitzero"`
	Why     string    `json:"why,omitempty"` // why the last look published nothing

	Refused bool `json:"refused,omitempty"` // the last look might not read the watched place
	// Blind is why the last look could not see what is in the place; "" if it could. BlindSince is
	// when the first of such looks in a row ended.
	Blind      string    `json:"blind,omitempty"`
	BlindSince time.Time `json:"blindSince,omitzero"`
	// Problem is what is wrong with the feed in the feed files as they are now, or "".
	Problem string `json:"problem,omitempty"`
	// OtherCase says which files were not taken because only the case of their names differs, or "".
	OtherCase string `json:"otherCase,omitempty"`

	Seen *Sighting    `json:"seen,omitempty"` // the last new version
	Last *Publication `json:"last,omitempty"` // the last job
	// Regular is the last job whose export nobody had to approve, if Last is of an export that
	// somebody has approved.
	Regular  *Publication        `json:"regular,omitempty"`
	Versions map[string]*Version `json:"versions,omitempty"`
	Taken    int                 `json:"taken,omitempty"` // versions with jobs that are kept beside the state
	// Memory is how the last good export was read, which is one whose job is done. nil: there was none yet.
	Memory *usher.Memory `json:"memory,omitempty"`
	Met    time.Time     `json:"met,omitzero"` // the last time by which an export was expected and came
}

// Valid reports whether usher can have written the state.
func (s *State) Valid() bool { return s.Name != "" && !s.Created.IsZero() }

// Spec is what people see of a feed's settings, for commands that have no feed files.
type Spec struct {
	Watch  string     `json:"watch"`
	Each   bool       `json:"each,omitempty"` // each file is an export of its own
	Every  string     `json:"every"`          // a duration or a schedule
	Marker string     `json:"marker,omitempty"`
	Settle string     `json:"settle,omitempty"`
	Kind   usher.Kind `json:"kind"`
	Target string     `json:"target"`
	Expect Expect     `json:"expect,omitzero"`
	Move   string     `json:"move,omitempty"`
}

// spec returns the spec of a feed.
func (f *Feed) spec() Spec {
	s := Spec{Watch: f.Shown, Each: f.isEach(), Every: f.describe(), Marker: f.Marker, Kind: f.Kind, Target: f.Target(), Expect: f.Expect}
	s.Expect.zone = nil
	if f.Marker == "" {
		s.Settle = f.Settle.String()
	}
	if f.Move != nil {
		s.Move = hashing.MaskIDs(f.Move.String())
	}
	return s
}

// Sighting is a version that was seen.
type Sighting struct {
	Version string    `json:"version"`
	Name    string    `json:"name"` // masked
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	At      time.Time `json:"at"`
}

// Publication is a job that was published.
type Publication struct {
	Version string    `json:"version"`
	Job     string    `json:"job"`
	At      time.Time `json:"at"`
	Rows    int64     `json:"rows,omitempty"` // 0: not counted
	// ApprovedBy is who has approved the export, or "" if nothing held it.
	ApprovedBy string `json:"approvedBy,omitempty"`
	// Read is how the export was read, until its job is done or cancelled.
	Read *usher.Memory `json:"read,omitempty"`
	// Ended is how the job has ended, as the last look has seen it.
	Ended usher.State `json:"ended,omitempty"`
	// Differences are those from the last good export, of a kind of job that nothing holds.
	Differences []string `json:"differences,omitempty"`
	// Name is that of the export, masked, and Sum a hash of its content. Same says that the content is
	// that of the publication before, or is "".
	Name string `json:"name,omitempty"`
	Sum  string `json:"sum,omitempty"`
	Same string `json:"same,omitempty"`
}

// Version is what is known of a version of the export.
type Version struct {
	Since time.Time `json:"since,omitzero"` // when it was seen first
	Whole bool      `json:"whole,omitempty"`
	Rows  *int64    `json:"rows,omitempty"` // nil: not counted
	// Read is how the export was read.
	Read *usher.Memory `json:"read,omitempty"`
	Sum  string        `json:"sum,omitempty"` // of the content, once its rows are counted
	// Unreadable is why the export cannot be read, and what to do; its job would fail at once.
	Unreadable string `json:"unreadable,omitempty"`
	// Fields are those of the job by which the export was read (memory.FieldsOf), and Asked is when somebody
	// had last asked to look then.
	Fields     string      `json:"fields,omitempty"`
	Asked      time.Time   `json:"asked,omitzero"`
	Held       string      `json:"held,omitempty"` // what holds it, one of four words: see byMinRows
	Reason     string      `json:"reason,omitempty"`
	Name       string      `json:"name,omitempty"` // of an export that was held, masked
	Resolution *Resolution `json:"decision,omitempty"`
	Passed     string      `json:"passed,omitempty"` // the version that a mirror took instead
	Job        string      `json:"job,omitempty"`
	At         *time.Time  `json:"at,omitempty"`     // when the job was published
	Marked     *time.Time  `json:"marked,omitempty"` // when the done marker was written that the job is due to
	Gone       *time.Time  `json:"gone,omitempty"`   // when its files were not there any more
	Pieces     []string    `json:"pieces,omitempty"` // versions of the files that will be moved, each alone
}

// Fails reports whether the job of a version would fail at once, since the export cannot be read, or has no
// rows.
func (v *Version) Fails() bool { return v.Unreadable != "" || v.Rows != nil && *v.Rows == 0 }

// published returns when the job of a version was published, or its files were seen first.
func (v *Version) published() time.Time {
	if v.At != nil {
		return *v.At
	}
	return v.Since
}

// Resolution is what a person has decided on an export that is held.
type Resolution struct {
	Approved bool      `json:"approved,omitempty"`
	By       string    `json:"by"`
	Reason   string    `json:"reason,omitempty"`
	At       time.Time `json:"at"`
}

func resolutionOf(act audit.Act, at time.Time) *Resolution {
	return &Resolution{By: act.Actor, Reason: act.Reason, At: at.UTC()}
}

// Held returns the versions that wait for approval, the oldest first.
func (s *State) Held() []*Version {
	var held []*Version
	for _, v := range s.Versions {
		if v.Held != "" {
			held = append(held, v)
		}
	}
	slices.SortFunc(held, func(a, b *Version) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Reason, b.Reason)) })
	return held
}

// describeHeld returns the versions that wait for approval, with their reasons.
func (s *State) describeHeld() string {
	var texts []string
	for _, version := range s.HeldVersions() {
		texts = append(texts, version+" ("+s.Versions[version].Reason+")")
	}
	return strings.Join(texts, ", ")
}

// HeldVersions returns the names of the versions that wait for approval, in order.
func (s *State) HeldVersions() []string {
	var held []string
	for version, v := range s.Versions {
		if v.Held != "" {
			held = append(held, version)
		}
	}
	slices.Sort(held)
	return held
}

// Approvable returns the versions that wait for approval and can be approved, in order.
func (s *State) Approvable() []string {
	return slices.DeleteFunc(s.HeldVersions(), func(version string) bool { return s.Versions[version].Fails() })
}

// Late returns the time by which an export was expected that has not come, and reports whether
// there is one.
func (s *State) Late(now time.Time) (by time.Time, late bool) {
	e := &s.Spec.Expect
	if e.By == "" || s.Paused != nil {
		return by, false
	}
	by = e.Last(now)
	if by.IsZero() || !by.After(s.Met) || by.Before(e.midnight(s.Created)) {
		return by, false
	}
	if by.Before(s.Created) && s.Last == nil && s.waitsUntilUnchanged() {
		return by, false // the feed is new, and its first export is there
	}
	return by, true
}

// midnight returns the beginning of the day of a time.
func (e *Expect) midnight(at time.Time) time.Time {
	year, month, day := at.In(e.location()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, e.location())
}

// waitsUntilUnchanged reports whether a version is not whole yet.
func (s *State) waitsUntilUnchanged() bool {
	for _, v := range s.Versions {
		if !v.Whole && v.Gone == nil {
			return true
		}
	}
	return false
}

// lateAfter is how long after the time of the day an export may come to count for that day.
const lateAfter = 12 * time.Hour

// arrived records that a whole export has come.
func (s *State) arrived(e *Expect, now time.Time) {
	if e.By == "" {
		return
	}
	if last := e.Last(now); last.After(s.Met) && now.Sub(last) <= lateAfter && !last.Before(e.midnight(s.Created)) {
		s.Met = last
		return
	}
	if next := e.Next(now); next.After(s.Met) {
		s.Met = next
	}
}

// NextExpected returns the time by which the next export is expected, or zero if the feed does not say any.
func (s *State) NextExpected(now time.Time) time.Time {
	e := &s.Spec.Expect
	if e.By == "" {
		return time.Time{}
	}
	next := e.Next(now)
	if !next.After(s.Met) {
		next = e.Next(next)
	}
	return next
}

// WhyNothing returns why the last look published nothing, or "".
func (s *State) WhyNothing() string {
	switch {
	case s.Paused != nil:
		return "the feed is paused by " + s.Paused.By
	case s.Looked.IsZero():
		return "no worker has looked yet"
	}
	return s.Why
}

// overdueAfter is how long after its time a look is overdue.
const overdueAfter = time.Minute

// Overdue reports whether no worker looks although one should.
func (s *State) Overdue(now time.Time) bool {
	return s.Paused == nil && now.Sub(s.Looking) > lookTime && now.Sub(s.Next) > overdueAfter
}

// JobsSince returns the jobs that were published since a time, by their ids.
func (s *State) JobsSince(at time.Time) []string {
	var jobs []string
	for _, v := range s.Versions {
		if v.At != nil && !v.At.Before(at) {
			jobs = append(jobs, v.Job)
		}
	}
	slices.Sort(jobs)
	return jobs
}
