package console

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"usher"
)

// hoursShown is the number of hours for which the overview counts ended jobs.
const hoursShown = 24

// stalledAfter is how long jobs may wait in a lane where nothing runs, before the
// overview reports the lane.
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
	Needs      []need              `json:"needs"`
}

// hour counts the jobs that ended in one hour.
type hour struct {
	At        int64 `json:"at"` // Unix seconds of its start
	Done      int   `json:"done"`
	Failed    int   `json:"failed"`
	Cancelled int   `json:"cancelled"`
}

// need is something that needs attention.
type need struct {
	Level string `json:"level"` // bad, warn
	Says  string `json:"says"`
	Hint  string `json:"hint"`
	Where string `json:"where"` // the place in the console, such as /letters
}

func (c *Console) overview(ctx context.Context, _ *http.Request, _ User) (any, error) {
	records, err := c.watcher.records(ctx)
	if err != nil {
		return nil, err
	}
	o := overview{At: c.Now().UTC(), Throughput: c.watcher.throughput(), Platform: c.Platform(), States: map[usher.State]int{}, Running: []jobRow{}, Needs: []need{}}
	if o.Lanes, err = c.lanes(ctx); err != nil {
		return nil, err
	}
	reason, stopped, err := c.Switch.Stopped(ctx)
	if err != nil {
		reason, stopped = "the stop switch cannot be read", true
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
	o.judge(groups, runs, c.Writes())
	return o, nil
}

// count counts the records by state and hour.
func (o *overview) count(records []usher.Record) {
	start := o.At.Truncate(time.Hour).Add(-(hoursShown - 1) * time.Hour)
	o.Hours = make([]hour, hoursShown)
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
		h := &o.Hours[min(int(r.Finished.Sub(start)/time.Hour), hoursShown-1)]
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

// judge lists what needs attention, worst first. unwritten says why NATS takes no writes;
// nil if it does.
func (o *overview) judge(groups []usher.LetterGroup, runs []usher.Evaluation, unwritten error) {
	if unwritten != nil {
		o.need("bad", unwritten.Error(), "No job, pause or resume goes on until it does. Nothing that was accepted is lost. `usher doctor` checks its servers.", "/")
	}
	if !o.Platform.Up {
		o.need("bad", "The platform does not answer: "+o.Platform.Says, "Nothing is lost: jobs wait, and go on by themselves once it is back.", "/")
	}
	if o.Stopped != nil {
		o.need("warn", "Campaign actions are stopped: "+*o.Stopped, "Pauses and resumes wait until an admin starts them again.", "/rules")
	}
	held := 0
	for i := range runs {
		if runs[i].State == usher.EvaluationHeld {
			held++
		}
	}
	if held > 0 {
		o.need("warn", count(held, "run")+" of rules to be approved or rejected", "Nothing of what they hold is done until somebody says so.", "/rules")
	}
	for i := range groups {
		o.Letters += groups[i].Count
	}
	if o.Letters > 0 {
		o.need("bad", fmt.Sprintf("%s of %s", count(o.Letters, "failed job"), count(len(groups), "cause")), "Mend the cause, then replay them.", "/letters")
	}
	for i := range o.Lanes {
		l := &o.Lanes[i]
		switch {
		case l.Paused != "":
			o.need("warn", fmt.Sprintf("Lane %s is paused: %s", l.Name, l.Paused), "Its jobs wait until it is resumed.", "/")
		case l.Waiting > 0 && l.Running == 0 && l.Oldest != nil && o.At.Sub(*l.Oldest) > stalledAfter:
			o.need("warn", fmt.Sprintf("Lane %s stands still: %s, none running", l.Name, count(int(l.Waiting), "waiting job")), "Are workers up, with slots in this lane?", "/")
		}
	}
}

func (o *overview) need(level, says, hint, where string) {
	o.Needs = append(o.Needs, need{level, says, hint, where})
}

// count returns text such as "1 cause" and "3,000 causes".
func count(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return grouped(n) + " " + word
}

// grouped formats a number with thousands separators.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
