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
}

// editExample is the edit of one letter.
type editExample struct {
	Seq    uint64          `json:"seq"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	Fields []string        `json:"fields"` // JSON pointers of the changed fields
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
			r.Example = &editExample{Seq: e.Seq, Before: e.Before, After: e.After, Fields: e.Fields}
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
