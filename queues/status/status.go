package status

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/names"
	"usher/queues/presence"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// ErrNoJob reports that there is no record and no waiting message with an id.
var ErrNoJob = records.ErrNoJob

// Reader reads what people see of jobs. It is safe for concurrent use.
type Reader struct {
	records  *records.Records
	store    *store.Store
	lanes    *lanes.Lanes
	presence *presence.Presence
	targets  *targets.Targets
	names    *names.Names
	lease    time.Duration // after which a lease without a heartbeat is lost
	beat     time.Duration // between two heartbeats
}

// New returns a Reader of records whose jobs' leases last for a time without a heartbeat, which
// comes every beat.
func New(r *records.Records, l *lanes.Lanes, p *presence.Presence, t *targets.Targets, n *names.Names, lease, beat time.Duration) *Reader {
	return &Reader{records: r, store: r.Store, lanes: l, presence: p, targets: t, names: n, lease: lease, beat: beat}
}

// Filter selects jobs. Zero fields match all.
type Filter struct {
	States []usher.State
	Kinds  []usher.Kind
	Match  func(*usher.Record) bool // nil: all
	After  *Cursor                  // only jobs that come later in the order; nil: all
	Limit  int                      // 0: all
}

// Cursor is a place in the order of jobs: newest first, and by id if they were submitted at
// the same time.
type Cursor struct {
	Submitted time.Time
	ID        string
}

// CursorOf returns the place of a job.
func CursorOf(r *usher.Record) Cursor { return Cursor{r.Submitted, r.ID} }

// String returns the cursor as a text without spaces, for ParseCursor.
func (c Cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(c.Submitted.UTC().Format(time.RFC3339Nano) + " " + c.ID))
}

// ParseCursor parses the text of a Cursor.
func ParseCursor(text string) (c Cursor, err error) {
	plain, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return c, fmt.Errorf("parse cursor: %w", err)
	}
	at, id, found := strings.Cut(string(plain), " ")
	if c.Submitted, err = time.Parse(time.RFC3339Nano, at); err != nil || !found || !usher.ValidID(id) {
		return c, errors.New("parse cursor: it has no time and id")
	}
	c.ID = id
	return c, nil
}

// Compare returns a negative number if c comes before d.
func (c Cursor) Compare(d Cursor) int {
	return cmp.Or(d.Submitted.Compare(c.Submitted), strings.Compare(c.ID, d.ID))
}

func (f Filter) takes(r *usher.Record) bool {
	return (len(f.States) == 0 || slices.Contains(f.States, r.State)) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind)) &&
		(f.After == nil || f.After.Compare(CursorOf(r)) < 0) && (f.Match == nil || f.Match(r))
}

// newest sorts jobs, and leaves out those beyond the limit.
func (f Filter) newest(jobs []job) []job {
	slices.SortFunc(jobs, func(a, b job) int { // a stable sort moves these large values ten times as often
		return CursorOf(&a.Record).Compare(CursorOf(&b.Record))
	})
	if f.Limit > 0 && len(jobs) > f.Limit {
		clear(jobs[f.Limit:]) // for the garbage collector
		jobs = jobs[:f.Limit]
	}
	return jobs
}

// job is a job to be shown.
type job struct {
	records.Job

	holders []holder // of a running job, or of its running parts
}

// isSnoozed reports whether the parts of a step of the job run, and not the job itself.
func (j *job) isSnoozed() bool { return j.State == usher.Running && j.Holder == "" && !j.IsCut() }

// Records returns the matching jobs, newest first, including jobs that no worker has
// taken yet.
func (r *Reader) Records(ctx context.Context, f Filter) ([]usher.Record, error) {
	var jobs []job
	add := func(j job) { // with a limit, it keeps at most twice as many jobs
		if jobs = append(jobs, j); f.Limit > 0 && len(jobs) >= 2*f.Limit {
			jobs = f.newest(jobs)
		}
	}
	known, onStream := map[string]bool{}, map[uint64]string{}
	err := store.EachValue(ctx, r.store.State, "jobs.>", func(entry *store.Entry, j *records.Job) {
		known[j.Record.ID] = true
		if f.takes(&j.Record) {
			add(stored(entry, j))
		}
	})
	if err != nil {
		return nil, err
	}
	err = r.records.EachWaiting(ctx, ">", func(m *message.Message) {
		if m.Invalid == nil && targets.Indexed(m.Kind) {
			onStream[m.Seq] = m.ID
		}
		if m.Invalid == nil && !known[m.ID] {
			known[m.ID] = true
			if j := r.records.Queued(m); f.takes(&j.Record) {
				add(job{Job: j})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return r.visible(ctx, f.newest(jobs), onStream)
}

// EachIntent calls visit for each job that is about to change a number of a campaign, or has
// ended without being done and may have changed it.
func (r *Reader) EachIntent(ctx context.Context, visit func(*usher.Record, *usher.BiddingIntent)) error {
	return store.EachValue(ctx, r.store.State, "jobs.>", func(_ *store.Entry, j *records.Job) {
		if intent := j.Progress.Bidding; intent != nil && j.State != usher.Done {
			visit(&j.Record, intent)
		}
	})
}

// EachDone calls visit for each job that is done, with what it was and when it began and ended. Other fields
// are not decoded: with a hundred days of jobs, they would take most of the time.
func (r *Reader) EachDone(ctx context.Context, visit func(*usher.Record)) error {
	type brief struct {
		Record struct {
			ID       string          `json:"id"`
			Kind     usher.Kind      `json:"kind"`
			Job      json.RawMessage `json:"job"`
			State    usher.State     `json:"state"`
			Started  *time.Time      `json:"started"`
			Finished *time.Time      `json:"finished"`
		} `json:"record"`
	}
	return store.EachValue(ctx, r.store.State, "jobs.>", func(_ *store.Entry, j *brief) {
		if of := &j.Record; of.State == usher.Done {
			visit(&usher.Record{ID: of.ID, Kind: of.Kind, Job: of.Job, State: of.State, Started: of.Started, Finished: of.Finished})
		}
	})
}

// stored returns the job of a stored record, with who runs it.
func stored(entry *store.Entry, j *records.Job) job {
	shown := job{Job: *j}
	if j.State == usher.Running && j.Holder != "" {
		shown.holders = []holder{holderOf(&j.Execution, entry)}
	}
	return shown
}

// readParts reads the parts of a job that has not ended. They say who works on it and, if it was cut,
// its figures: a mirror has figures of its own.
func (r *Reader) readParts(ctx context.Context, j *job) error {
	hold := func(part *records.Part) { j.holders = append(j.holders, holderOf(&part.Execution, part.Stored)) }
	switch {
	case j.State.Ended():
	case j.IsCut():
		sum, err := r.records.SumParts(ctx, &j.Job)
		if err != nil {
			return err
		}
		for _, part := range sum.Running {
			hold(part)
		}
	case j.isSnoozed():
		return r.records.EachPart(ctx, j.Record.ID, func(_ int, part *records.Part) {
			if part.State == usher.Running && part.Holder != "" && part.Run == j.Run {
				hold(part)
			}
		})
	}
	return nil
}

// visible returns the records of jobs. Records of running cut jobs have the sum of their
// parts. onStream are the jobs of the messages on the stream, as far as they are known.
func (r *Reader) visible(ctx context.Context, jobs []job, onStream map[uint64]string) ([]usher.Record, error) {
	for i := range jobs {
		if err := r.readParts(ctx, &jobs[i]); err != nil {
			return nil, err
		}
	}
	if err := r.explainWaits(ctx, jobs, onStream); err != nil {
		return nil, err
	}
	shown := make([]usher.Record, len(jobs))
	var known names.Known
	for i := range jobs {
		s := &shown[i]
		if *s = jobs[i].Record; s.Kind.Family() != "segment" {
			continue
		}
		if known == nil {
			known = r.names.Known(ctx)
		}
		s.TargetName = known.OfJob(s.Kind, s.Job)
	}
	return shown, nil
}

// Record returns a job's record, or ErrNoJob.
func (r *Reader) Record(ctx context.Context, id string) (usher.Record, error) {
	if !usher.ValidID(id) {
		return usher.Record{}, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	j, err := r.find(ctx, id)
	if err != nil {
		return usher.Record{}, err
	}
	shown, err := r.visible(ctx, []job{j}, nil)
	if err != nil {
		return usher.Record{}, err
	}
	s := &shown[0]
	if s.TargetName == "" && s.Started != nil && s.Kind.Family() == "segment" { // its worker may just have noted it
		s.TargetName = r.names.Latest(ctx).OfJob(s.Kind, s.Job)
	}
	return *s, nil
}

// Forget returns the progress of a device.forget, or nil if the job is none or has not begun.
func (r *Reader) Forget(ctx context.Context, id string) (*usher.Forget, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	j, err := r.find(ctx, id)
	return j.Progress.Forget, err
}

// find returns a recorded or waiting job.
func (r *Reader) find(ctx context.Context, id string) (job, error) {
	entry, err := r.store.State.Find(ctx, records.JobKey(id))
	if err != nil {
		return job{}, err
	}
	var j records.Job
	if entry != nil && entry.Decode(&j) == nil {
		return stored(entry, &j), nil
	}
	m, err := r.records.Waiting(ctx, id)
	if err != nil {
		return job{}, err
	}
	return job{Job: r.records.Queued(m)}, nil
}

// maxHistory limits the events of a job, because a job that often waits has many.
const maxHistory = 500

// History returns the changes of a job's state, oldest first, at most the first
// maxHistory.
func (r *Reader) History(ctx context.Context, id string) ([]usher.Event, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	events := []usher.Event{}
	known := map[string]bool{}
	err := store.EachStored(ctx, r.store.Leader(r.store.EventsStream()), r.store.Event(id), 1, func(m *jetstream.RawStreamMsg) bool {
		var e usher.Event
		if json.Unmarshal(m.Data, &e) == nil && e.Valid() && !known[records.EventID(&e)] {
			known[records.EventID(&e)] = true
			events = append(events, e)
		}
		return len(events) < maxHistory
	})
	return events, err
}

// PartState is the state of a part of a cut job.
type PartState struct {
	Part     int
	State    usher.State
	Tally    usher.Tally
	Attempts int
}

// Parts returns the parts of a cut job that were taken so far, in order, including
// unchanged parts that ended in an earlier run.
func (r *Reader) Parts(ctx context.Context, id string) ([]PartState, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	j, _, found, err := r.records.Job(ctx, id)
	if err != nil || !found {
		return []PartState{}, err
	}
	parts := []PartState{}
	err = r.records.EachPart(ctx, id, func(n int, p *records.Part) {
		if p.Sum == j.Sum && p.Cut == j.Cut {
			parts = append(parts, PartState{Part: n, State: p.State, Tally: p.Progress.Checkpoint.Tally, Attempts: p.Attempts})
		}
	})
	slices.SortFunc(parts, func(a, b PartState) int { return a.Part - b.Part })
	return parts, err
}
