package console

import (
	"context"
	"fmt"
	"net/http"
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
	Level   string `json:"level"` // bad, warn
	Message string `json:"says"`
	Hint    string `json:"hint"`
	Page    string `json:"where"` // of the console, such as /letters
}

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
	o.findProblems(groups, runs)
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
func (o *overview) findProblems(groups []usher.LetterGroup, runs []usher.Evaluation) {
	if o.Stopped != nil {
		o.addProblem("warn", "Campaign actions are stopped: "+*o.Stopped, "Pauses and resumes wait until an admin starts campaign actions again.", "/rules")
	}
	held := 0
	for i := range runs {
		if runs[i].State == usher.EvaluationHeld {
			held++
		}
	}
	if held > 0 {
		o.addProblem("warn", readable.Count(int64(held), "rule run")+" waiting for approval", "Their decisions are not carried out until somebody approves them.", "/rules")
	}
	for i := range groups {
		o.Letters += groups[i].Count
	}
	if o.Letters > 0 {
		failed, causes := readable.Count(int64(o.Letters), "failed job"), readable.Count(int64(len(groups)), "cause")
		o.addProblem("bad", fmt.Sprintf("%s, %s", failed, causes), "Fix the cause, then replay the jobs.", "/letters")
	}
	for i := range o.Lanes {
		l := &o.Lanes[i]
		switch {
		case l.Paused != "":
			o.addProblem("warn", fmt.Sprintf("Lane %s is paused: %s", l.Name, l.Paused), "Its jobs wait until an admin resumes the lane.", "/")
		case l.Waiting > 0 && l.Running == 0 && l.Oldest != nil && o.At.Sub(*l.Oldest) > stalledAfter:
			o.addProblem("warn", fmt.Sprintf("Lane %s has stalled: %s, none running", l.Name, readable.Count(l.Waiting, "waiting job")), "Check that workers are running and have slots in this lane.", "/")
		}
	}
}

func (o *overview) addProblem(level, message, hint, page string) {
	o.Problems = append(o.Problems, problem{level, message, hint, page})
}
