package feeds

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"usher"
	"usher/internal/exports/memory"
	"usher/internal/readable"
)

// export is a version of an export that a look has found.
type export struct {
	version string
	source  usher.Source // with URL, marker and version
	name    string       // masked
	files   []usher.File
	newer   string    // a file that was written after the done marker
	marked  time.Time // when the done marker was written

	approved bool // a person has approved it
}

func (e *export) bytes() (sum int64) {
	for _, f := range e.files {
		sum += max(f.Size, 0)
	}
	return sum
}

// act is what is to be done with an export.
type act int

const (
	nothing act = iota
	countRows
	publish
)

// next is what a look does next.
type next struct {
	count   *export   // whose rows must be counted
	publish []*export // whose jobs must be published, in this order
	wake    time.Time // when an export may be whole, if there is nothing else to do
}

// done reports whether the look has ended.
func (n *next) done() bool { return n.count == nil && len(n.publish) == 0 }

// maxPublish is the number of jobs that are published before they are recorded.
const maxPublish = 100

// goneFor is how long a version is remembered after its files are gone, in case they return.
const goneFor = 30 * 24 * time.Hour

// observe records what a look has found in the state, and returns what to do next. Whatever it
// returns is done once for each version, because the state is changed by compare-and-set
// and a job runs once for each id.
func (s *State) observe(f *Feed, seen []export, now time.Time) next {
	s.note(f, seen, now)
	for _, v := range s.Versions {
		v.Held, v.Reason = "", ""
	}
	candidates := seen
	if f.Kind.Mirrors() && f.isEach() && len(seen) > 0 {
		candidates = s.newest(seen)
	}
	why, todo := reason{}, next{}
	for i := range candidates {
		e := &candidates[i]
		v := s.Versions[e.version]
		a, text, wake := s.nextStep(f, e, v, now)
		switch {
		case a == countRows && todo.done():
			todo.count = e
		case a == publish && todo.count == nil && len(todo.publish) < f.batch():
			todo.publish = append(todo.publish, e)
		}
		why.add(v, text)
		if others := len(seen) - len(candidates); others > 0 && text != "" {
			why.text += fmt.Sprintf("; a mirror takes only the newest by name, not %s", readable.Count(others, "other file"))
		}
		if !wake.IsZero() && (todo.wake.IsZero() || wake.Before(todo.wake)) {
			todo.wake = wake
		}
	}
	s.Why = cmp.Or(s.allHaveJobs(candidates), why.text)
	return todo
}

// reason is why a look publishes nothing: what it says of an export that still waits for
// something, otherwise of the newest one.
type reason struct {
	text  string
	waits bool
	at    time.Time
}

// add adds what a look says of a version, "" for nothing.
func (r *reason) add(v *Version, text string) {
	rejected := v.Resolution != nil && !v.Resolution.Approved
	more := reason{text, v.Job == "" && v.Passed == "" && !rejected, v.published()}
	if text == "" || r.waits && !more.waits || r.waits == more.waits && more.at.Before(r.at) {
		return
	}
	*r = more
}

// batch returns how many jobs may be published before they are recorded. The export before
// decides whether one is held.
func (f *Feed) batch() int {
	if f.reads() {
		return 1
	}
	return maxPublish
}

// reads reports whether an export is read to its end before its job is published.
func (f *Feed) reads() bool { return f.Expect.needsRows() || f.Job.Profile != nil }

// newest returns the newest of a mirror's exports by name. If it has a job, the others are never
// taken, also after the newest is moved away: they would bring back what is gone.
func (s *State) newest(seen []export) []export {
	others := seen[:len(seen)-1]
	last := &seen[len(others)]
	if s.Versions[last.version].Job == "" {
		return seen[len(others):]
	}
	for i := range others {
		if v := s.Versions[others[i].version]; v.Job == "" {
			v.Passed = last.version
		}
	}
	return seen[len(others):]
}

// allHaveJobs says so if all of several exports have jobs.
func (s *State) allHaveJobs(several []export) (why string) {
	for i := range several {
		if s.Versions[several[i].version].Job == "" {
			return ""
		}
	}
	if len(several) > 1 && s.Last != nil {
		return fmt.Sprintf("each of the %d exports has its job; the last one is %s", len(several), s.Last.Job)
	}
	return ""
}

// note adds new versions, and notes which ones are gone.
func (s *State) note(f *Feed, seen []export, now time.Time) {
	if s.Versions == nil {
		s.Versions = map[string]*Version{}
	}
	there := map[string]bool{}
	for i := range seen {
		e := &seen[i]
		there[e.version] = true
		v := s.Versions[e.version]
		if v == nil {
			v = &Version{Since: now}
			s.Versions[e.version] = v
			s.Seen = &Sighting{Version: e.version, Name: e.name, Files: len(e.files), Bytes: e.bytes(), At: now}
		}
		switch {
		case v.Gone == nil:
		case v.Job == "":
			v.Since = now
		case f.Move != nil && len(v.Pieces) == 0: // it was moved, and has been written again
			v.Pieces = f.pieces(e)
		}
		v.Gone = nil
	}
	for version, v := range s.Versions {
		switch {
		case there[version]:
		case v.Job == "" || v.Gone != nil && now.Sub(*v.Gone) > goneFor && len(v.Pieces) == 0:
			delete(s.Versions, version)
		case v.Gone == nil:
			v.Gone = &now
		}
	}
	s.forget()
}

// A state remembers at most maxGone versions whose files are gone, and the files of exports
// that will be moved up to maxPieces, so that it fits into its bucket.
const (
	maxGone   = 2000
	maxPieces = 20_000
)

// forget removes the oldest versions that are gone, and does not move the oldest exports, if
// there are too many.
func (s *State) forget() {
	published := slices.SortedFunc(maps.Keys(s.Versions), func(a, b string) int { // the newest first
		return cmp.Or(s.Versions[b].published().Compare(s.Versions[a].published()), cmp.Compare(a, b))
	})
	gone, pieces := 0, 0
	for _, version := range published {
		v := s.Versions[version]
		if pieces += len(v.Pieces); pieces > maxPieces {
			v.Pieces = nil
		}
		if v.Gone == nil {
			continue
		}
		if gone++; gone > maxGone {
			delete(s.Versions, version)
		}
	}
}

// nextStep returns what to do with an export, or why nothing is to be done.
func (s *State) nextStep(f *Feed, e *export, v *Version, now time.Time) (do act, why string, wake time.Time) {
	if v.Job != "" {
		return nothing, s.hasJob(e, v), wake
	}
	if v.Passed != "" {
		return nothing, fmt.Sprintf("%s is older by name than version %s, which a mirror has taken instead: to load it all the same, use usher submit", e.name, v.Passed), wake
	}
	if why, wake := s.incomplete(f, e, v, now); why != "" && !v.Whole {
		return nothing, why, wake
	}
	if !v.Whole {
		v.Whole = true
		s.arrived(&f.Expect, now)
	}
	switch {
	case v.Resolution != nil && !v.Resolution.Approved:
		return nothing, fmt.Sprintf("version %s of %s was rejected by %s", e.version, e.name, v.Resolution.By), wake
	case f.reads() && s.mustRead(f, v) && (v.Resolution == nil || !v.Resolution.Approved):
		return countRows, "counts the rows of " + e.name, wake
	}
	if f.Kind == usher.Outcomes && !v.Asked.Equal(s.Asked) {
		v.Unreadable = "" // somebody has asked to read it again
	}
	if v.Held, v.Reason = s.hold(f, v); v.Held != "" && v.Resolution == nil {
		v.Name = e.name
		why = fmt.Sprintf("version %s of %s is held by %s (usher feeds approve %s %s)", e.version, e.name, v.Held, s.Name, e.version)
		if v.Fails() {
			why = fmt.Sprintf("version %s of %s is held by %s, and its job would fail (usher feeds run %s reads it again when that is mended)", e.version, e.name, v.Held, s.Name)
		}
		return nothing, why, wake
	}
	v.Held, v.Reason = "", ""
	e.approved = v.Resolution != nil
	return publish, "", wake
}

// mustRead reports whether an export was not read yet, or is to be read again: the feed's job now reads
// it in another way, or somebody has asked to look at one that could not be read.
func (s *State) mustRead(f *Feed, v *Version) bool {
	return v.Rows == nil && v.Unreadable == "" || v.Fields != memory.FieldsOf(&f.Job) || v.Unreadable != "" && !v.Asked.Equal(s.Asked)
}

// hasJob says that a version has a job.
func (s *State) hasJob(e *export, v *Version) string {
	why := "version " + e.version + " of " + e.name + " has job " + v.Job
	if s.Last != nil && s.Last.Version != e.version && v.At != nil {
		why += fmt.Sprintf(" of %s, and a version gets one job: to load it again after %s, use usher submit", readable.Time(*v.At), s.Last.Job)
	}
	return why
}

// incomplete returns why an export may not be whole, and when it may be, or "". A marker stands
// for one version only: the next export may be prepared by removing files of the last one.
func (s *State) incomplete(f *Feed, e *export, v *Version, now time.Time) (why string, wake time.Time) {
	marked := ""
	if f.Marker != "" {
		marked = s.sameMarker(e)
	}
	if f.Marker != "" && e.newer == "" && marked == "" {
		return "", wake
	}
	wake = v.Since.Add(f.Settle)
	if !now.Before(wake) {
		return "", wake
	}
	why = fmt.Sprintf("waits until %s is unchanged for %s", e.name, f.Settle)
	switch {
	case e.newer != "":
		why += fmt.Sprintf(": %s was written after %s", e.newer, f.Marker)
	case marked != "":
		why += fmt.Sprintf(": %s is that of version %s, whose files have changed since", f.Marker, marked)
	}
	return why, wake
}

// sameMarker returns another version that has a job because of the same done marker, or "".
func (s *State) sameMarker(e *export) string {
	for version, v := range s.Versions {
		if version != e.version && v.Marked != nil && v.Marked.Equal(e.marked) {
			return version
		}
	}
	return ""
}

// What holds a version: the keys of expect, the memory, from which the version differs, and that it
// cannot be read.
const (
	byMinRows    = "min_rows"
	byMaxChange  = "max_change"
	byMemory     = "memory"
	byUnreadable = "unreadable"
)

// hold returns what holds a version, and the reason. The memory gives a further reason, so that a
// person who approves the version knows all.
func (s *State) hold(f *Feed, v *Version) (key, reason string) {
	if v.Unreadable != "" {
		if f.Kind != usher.Outcomes && !f.Expect.needsRows() && (!f.Kind.Uploads() || s.remembered() == nil) {
			return "", "" // its job says so
		}
		reason = v.Unreadable
		if last := s.remembered(); last != nil {
			reason += fmt.Sprintf("; the last good export, that of job %s, was %s", last.Job, memory.Summary(&last.Understood))
		}
		return byUnreadable, reason
	}
	key, reason = s.holdRows(&f.Expect, v)
	switch different := s.holdDifferent(f, v); {
	case key == "" && different == "":
		return "", ""
	case key == "":
		key, reason = byMemory, different
	case different != "":
		reason += "; and " + different
	}
	if v.Fails() {
		return key, reason
	}
	return key, reason + f.guardAhead()
}

// guardAhead says that an approval does not answer the guard of a mirror, which knows only later how many
// members would be removed; "" if there is none.
func (f *Feed) guardAhead() string {
	if !f.Kind.Mirrors() || f.Job.Force {
		return ""
	}
	most := float64(usher.DefaultMaxRemovePercent)
	if f.Job.MaxRemovePercent != nil {
		most = *f.Job.MaxRemovePercent
	}
	return fmt.Sprintf("; if it is approved, its job still fails as shrink if it would remove more than %v %% of the members, unless the job gets force", most)
}

// holdRows is hold for the number of rows.
func (s *State) holdRows(e *Expect, v *Version) (key, reason string) {
	if v.Rows == nil {
		return "", ""
	}
	rows := *v.Rows
	if rows < e.MinRows {
		return byMinRows, fmt.Sprintf("it has %s, and at least %s are expected", readable.Count(rows, "row"), readable.Number(e.MinRows))
	}
	if e.MaxChange > 0 {
		return s.holdChange(e, rows)
	}
	return "", ""
}

// holdChange holds an export that differs too much from the last one. If a person has approved
// the last one, it may have been an exception, or be the new size: then the export may also be
// like the last one that nobody had to approve.
func (s *State) holdChange(e *Expect, rows int64) (key, reason string) {
	for _, p := range []*Publication{s.Last, s.Regular} {
		if p == nil || p.Rows == 0 {
			continue
		}
		change := math.Abs(float64(rows-p.Rows)) / float64(p.Rows)
		switch {
		case change <= e.MaxChange:
			return "", ""
		case reason == "":
			reason = fmt.Sprintf("it has %s, the last export had %s: a change of %.1f %%, and %.4g %% are allowed",
				readable.Count(rows, "row"), readable.Number(p.Rows), change*100, e.MaxChange*100)
		default:
			reason += fmt.Sprintf("; %s has approved the last one, and the last that nobody had to approve had %s", s.Last.ApprovedBy, readable.Number(p.Rows))
		}
	}
	if reason == "" {
		return "", ""
	}
	return byMaxChange, reason
}

// published records the job of a version.
func (s *State) published(f *Feed, e *export, job string, now time.Time) {
	v := s.Versions[e.version]
	if v == nil || v.Job != "" {
		return
	}
	last := &Publication{Version: e.version, Job: job, At: now, Name: e.name, Sum: v.Sum}
	if v.Rows != nil {
		last.Rows = *v.Rows
	}
	if before := s.Last; before != nil && v.Sum != "" && before.Sum == v.Sum {
		last.Same = fmt.Sprintf("%s has the content of %s, which job %s has read", e.name, before.Name, before.Job)
	}
	switch approved := v.Resolution != nil && v.Resolution.Approved; {
	case !approved:
		s.Regular = nil
	case s.Last != nil && s.Last.ApprovedBy == "":
		s.Regular = s.Last
		fallthrough
	default:
		last.ApprovedBy = v.Resolution.By
	}
	s.remember(f, v, last)
	s.Last = last
	*v = Version{Job: job, At: &now}
	if f.Marker != "" {
		v.Marked = &e.marked
	}
	if f.Move != nil {
		v.Pieces = f.pieces(e)
	}
}

// pieces returns the versions of the files of an export, each alone.
func (f *Feed) pieces(e *export) []string {
	var pieces []string
	for _, file := range e.files {
		pieces = append(pieces, f.Watch.Version([]usher.File{file}))
	}
	return pieces
}
