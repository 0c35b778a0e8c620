package queues

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"usher/queues/schema"

	"github.com/nats-io/nats.go"

	"usher"
)

// Edited is what editing one letter would do, or did.
type Edited struct {
	Seq    uint64          `json:"seq"`
	ID     *string         `json:"id"`
	Before json.RawMessage `json:"before"` // as people see it
	After  json.RawMessage `json:"after"`
	Fields []string        `json:"fields"` // JSON pointers of what differs: none, nothing to do
	Issues []schema.Issue  `json:"issues"` // why it cannot be
}

// Change makes a dead job's JSON another one. It gets the job as people see it:
// inline ids as their count, the query of a source's URL as ?…; what it leaves
// so stays what it was.
type Change func(kind usher.Kind, shown json.RawMessage) (json.RawMessage, error)

// PlanEdit says what change would do to the letters that match, one after the
// other, until visit returns an error. Nothing is changed.
func (q *Queue) PlanEdit(ctx context.Context, f LetterFilter, change Change, visit func(Edited) error) error {
	return q.eachLetter(ctx, f, func(l letter) error {
		_, edited, err := q.edit(&l, change)
		if err != nil {
			return err
		}
		return visit(edited)
	})
}

// Edit changes the jobs of the letters that match: a letter with another body
// takes the old one's place, and says who changed what. visit hears of each.
// What was begun when ctx ended is brought to its end.
func (q *Queue) Edit(ctx context.Context, f LetterFilter, change Change, act Act, visit func(Edited)) error {
	results := make(chan Edited)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range results {
			visit(e)
		}
	}()
	err := q.actOnLetters(ctx, f, func(ctx context.Context, l *letter) error {
		next, edited, err := q.edit(l, change)
		if err == nil && len(edited.Issues) == 0 && len(edited.Fields) > 0 {
			ctx, cancel := begun(ctx)
			defer cancel()
			edited.Issues, err = q.replaceLetter(ctx, l, next, act, edited.Fields)
		}
		if err != nil {
			return err
		}
		results <- edited
		return nil
	})
	close(results)
	<-done
	return err
}

// edit is a letter's next version.
func (q *Queue) edit(l *letter, change Change) (*letter, Edited, error) {
	edited := Edited{Seq: l.Seq, ID: l.ID, Before: shownJob(l.Job)}
	refuse := func(pointer, message string) (*letter, Edited, error) {
		edited.Issues = []schema.Issue{{Pointer: pointer, Message: message}}
		return nil, edited, nil
	}
	if l.ID == nil || l.Job == nil {
		return refuse("", "no job could be read in this letter: publish it anew")
	}
	text, err := change(l.Kind, edited.Before)
	if err != nil {
		return nil, edited, err
	}
	body, issue := restore(text, edited.Before, l)
	if issue != nil {
		return refuse(issue.Pointer, issue.Message)
	}
	if edited.Fields = differing(edited.Before, text); len(edited.Fields) == 0 {
		edited.After = edited.Before
		return nil, edited, nil
	}
	if edited.Issues = q.schemas.Validate(l.Kind, body); len(edited.Issues) > 0 {
		return nil, edited, nil
	}
	header := nats.Header{headerRun: {"2"}} // any further run's: it is none of a publisher's
	m := q.read(q.names.Job(l.Kind), header, body, 0, q.now())
	if m.invalid != nil {
		return refuse("/source", m.invalid.Message)
	}
	next := *l
	next.Job, next.Target = m.kept, targetIn(l.Kind, m.shown)
	if m.dropped.Read > 0 {
		next.dropped = m.dropped
	}
	edited.After = m.shown
	return &next, edited, nil
}

// restore puts back what people do not see of a job.
func restore(text, shown json.RawMessage, l *letter) (json.RawMessage, *schema.Issue) {
	var now, seen, kept map[string]json.RawMessage
	if json.Unmarshal(text, &now) != nil || now == nil {
		return nil, &schema.Issue{Message: "is not a JSON object"}
	}
	if json.Unmarshal(shown, &seen) != nil || json.Unmarshal(l.Job, &kept) != nil {
		return nil, &schema.Issue{Message: "the letter's job cannot be read"}
	}
	id, err := json.Marshal(*l.ID)
	if err != nil {
		return nil, &schema.Issue{Pointer: "/id", Message: err.Error()}
	}
	if given, named := now["id"]; named && !bytes.Equal(given, id) {
		return nil, &schema.Issue{Pointer: "/id", Message: "a job's id is what it is known by, and stays: publish a job of another id anew"}
	}
	now["id"] = id
	source, issue := restoreSource(now["source"], seen["source"], kept["source"])
	if issue != nil {
		return nil, issue
	}
	if source != nil {
		now["source"] = source
	}
	body, err := json.Marshal(now)
	if err != nil {
		return nil, &schema.Issue{Message: err.Error()}
	}
	return body, nil
}

// restoreSource puts back what people do not see of a job's source; nil where
// there is nothing to put back.
func restoreSource(text, shown, keptSource json.RawMessage) (json.RawMessage, *schema.Issue) {
	var now, seen, kept map[string]json.RawMessage
	if json.Unmarshal(text, &now) != nil || now == nil {
		return nil, nil
	}
	_ = json.Unmarshal(shown, &seen)
	_ = json.Unmarshal(keptSource, &kept)
	for _, field := range []string{"url", "ids"} {
		given, named := now[field]
		if !named || !bytes.Equal(compact(given), compact(seen[field])) {
			continue
		}
		now[field] = kept[field]
		if bytes.Equal(compact(kept[field]), compact(given)) && (field == "ids" || strings.Contains(string(given), "?…")) {
			return nil, &schema.Issue{Pointer: "/source/" + field, Message: "was not kept, because the job was not valid: write it out"}
		}
	}
	restored, err := json.Marshal(now)
	if err != nil {
		return nil, &schema.Issue{Pointer: "/source", Message: err.Error()}
	}
	return restored, nil
}

// differing are JSON pointers of the fields, one level into source, in which two
// jobs differ.
func differing(before, after json.RawMessage) []string {
	var a, b map[string]json.RawMessage
	_, _ = json.Unmarshal(before, &a), json.Unmarshal(after, &b)
	fields := []string{}
	names := maps.Clone(b)
	maps.Copy(names, a)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch {
		case bytes.Equal(compact(a[name]), compact(b[name])):
		case name == "source" && a[name] != nil && b[name] != nil:
			for _, inner := range differing(a[name], b[name]) {
				fields = append(fields, "/source"+inner)
			}
		default:
			fields = append(fields, schema.Pointer([]string{name}))
		}
	}
	return fields
}

// compact is JSON without spaces, its keys in order.
func compact(text json.RawMessage) []byte {
	var v any
	if len(text) == 0 || json.Unmarshal(text, &v) != nil {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return out
}

// replaceLetter stores the next version of a letter, audits that, and removes
// the old one. Of two who do it at once, one is told so.
func (q *Queue) replaceLetter(ctx context.Context, l, next *letter, act Act, fields []string) ([]schema.Issue, error) {
	next.Edited = &usher.Edit{Run: l.Run, By: act.Actor, At: q.now().UTC(), Reason: act.Reason, Fields: fields}
	duplicate, err := q.storeLetter(ctx, *next, fmt.Sprintf("/edit/%d", l.Seq))
	if err != nil {
		return nil, err
	}
	if !duplicate {
		what := act
		what.Reason = strings.TrimSpace(act.Reason + " (changed: " + strings.Join(fields, ", ") + ")")
		if err := q.auditLetter(ctx, l, what, edited, string(usher.Failed)); err != nil {
			return nil, err
		}
	}
	_, err = q.deleteLetter(ctx, l.Seq)
	if duplicate {
		return []schema.Issue{{Message: "somebody else edited it meanwhile: their version is the letter now"}}, err
	}
	return nil, err
}
