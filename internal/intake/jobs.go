package intake

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/records"
	"usher/queues/schema"
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
	a, err := in.Jobs.Accept(ctx, queues.Submission{Kind: kind, Header: header, Body: c.body, Permit: func(job *usher.Job) error {
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
	return answer{status: http.StatusAccepted, body: a, job: a.ID}, nil
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

// show returns the record of a job.
func (in *Intake) show(c call) (answer, error) {
	ctx, cancel := context.WithTimeout(c.Context(), jobTime)
	defer cancel()
	record, err := in.find(ctx, c)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: record, job: record.ID}, nil
}

// find returns the record of the job in the path, if the token allows jobs of its kind and
// advertiser.
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
	var job struct {
		Advertiser string `json:"advertiser"`
	}
	if err := json.Unmarshal(record.Job, &job); err != nil {
		return record, unavailable(err, "the job's record is damaged")
	}
	return record, in.permit(c.grant, job.Advertiser)
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
