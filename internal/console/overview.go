package console

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
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
	Letters    int                 `json:"letters"`
	Hours      []hour              `json:"hours"` // oldest first
	Running    []jobRow            `json:"running"`
	Problems   []problem           `json:"needs"` // worst first
}

// hour counts the jobs that ended in one hour.
type hour struct {
	At        int64 `json:"at"` // Unix seconds of its start
	Done      int   `json:"done"`
	Failed    int   `json:"failed"`
	Cancelled int   `json:"cancelled"`
}

// problem is something that needs attention.
type problem struct {
	Level   string      `json:"level"` // bad, warn
	Message string      `json:"says"`
	About   string      `json:"about"` // what it is about, such as "not_found, segment.add, segment 99"
	Hint    string      `json:"hint"`
	Count   int         `json:"count"`           // of jobs, creatives or causes; 0: none
	Since   *time.Time  `json:"since"`           // null: not known
	Recent  []int       `json:"recent"`          // how many came in each five minutes of the last hour; null: not counted
	Page    string      `json:"where"`           // of the console, such as /letters; / for the overview itself
	Act     string      `json:"act"`             // what can be done there
	Class   usher.Class `json:"class,omitempty"` // of the cause
	Subject string      `json:"subject"`         // what the act is done to: the name of a group, a run or a lane
}

// maxIncidents is how many causes, and how many held runs, the overview names.
const maxIncidents = 5

func (c *Console) overview(ctx context.Context, _ *http.Request, _ User) (any, error) {
	records, err := c.watcher.records(ctx)
	if err != nil {
		return nil, err
	}
	o := overview{At: c.options.Now().UTC(), Throughput: c.watcher.throughput(), Platform: c.options.Platform(), States: map[usher.State]int{}, Running: []jobRow{}, Problems: []problem{}}
	if o.Lanes, err = c.lanes(ctx); err != nil {
		return nil, err
	}
	reason, stopped, err := c.options.Switch.Stopped(ctx)
	if err != nil {
		reason, stopped = "the stop switch could not be read", true
	}
	if stopped {
		o.Stopped = &reason
	}
	o.count(records)
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
	o.addFeeds(states)
	o.findProblems(groups, runs, held)
	return o, nil
}

// count counts the records by state and hour.
func (o *overview) count(records []usher.Record) {
	start := o.At.Truncate(time.Hour).Add(-(overviewHours - 1) * time.Hour)
	o.Hours = make([]hour, overviewHours)
	for i := range o.Hours {
		o.Hours[i].At = start.Add(time.Duration(i) * time.Hour).Unix()
	}
	for i := range records {
		r := &records[i]
		o.States[r.State]++
		if (r.State == usher.Running || r.State == usher.Retrying) && len(o.Running) < 8 {
			o.Running = append(o.Running, rowOf(r))
		}
		if r.Finished == nil || r.Finished.Before(start) {
			continue
		}
		h := &o.Hours[min(int(r.Finished.Sub(start)/time.Hour), overviewHours-1)]
		switch r.State {
		case usher.Done:
			h.Done++
		case usher.Failed:
			h.Failed++
		case usher.Cancelled:
			h.Cancelled++
		}
	}
}

// findProblems lists the problems, worst first. What is wrong with the servers is on the status
// line of each page.
func (o *overview) findProblems(groups []usher.LetterGroup, runs []usher.Evaluation, held heldBy) {
	o.addCauses(groups)
	if o.Stopped != nil {
		o.add(problem{Level: "warn", Message: "Campaign actions are stopped: " + *o.Stopped, Hint: "Pauses and resumes wait until an admin starts campaign actions again.", Page: "/rules", Act: "Start campaign actions"})
	}
	o.addHeldRuns(runs, held.rules)
	for i := range o.Lanes {
		l := &o.Lanes[i]
		switch {
		case l.Paused != "":
			o.add(problem{Level: "warn", Message: fmt.Sprintf("Lane %s is paused: %s", l.Name, l.Paused), Hint: "Its jobs wait until an admin resumes the lane.", Count: int(l.Waiting), Since: l.Oldest, Page: "/", Act: "Resume lane", Subject: l.Name})
		case l.Waiting > 0 && l.Running == 0 && l.Oldest != nil && o.At.Sub(*l.Oldest) > stalledAfter:
			o.add(problem{Level: "bad", Message: fmt.Sprintf("Lane %s has stalled: %s, none running", l.Name, readable.Count(l.Waiting, "waiting job")), Hint: "Check that workers are running and have slots in this lane.", Count: int(l.Waiting), Since: l.Oldest, Page: "/"})
		}
	}
	slices.SortStableFunc(o.Problems, func(a, b problem) int { return cmp.Compare(a.Level, b.Level) }) // bad, warn
}

func (o *overview) add(p problem) { o.Problems = append(o.Problems, p) }

// addCauses adds the largest causes of dead letters.
func (o *overview) addCauses(groups []usher.LetterGroup) {
	for i := range groups {
		g := &groups[i]
		o.Letters += g.Count
		if i >= maxIncidents {
			continue
		}
		about := strings.TrimSuffix(fmt.Sprintf("%s, %s, %s", g.Class, g.Kind, g.Target), ", ")
		o.add(problem{Level: "bad", Message: g.Message, About: about, Hint: g.Hint, Count: g.Count, Since: &g.First, Recent: g.Recent[:], Page: "/letters?group=" + url.QueryEscape(g.Group), Act: "Fix and replay", Class: g.Class, Subject: g.Group})
	}
	if more := len(groups) - maxIncidents; more > 0 {
		o.add(problem{Level: "bad", Message: "Dead letters have " + readable.Count(int64(more), "further cause"), Hint: "Fix each cause, then replay its jobs.", Page: "/letters", Act: "Open"})
	}
}

// addHeldRuns adds the runs of rules that wait for approval, newest first.
func (o *overview) addHeldRuns(runs []usher.Evaluation, held map[string][]string) {
	n := 0
	for i := range runs {
		r := &runs[i]
		if r.State != usher.EvaluationHeld {
			continue
		}
		if n++; n > maxIncidents {
			continue
		}
		who := "Rule file " + r.File
		if rules := held[r.ID]; len(rules) > 0 {
			who = "Rule " + strings.Join(rules, ", ") + " of " + r.File
		}
		changes := r.Counts[usher.Held]
		o.add(problem{Level: "warn", Message: who + " waits for approval of " + readable.Count(int64(changes), "change"), About: r.Why, Hint: "Nothing of it is carried out until somebody approves it.", Count: changes, Since: &r.At, Page: "/rules/runs/" + url.PathEscape(r.ID), Act: "Approve", Subject: r.ID})
	}
	if more := n - maxIncidents; more > 0 {
		o.add(problem{Level: "warn", Message: readable.Count(int64(more), "further rule run") + " waiting for approval", Page: "/rules", Act: "Open"})
	}
}
