package records

import (
	"context"

	"usher"
	"usher/queues/store"
)

// Ending is how a run of a job or part ends, decided before it has ended. Stored by itself, it orders
// the run to end, because it was cancelled or one of its parts has failed. Running parts stop at the next batch; waiting parts end without sending. Key
// ending.<id>; the first ending of a run wins.
type Ending struct {
	Run   int             `json:"run"`
	State usher.State     `json:"state"`
	Error *usher.JobError `json:"error,omitempty"`
}

// Valid reports whether usher can have written the ending.
func (e *Ending) Valid() bool { return e.Run > 0 && e.State != "" }

// Cause returns why the work of the run ends.
func (e *Ending) Cause() error {
	if e.State == usher.Cancelled {
		return usher.ErrCancelled
	}
	return usher.ErrEnding
}

// PutEnding orders a run of a job to end.
func (r *Records) PutEnding(ctx context.Context, id string, e Ending) error {
	return store.Change(ctx, r.Store.State, endingKey(id), func(v *Ending, found bool) bool {
		if found && v.Run >= e.Run {
			return false
		}
		*v = e
		return true
	})
}

// EndingOf returns the ending of a run, or nil.
func (r *Records) EndingOf(ctx context.Context, id string, run int) (*Ending, error) {
	var e Ending
	_, found, err := r.Store.State.Get(ctx, endingKey(id), &e)
	if err != nil || !found || e.Run != run {
		return nil, err
	}
	return &e, nil
}

// WatchEndings calls end with the stored endings, and later with each new one, until ctx
// ends.
func (r *Records) WatchEndings(ctx context.Context, end func(id string, e *Ending)) error {
	return r.Store.State.Watch(ctx, "ending.>", func(entry *store.Entry) error {
		var e Ending
		if entry != nil && len(entry.Value) > 0 && entry.Decode(&e) == nil {
			end(idOfEndingKey(entry.Key), &e)
		}
		return nil
	})
}
