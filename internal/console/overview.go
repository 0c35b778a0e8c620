package console

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/backups"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/presence"
	"usher/queues/status"
)

// overviewHours is the number of hours for which the overview counts ended jobs.
const overviewHours = 24

// stalledAfter is how long jobs may wait in a lane in which no job runs before the overview
// reports the lane.
const stalledAfter = 2 * time.Minute

// overview is the state of the whole system.
type overview struct {
	At         time.Time           `json:"at"`
	Throughput throughput          `json:"throughput"`
	Lanes      []laneRow           `json:"lanes"`
	Platform   Platform            `json:"platform"`
	Stopped    *string             `json:"stopped"` // why campaign actions are stopped; null if they are not
	States     map[usher.State]int `json:"states"`
	Counted    bool                `json:"counted"` // all jobs are counted; otherwise the numbers still grow
	Letters    int                 `json:"letters"`
	Hours      []hour              `json:"hours"`   // oldest first
	Changes    []jobRow            `json:"changes"` // the newest jobs of which it is known what they have changed, newest first
	Before     *time.Time          `json:"before"`  // Changes lacks those of jobs that were submitted earlier; null: it has all
	Rules      []usher.Evaluation  `json:"rules"`   // the newest runs that have changed something, or would
	Taken      []takenRow          `json:"taken"`   // what feeds took, newest first
	Problems   []problem           `json:"needs"`   // worst first
}

// hour counts the jobs that ended in one hour.
type hour struct {
	At        int64 `json:"at"` // Unix seconds of its start
	Done      int   `json:"done"`
	Failed    int   `json:"failed"`
	Cancelled int   `json:"cancelled"`
}

// problem is something that needs attention: an entry of needs, as the page calls the list.
type problem struct {
	Level      string      `json:"level"` // bad, warn
	Message    string      `json:"says"`
	About      string      `json:"about"` // what it is about, such as the place of an export
	Hint       string      `json:"hint"`
	Count      int         `json:"count"`           // 0: none
	Of         string      `json:"of"`              // what Count counts, such as job
	Since      *time.Time  `json:"since"`           // null: not known
	Recent     []int       `json:"recent"`          // how many came in each five minutes of the last hour; null: not counted
	Page       string      `json:"where"`           // of the console, such as /letters; / for the overview itself
	Act        string      `json:"act"`             // what can be done there
	Class      usher.Class `json:"class,omitempty"` // of the cause, and what its jobs do to what
	Kind       usher.Kind  `json:"kind,omitempty"`
	Target     string      `json:"target,omitempty"`
	TargetName string      `json:"targetName,omitempty"`
	Subject    string      `json:"subject"` // what the act is done to: the name of a group, a run or a lane

	Versions []string         `json:"versions,omitempty"` // of a feed: the exports that are held
	Remedies []letters.Remedy `json:"remedies,omitempty"` // changes of the jobs of the cause that their error asks for
	Later    *usher.Later     `json:"later,omitempty"`    // of a cause: what a later job means for all of its letters

	KnownSince *time.Time `json:"knownSince,omitempty"` // of a cause: as of its group
}

// maxListed is how many causes, and how many held runs, the overview lists.
const maxListed = 5

func (c *Console) overview(ctx context.Context, req *http.Request, _ User) (any, error) {
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, err
	}
	o := overview{At: c.options.Now().UTC(), Throughput: c.roster.throughput(req.URL.Query().Get("span") == "day"), Platform: c.options.Platform(), Problems: []problem{}}
	if o.Lanes, err = c.lanes(ctx); err != nil {
		return nil, err
	}
	stop, err := c.options.Settings.Get(ctx, usher.StopSwitch, "")
	if err != nil { // jobs take it for set as well
		stop = &usher.Setting{Reason: "the stop switch could not be read"}
	}
	if stop != nil {
		o.Stopped = &stop.Reason
	}
	if o.Changes, err = c.rowsOf(ctx, changing(kept.Jobs, o.firstHour())); err != nil {
		return nil, err
	}
	if edge := edgeOf(kept); kept.Older && len(o.Changes) < maxListed && edge.After(o.firstHour()) {
		o.Before = &edge
	}
	o.count(c.options.Live.Counts(o.firstHour()))
	groups, err := c.causes.get(ctx)
	if err != nil {
		return nil, err
	}
	runs, err := c.runs.get(ctx)
	if err != nil {
		return nil, err
	}
	held, err := c.held.get(ctx)
	if err != nil {
		return nil, err
	}
	states, err := c.feeds.get(ctx)
	if err != nil {
		return nil, err
	}
	blind, err := c.blind.get(ctx)
	if err != nil {
		return nil, err
	}
	o.Rules, o.Taken = acting(runs.newest, o.firstHour()), c.taken(ctx, states, o.firstHour())
	o.addFeeds(states, func(audience string) string { return c.labelOf(ctx, audience) })
	o.addBlind(blind)
	o.addDifferences(c.roster.differences())
	o.addLost(c.roster.lostWorkers())
	o.addFailing(c.roster.failingOperations())
	o.addInvalid(c.roster.invalidFiles())
	o.addClocks(c.roster.clocks())
	o.addOversized(c.roster.oversizedValues())
	o.addSlow(kept.Jobs)
	backup, err := c.options.Backup(ctx)
	if err != nil {
		return nil, err
	}
	o.addBackup(backup)
	o.findProblems(c.groupRowsOf(groups), runs.newest, held)
	change, err := c.options.Jobs.OldestChange(ctx)
	if err != nil {
		return nil, err
	}
	rooms, err := c.options.Room(ctx)
	if err != nil {
		return nil, err
	}
	o.addFull(rooms)
	o.addLateChange(change)
	return o, nil
}

// changing returns the newest jobs that have changed an audience since a time, or have sent something to one of
// which no ledger says what that has changed.
func changing(jobs []*usher.Record, since time.Time) []*usher.Record {
	var found []*usher.Record
	for _, r := range jobs {
		if r.State != usher.Done || r.Finished.Before(since) || r.Consequence == nil && r.New == nil && !sends(r) {
			continue
		}
		if len(found) < maxListed && !r.IsDryRun() {
			found = append(found, r)
		}
	}
	return found
}

// sends reports whether a job has sent ids to an audience.
func sends(r *usher.Record) bool {
	family := r.Kind.Family()
	return (family == "segment" || family == "target") && r.Tally.Accepted > 0
}

// acting returns the newest runs that have changed something since a time, or would.
func acting(runs []usher.Evaluation, since time.Time) []usher.Evaluation {
	found := []usher.Evaluation{}
	for i := range runs {
		if r := &runs[i]; r.At.After(since) && (len(r.Jobs) > 0 || r.State == usher.EvaluationHeld) && len(found) < maxListed {
			found = append(found, *r)
		}
	}
	return found
}

// takenRow is an export that a feed took.
type takenRow struct {
	Feed     string    `json:"feed"`
	Audience string    `json:"audience"`
	Label    string    `json:"label"`
	Job      string    `json:"job"`
	Rows     int64     `json:"rows"` // 0: not counted
	At       time.Time `json:"at"`

	State usher.State     `json:"state,omitempty"` // of the job
	Error *usher.JobError `json:"error,omitempty"` // of a job that has failed
}

// taken returns the newest export of each feed, of those that came since a time.
func (c *Console) taken(ctx context.Context, states []feedState, since time.Time) []takenRow {
	found := []takenRow{}
	for i := range states {
		if s := &states[i]; s.Last != nil && s.Last.At.After(since) {
			found = append(found, takenRow{s.Name, s.Spec.Target, c.labelOf(ctx, s.Spec.Target), s.Last.Job, s.Last.Rows, s.Last.At, s.job, s.failure})
		}
	}
	slices.SortFunc(found, func(a, b takenRow) int { return b.At.Compare(a.At) })
	return found[:min(len(found), maxListed)]
}

// firstHour returns the beginning of the first hour for which jobs are counted.
func (o *overview) firstHour() time.Time {
	return o.At.Truncate(time.Hour).Add(-(overviewHours - 1) * time.Hour)
}

// count takes the numbers of jobs.
func (o *overview) count(c status.Counts) {
	o.States, o.Counted = c.States, c.Ready
	o.Hours = make([]hour, overviewHours)
	for i := range o.Hours {
		at := o.firstHour().Add(time.Duration(i) * time.Hour).Unix()
		of := c.Ended[at]
		o.Hours[i] = hour{At: at, Done: of[usher.Done], Failed: of[usher.Failed], Cancelled: of[usher.Cancelled]}
	}
}

// findProblems lists the problems, worst first. What is wrong with the servers is on the status
// line of each page.
func (o *overview) findProblems(groups []groupRow, runs []usher.Evaluation, held heldBy) {
	o.addCauses(groups)
	if o.Stopped != nil {
		o.add(problem{Level: "warn", Message: "Campaign actions are stopped: " + *o.Stopped, Hint: "Jobs that come meanwhile end without a change.", Page: "/rules", Act: "Start campaign actions"})
	}
	o.addHeldRuns(runs, held.runs)
	for i := range o.Lanes {
		l := &o.Lanes[i]
		switch {
		case l.Paused != "":
			o.add(problem{Level: "warn", Message: fmt.Sprintf("Lane %s is paused: %s", l.Name, l.Paused), Hint: "Its jobs wait until an admin resumes the lane.", Count: int(l.Waiting), Of: "job", Since: l.Oldest, Page: "/", Act: "Resume lane", Subject: l.Name})
		case l.Waiting > 0 && l.Running == 0 && l.Oldest != nil && o.At.Sub(*l.Oldest) > stalledAfter:
			o.add(problem{Level: "bad", Message: fmt.Sprintf("Lane %s has stalled: %s, none running", l.Name, readable.Count(l.Waiting, "waiting job")), Hint: "Check that workers are running and have slots in this lane.", Count: int(l.Waiting), Of: "job", Since: l.Oldest, Page: "/"})
		}
	}
	slices.SortStableFunc(o.Problems, func(a, b problem) int { return cmp.Compare(a.Level, b.Level) }) // bad comes before warn, also in the alphabet
}

// addLateChange puts the oldest change of a campaign before all other problems if it takes long.
func (o *overview) addLateChange(change *status.OpenChange) {
	if change == nil || !change.Late(o.At) {
		return
	}
	p := problem{Level: "bad", Message: change.Says(), About: change.Why(), Since: &change.Since, Page: "/jobs/" + url.PathEscape(change.Record.ID), Act: "Open", Hint: status.ChangeHint}
	for i := range o.Lanes {
		if l := &o.Lanes[i]; l.Name == string(lanes.Campaign) {
			p.Count, p.Of = int(l.Waiting+l.Running), "job"
		}
	}
	o.Problems = slices.Insert(o.Problems, 0, p)
}

func (o *overview) add(p problem) { o.Problems = append(o.Problems, p) }

// addCauses adds the largest causes of dead letters. Those of which nothing is left to do are not among them.
func (o *overview) addCauses(all []groupRow) {
	groups := make([]groupRow, 0, len(all))
	for _, g := range all {
		if g.Count -= g.Needless; g.Count > 0 {
			groups = append(groups, g)
			o.Letters += g.Count
		}
	}
	for i := range groups[:min(len(groups), maxListed)] {
		g := &groups[i]
		p := problem{Level: "bad", Message: g.Message, Hint: g.Hint, Count: g.Count, Of: "job", Since: &g.First, Recent: g.Recent[:], Page: "/letters?group=" + url.QueryEscape(g.Group), Act: "Fix and replay", Class: g.Class, Kind: g.Kind, Target: g.Target, TargetName: g.TargetName, Subject: g.Group, Remedies: g.Remedies, KnownSince: g.KnownSince}
		if g.Superseded == g.Count {
			p.Act, p.Later = "Open", g.Later
		}
		o.add(p)
	}
	if more := len(groups) - maxListed; more > 0 {
		o.add(problem{Level: "bad", Message: "Dead letters have " + readable.Count(more, "further cause"), Hint: "Fix each cause, then replay its jobs.", Page: "/letters", Act: "Open"})
	}
}

// addHeldRuns adds the runs of rules that wait for approval, newest first.
func (o *overview) addHeldRuns(runs []usher.Evaluation, held map[string]heldRun) {
	n := 0
	for i := range runs {
		r := &runs[i]
		if r.State != usher.EvaluationHeld {
			continue
		}
		if n++; n > maxListed {
			continue
		}
		who, where := "The rule file "+r.File, ""
		if of, found := held[r.ID]; found {
			who = "Rule " + strings.Join(of.Rules, ", ") + " of the file " + r.File
			where = " in " + listed(of.Campaigns, 0)
		}
		changes := r.CountApprovable()
		o.add(problem{Level: "warn", Message: who + " waits for approval of " + readable.Count(changes, "change") + where, About: r.Why, Hint: "Nothing of it is carried out until somebody approves it.", Count: changes, Of: "change", Since: &r.At, Page: "/rules/runs/" + url.PathEscape(r.ID), Act: "Approve", Subject: r.ID})
	}
	if more := n - maxListed; more > 0 {
		o.add(problem{Level: "warn", Message: readable.Count(more, "further rule run") + " waiting for approval", Page: "/rules", Act: "Open"})
	}
}

// addBlind adds the rules that cannot decide, the creatives that nothing resumes, and what rules have
// taken back.
func (o *overview) addBlind(list []usher.Blindness) {
	list = usher.JoinTookBack(list)
	for i := range list {
		b := &list[i]
		var names []string
		for k := range b.On {
			names = append(names, b.On[k].Name())
		}
		first, more := &b.On[0], b.Count-len(names)
		causes := b.Causes()
		p := problem{Level: "warn", About: causes[0].Missing, Count: b.Count, Of: "creative", Since: &b.Since, Page: "/rules", Act: "Open"}
		p.Message = fmt.Sprintf("Rule %s of %s cannot decide on %s", b.Rule, b.File, listed(names, more))
		p.Hint = fmt.Sprintf("Until that is known, it stops nothing there. %s spent %s on %s.", first.Name(), readable.Short(first.Spend), first.Day)
		for _, cause := range causes[1:] {
			p.About += fmt.Sprintf("; on %d of them: %s", len(cause.On), cause.Missing)
		}
		if first.Creative == "" {
			p.Of = "campaign"
		}
		switch {
		case b.Orphaned:
			p.Message = fmt.Sprintf("Nothing resumes %s, which rule %s has paused", listed(names, more), b.Rule)
			p.Hint = "No file has this rule any more. Resume them, or write formerly: with its name into the rule that took its place."
		case b.TookBack != "":
			p.Message = fmt.Sprintf("Rule %s of %s took back what somebody had changed on the platform: %s", b.Rule, b.File, listed(names, more))
			p.About, p.Page = first.Changed, "/rules/runs/"+url.PathEscape(b.TookBack)
			p.Hint = "To have it left alone, keep rules from it, on its page or with usher rules keep, and change it again. This is shown for 7 days."
		}
		o.add(p)
	}
}

// addLost adds the workers that are lost.
func (o *overview) addLost(lost []presence.Lost) {
	for i := range lost {
		w := &lost[i]
		o.add(problem{Level: "warn", Message: w.String(), About: w.Delays(), Since: &w.Heard, Page: "/", Hint: presence.LostHint})
	}
}

// addFailing adds the operations of the platform that fail.
func (o *overview) addFailing(failing []presence.Failing) {
	for i := range failing {
		f := &failing[i]
		o.add(problem{Level: "bad", Message: f.Says(), About: f.How(), Since: &f.Since, Page: "/", Hint: f.Delays() + " " + presence.FailingHint})
	}
}

// addSlow adds the sources that deliver too slowly.
func (o *overview) addSlow(jobs []*usher.Record) {
	var first *usher.Record // the oldest
	n := 0
	for _, r := range jobs {
		if (r.Slow.Lasts(o.At) || r.Slow != nil && r.Attempts > 1) && !r.State.Ended() { // the last attempt may have ended because of it
			first = r
			n++
		}
	}
	if n == 0 {
		return
	}
	p := problem{Level: "warn", Message: "The source of job " + first.ID + " delivers too slowly", About: first.Slow.String(), Count: n, Since: &first.Slow.Since, Page: "/jobs/" + url.PathEscape(first.ID), Act: "Open"}
	if n > 1 {
		p.Message = fmt.Sprintf("The sources of %d jobs deliver too slowly", n)
		p.Page = "/jobs?state=running,retrying"
	}
	p.Hint = presence.SlowHint
	o.add(p)
}

// addFull puts streams that are full, or nearly, before all other problems: what is refused is on no
// other page.
func (o *overview) addFull(rooms []queues.Room) {
	for _, r := range slices.Backward(rooms) {
		if !r.IsNearlyFull() {
			continue
		}
		p := problem{Level: "warn", Message: "NATS's " + r.String(), Hint: queues.RoomHint, Page: "/jobs?state=queued,running,retrying", Act: "Open"}
		if r.IsFull() {
			p.Level = "bad"
		}
		o.Problems = slices.Insert(o.Problems, 0, p)
	}
}

// addBackup adds that the last backup is too old.
func (o *overview) addBackup(age backups.Age) {
	if !age.IsOverdue(o.At) {
		return
	}
	p := problem{Level: "warn", Message: "There was never a backup", Since: &age.Since, Page: "/", Hint: "Run usher backup every day: without one, a mistake or the loss of NATS's disks loses all jobs, records and audits."}
	if age.Last != nil {
		p.Message = "The last backup is " + readable.Duration(o.At.Sub(age.Since)) + " old"
	}
	o.add(p)
}

// addClocks adds the workers whose clocks are wrong.
func (o *overview) addClocks(ahead map[string]float64) {
	for _, worker := range slices.Sorted(maps.Keys(ahead)) {
		seconds, way := ahead[worker], "ahead of"
		if seconds < 0 {
			seconds, way = -seconds, "behind"
		}
		o.add(problem{Level: "warn", Message: fmt.Sprintf("The clock of worker %s is %s %s NATS's", worker, readable.Duration(time.Duration(seconds*float64(time.Second))), way), Hint: "Jobs age by NATS's time. Synchronize the clocks of all machines by NTP; usher doctor says which one is wrong.", Page: "/"})
	}
}

// addInvalid adds the feed files that were changed and are invalid.
func (o *overview) addInvalid(files []string) {
	for _, text := range files {
		o.add(problem{Level: "bad", Message: "A feed file was changed and is invalid", About: text, Hint: "Its last valid version stays in use; a new file is not used. usher feeds check FILE shows all errors.", Page: "/audiences", Act: "Open"})
	}
}

// addOversized adds the values that NATS does not take because of their size.
func (o *overview) addOversized(texts []string) {
	for _, text := range texts {
		o.add(problem{Level: "bad", Message: "NATS does not take a record because of its size", About: text, Hint: "Its job cannot go on. Raise max_payload of the NATS servers to what it was, and reload them.", Page: "/jobs?state=queued,running,retrying", Act: "Open"})
	}
}

// addDifferences adds the tasks for which workers have other files than their leader.
func (o *overview) addDifferences(differences []presence.Difference) {
	for _, d := range differences {
		o.add(problem{Level: "warn", Message: fmt.Sprintf("Workers have different files in %s.files", d.Task), About: d.String(), Hint: "Give all workers the same files.", Page: "/"})
	}
}

// listed returns the first names of a list, and how many more there are, with those that are not in
// the list.
func listed(names []string, more int) string {
	const most = 3
	if more += max(len(names)-most, 0); more == 0 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:min(most, len(names))], ", "), more)
}
