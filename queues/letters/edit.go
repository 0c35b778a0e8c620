package letters

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/message"
	"usher/queues/schema"
)

// Edited is what an edit of one letter did, or would do.
type Edited struct {
	Seq    uint64          `json:"seq"`
	Now    uint64          `json:"now,omitempty"` // the letter's number after the edit; 0: it was not edited
	ID     *string         `json:"id"`
	Before json.RawMessage `json:"before"` // in the form that people may see
	After  json.RawMessage `json:"after"`
	Fields []string        `json:"fields"` // JSON pointers of the changed fields
	Issues []schema.Issue  `json:"issues"` // why the edit is refused
}

// Change changes the JSON of a job. It receives the job in the form that people
// may see: inline ids as their number, the query of a source's URL as ?…. If it
// leaves these as they are, the job keeps their values.
type Change func(kind usher.Kind, shown json.RawMessage) (json.RawMessage, error)

// PlanEdit calls visit with what a change would do to each of the letters that match. If visit
// returns an error, PlanEdit stops and returns it. PlanEdit changes nothing.
func (ls *Letters) PlanEdit(ctx context.Context, f Filter, change Change, visit func(Edited) error) error {
	return ls.each(ctx, f, func(l queues.Letter) error {
		_, result, err := ls.change(&l, change)
		if err != nil {
			return err
		}
		return visit(result)
	})
}

// Edit changes the jobs of the letters that match. It replaces each letter by one
// with the changed body, which records who changed what. Edit calls visit with
// each result, one at a time. When ctx ends, it completes the acts that have begun.
func (ls *Letters) Edit(ctx context.Context, f Filter, change Change, act audit.Act, visit func(Edited)) error {
	return ls.edit(ctx, f, change, act, nil, visit)
}

// edit is Edit for the letters that are wanted with their changed body; nil: all are.
func (ls *Letters) edit(ctx context.Context, f Filter, change Change, act audit.Act, wanted func(context.Context, *queues.Letter) (bool, error), visit func(Edited)) error {
	var visiting sync.Mutex
	return ls.actOnEach(ctx, f, func(ctx context.Context, l *queues.Letter) error {
		next, result, err := ls.change(l, change)
		if err == nil && wanted != nil {
			is, err := wanted(ctx, cmp.Or(next, l))
			if err != nil || !is {
				return err
			}
		}
		if err == nil && next != nil {
			ctx, cancel := finishing(ctx)
			defer cancel()
			result.Now, result.Issues, err = ls.replace(ctx, l, next, act.Masked(), result.Fields)
		}
		if err != nil {
			return err
		}
		visiting.Lock()
		defer visiting.Unlock()
		visit(result)
		return nil
	})
}

// change returns the changed letter; nil if the change is refused or changes
// nothing.
func (ls *Letters) change(l *queues.Letter, change Change) (*queues.Letter, Edited, error) {
	result := Edited{Seq: l.Seq, ID: l.ID, Before: message.Redact(l.Job)}
	if l.ID == nil || l.Job == nil {
		result.Issues = []schema.Issue{{Message: "the job in this letter is not readable: publish it again"}}
		return nil, result, nil
	}
	text, err := change(l.Kind, result.Before)
	if err != nil {
		return nil, result, err
	}
	body, issue := restore(text, result.Before, l)
	if issue != nil {
		result.Issues = []schema.Issue{*issue}
		return nil, result, nil
	}
	if result.Fields = differing(result.Before, text); len(result.Fields) == 0 {
		result.After = result.Before
		return nil, result, nil
	}
	givesIDs := slices.Contains(result.Fields, "/source/ids")
	if issue := digestsAs(l.Job, body); issue != nil && !givesIDs {
		result.Issues = []schema.Issue{*issue}
		return nil, result, nil
	}
	prepared, issues := ls.queue.Reruns().Prepare(l.Kind, body)
	if len(issues) > 0 {
		result.Issues = issues
		return nil, result, nil
	}
	next := *l
	next.Job, next.Target = prepared.Kept, prepared.Target
	if givesIDs || prepared.Dropped.Read > 0 { // the tally is of the ids, or there are none any more
		next.Dropped = prepared.Dropped
	}
	result.After = prepared.Shown
	return &next, result, nil
}

// replace stores a changed letter, audits that, and deletes the letter that it replaces. It
// returns the number of the new letter. Of two concurrent edits of a letter, one is refused.
func (ls *Letters) replace(ctx context.Context, l, next *queues.Letter, act audit.Act, fields []string) (uint64, []schema.Issue, error) {
	next.Edited = &usher.Edit{Run: l.Run, By: act.Actor, At: ls.queue.Now().UTC(), Reason: act.Reason, Fields: fields}
	seq, duplicate, err := ls.queue.StoreLetter(ctx, *next, fmt.Sprintf("/edit/%d", l.Seq))
	if err != nil {
		return 0, nil, err
	}
	if !duplicate {
		detailed := act
		detailed.Reason = strings.TrimSpace(act.Reason + " (changed: " + strings.Join(fields, ", ") + ")")
		if err := ls.audit(ctx, l, detailed, edited, string(usher.Failed)); err != nil {
			return 0, nil, err
		}
	}
	_, err = ls.remove(ctx, l.Seq)
	if duplicate {
		return 0, []schema.Issue{{Message: "somebody else edited it meanwhile: their version is the letter now"}}, err
	}
	return seq, nil, err
}
