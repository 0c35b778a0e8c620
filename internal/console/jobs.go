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
	"usher/queues/status"
)

// maxPageRows is the maximum number of rows on a page of a list.
const maxPageRows = 200

// jobRow is a job in a list.
type jobRow struct {
	ID        string          `json:"id"`
	Run       int             `json:"run"`
	Kind      usher.Kind      `json:"kind"`
	Target    string          `json:"target"`
	State     usher.State     `json:"state"`
	Submitted time.Time       `json:"submitted"`
	Started   *time.Time      `json:"started"`
	Finished  *time.Time      `json:"finished"`
	Read      int64           `json:"read"`
	Accepted  int64           `json:"accepted"`
	Parts     usher.PartCount `json:"parts"`
	Why       string          `json:"why,omitempty"`
	Error     *usher.JobError `json:"error,omitempty"`
	Warnings  int             `json:"warnings,omitempty"`
}

func rowOf(r *usher.Record) jobRow {
	row := jobRow{
		ID: r.ID, Run: r.Run, Kind: r.Kind, Target: targetOf(r), State: r.State,
		Submitted: r.Submitted, Started: r.Started, Finished: r.Finished,
		Read: r.Tally.Read, Accepted: r.Tally.Accepted, Parts: r.Parts, Error: r.Error, Warnings: len(r.Warnings),
	}
	if r.Why != nil && !r.State.Ended() {
		row.Why = *r.Why
	}
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
	Total  int                 `json:"total"`
	States map[usher.State]int `json:"states"` // the jobs of each state that match kind and text
}

// jobFilter is the filter in the query of a list.
type jobFilter struct {
	states, kinds []string // empty: all
	text          string   // in lower case
}

// matches reports whether a job has one of the kinds and contains the text.
func (f *jobFilter) matches(row *jobRow) bool {
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, string(row.Kind)) {
		return false
	}
	if f.text == "" {
		return true
	}
	words := row.ID + " " + row.Target + " " + row.Why
	if row.Error != nil {
		words += " " + string(row.Error.Class) + " " + row.Error.Message
	}
	return strings.Contains(strings.ToLower(words), f.text)
}

func (c *Console) jobs(ctx context.Context, req *http.Request, _ User) (any, error) {
	q := req.URL.Query()
	f := jobFilter{states: splitList(q.Get("state")), kinds: splitList(q.Get("kind")), text: strings.ToLower(strings.TrimSpace(q.Get("text")))}
	from, limit, err := pageOf(req)
	if err != nil {
		return nil, err
	}
	records, err := c.watcher.records(ctx)
	if err != nil {
		return nil, err
	}
	out := jobList{Jobs: []jobRow{}, States: map[usher.State]int{}}
	for i := range records {
		row := rowOf(&records[i])
		if !f.matches(&row) {
			continue
		}
		out.States[row.State]++
		if len(f.states) > 0 && !slices.Contains(f.states, string(row.State)) {
			continue
		}
		if out.Total >= from && len(out.Jobs) < limit {
			out.Jobs = append(out.Jobs, row)
		}
		out.Total++
	}
	return out, nil
}

// pageOf returns the first row and the number of rows that a query requests by from and
// limit.
func pageOf(req *http.Request) (from, limit int, err error) {
	limit = 50
	for name, n := range map[string]*int{"from": &from, "limit": &limit} {
		if text := req.URL.Query().Get(name); text != "" {
			if *n, err = strconv.Atoi(text); err != nil || *n < 0 {
				return 0, 0, refuse(http.StatusBadRequest, "%s must be a whole number and not negative", name)
			}
		}
	}
	return from, min(limit, maxPageRows), nil
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
