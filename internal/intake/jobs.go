package intake

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/records"
	"usher/queues/schema"
	"usher/queues/status"
)

// Times after the body has arrived. Each response begins within 15 seconds, even if NATS is
// unavailable.
const (
	jobTime    = 10 * time.Second // to store or read a job
	cancelTime = 12 * time.Second // to stop a job that runs
)

// submit publishes a job.
func (in *Intake) submit(c call) (answer, error) {
	kind := usher.Kind(c.PathValue("kind"))
	if _, known := in.Jobs.Schemas().Text(kind); !known {
		return answer{}, unknownKind()
	}
	if !c.grant.allowsKind(kind) {
		return answer{}, refuse(http.StatusForbidden, "this token is not for jobs of kind %s", kind)
	}
	header, err := eventHeader(c.Header)
	if err != nil {
		return answer{}, err
	}
	// The job is stored even if the client disconnects.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), jobTime)
	defer cancel()
	a, err := in.Jobs.Accept(ctx, queues.Submission{Kind: kind, Header: header, Body: c.body, Publisher: c.grant.Name, Permit: func(job *usher.Job) error {
		return in.permit(c.grant, job.Advertiser)
	}})
	switch {
	case errors.Is(err, queues.ErrTooLarge):
		return answer{}, refuse(http.StatusRequestEntityTooLarge, "%v: name an export in source.url", queues.ErrTooLarge)
	case errors.Is(err, queues.ErrNotPublished):
		return answer{}, unavailable(err, "the job cannot be stored now: send it again")
	case err != nil:
		return answer{}, maybeStored(err)
	case a.Taken:
		p := refuse(http.StatusConflict, "%s", schema.Describe(a.Errors))
		p.Errors = a.Errors
		return answer{}, p
	case len(a.Errors) > 0:
		return answer{}, invalid(a.Errors...)
	}
	return answer{status: http.StatusAccepted, body: a, job: a.ID, location: "/v1/jobs/" + url.PathEscape(a.ID)}, nil
}

// maybeStored returns the response to an error after which the job may have been stored.
func maybeStored(err error) error {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	return unavailable(err, "it is not known whether the job was stored: send it again with the same id")
}

// permit returns an error if the token does not allow jobs of the advertiser.
func (in *Intake) permit(g *grant, advertiser string) error {
	if advertiser == "" {
		advertiser = in.Advertiser
	}
	if !g.allowsAdvertiser(advertiser) {
		return refuse(http.StatusForbidden, "this token is not for jobs of this advertiser")
	}
	return nil
}

// show returns the record of a job. With the query wait=30s, it answers when the job has ended or the
// time is over.
func (in *Intake) show(c call) (answer, error) {
	if err := onlyQueries(c.URL, "wait"); err != nil {
		return answer{}, err
	}
	wait, err := waitOf(c.URL.Query().Get("wait"))
	if err != nil {
		return answer{}, err
	}
	ends := in.Now().Add(wait)
	for delay := firstLook; ; delay = min(2*delay, lastLook) {
		record, err := in.lookUp(c)
		left := ends.Sub(in.Now())
		if err != nil || record.State.Ended() || left <= 0 {
			return answer{status: http.StatusOK, body: record, job: record.ID}, err
		}
		if err := usher.Sleep(c.Context(), min(delay, left)); err != nil {
			return answer{}, err // the client is gone
		}
	}
}

// Times between two looks at a job that somebody waits for. A subscription to its events would tell
// sooner, but each client would have one, and its process a right to them.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = time.Second
)

// longestWait is the longest time that a request may wait for a job.
const longestWait = time.Minute

// waitOf parses the query wait; "" is 0.
func waitOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	wait, err := time.ParseDuration(text)
	if err != nil || wait < 0 || wait > longestWait {
		return 0, refuse(http.StatusBadRequest, "wait is a time of at most 60s, such as wait=30s")
	}
	return wait, nil
}

// onlyQueries refuses a query that the path does not take.
func onlyQueries(of *url.URL, names ...string) error {
	for name := range of.Query() {
		if !slices.Contains(names, name) {
			return refuse(http.StatusBadRequest, "this path takes %s in its query", strings.Join(names, ", "))
		}
	}
	return nil
}

// lookUp is find with a time limit.
func (in *Intake) lookUp(c call) (usher.Record, error) {
	ctx, cancel := context.WithTimeout(c.Context(), jobTime)
	defer cancel()
	return in.find(ctx, c)
}

// find returns the record of the job in the path, if the token may read and cancel it.
func (in *Intake) find(ctx context.Context, c call) (usher.Record, error) {
	record, err := in.Records.Record(ctx, c.PathValue("id"))
	if errors.Is(err, records.ErrNoJob) {
		return record, refuse(http.StatusNotFound, "there is no job with this id")
	}
	if err != nil {
		return record, unavailable(err, "the job cannot be read now: try again")
	}
	if !c.grant.allowsKind(record.Kind) {
		return record, refuse(http.StatusForbidden, "this token is not for jobs of kind %s", record.Kind)
	}
	advertiser, err := advertiserOf(&record)
	if err == nil {
		err = in.permit(c.grant, advertiser)
	}
	if err == nil && !c.grant.owns(&record) {
		err = refuse(http.StatusForbidden, "this token may read and cancel the jobs that it has submitted, and this job is another one's")
	}
	return record, err
}

// advertiserOf returns the advertiser that a job names.
func advertiserOf(record *usher.Record) (string, error) {
	var job struct {
		Advertiser string `json:"advertiser"`
	}
	if err := json.Unmarshal(record.Job, &job); err != nil {
		return "", unavailable(err, "the job's record is damaged")
	}
	return job.Advertiser, nil
}

// mayRead reports whether a token may read a job.
func (in *Intake) mayRead(g *grant, record *usher.Record) bool {
	if !g.allowsKind(record.Kind) || !g.owns(record) {
		return false
	}
	advertiser, err := advertiserOf(record)
	return err == nil && in.permit(g, advertiser) == nil
}

// jobList is the answer of list.
type jobList struct {
	Jobs []usher.Record `json:"jobs"` // newest first
	Next string         `json:"next"` // the cursor of the next page; "" at the end
}

// The number of jobs of a page.
const (
	usualPage = 100
	largePage = 1000
)

// list returns the jobs that the token may read, newest first, a page at a time.
func (in *Intake) list(c call) (answer, error) {
	f, err := filterOf(c.URL)
	if err != nil {
		return answer{}, err
	}
	page := f.Limit
	f.Limit++ // to know whether there are more
	f.Match = func(r *usher.Record) bool { return in.mayRead(c.grant, r) }
	ctx, cancel := context.WithTimeout(c.Context(), jobTime)
	defer cancel()
	list, err := in.Records.Records(ctx, f)
	if err != nil {
		return answer{}, unavailable(err, "the jobs cannot be read now: try again")
	}
	out := jobList{Jobs: append([]usher.Record{}, list[:min(len(list), page)]...)}
	if len(list) > page {
		out.Next = status.CursorOf(&list[page-1]).String()
	}
	return answer{status: http.StatusOK, body: out}, nil
}

// filterOf parses the query of list: state and kind, which may be repeated, limit, and cursor.
func filterOf(of *url.URL) (f status.Filter, err error) {
	if err := onlyQueries(of, "state", "kind", "limit", "cursor"); err != nil {
		return f, err
	}
	query := of.Query()
	for _, state := range query["state"] {
		s := usher.State(state)
		if !slices.Contains([]usher.State{usher.Queued, usher.Running, usher.Retrying, usher.Done, usher.Failed, usher.Cancelled}, s) {
			return f, refuse(http.StatusBadRequest, "state is queued, running, retrying, done, failed or cancelled")
		}
		f.States = append(f.States, s)
	}
	for _, kind := range query["kind"] {
		if !slices.Contains(usher.Kinds(), usher.Kind(kind)) {
			return f, unknownKind()
		}
		f.Kinds = append(f.Kinds, usher.Kind(kind))
	}
	f.Limit = usualPage
	if text := query.Get("limit"); text != "" {
		if f.Limit, err = strconv.Atoi(text); err != nil || f.Limit < 1 || f.Limit > largePage {
			return f, refuse(http.StatusBadRequest, "limit is a number from 1 to %d", largePage)
		}
	}
	if text := query.Get("cursor"); text != "" {
		after, err := status.ParseCursor(text)
		if err != nil {
			return f, refuse(http.StatusBadRequest, "cursor is the next of the page before")
		}
		f.After = &after
	}
	return f, nil
}

// cancel cancels a job and returns its record.
func (in *Intake) cancel(c call) (answer, error) {
	reason, err := cancelReason(c.body)
	if err != nil {
		return answer{}, err
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(c.Context()), cancelTime)
	defer stop()
	record, err := in.find(ctx, c)
	if err != nil {
		return answer{}, err
	}
	switch err := in.Jobs.Cancel(ctx, record.ID, audit.Act{Actor: c.grant.Name, Reason: reason}); {
	case errors.Is(err, queues.ErrEnded):
		return answer{}, refuse(http.StatusConflict, "the job has ended already")
	case errors.Is(err, records.ErrNoJob):
		return answer{}, refuse(http.StatusNotFound, "there is no job with this id")
	case err != nil:
		return answer{}, unavailable(err, "it is not known whether the job was cancelled: try again")
	}
	if record, err = in.find(ctx, c); err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: record, job: record.ID}, nil
}

const maxReason = 1000 // in bytes; schemas limit the reason of a pause equally

// cancelReason returns the reason in the body of a cancel, which may be empty.
func cancelReason(body []byte) (string, error) {
	if len(strings.TrimSpace(string(body))) == 0 {
		return "", nil
	}
	var request struct {
		Reason string `json:"reason"`
	}
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.DisallowUnknownFields()
	if err := d.Decode(&request); err != nil || d.More() {
		return "", refuse(http.StatusBadRequest, `the body may be empty or {"reason": "…"}`)
	}
	if len(request.Reason) > maxReason {
		return "", invalid(schema.Issue{Pointer: "/reason", Message: "has more than 1000 bytes"})
	}
	return request.Reason, nil
}

// schema returns the JSON Schema of a kind.
func (in *Intake) schema(c call) (answer, error) {
	text, known := in.Jobs.Schemas().Text(usher.Kind(c.PathValue("kind")))
	if !known {
		return answer{}, unknownKind()
	}
	return answer{status: http.StatusOK, contentType: "application/schema+json", body: json.RawMessage(text)}, nil
}

func unknownKind() *problem {
	var words []string
	for _, kind := range usher.Kinds() {
		words = append(words, string(kind))
	}
	return refuse(http.StatusNotFound, "there is no such kind of job: there are %s", strings.Join(words, ", "))
}
