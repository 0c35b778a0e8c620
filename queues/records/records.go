package records

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/store"
)

// ErrNoJob reports that there is no record and no waiting message with an id.
var ErrNoJob = errors.New("no such job")

// Records are the records of the jobs in a store.
type Records struct {
	Store    *store.Store
	Messages *message.Reader
	Now      func() time.Time // NATS's time
	Logger   *slog.Logger

	// MergeSketch merges the sketches of distinct digests in checkpoints, and Distinct
	// estimates their number. Both may be nil.
	MergeSketch func(into, from []byte) []byte
	Distinct    func(sketch []byte) int64

	waiting [2]waiting // of the streams of jobs
}

// Job reads a job's record. A damaged record counts as missing.
func (r *Records) Job(ctx context.Context, id string) (job Job, revision uint64, found bool, err error) {
	revision, found, err = r.Store.State.Get(ctx, JobKey(id), &job)
	return job, revision, found, err
}

// ChangeJob changes a job's record by compare-and-set. alter may be called several times;
// if it returns false, nothing is written.
func (r *Records) ChangeJob(ctx context.Context, id string, alter func(job *Job, found bool) bool) error {
	return store.Change(ctx, r.Store.State, JobKey(id), alter)
}

// EachWaiting calls visit with every message of a kind on the streams of jobs, waiting or
// running. The kind may hold wildcards. A message leaves its stream when its job ends, so there
// are usually few.
func (r *Records) EachWaiting(ctx context.Context, kind usher.Kind, visit func(*message.Message)) error {
	for _, stream := range r.Store.JobStreams() {
		err := store.EachStored(ctx, r.Store.Leader(stream), r.Store.AnyJob(kind), 1, func(m *jetstream.RawStreamMsg) bool {
			visit(r.Messages.Read(m.Subject, m.Header, m.Data, m.Sequence, m.Time))
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Values returns, for the first token of the keys of records, a function that returns a
// value to decode into.
func Values() map[string]func() any {
	return map[string]func() any{
		"jobs":   func() any { return new(Job) },
		"parts":  func() any { return new(Part) },
		"ending": func() any { return new(Ending) },
	}
}

// JobKey is the key of a job's record in the state bucket.
func JobKey(id string) string { return "jobs." + id }

// PartKey is the key of a part's record in the state bucket.
func PartKey(id string, part int) string { return fmt.Sprintf("parts.%s.%d", id, part) }

// KeysOf returns patterns of all keys of a job: of its parts, of its ending, and, last, of its
// record.
func KeysOf(id string) []string { return []string{"parts." + id + ".*", endingKey(id), JobKey(id)} }

func endingKey(id string) string      { return "ending." + id }
func idOfEndingKey(key string) string { return strings.TrimPrefix(key, "ending.") }
