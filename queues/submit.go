package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"usher"
	"usher/internal/readable"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/schema"
	"usher/queues/store"
)

// Answer is the response of usher.submit.<kind>: the job's id, or the issues of the job.
type Answer struct {
	ID     string         `json:"id,omitempty"`
	Errors []schema.Issue `json:"errors,omitempty"`
	// Taken reports that the only error is an id that is on record with another body.
	Taken bool `json:"-"`
	// Known reports that this job was published before, so that it was not published again.
	Known bool `json:"-"`
	// Ended is the state in which the job has ended before: nothing will run. "" if it will.
	Ended usher.State `json:"ended,omitempty"`
}

// Submission is a job as a publisher submits it, over NATS or another protocol.
type Submission struct {
	Kind usher.Kind
	Body []byte
	// Header may have HeaderEventID, HeaderTrace and HeaderContentType of package message.
	Header map[string][]string
	// Publisher is who submits it, such as the name of a token; "" if that is not known.
	Publisher string
	// Permit is called with the valid job before anything is looked up or stored. An error
	// ends the submission and is returned.
	Permit func(*usher.Job) error
}

// ErrNotPublished means that a job was certainly not published, for example because the
// stream of jobs or the disk is full. After other errors it may have been.
var ErrNotPublished = errors.New("the job was not published")

// ErrTooLarge means that a valid job, with digests instead of raw ids, is larger than a
// message of NATS may be.
var ErrTooLarge = errors.New("the job is larger than NATS's max_payload")

// Submit validates a job, hashes its inline ids and publishes it. The answer has the
// issues of an invalid job; an error means that NATS failed.
func (q *Queue) Submit(ctx context.Context, kind usher.Kind, body []byte) (Answer, error) {
	return q.submit(ctx, Submission{Kind: kind, Body: body})
}

// Accept is Submit for a job that came over another protocol. Without a connection to NATS it
// publishes nothing, so that nothing is sent after the caller was asked to try again.
func (q *Queue) Accept(ctx context.Context, s Submission) (Answer, error) {
	if !q.nc.IsConnected() {
		return Answer{}, fmt.Errorf("%w: there is no connection to NATS", ErrNotPublished)
	}
	return q.submit(ctx, s)
}

func (q *Queue) submit(ctx context.Context, s Submission) (Answer, error) {
	kind := s.Kind
	body, header, err := message.Unwrap(s.Header, s.Body)
	if err != nil {
		return Answer{Errors: []schema.Issue{{Message: err.Error()}}}, nil //nolint:nilerr // the job is invalid, NATS has not failed
	}
	if issues := q.schemas.Validate(kind, body); len(issues) > 0 {
		return Answer{Errors: issues}, nil
	}
	m := q.messages.Read(q.names.Job(kind), header, body, 0, q.now())
	if m.Invalid != nil {
		return Answer{Errors: []schema.Issue{{Message: m.Invalid.Message}}}, nil
	}
	m.Publisher = s.Publisher
	if m.Job.Source != nil && m.Job.Source.URL == "" && len(m.Job.Source.IDs) == 0 {
		return Answer{Errors: []schema.Issue{{Pointer: "/source/ids", Message: fmt.Sprintf(
			"holds no id of profile %s: %s", m.Job.Profile, dropReasons(m.Dropped))}}}, nil
	}
	if issue := sourceIssue(m.Job.Source); issue != nil {
		return Answer{Errors: []schema.Issue{*issue}}, nil
	}
	if s.Permit != nil {
		if err := s.Permit(&m.Job); err != nil {
			return Answer{}, err
		}
	}
	if !m.Named {
		m.Job.ID = ""
		return q.publish(ctx, m)
	}
	switch state, same, err := q.onRecord(ctx, m); {
	case err != nil:
		return Answer{}, fmt.Errorf("%w: %w", ErrNotPublished, err)
	case state == "":
		return q.publish(ctx, m)
	case !same:
		return taken(), nil
	case state.Ended():
		return Answer{ID: m.ID, Known: true, Ended: state}, nil
	}
	return Answer{ID: m.ID, Known: true}, nil
}

// sourceIssue returns what is wrong with the address of an export, or nil. It refuses a relative
// path, which means nothing to a worker, and http, which no worker accepts, while the publisher still
// waits for an answer. Other
// places are judged by the workers, which know what is allowed: they refuse such a job as
// source_refused.
func sourceIssue(source *usher.Source) *schema.Issue {
	if source == nil || source.URL == "" || strings.HasPrefix(source.URL, "/") {
		return nil
	}
	scheme, path, found := strings.Cut(source.URL, ":")
	if found && strings.EqualFold(scheme, "http") {
		return &schema.Issue{Pointer: "/source/url", Message: "http is not accepted, because anyone on the network path could change the content: use https"}
	}
	if found && !strings.Contains(scheme, "/") && (!strings.EqualFold(scheme, "file") || strings.HasPrefix(path, "/")) {
		return nil
	}
	return &schema.Issue{Pointer: "/source/url", Message: "must be an absolute path or a URL: workers read the export, and a relative path means nothing to them"}
}

// taken is the answer to a job whose id is on record with another body.
func taken() Answer {
	return Answer{Taken: true, Errors: []schema.Issue{{Pointer: "/id", Message: "is on record with another body: give this job a different id"}}}
}

// onRecord returns the state of the job with the id, "" if it is not on record, and whether its body is
// the same.
func (q *Queue) onRecord(ctx context.Context, m *message.Message) (state usher.State, same bool, err error) {
	e, _, found, err := q.records.Job(ctx, m.ID)
	return e.State, found && (e.Sum == m.Sum || e.First == m.Sum), err
}

func (q *Queue) publish(ctx context.Context, m *message.Message) (Answer, error) {
	data, err := json.Marshal(m.Job)
	if err != nil {
		return Answer{}, fmt.Errorf("encode job: %w", err)
	}
	msg := nats.NewMsg(q.names.Run(m.Kind))
	msg.Data = data
	if m.Dropped.Read > 0 {
		dropped, err := json.Marshal(m.Dropped)
		if err != nil {
			return Answer{}, fmt.Errorf("encode tally: %w", err)
		}
		msg.Header.Set(message.HeaderDropped, string(dropped))
	}
	if m.Trace != "" {
		msg.Header.Set(message.HeaderTrace, m.Trace)
	}
	if m.Publisher != "" {
		msg.Header.Set(message.HeaderPublisher, m.Publisher)
	}
	var options []jetstream.PublishOpt
	if m.Named {
		// With the body's sum, so that another body with this id reaches a worker, which
		// rejects it. Otherwise the server would drop it as a duplicate.
		options = append(options, jetstream.WithMsgID(m.ID+"/1/"+m.Sum[:16]))
	}
	fits, stop := q.whileItFits(ctx, int64(msg.Size()))
	defer stop()
	ack, err := q.store.Publish(fits, msg, options...)
	if err != nil && errors.Is(context.Cause(fits), ErrTooLarge) {
		err = nats.ErrMaxPayload
	}
	if err == nil {
		ack, err = q.publishAnyway(ctx, msg, ack, q.publishedAs(m))
	}
	if refusal := new(jetstream.APIError); errors.As(err, &refusal) && !errors.Is(err, store.ErrInProcess) {
		return Answer{}, fmt.Errorf("publish job to %s: %w: %w", msg.Subject, ErrNotPublished, err)
	}
	if errors.Is(err, nats.ErrMaxPayload) {
		return Answer{}, fmt.Errorf("publish job of %d bytes to %s: %w", len(data), msg.Subject, ErrTooLarge)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("publish job to %s: %w", msg.Subject, err)
	}
	if !m.Named {
		if err := m.SetID(fmt.Sprintf("seq-%d", ack.Sequence)); err != nil {
			return Answer{}, err
		}
	}
	if !ack.Duplicate {
		m.Seq, m.Order = ack.Sequence, ack.Sequence
		if q.recordQueued(ctx, m) {
			return taken(), nil
		}
	}
	return Answer{ID: m.ID, Known: ack.Duplicate}, nil
}

// alwaysFits is the size of a message that NATS takes however low its max_payload is set in practice.
const alwaysFits = 8 << 10

// whileItFits returns a context that ends with ErrTooLarge when NATS no longer takes messages of a
// size. A server whose max_payload was lowered says so to nobody: it refuses a message by closing the
// connection, and the new connection has the new limit.
func (q *Queue) whileItFits(ctx context.Context, size int64) (fits context.Context, stop func()) {
	if size <= alwaysFits {
		return ctx, func() {}
	}
	fits, cancel := context.WithCancelCause(ctx)
	connected := q.nc.StatusChanged(nats.CONNECTED)
	go func() {
		for {
			select {
			case <-fits.Done():
				return
			case <-connected:
				if size > q.nc.MaxPayload() {
					cancel(ErrTooLarge)
				}
			}
		}
	}()
	return fits, func() {
		cancel(nil)
		q.nc.RemoveStatusListener(connected)
	}
}

// publishedAs takes a message for that of the job if it has the same id and body.
func (q *Queue) publishedAs(m *message.Message) published {
	return published{
		is: func(first *jetstream.RawStreamMsg) bool {
			before := q.messages.Read(first.Subject, first.Header, first.Data, first.Sequence, first.Time)
			return before.Invalid == nil && before.ID == m.ID && before.Sum == m.Sum
		},
		onRecord: func(ctx context.Context) (bool, error) {
			_, same, err := q.onRecord(ctx, m)
			return same, err
		},
	}
}

// recordQueued writes the record of a job before it is taken. If that fails, the worker
// that takes the job writes it. It reports whether another job with this id was published
// at the same time and is on record: then the worker rejects this one.
func (q *Queue) recordQueued(ctx context.Context, m *message.Message) (rejected bool) {
	e := q.records.Queued(m)
	_, err := q.state.CompareAndSet(ctx, records.JobKey(m.ID), &e, 0)
	if err == nil {
		q.records.Announce(ctx, &e)
	}
	if !errors.Is(err, store.ErrConflict) {
		return false
	}
	state, same, err := q.onRecord(ctx, m)
	return err == nil && state != "" && !same
}

// concurrentSubmits is how many submits are answered at once: one of many ids takes seconds, and
// others must not wait for it.
const concurrentSubmits = 8

// ServeSubmit answers requests to usher.submit.<kind> until ctx ends. Several
// processes share the requests.
func (q *Queue) ServeSubmit(ctx context.Context, version string) error {
	service, err := micro.AddService(q.nc, micro.Config{
		Name: "usher-submit", Version: version, Description: "validates jobs and publishes them",
	})
	if err != nil {
		return fmt.Errorf("serve %s: %w", q.names.Subject("usher.submit.>"), err)
	}
	prefix := q.names.Subject("usher.submit.")
	handle := func(r micro.Request) {
		kind := q.messages.KnownKind(usher.Kind(strings.TrimPrefix(r.Subject(), prefix)))
		try, cancel := context.WithTimeout(ctx, 2*store.CallTime)
		defer cancel()
		if message.HasUsherHeader(nats.Header(r.Headers())) {
			q.answer(r, kind, Answer{Errors: []schema.Issue{{Message: message.RefusedHeader}}})
			return
		}
		header := nats.Header{}
		for _, name := range []string{message.HeaderEventID, message.HeaderMsgID, message.HeaderTrace} {
			header.Set(name, nats.Header(r.Headers()).Get(name))
		}
		header.Set(message.HeaderContentType, message.ContentType(nats.Header(r.Headers())))
		answer, err := q.submit(try, Submission{Kind: kind, Body: r.Data(), Header: header})
		if err != nil {
			q.logger.Warn("submitting a job", "kind", kind, "error", err)
			answer = Answer{Errors: []schema.Issue{{Message: "not accepted, try again: " + err.Error()}}}
		}
		q.answer(r, kind, answer)
	}
	requests := make(chan micro.Request)
	var handling sync.WaitGroup
	defer handling.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range concurrentSubmits {
		handling.Go(func() {
			for {
				select {
				case r := <-requests:
					handle(r)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	receive := func(r micro.Request) {
		select {
		case requests <- r:
		case <-ctx.Done():
			handle(r) // which asks the publisher to try again
		}
	}
	if err := service.AddEndpoint("submit", micro.HandlerFunc(receive), micro.WithEndpointSubject(prefix+">")); err != nil {
		return fmt.Errorf("serve %s>: %w", prefix, err)
	}
	<-ctx.Done()
	return service.Stop()
}

func (q *Queue) answer(r micro.Request, kind usher.Kind, answer Answer) {
	data, err := json.Marshal(answer)
	if err == nil {
		err = r.Respond([]byte(readable.Unbidi(string(data))))
	}
	if err != nil {
		q.logger.Warn("answering a submit", "kind", kind, "error", err)
	}
}

// dropReasons describes the ids that were dropped.
func dropReasons(t usher.Tally) string {
	var reasons []string
	for _, counts := range []usher.Counts{t.Junk, t.Invalid} {
		for _, reason := range slices.Sorted(maps.Keys(counts)) {
			reasons = append(reasons, fmt.Sprintf("%d %s", counts[reason], reason))
		}
	}
	return strings.Join(reasons, ", ")
}
