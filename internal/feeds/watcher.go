package feeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/exports/memory"
	"usher/internal/exports/places"
	"usher/internal/inspection"
	"usher/queues/store"
)

// Jobs publishes jobs.
type Jobs interface {
	// Publish publishes a job. Repeating it has no effect: a job runs once for each ID.
	Publish(ctx context.Context, k usher.Kind, j usher.Job) error
	// Ending returns how a job has ended, and why it has failed if it has. It returns "" of a job that has
	// not ended, or is not on record any more.
	Ending(ctx context.Context, id string) (usher.State, *usher.JobError, error)
}

// Feeds returns the feeds as they are configured at the moment.
type Feeds interface {
	All() []*Feed
	// Problem returns what is wrong with a feed in the files as they are now, or "".
	Problem(feed string) string
}

// Watcher looks for new exports in the places of all feeds, and publishes their jobs. The leader
// of the workers runs it. If two do for a moment, they publish one job for each version.
type Watcher struct {
	Feeds   Feeds
	States  *States
	Jobs    Jobs
	Places  *places.Access
	Exports *exports.Opener
	// Outcomes stores the numbers of an export of a feed of outcomes. What was refused is said in
	// words, "" for nothing.
	Outcomes func(ctx context.Context, f *Feed, src *usher.Source) (refused string, err error)
	// Targets returns the targets of an advertiser, and Advertiser is that of feeds that name none. nil:
	// targets are not checked.
	Targets    func(ctx context.Context, advertiser string) (*Targets, error)
	Advertiser string
	Logger     *slog.Logger
	Now        func() time.Time

	mu      sync.Mutex
	states  map[string]*State        // as the bucket's watch has delivered them
	paused  map[string]usher.Setting // by feed, as the watch of settings has delivered them
	running map[string]bool          // feeds that are being looked at
	failed  map[string]time.Time     // when to try again
	wrong   map[string]string        // what is wrong with the targets of feeds
	wake    chan struct{}
}

const (
	// maxSleep is the longest time between two checks of what is due. It is short, because
	// clocks are set, machines sleep, and feed files change.
	maxSleep = 5 * time.Second
	// lookTime is how long a look may take without a sign of the worker that looks.
	lookTime = time.Minute
	// signEvery is how often the worker gives one.
	signEvery = lookTime / 4
	// retryTime is the time until a look that failed is repeated.
	retryTime = 2 * time.Second
	// repairTime is the time until a place that failed is looked at again.
	repairTime = time.Minute
)

// Run looks for exports until ctx ends. It returns after everything that it started has ended.
func (w *Watcher) Run(ctx context.Context) {
	w.start()
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { w.follow(ctx) })
	running.Go(func() { w.States.settings.Watch(ctx, usher.FeedPause, w.setPaused) })
	if w.Targets != nil {
		running.Go(func() { w.watchTargets(ctx) })
	}
	for ctx.Err() == nil {
		wait := w.startDue(ctx, &running)
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-w.wake:
		}
		timer.Stop()
	}
}

// start makes the watcher's memory, unless there is one.
func (w *Watcher) start() {
	if w.wake != nil {
		return
	}
	w.states, w.running, w.failed = map[string]*State{}, map[string]bool{}, map[string]time.Time{}
	w.paused = map[string]usher.Setting{}
	w.wake = make(chan struct{}, 1)
}

// follow keeps the states up to date until ctx ends.
func (w *Watcher) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := w.States.bucket.Watch(ctx, prefix+"*", func(e *store.Entry) error {
			if e == nil {
				return nil
			}
			var s State
			if len(e.Value) > 0 && e.Decode(&s) == nil {
				w.mu.Lock()
				w.states[s.Name] = &s
				w.mu.Unlock()
				w.signal()
			}
			return nil
		})
		if err != nil && ctx.Err() == nil {
			w.Logger.Warn("watching the states of feeds, trying again", "error", err)
			_ = usher.Sleep(ctx, retryTime) // the loop sees the end of ctx
		}
	}
}

// setPaused keeps which feeds are paused.
func (w *Watcher) setPaused(paused map[string]usher.Setting) {
	w.mu.Lock()
	w.paused = paused
	w.mu.Unlock()
	w.signal()
}

func (w *Watcher) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// startDue starts looks at the feeds that are due, and returns the time until the next one is.
func (w *Watcher) startDue(ctx context.Context, running *sync.WaitGroup) time.Duration {
	all := w.Feeds.All()
	now := w.Now()
	wait := maxSleep
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range all {
		if w.running[f.Name] {
			continue
		}
		due := w.due(f, now)
		if due.After(now) {
			wait = min(wait, due.Sub(now))
			continue
		}
		w.running[f.Name] = true
		running.Go(func() { w.run(ctx, f) })
	}
	return max(wait, 10*time.Millisecond)
}

// due returns when to look at a feed.
func (w *Watcher) due(f *Feed, now time.Time) time.Time {
	retry := w.failed[f.Name]
	s := w.states[f.Name]
	_, paused := w.paused[f.Name]
	switch {
	case s == nil || !s.announces(f, now) || s.Problem != cmp.Or(w.Feeds.Problem(f.Name), w.wrong[f.Name]):
		return retry // the zero time is due
	case paused:
		return now.Add(maxSleep)
	case retry.After(s.Next):
		return retry
	}
	return s.Next
}

// announces reports whether the state has the feed as it is, for people who have no feed files.
func (s *State) announces(f *Feed, now time.Time) bool {
	return s.Spec == f.spec() && now.Sub(s.Announced) < announceEvery
}

// run looks at a feed once.
func (w *Watcher) run(ctx context.Context, f *Feed) {
	err := w.look(ctx, f)
	w.mu.Lock()
	delete(w.running, f.Name)
	delete(w.failed, f.Name)
	if err != nil {
		w.failed[f.Name] = w.Now().Add(retryTime)
	}
	w.mu.Unlock()
	if err != nil && ctx.Err() == nil {
		w.Logger.Warn("looking for exports of a feed failed, trying again", "feed", f.Name, "error", err)
	}
	w.signal()
}

// look looks for exports of a feed, and publishes jobs of those that are whole.
func (w *Watcher) look(ctx context.Context, f *Feed) error {
	due, err := w.begin(ctx, f)
	if err != nil || !due {
		return err
	}
	if err := w.settleLast(ctx, f); err != nil {
		return err
	}
	ask, stuck, err := w.moveDone(ctx, f)
	if err != nil {
		return err
	}
	seen, otherCase, problem := w.find(ctx, f)
	o, err := w.windowOf(ctx, f, seen)
	if err != nil {
		return err
	}
	for {
		var todo next
		var before, after string
		var s *State
		var held []string // that were not held before
		err := w.keep(ctx, f, func(now *State) bool {
			s, before = now, now.Blind
			known := s.HeldVersions()
			todo = s.record(f, o.seen, problem, w.Now())
			s.noteCase(f, otherCase)
			after = s.Blind
			held = slices.DeleteFunc(s.HeldVersions(), func(version string) bool { return slices.Contains(known, version) })
			if !todo.done() {
				s.Looking = w.Now().UTC()
				return true
			}
			w.finish(s, f, earlier(todo.wake, ask))
			s.Why = cmp.Or(stuck, s.Why)
			return true
		})
		switch {
		case err != nil:
		case before == "" && after != "":
			w.Logger.Warn("a feed is blind: its place cannot be looked at, and new exports are not seen", "feed", f.Name, "problem", after)
		case before != "" && after == "":
			w.Logger.Info("a feed sees its place again", "feed", f.Name)
		}
		if err != nil {
			return err
		}
		w.logHeld(s, held)
		if todo.done() {
			return w.shorten(ctx, f, &o)
		}
		if err := w.carryOut(ctx, f, &todo); err != nil {
			return err
		}
	}
}

// logHeld says that versions of the export of a feed are held from now on.
func (w *Watcher) logHeld(s *State, held []string) {
	if len(held) == 0 {
		return
	}
	v := s.Versions[held[0]]
	log := w.Logger.With("feed", s.Name, "export", v.Name, "why", v.Reason)
	next := fmt.Sprintf("usher feeds approve %s %s, or usher feeds reject %s %s", s.Name, held[0], s.Name, held[0])
	switch {
	case len(held) > 1:
		log, next = log.With("others", len(held)-1), "usher feeds show "+s.Name
	case v.Held == byUnreadable:
		next = fmt.Sprintf("mend the export, then usher feeds run %s; or usher feeds reject %s %s", s.Name, s.Name, held[0])
	}
	log.Warn("an export of a feed is held, and not uploaded", "next", next)
}

// logTaken says that an export was taken, and what of it was refused, "" for nothing.
func (w *Watcher) logTaken(f *Feed, e *export, refused string) {
	log := w.Logger.With("feed", f.Name, "job", jobID(f.Name, e.version), "export", e.name)
	if refused == "" {
		log.Info("a feed took an export")
		return
	}
	log.Warn("a feed took an export, and refused some of it", "why", refused, "next", "usher feeds show "+f.Name)
}

// carryOut does what a look does next.
func (w *Watcher) carryOut(ctx context.Context, f *Feed, todo *next) error {
	if todo.count != nil {
		return w.count(ctx, f, todo.count)
	}
	return w.publish(ctx, f, todo.publish)
}

// record records what a look has found or why it failed, and returns what to do next. A
// place that may work again soon is looked at again soon.
func (s *State) record(f *Feed, seen []export, problem error, now time.Time) (todo next) {
	var permanent *usher.Permanent
	refused := errors.As(problem, &permanent)
	s.Refused = refused && permanent.Class == usher.SourceRefused
	sees := problem == nil || refused && permanent.Class == usher.SourceMissing && !errors.Is(problem, places.ErrNoFolder)
	if sees {
		todo = s.observe(f, seen, now)
		s.Blind, s.BlindSince = "", time.Time{}
	} else if s.Blind == "" {
		s.BlindSince = now.UTC()
	}
	if problem != nil {
		s.Why = strings.TrimPrefix(whyOf(problem), fmt.Sprintf("open source %q: ", f.Shown))
	}
	if !sees {
		s.Blind = s.Why
	}
	if problem != nil && !refused {
		todo.wake = now.Add(repairTime)
	}
	return todo
}

// noteCase says which files were not taken because only the case of their names differs.
func (s *State) noteCase(f *Feed, names []string) {
	s.OtherCase = ""
	if len(names) > 0 {
		s.OtherCase = fmt.Sprintf("%s: upper and lower case differ from %s", strings.Join(names, ", "), f.Shown)
		s.Why = strings.TrimPrefix(s.Why+"; not taken is "+s.OtherCase, "; ")
	}
}

// earlier returns the earlier of two times. The zero time stands for never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// keep changes the state of a feed and the copy of it in memory.
func (w *Watcher) keep(ctx context.Context, f *Feed, alter func(*State) bool) error {
	var kept *State
	err := store.Change(ctx, w.States.bucket, key(f.Name), func(s *State, found bool) bool {
		if !found { // the feed is new, or its state was damaged
			*s = State{Name: f.Name, Created: w.Now().UTC(), Spec: f.spec()}
		}
		changed := alter(s)
		kept = s
		return changed
	})
	if err == nil {
		w.mu.Lock()
		w.states[f.Name] = kept
		w.mu.Unlock()
	}
	return err
}

// begin announces a feed, and reports whether to look at it.
func (w *Watcher) begin(ctx context.Context, f *Feed) (due bool, err error) {
	paused, err := w.States.paused(ctx, f.Name)
	if err != nil {
		return false, err
	}
	if paused != nil { // which the watch of settings may not have delivered yet
		w.mu.Lock()
		w.paused[f.Name] = *paused
		w.mu.Unlock()
	}
	err = w.keep(ctx, f, func(s *State) bool {
		now := w.Now().UTC()
		if s.Spec != f.spec() {
			s.Next = now
		}
		problem := cmp.Or(w.Feeds.Problem(f.Name), w.wrongTarget(f.Name))
		announced := s.announces(f, now) && s.Problem == problem
		if !announced {
			s.Spec, s.Announced, s.Problem = f.spec(), now, problem
		}
		if due = paused == nil && !s.Next.After(now); due {
			s.Looking = now
		}
		return due || !announced
	})
	return due, err
}

// goOn says that this worker still looks at a feed, at most every signEvery.
func (w *Watcher) goOn(ctx context.Context, f *Feed) error {
	return w.keep(ctx, f, func(s *State) bool {
		now := w.Now().UTC()
		if now.Sub(s.Looking) < signEvery {
			return false
		}
		s.Looking = now
		return true
	})
}

// finish ends a look and sets the time of the next one.
func (w *Watcher) finish(s *State, f *Feed, wake time.Time) {
	now := w.Now().UTC()
	for _, v := range s.Versions {
		if len(v.Pieces) > 0 && v.At.After(s.Looked) { // published by this look
			wake = earlier(wake, now.Add(moveEvery))
		}
	}
	s.Looking, s.Looked, s.Next = time.Time{}, now, f.next(now)
	if !wake.IsZero() && (wake.Before(s.Next) || s.Next.IsZero()) {
		s.Next = wake
	}
}

// maxFiles is the number of files of one export.
const maxFiles = 5000

// limit returns how many files a place may have.
func (f *Feed) limit() int {
	if f.isEach() {
		return places.MostFiles
	}
	return maxFiles
}

// listTime is how long the list of a place may take.
const listTime = lookTime * 3 / 4

// find returns the exports in the place of a feed, sorted by name, and the names that are not taken
// because of their case, masked.
func (w *Watcher) find(ctx context.Context, f *Feed) (seen []export, otherCase []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	at := f.Watch
	found, err := w.Places.Watch(ctx, places.Origin(f.Shown), at, f.Marker, f.isEach(), f.limit())
	for _, name := range found.OtherCase {
		otherCase = append(otherCase, hashing.MaskIDs(name))
	}
	if err != nil {
		return nil, otherCase, err
	}
	if f.isEach() {
		for _, file := range found.Files {
			seen = append(seen, f.export(found.At.File(file.Name), []usher.File{file}, hashing.MaskIDs(file.Name)))
		}
		return seen, otherCase, nil
	}
	e := f.export(found.At, found.Files, f.Shown)
	e.newer, e.marked = hashing.MaskIDs(found.Newer), found.Marked.UTC()
	return []export{e}, otherCase, nil
}

// export returns an export of the feed.
func (f *Feed) export(at places.Location, files []usher.File, name string) export {
	e := export{version: at.Version(files), name: name, files: files}
	e.source = *f.Job.Source
	e.source.URL, e.source.Version = at.URL(), e.version
	if at.IsFolder() {
		e.source.DoneMarker = f.Marker
	}
	return e
}

// whyOf returns the reason of an error for people.
func whyOf(err error) string {
	var permanent *usher.Permanent
	text := err.Error()
	if errors.As(err, &permanent) && permanent.Class != usher.SourceMissing && permanent.Hint != "" {
		text += "; " + permanent.Hint
	}
	return hashing.MaskIDs(inFeedFile(text))
}

// jobField matches a field of a job's source, its input or its profile in a message.
var jobField = regexp.MustCompile(`(^|[\s(])(?:(source\.[A-Za-z]+)\b|set (input|the profile) to )`)

// inFeedFile returns a message about a job with its fields as the feed file has them: job.source.column.
func inFeedFile(text string) string {
	return jobField.ReplaceAllStringFunc(text, func(match string) string {
		m := jobField.FindStringSubmatch(match)
		if m[2] != "" {
			return m[1] + "job." + m[2]
		}
		return m[1] + "set job." + strings.TrimPrefix(m[3], "the ") + " to "
	})
}

// count counts the rows of an export as a job does, and records their number. Memory does
// not grow with the export.
func (w *Watcher) count(ctx context.Context, f *Feed, e *export) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	last := w.Now() // when the worker said that it looks
	options := inspection.Options{Input: f.Job.Input, Removes: !f.Kind.Uploads(), Progress: func(int64, int64) {
		if now := w.Now(); now.Sub(last) > signEvery {
			last = now
			if err := w.goOn(ctx, f); err != nil {
				stop(err)
			}
		}
	}}
	if f.Job.Profile != nil {
		options.Profile = *f.Job.Profile
	}
	report, err := inspection.Inspect(ctx, w.Exports, &e.source, options)
	unreadable := ""
	var refused *usher.Permanent
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		unreadable = e.unreadable(err)
	case err != nil && !f.Kind.Uploads() && !f.Expect.needsRows(): // nothing delays ids that must go
		unreadable = "it cannot be read now: " + whyOf(err)
	case err != nil:
		return err
	}
	return w.keep(ctx, f, func(s *State) bool {
		v := s.Versions[e.version]
		if v == nil {
			return true
		}
		v.Fields, v.Asked, v.Unreadable = memory.FieldsOf(&f.Job), s.Asked, unreadable
		v.Rows, v.Sum, v.Read = nil, "", nil
		if unreadable == "" {
			v.Rows, v.Sum = &report.Tally.Read, report.Sum
			v.Read = memory.Of(memory.Read{Job: &f.Job, Understood: report.Understood, Tally: &report.Tally, Warnings: report.Warnings})
		}
		return true
	})
}

// unreadable says that the export cannot be read, why, and what to do.
func (e *export) unreadable(err error) string {
	text := strings.TrimPrefix(whyOf(err), fmt.Sprintf("read source %q: ", hashing.MaskIDs(string(places.OriginOf(&e.source)))))
	return "it cannot be read: " + strings.TrimPrefix(text, "read export: ")
}

// publish publishes the jobs of exports, and records them. If some cannot be published, the
// others are recorded. Outcomes have no job that would fail if their export cannot be read, so that
// it is held instead.
func (w *Watcher) publish(ctx context.Context, f *Feed, exports []*export) error {
	var failed error
	var all []publication
	for _, e := range exports {
		one, err := w.take(ctx, f, e)
		if failed = err; failed != nil {
			break
		}
		all = append(all, one)
	}
	var different []string
	same := ""
	err := w.keep(ctx, f, func(s *State) bool {
		for i, one := range all {
			e := exports[i]
			if one.unreadable != "" {
				s.cannotRead(e, one.unreadable)
				continue
			}
			s.published(f, e, jobID(f.Name, e.version), w.Now().UTC())
			different, same = s.Last.Differences, s.Last.Same
			if one.refused != "" {
				s.Last.Differences = []string{one.refused}
			}
		}
		if failed != nil && ctx.Err() == nil {
			s.Why = "the job of " + exports[len(all)].name + " cannot be published, which is tried again: " + hashing.MaskIDs(failed.Error())
		}
		return true
	})
	if same != "" {
		w.Logger.Warn("an export has the same content as the one before, under another name", "feed", f.Name, "same", same)
	}
	if len(different) > 0 {
		w.Logger.Warn("an export differs from the last good one; its job goes on, because it takes ids away", "feed", f.Name, "differences", different)
	}
	return errors.Join(failed, err)
}

// publication is what became of an export: its job is published, or its numbers are stored.
type publication struct {
	refused    string // what of the numbers was not stored
	unreadable string // why nothing was: the export cannot be read
}

// take publishes the job of an export, or stores its numbers.
func (w *Watcher) take(ctx context.Context, f *Feed, e *export) (one publication, err error) {
	if f.Kind == usher.Outcomes {
		one.refused, err = w.Outcomes(ctx, f, &e.source)
	} else {
		err = w.publishJob(ctx, f, e)
	}
	broken, is := errors.AsType[*usher.Permanent](err)
	switch {
	case is && f.Kind == usher.Outcomes && broken.Class == usher.SourceBroken:
		return publication{unreadable: e.unreadable(err)}, nil
	case err != nil:
		return publication{}, err
	}
	w.logTaken(f, e, one.refused)
	return one, nil
}

// cannotRead records why an export cannot be read.
func (s *State) cannotRead(e *export, why string) {
	if v := s.Versions[e.version]; v != nil {
		v.Unreadable, v.Asked = why, s.Asked
	}
}

// publishJob publishes the job of an export.
func (w *Watcher) publishJob(ctx context.Context, f *Feed, e *export) error {
	job := f.Job
	job.ID, job.Source = jobID(f.Name, e.version), &e.source
	if f.Kind.Mirrors() {
		job.AcceptChange = e.approved
		if shift := f.maxShift(); shift != usher.DefaultMaxShift {
			job.MaxShift = &shift
		}
	}
	return w.Jobs.Publish(ctx, f.Kind, job)
}
