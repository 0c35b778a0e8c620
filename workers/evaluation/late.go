package evaluation

import (
	"context"
	"fmt"
	"time"

	"usher"
)

// onTime is how long after a time of a schedule its run decides as of that time.
const onTime = time.Minute

// catchUp makes the evaluation of a time of a schedule one as of now, if it begins late, because what it
// decides is done now. It returns why it decides nothing, or "".
//
// One late run stands for all times of the schedule until then. On a later day there is none, because a
// schedule may name days, such as Friday evening. active_hours say themselves what holds at any time.
func (e *evaluation) catchUp(ctx context.Context) (why string, err error) {
	job, now := e.job, e.job.Now()
	at, isTick := e.handler.tickOf(job)
	if !isTick || now.Sub(at) < onTime {
		return "", nil
	}
	rule := e.set.Find(job.Work.Job.Rule)
	last, found, err := e.handler.Store.LastTick(ctx, e.set.Name, rule.Name)
	switch {
	case err != nil:
		return "", fmt.Errorf("evaluate rules %s: %w", e.set.Name, err)
	case found && !last.At.Before(at) && last.Evaluation == "":
		return fmt.Sprintf("it is of %s, and the schedule of rule %s began at %s", e.clock(at), rule.Name, e.clock(last.At)), nil
	case found && !last.At.Before(at):
		return fmt.Sprintf("it is of %s, and run %s has decided as of %s", e.clock(at), last.Evaluation, e.clock(last.At)), nil
	case e.set.Day(at) != e.set.Day(now) && rule.Hours == nil:
		why = fmt.Sprintf("it is of %s and began on another day, at %s: rule %s decides when it is due next", e.clock(at), e.clock(now), rule.Name)
		job.Warnf(usher.WarnTooOld, "%s", why)
		return why, nil
	}
	e.at = now
	return "", nil
}

// clock returns a time with its day, as the clock of the account's zone shows it.
func (e *evaluation) clock(at time.Time) string { return at.In(e.set.Zone).Format("2006-01-02 15:04") }
