package letters

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/schema"
	"usher/queues/targets"
)

// objection is a reason not to replay a letter. The zero value is no objection.
type objection struct {
	reason    string
	forceable bool   // a forced replay ignores it
	replayed  bool   // the job was replayed already, and only the letter remains
	job       string // the newer job, if it is forceable; "": none
}

// applies reports whether the objection prevents a replay.
func (o objection) applies(force bool) bool { return o.reason != "" && (!o.forceable || !force) }

func (o objection) String() string {
	if o.forceable {
		return o.reason + " (--force replays it anyway)"
	}
	return o.reason
}

// objections finds objections to letters. A plan for many letters asks for the
// same target or creative many times.
type objections struct {
	*Letters
	options   ReplayOptions
	targets   memo[targets.Exclusive]
	campaigns memo[queues.CampaignClaim]
	creatives memo[usher.CreativeEntry]
}

// to returns the objection that prevents a replay of a letter, or none.
func (o *objections) to(ctx context.Context, l *queues.Letter) (objection, error) {
	found, err := o.find(ctx, l)
	if err != nil || !found.applies(o.options.Force) {
		return objection{}, err
	}
	return found, nil
}

func (o *objections) find(ctx context.Context, l *queues.Letter) (objection, error) {
	if l.ID == nil || l.Job == nil {
		return objection{reason: "no job could be read in it"}, nil
	}
	if issues := o.schemas.Validate(l.Kind, l.Job); len(issues) > 0 {
		return objection{reason: "would be invalid again: " + schema.Describe(issues)}, nil
	}
	var job usher.Job
	if json.Unmarshal(l.Job, &job) != nil {
		return objection{reason: "no job could be read in it"}, nil //nolint:nilerr // that is the objection
	}
	last, found, err := o.queue.Reruns().Latest(ctx, *l.ID)
	if err != nil {
		return objection{}, err
	}
	if found {
		if ran := byRecord(l, last); ran.reason != "" {
			return ran, nil
		}
	}
	if now := o.queue.Now(); o.options.Deadline <= 0 && !job.Deadline.IsZero() && !now.Before(job.Deadline) {
		return objection{reason: fmt.Sprintf("its deadline passed at %s, so it would fail at once (--deadline 2h gives it another one)", job.Deadline.UTC().Format(time.RFC3339))}, nil
	}
	switch l.Kind.Family() {
	case "segment", "target":
		return o.byTarget(ctx, l, &job)
	case "campaign":
		return o.byCreatives(ctx, l, &job)
	}
	return objection{}, nil
}

// byRecord objects if the job's record shows that the letter's job was replayed
// already, or is a different one.
func byRecord(l *queues.Letter, last queues.Run) objection {
	invalid := last.State == usher.Failed && last.Error != nil && last.Error.Class == usher.InvalidJob
	switch {
	case !last.IsOf(l) || l.Class == usher.InvalidJob && !invalid:
		return objection{reason: queues.ErrOtherJob.Error()}
	case last.Number > l.Run && last.State == usher.Done:
		return objection{reason: fmt.Sprintf("is done already, as run %d", last.Number), replayed: true}
	case last.Number > l.Run:
		return objection{reason: fmt.Sprintf("was replayed already, as run %d", last.Number), replayed: true}
	}
	return objection{}
}

// byTarget objects to a job that is older than one that has removed ids from the
// same target.
func (o *objections) byTarget(ctx context.Context, l *queues.Letter, job *usher.Job) (objection, error) {
	target := job.Target(l.Kind)
	last, err := o.targets.get(ctx, target, o.queue.Targets().LastExclusive)
	switch {
	case err != nil || last.Order <= l.Order:
		return objection{}, err
	case l.Kind.Exclusive():
		return objection{reason: fmt.Sprintf("is older than job %s, which has changed %s since", last.Job, target), forceable: true, job: last.Job}, nil
	}
	return objection{reason: fmt.Sprintf("would put back ids that job %s has taken out of %s since", last.Job, target), forceable: true, job: last.Job}, nil
}

// byCreatives objects to a pause or resume of a creative, or of a whole campaign, that a newer job has
// set.
func (o *objections) byCreatives(ctx context.Context, l *queues.Letter, job *usher.Job) (objection, error) {
	if len(job.Creatives) == 0 && targets.NewestFirst(l.Kind) {
		last, err := o.campaigns.get(ctx, job.Campaign, o.queue.Creatives().Campaign)
		if err != nil || last.Order <= l.Order {
			return objection{}, err
		}
		return objection{reason: fmt.Sprintf("is superseded: job %s has set all creatives of campaign %s since", last.Job, job.Campaign), forceable: true, job: last.Job}, nil
	}
	for _, code := range job.Creatives {
		last, err := o.creatives.get(ctx, code, o.queue.Creatives().Entry)
		if err != nil {
			return objection{}, err
		}
		if last.Order > l.Order && last.Job == "" {
			return objection{reason: fmt.Sprintf("is older than the lift of creative %s's order", code), forceable: true}, nil
		}
		if last.Order > l.Order {
			return objection{reason: fmt.Sprintf("is superseded: job %s has set creative %s to %s since", last.Job, code, last.Wanted), forceable: true, job: last.Job}, nil
		}
	}
	return objection{}, nil
}

// memo caches values by key for the time that one plan takes. The zero value is
// empty and ready to use.
type memo[T any] struct {
	mu     sync.Mutex
	cached map[string]T
}

// maxCached bounds the cache. When it is full, it starts empty again.
const maxCached = 10_000

// get returns the cached value of a key, or loads it.
func (m *memo[T]) get(ctx context.Context, key string, load func(context.Context, string) (T, error)) (T, error) {
	m.mu.Lock()
	v, cached := m.cached[key]
	m.mu.Unlock()
	if cached {
		return v, nil
	}
	v, err := load(ctx, key)
	if err != nil {
		return v, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cached == nil || len(m.cached) >= maxCached {
		m.cached = map[string]T{}
	}
	m.cached[key] = v
	return v, nil
}
