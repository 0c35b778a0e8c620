package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/names"
	"usher/queues/status"
)

// KeptJobs is the number of the newest jobs that are kept in memory. Filters search them first.
const KeptJobs = 5000

// maxPageRows is the maximum number of rows on a page of a list.
const maxPageRows = 200

// jobRow is a job in a list.
type jobRow struct {
	ID          string             `json:"id"`
	Run         int                `json:"run"`
	Kind        usher.Kind         `json:"kind"`
	Target      string             `json:"target"`
	TargetName  string             `json:"targetName,omitempty"`
	State       usher.State        `json:"state"`
	Submitted   time.Time          `json:"submitted"`
	Started     *time.Time         `json:"started"`
	Finished    *time.Time         `json:"finished"`
	Read        int64              `json:"read"`
	Accepted    int64              `json:"accepted"`
	New         *int64             `json:"new,omitempty"`
	Consequence *usher.Consequence `json:"consequence,omitempty"`
	Rejected    usher.Counts       `json:"rejected,omitempty"` // rows, by reason
	Parts       usher.PartCount    `json:"parts"`
	Why         string             `json:"why,omitempty"`
	Error       *usher.JobError    `json:"error,omitempty"`
	Warnings    int                `json:"warnings,omitempty"`
	DryRun      bool               `json:"dryRun,omitempty"`
}

func rowOf(r *usher.Record) jobRow {
	row := jobRow{
		ID: r.ID, Run: r.Run, Kind: r.Kind, Target: targetOf(r), TargetName: r.TargetName, State: r.State,
		Submitted: r.Submitted, Started: r.Started, Finished: r.Finished,
		Read: r.Tally.Read, Accepted: r.Tally.Accepted, New: r.New, Consequence: r.Consequence, Rejected: r.Tally.Rejected(), Parts: r.Parts, Error: r.Error, Warnings: len(r.Warnings),
	}
	if r.Why != nil && !r.State.Ended() {
		row.Why = *r.Why
	}
	row.DryRun = r.Consequence != nil && r.IsDryRun()
	return row
}

// targetOf returns the target of a job, such as "segment 17", or what it evaluates.
func targetOf(r *usher.Record) string {
	var job usher.Job
	_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
	if r.Kind == usher.RulesEvaluate {
		return "rules " + job.Rules
	}
	return job.Target(r.Kind)
}

// jobList is a page of jobs, newest first.
type jobList struct {
	Jobs   []jobRow            `json:"jobs"`
	Total  int                 `json:"total"`  // the jobs that match
	States map[usher.State]int `json:"states"` // the jobs of each state that match the other filters
	Recent bool                `json:"recent"` // there are older jobs, which total and states do not count
	Next   string              `json:"next"`   // the cursor of the next page; "": there is none
	Deep   bool                `json:"deep"`   // the next page has jobs that are older than the recent ones, which takes long to read
}

// jobFilter is the filter in the query of a list.
type jobFilter struct {
	states, kinds []string // empty: all
	text          string   // in lower case
	target        string
	since, until  time.Time
	after         *status.Cursor
	deep          bool // only jobs that are older than the recent ones
	names         names.Known
}

func jobFilterOf(req *http.Request) (f jobFilter, err error) {
	q := req.URL.Query()
	f = jobFilter{
		states: splitList(q.Get("state")), kinds: splitList(q.Get("kind")),
		text: strings.ToLower(strings.TrimSpace(q.Get("text"))), target: q.Get("target"), deep: q.Get("deep") != "",
	}
	if f.since, err = timeOf(req, "since"); err != nil {
		return f, err
	}
	if f.until, err = timeOf(req, "until"); err != nil {
		return f, err
	}
	if text := q.Get("after"); text != "" {
		at, id, _ := strings.Cut(text, " ")
		submitted, err := time.Parse(time.RFC3339Nano, at)
		if err != nil {
			return f, refuse(http.StatusBadRequest, "after must be the cursor of a page")
		}
		f.after = &status.Cursor{Submitted: submitted, ID: id}
	}
	return f, nil
}

// narrows reports whether there is a filter other than that of the state.
func (f *jobFilter) narrows() bool {
	return len(f.kinds) > 0 || f.text != "" || f.target != "" || !f.since.IsZero() || !f.until.IsZero()
}

// matches reports whether a job passes all filters but that of the state.
func (f *jobFilter) matches(r *usher.Record) bool {
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, string(r.Kind)) ||
		!f.since.IsZero() && r.Submitted.Before(f.since) || !f.until.IsZero() && r.Submitted.After(f.until) {
		return false
	}
	if f.text == "" && f.target == "" {
		return true
	}
	row := rowOf(r)
	if f.target != "" && row.Target != f.target {
		return false
	}
	words := row.ID + " " + row.Target + " " + f.names.OfJob(r.Kind, r.Job) + " " + row.Why
	if row.Error != nil {
		words += " " + string(row.Error.Class) + " " + row.Error.Message
	}
	return strings.Contains(strings.ToLower(words), f.text)
}

func (f *jobFilter) hasState(r *usher.Record) bool {
	return len(f.states) == 0 || slices.Contains(f.states, string(r.State))
}

func (c *Console) jobs(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := jobFilterOf(req)
	if err != nil {
		return nil, err
	}
	f.names = c.names(ctx)
	limit, err := limitOf(req)
	if err != nil {
		return nil, err
	}
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, err
	}
	out := jobList{Jobs: []jobRow{}, States: map[usher.State]int{}, Recent: kept.Older && f.narrows()}
	var found []*usher.Record
	for _, r := range kept.Jobs {
		if !f.matches(r) {
			continue
		}
		out.States[r.State]++
		if f.hasState(r) && len(found) <= limit && (f.after == nil || f.after.Compare(status.CursorOf(r)) < 0) {
			found = append(found, r)
		}
	}
	if !f.narrows() {
		out.States = c.options.Live.Counts(c.options.Now()).States
	}
	for state, n := range out.States {
		if f.hasState(&usher.Record{State: state}) {
			out.Total += n
		}
	}
	if f.deep {
		err := c.addOlder(ctx, &out, &f, limit)
		return out, err
	}
	if out.Jobs, err = c.rowsOf(ctx, found[:min(len(found), limit)]); err != nil {
		return nil, err
	}
	switch {
	case limit == 0:
	case len(found) > limit:
		out.Next = textOf(found[limit-1])
	case kept.Older && kept.Whole > 0:
		out.Next, out.Deep = textOf(kept.Jobs[kept.Whole-1]), true
	}
	return out, nil
}

// textOf returns the cursor of a job, as queries have it.
func textOf(r *usher.Record) string {
	return r.Submitted.Format(time.RFC3339Nano) + " " + r.ID
}

// rowsOf returns the rows of jobs, with why they wait.
func (c *Console) rowsOf(ctx context.Context, jobs []*usher.Record) ([]jobRow, error) {
	records, err := c.options.Live.Explain(ctx, jobs)
	rows := make([]jobRow, 0, len(records))
	for i := range records {
		rows = append(rows, rowOf(&records[i]))
	}
	return rows, err
}

// addOlder adds matching jobs after the cursor, and reads all records for them, of which it keeps
// a page.
func (c *Console) addOlder(ctx context.Context, out *jobList, f *jobFilter, limit int) error {
	match := func(r *usher.Record) bool { return f.hasState(r) && f.matches(r) }
	older, err := c.options.Jobs.Records(ctx, status.Filter{Match: match, After: f.after, Limit: limit + 1})
	if err != nil {
		return err
	}
	for i := range older[:min(len(older), limit)] {
		out.Jobs = append(out.Jobs, rowOf(&older[i]))
	}
	if len(older) > limit && limit > 0 {
		out.Next, out.Deep = textOf(&older[limit-1]), true
	}
	return nil
}

// limitOf returns the number of rows that a query requests by limit.
func limitOf(req *http.Request) (limit int, err error) {
	limit = 50
	if text := req.URL.Query().Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 0 {
			return 0, refuse(http.StatusBadRequest, "limit must be a whole number and not negative")
		}
	}
	return min(limit, maxPageRows), nil
}

// splitList splits a value of a query at commas.
func splitList(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ","), func(s string) bool { return s == "" })
}

// jobPage is the data of the page of a job.
type jobPage struct {
	Record  usher.Record  `json:"record"`
	Target  string        `json:"target"`
	History []usher.Event `json:"history"`
	Parts   []partRow     `json:"parts"`
}

// partRow is a part of a job that was cut into parts.
type partRow struct {
	Number   int         `json:"number"` // from 0
	State    usher.State `json:"state"`
	Read     int64       `json:"read"`
	Attempts int         `json:"attempts"`
}

// jobError returns a Refusal if the job does not exist or has ended.
func jobError(id string, err error) error {
	switch {
	case errors.Is(err, status.ErrNoJob):
		return refuse(http.StatusNotFound, "there is no job %q on record", id)
	case errors.Is(err, queues.ErrEnded):
		return refuse(http.StatusConflict, "job %s has ended already", id)
	}
	return err
}

func (c *Console) job(ctx context.Context, req *http.Request, _ User) (any, error) {
	id := req.PathValue("id")
	record, err := c.options.Jobs.Record(ctx, id)
	if err != nil {
		return nil, jobError(id, err)
	}
	page := jobPage{Record: record, Target: targetOf(&record)}
	if page.History, err = c.options.Jobs.History(ctx, id); err != nil {
		return nil, err
	}
	if record.Parts.Total > 1 {
		parts, err := c.options.Jobs.Parts(ctx, id)
		if err != nil {
			return nil, err
		}
		page.Parts = make([]partRow, 0, len(parts))
		for _, p := range parts {
			page.Parts = append(page.Parts, partRow{Number: p.Part, State: p.State, Read: p.Tally.Read, Attempts: p.Attempts})
		}
	}
	return page, nil
}

func (c *Console) cancelJob(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[reason](req)
	if err != nil {
		return nil, err
	}
	id := req.PathValue("id")
	return struct{}{}, jobError(id, c.options.Cancel(ctx, id, actOf(user, in.Reason)))
}

// maxCancels is the maximum number of jobs that one request cancels.
const maxCancels = 200

// canceled is the result of a request to cancel jobs.
type canceled struct {
	Cancelled int       `json:"cancelled"`
	Left      []leftJob `json:"left"` // those that were not
}

type leftJob struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// cancelJobs cancels several jobs.
func (c *Console) cancelJobs(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		IDs []string `json:"ids"`
		reason
	}](req)
	if err != nil {
		return nil, err
	}
	if len(in.IDs) > maxCancels {
		return nil, refuse(http.StatusUnprocessableEntity, "at most %d jobs can be cancelled at once", maxCancels)
	}
	out := canceled{Left: []leftJob{}}
	for _, id := range in.IDs {
		err := jobError(id, c.options.Cancel(ctx, id, actOf(user, in.Reason)))
		var why *Refusal
		switch {
		case err == nil:
			out.Cancelled++
		case errors.As(err, &why):
			out.Left = append(out.Left, leftJob{id, why.Message})
		default:
			return nil, err
		}
	}
	return out, nil
}
