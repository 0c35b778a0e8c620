package console

import (
	"context"
	"encoding/json"
	"net/http"

	"usher"
	"usher/queues/letters"
	"usher/queues/schema"
)

// editOrder is an edit of the jobs of dead letters. It sets fields, or replaces the job of
// one letter.
type editOrder struct {
	Set    map[string]string `json:"set,omitempty"` // values by dotted names, such as source.column; null removes a field
	Job    json.RawMessage   `json:"job,omitempty"` // the whole job, if Set is empty
	Reason string            `json:"reason"`
	DryRun bool              `json:"dryRun"` // change nothing
}

// editReport describes what an edit did, or what it would do.
type editReport struct {
	Edited  int          `json:"edited"`
	Same    int          `json:"same"` // letters in which the edit changes nothing
	Refused int          `json:"refused"`
	Why     string       `json:"says"`    // why the first letter was refused
	Example *editExample `json:"example"` // the first letter that is edited
	Now     []uint64     `json:"now"`     // the numbers of the letters after the edit
}

// editExample is the edit of one letter.
type editExample struct {
	ID     *string         `json:"id"`
	Seq    uint64          `json:"seq"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	Fields []string        `json:"fields"` // JSON pointers of the changed fields
}

func exampleOf(e letters.Edited) editExample {
	return editExample{ID: e.ID, Seq: e.Seq, Before: e.Before, After: e.After, Fields: append([]string{}, e.Fields...)}
}

func (r *editReport) add(e letters.Edited) {
	switch {
	case len(e.Issues) > 0:
		if r.Refused++; r.Why == "" {
			r.Why = schema.Describe(e.Issues)
		}
	case len(e.Fields) == 0:
		r.Same++
	default:
		if r.Edited++; r.Example == nil {
			r.Example = new(exampleOf(e))
		}
		if e.Now > 0 {
			r.Now = append(r.Now, e.Now)
		}
	}
}

func (c *Console) edit(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter letters.Filter `json:"filter"`
		Edit   editOrder      `json:"edit"`
	}](req)
	if err != nil {
		return nil, err
	}
	if len(in.Edit.Set) == 0 && len(in.Filter.Seqs) != 1 {
		return nil, refuse(http.StatusUnprocessableEntity, "set at least one field, or select exactly one letter to replace its job")
	}
	change := func(usher.Kind, json.RawMessage) (json.RawMessage, error) { return in.Edit.Job, nil }
	if len(in.Edit.Set) > 0 {
		change = c.options.Edits.Assign(in.Edit.Set)
	}
	var report editReport
	if in.Edit.DryRun {
		err := c.options.Edits.PlanEdit(ctx, in.Filter, change, func(e letters.Edited) error { report.add(e); return nil })
		return report, err
	}
	if err := requireReason(in.Edit.Reason); err != nil {
		return nil, err
	}
	err = c.options.Edits.Edit(ctx, in.Filter, change, actOf(user, in.Edit.Reason), report.add)
	c.lettersChanged()
	return report, err
}

// fixPlan describes what a fix would do.
type fixPlan struct {
	Count   int            `json:"count"`   // jobs that would be replayed
	Changed int            `json:"changed"` // of these, jobs that would be changed
	Refused int            `json:"refused"`
	Why     string         `json:"says"`   // why the first letter was refused
	Sample  []editExample  `json:"sample"` // the oldest of the jobs that would be replayed
	Skipped int            `json:"skipped"`
	Left    []letters.Skip `json:"left"`    // the first skipped letters
	Seconds float64        `json:"seconds"` // the minimum duration of the jobs under the rate limit
	Through uint64         `json:"through"` // the newest letter that the plan covers
}

// planFix plans a change of the jobs of letters and their replay.
func (c *Console) planFix(ctx context.Context, req *http.Request, _ User) (any, error) {
	in, err := body[struct {
		Filter letters.Filter    `json:"filter"`
		Set    map[string]string `json:"set"`
	}](req)
	if err != nil {
		return nil, err
	}
	var change letters.Change
	if len(in.Set) > 0 {
		change = c.options.Edits.Assign(in.Set)
	}
	plan, err := c.options.Edits.PlanFix(ctx, in.Filter, change)
	if err != nil {
		return nil, err
	}
	out := fixPlan{
		Count: plan.Count, Changed: plan.Changed, Refused: plan.Refused, Why: plan.Why, Sample: []editExample{},
		Skipped: plan.LeftOut.Count, Left: firstSkips(plan.LeftOut.Letters), Seconds: c.secondsOf(plan.Count), Through: plan.Filter.Through,
	}
	for _, e := range plan.Sample {
		out.Sample = append(out.Sample, exampleOf(e))
	}
	return out, nil
}

func (c *Console) discard(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter letters.Filter `json:"filter"`
		Reason string         `json:"reason"`
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	n, err := c.options.Edits.Discard(ctx, in.Filter, actOf(user, in.Reason))
	c.lettersChanged()
	return map[string]int{"discarded": n}, err
}

func (c *Console) lettersChanged() {
	c.causes.invalidate()
	c.live.notify(topicLetters)
	c.live.notify(topicOverview)
}
