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
	"usher/queues/letters"
	"usher/queues/names"
	"usher/queues/status"
)

// KeptJobs is the number of the newest jobs that are kept in memory. What needs others is a search.
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
	Jobs    []jobRow            `json:"jobs"`
	Total   int                 `json:"total"`             // the jobs that match, as far as they are found
	States  map[usher.State]int `json:"states"`            // the jobs of each state that match the other filters
	Looking *looking            `json:"looking,omitempty"` // older jobs are still being read; nil: all were
	More    bool                `json:"more,omitempty"`    // more jobs match than can be listed
	Next    string              `json:"next"`              // the cursor of the next page; "": there is none
}

// jobFilter is the filter in the query of a list.
type jobFilter struct {
	states, kinds []string // empty: all
	text          string   // in lower case
	target        string
	since, until  time.Time
	after         *status.Cursor
	names         names.Known
}

func jobFilterOf(req *http.Request) (f jobFilter, err error) {
	q := req.URL.Query()
	f = jobFilter{
		states: splitList(q.Get("state")), kinds: splitList(q.Get("kind")),
		text: strings.ToLower(strings.TrimSpace(q.Get("text"))), target: q.Get("target"),
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
	if len(f.kinds) > 0 && !slices.Contains(f.kinds, string(r.Kind)) || !f.hasTime(r.Submitted) {
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

func (f *jobFilter) hasState(state usher.State) bool {
	return len(f.states) == 0 || slices.Contains(f.states, string(state))
}

func (f *jobFilter) hasTime(submitted time.Time) bool {
	return (f.since.IsZero() || !submitted.Before(f.since)) && (f.until.IsZero() || !submitted.After(f.until))
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
	out := jobList{Jobs: []jobRow{}, States: map[usher.State]int{}}
	found := hitsOf(kept.Jobs, f.matches)
	page, more := f.page(found, limit)
	if edge := edgeOf(kept); kept.Older && !f.since.After(edge) && (f.narrows() || !more) {
		wide := f.ofHours()
		older := c.searches.find(wide.key(), edge, func() (func(*usher.Record) bool, any) { return wide.matches, nil })
		found = f.withOlder(found, &kept, older.hits)
		page, more = f.page(found, limit)
		out.Looking, out.More = older.looking(), older.more
	}
	for i := range found {
		out.States[found[i].state]++
	}
	if !f.narrows() {
		out.States = c.options.Live.Counts(c.options.Now()).States
	}
	for state, n := range out.States {
		if f.hasState(state) {
			out.Total += n
		}
	}
	if more && limit > 0 {
		out.Next = textOf(page[limit-1].Cursor)
	}
	out.Jobs, err = c.rowsOfHits(ctx, page[:min(len(page), limit)])
	return out, err
}

// hitsOf returns the jobs that match.
func hitsOf(jobs []*usher.Record, matches func(*usher.Record) bool) (found []hit) {
	for _, r := range jobs {
		if matches(r) {
			found = append(found, hit{Cursor: status.CursorOf(r), state: r.State, record: r})
		}
	}
	return found
}

// edgeOf returns when the oldest of the jobs was submitted that are in memory without gaps.
func edgeOf(kept status.Kept) time.Time {
	if kept.Whole == 0 {
		return time.Time{}
	}
	return kept.Jobs[kept.Whole-1].Submitted
}

// ofHours returns the filter with the hours of its times, so that the last 24 hours of a minute later are
// the same search.
func (f *jobFilter) ofHours() *jobFilter {
	wide := *f
	wide.since = f.since.Truncate(time.Hour)
	if !f.until.IsZero() {
		wide.until = f.until.Truncate(time.Hour).Add(time.Hour)
	}
	return &wide
}

// key identifies the search for the jobs that pass the filters.
func (f *jobFilter) key() string {
	return strings.Join([]string{"jobs", strings.Join(f.kinds, ","), f.target, f.text, f.since.String(), f.until.String()}, "\n")
}

// withOlder adds what a search has found to the jobs in memory, which are newer and know better how
// the older ones are that have not ended.
func (f *jobFilter) withOlder(found []hit, kept *status.Kept, older []hit) []hit {
	known := map[string]bool{}
	for _, r := range kept.Jobs[kept.Whole:] {
		known[r.ID] = true
	}
	var edge status.Cursor
	if kept.Whole > 0 {
		edge = status.CursorOf(kept.Jobs[kept.Whole-1])
	}
	all := slices.Clip(found)
	for _, h := range older {
		if (kept.Whole == 0 || edge.Compare(h.Cursor) < 0) && !known[h.ID] && f.hasTime(h.Submitted) {
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b hit) int { return a.Compare(b.Cursor) })
	return all
}

// page returns the jobs of a page, and whether there are more: the first of them is behind those of
// the page.
func (f *jobFilter) page(found []hit, limit int) (page []hit, more bool) {
	for _, h := range found {
		if f.hasState(h.state) && (f.after == nil || f.after.Compare(h.Cursor) < 0) {
			if page = append(page, h); len(page) > limit {
				return page, true
			}
		}
	}
	return page, false
}

// textOf returns the cursor of a job, as queries have it.
func textOf(c status.Cursor) string {
	return c.Submitted.Format(time.RFC3339Nano) + " " + c.ID
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

// rowsOfHits returns the rows of jobs. It reads the records of those that were only found.
func (c *Console) rowsOfHits(ctx context.Context, hits []hit) ([]jobRow, error) {
	shown := make([]*usher.Record, 0, len(hits))
	for _, h := range hits {
		if h.record == nil {
			r, err := c.options.Jobs.Record(ctx, h.ID)
			if errors.Is(err, status.ErrNoJob) {
				continue // it has expired meanwhile
			}
			if err != nil {
				return []jobRow{}, err
			}
			h.record = &r
		}
		shown = append(shown, h.record)
	}
	return c.rowsOf(ctx, shown)
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
	Letter  *letterRow    `json:"letter"` // of a job that has failed; null: it has none, or it was discarded
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
	if record.State == usher.Failed && record.Error != nil {
		found, err := c.options.Letters.Latest(ctx, letters.Filter{ID: id, Kind: record.Kind, Class: record.Error.Class, Since: record.Submitted, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			page.Letter = new(c.letterRowOf(&found[0]))
		}
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
