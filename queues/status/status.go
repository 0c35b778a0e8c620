package status

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// ErrNoJob reports that there is no record and no waiting message with an id.
var ErrNoJob = records.ErrNoJob

// Reader reads what people see of jobs. It is safe for concurrent use.
type Reader struct {
	records *records.Records
	store   *store.Store
	lanes   *lanes.Lanes
	lease   time.Duration // after which a lease without a heartbeat is lost
	beat    time.Duration // between two heartbeats
}

// New returns a Reader of records whose jobs' leases last for a time without a heartbeat, which
// comes every beat.
func New(r *records.Records, l *lanes.Lanes, lease, beat time.Duration) *Reader {
	return &Reader{records: r, store: r.Store, lanes: l, lease: lease, beat: beat}
}

// Filter selects jobs. Zero fields match all.
type Filter struct {
	States []usher.State
	Kinds  []usher.Kind
	Limit  int // 0: all
}

func (f Filter) takes(r *usher.Record) bool {
	return (len(f.States) == 0 || slices.Contains(f.States, r.State)) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind))
}

// job is a job to be shown.
type job struct {
	records.Job

	holders []holder // of a running job, or of its running parts
}

// Records returns the matching jobs, newest first, including jobs that no worker has
// taken yet.
func (r *Reader) Records(ctx context.Context, f Filter) ([]usher.Record, error) {
	var jobs []job
	known := map[string]bool{}
	err := store.EachValue(ctx, r.store.State, "jobs.>", func(entry *store.Entry, j *records.Job) {
		known[j.Record.ID] = true
		if f.takes(&j.Record) {
			jobs = append(jobs, stored(entry, j))
		}
	})
	if err != nil {
		return nil, err
	}
	err = r.records.EachWaiting(ctx, ">", func(m *message.Message) bool {
		if m.Invalid == nil && !known[m.ID] {
			known[m.ID] = true
			if j := r.records.Queued(m); f.takes(&j.Record) {
				jobs = append(jobs, job{Job: j})
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(jobs, func(a, b job) int {
		if c := b.Record.Submitted.Compare(a.Record.Submitted); c != 0 {
			return c
		}
		return strings.Compare(a.Record.ID, b.Record.ID)
	})
	if f.Limit > 0 && len(jobs) > f.Limit {
		jobs = jobs[:f.Limit]
	}
	return r.visible(ctx, jobs)
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

// stored returns the job of a stored record, with who runs it.
func stored(entry *store.Entry, j *records.Job) job {
	shown := job{Job: *j}
	if j.State == usher.Running && j.Holder != "" {
		shown.holders = []holder{holderOf(&j.Execution, entry)}
	}
	return shown
}

// visible returns the records of jobs. Records of running cut jobs have the sum of their
// parts.
func (r *Reader) visible(ctx context.Context, jobs []job) ([]usher.Record, error) {
	for i := range jobs {
		j := &jobs[i]
		if !j.IsCut() || j.State.Ended() {
			continue
		}
		sum, err := r.records.SumParts(ctx, &j.Job)
		if err != nil {
			return nil, err
		}
		for _, part := range sum.Running {
			j.holders = append(j.holders, holderOf(&part.Execution, part.Stored))
		}
	}
	if err := r.explainWaits(ctx, jobs); err != nil {
		return nil, err
	}
	shown := make([]usher.Record, len(jobs))
	for i := range jobs {
		shown[i] = jobs[i].Record
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
	shown, err := r.visible(ctx, []job{j})
	if err != nil {
		return usher.Record{}, err
	}
	return shown[0], nil
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
