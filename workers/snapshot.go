package workers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
)

// snapshot is what the rules decide on. Of scheduled runs over thousands of
// campaigns only those creatives are read that something could happen to.
func (v *evaluation) snapshot() (rules.Snapshot, error) {
	// What does not depend on each other is read side by side: an event's pause
	// waits for all of it.
	var beside sync.WaitGroup
	var stopped string
	var forgot error
	beside.Go(func() { stopped = v.stopped() })
	beside.Go(func() { v.memory, forgot = v.Evaluations.Memory(v.ctx, v.campaigns) })
	var creatives []rules.Creative
	sizes, err := v.sizes()
	if err == nil && v.isEvent() {
		creatives, err = ReadCreatives(v.ctx, v.platform, v.campaigns)
	}
	beside.Wait()
	if err = errors.Join(forgot, err); err == nil && !v.isEvent() {
		creatives, err = v.readCreatives()
	}
	if err != nil {
		return rules.Snapshot{}, err
	}
	v.creative = map[string]rules.Creative{}
	for _, c := range creatives {
		v.creative[c.Code] = c
	}
	return rules.Snapshot{
		Figures: v.figures, Creatives: creatives, Due: v.due, Sizes: sizes, Stopped: stopped,
		Memory: func(creative string) usher.CreativeMemory {
			return usher.Remembered(v.memory[v.creative[creative].Campaign][creative], v.set.Zone)
		},
	}, nil
}

// readCreatives reads those that something could happen to.
func (v *evaluation) readCreatives() ([]rules.Creative, error) {
	campaigns, err := v.worthReading()
	if err != nil {
		return nil, err
	}
	return ReadCreatives(v.ctx, v.platform, campaigns)
}

// stopped is why the stop switch is thrown; one that cannot be read is.
func (v *evaluation) stopped() string {
	reason, stopped, err := v.Stopped(v.ctx)
	switch {
	case err != nil:
		return "the stop switch cannot be read"
	case stopped && reason == "":
		return "no reason was given"
	}
	return reason
}

// worthReading are the campaigns in which a creative would be paused if it were
// ACTIVE, or which have one that a rule paused. What is not known of others is
// remarked.
func (v *evaluation) worthReading() ([]string, error) {
	var supposed []rules.Creative
	for _, campaign := range v.campaigns {
		codes := append([]string{""}, v.rows[campaign]...)
		for _, code := range codes {
			supposed = append(supposed, rules.Creative{Campaign: campaign, Code: code, Status: rtb.Active})
		}
	}
	run, err := v.set.Decide(v.ctx, rules.Snapshot{Figures: v.figures, Creatives: supposed, Due: v.due})
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", v.set.Name, err)
	}
	read := map[string]bool{}
	var unknown []usher.Decision
	for d := range run.Decisions(func(a usher.Action) bool { return a != usher.None }) {
		if d.Action == usher.Unknown {
			unknown = append(unknown, d)
			continue
		}
		read[d.Campaign] = true
	}
	for campaign, creatives := range v.memory {
		for _, changes := range creatives {
			if usher.Remembered(changes, v.set.Zone).Owner != nil {
				read[campaign] = true
			}
		}
	}
	for _, d := range unknown {
		if !read[d.Campaign] && (d.Creative != "" || len(v.rows[d.Campaign]) == 0) {
			v.remarks = append(v.remarks, d)
		}
	}
	return slices.Sorted(maps.Keys(read)), nil
}

// ruled is the evaluation of a run, with its decisions.
func (v *evaluation) ruled(run *rules.Run) (usher.Evaluation, []usher.Ruling) {
	e := usher.Evaluation{
		ID: v.ID, File: v.set.Name, Rule: v.Job.Rule, Account: v.set.Account, AsOf: v.at.UTC(), At: v.Now().UTC(),
		State: usher.EvaluationDone, Counts: map[usher.Action]int{}, Event: v.isEvent(),
	}
	var rulings []usher.Ruling
	keep := func(d usher.Decision) {
		if v.Job.Rule != "" && d.Rule != v.Job.Rule {
			return // that rule has a run of its own
		}
		e.Counts[d.Action]++
		if d.Action == usher.None && d.Guard == "" {
			return
		}
		c := v.creative[d.Creative]
		rulings = append(rulings, usher.Ruling{Decision: d, Seen: usher.Seen{Status: c.Status, LatestUpdate: c.LatestUpdate}})
		if d.Action == usher.Held && d.Guard.Approvable() {
			e.State, e.Why = usher.EvaluationHeld, d.Reason
		}
	}
	for d := range run.Decisions(nil) {
		keep(v.fresh(d))
	}
	for _, d := range v.remarks {
		keep(d)
	}
	return e, rulings
}

// fresh takes back what an event wants whose numbers are older than our last
// change of the creative: they came late, and do not know of it.
func (v *evaluation) fresh(d usher.Decision) usher.Decision {
	if !v.isEvent() || d.Action != usher.Pause && d.Action != usher.Resume {
		return d
	}
	changes := v.memory[d.Campaign][d.Creative]
	if len(changes) == 0 {
		return d
	}
	if last := changes[len(changes)-1]; last.At.After(v.Job.Metrics.At) {
		d.Action, d.Wants = usher.Unknown, ""
		d.Reason = fmt.Sprintf("the numbers are of %s, before the change at %s: too late to act on",
			v.Job.Metrics.At.UTC().Format(time.RFC3339), last.At.UTC().Format(time.RFC3339))
	}
	return d
}
