package status

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues/presence"
	"usher/queues/records"
	"usher/queues/store"
)

// Uploads are the uploads that run, and what is known of their requests. It is for jobs that
// forget ids.
type Uploads struct {
	reader  *Reader
	request time.Duration
}

// Uploads returns the uploads that run. A request arrives within the given time after it has
// begun, or never.
func (r *Reader) Uploads(request time.Duration) Uploads { return Uploads{r, request} }

// AnnounceArrival announces that requests of this worker have arrived, which its answer
// has named.
func (u Uploads) AnnounceArrival() {
	_ = u.reader.store.Conn.Publish(u.reader.store.Arrived(), nil) // readers look again without it, too
}

// NotifyRequests returns a channel that receives when requests of a worker may have arrived, until
// stop is called.
func (u Uploads) NotifyRequests() (arrived <-chan struct{}, stop func(), err error) {
	s := u.reader.store
	signals := make(chan struct{}, 1)
	subscription, err := s.Conn.Subscribe(s.Arrived(), func(*nats.Msg) {
		select {
		case signals <- struct{}{}:
		default: // one is enough
		}
	})
	if err == nil {
		err = s.Conn.FlushTimeout(store.CallTime)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("listen to %s: %w", s.Arrived(), err)
	}
	return signals, func() { _ = subscription.Unsubscribe() }, nil
}

// Running returns the uploads that have begun and not ended.
func (u Uploads) Running(ctx context.Context) ([]usher.Upload, error) {
	var begun []records.Job
	err := store.EachValue(ctx, u.reader.store.State, "jobs.>", func(_ *store.Entry, j *records.Job) {
		family := j.Record.Kind.Family()
		if (family == "segment" || family == "target") && (j.State == usher.Running || j.State == usher.Retrying) {
			begun = append(begun, *j)
		}
	})
	if err != nil {
		return nil, err
	}
	var uploads []usher.Upload
	for i := range begun {
		j := &begun[i]
		upload := usher.Upload{Key: records.JobKey(j.Record.ID), Token: j.Holder}
		if upload.Advertiser, upload.Target, err = targetOf(j); err != nil {
			return nil, err
		}
		uploads = append(uploads, upload)
		if !j.IsCut() && !j.Record.Kind.Mirrors() {
			continue
		}
		err := u.reader.records.EachPart(ctx, j.Record.ID, func(part int, p *records.Part) {
			if p.State == usher.Running && p.Holder != "" && p.Run == j.Run {
				uploads = append(uploads, usher.Upload{
					Advertiser: upload.Advertiser, Target: upload.Target, Key: records.PartKey(j.Record.ID, part), Token: p.Holder,
				})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return uploads, nil
}

func targetOf(j *records.Job) (advertiser, target string, err error) {
	var job usher.Job
	if err := json.Unmarshal(j.Record.Job, &struct {
		Advertiser *string `json:"advertiser"`
		Segment    *string `json:"segment"`
		Campaign   *string `json:"campaign"`
	}{&job.Advertiser, &job.Segment, &job.Campaign}); err != nil {
		return "", "", fmt.Errorf("read the target of job %s: %w", j.Record.ID, err)
	}
	if j.Record.Kind.Family() == "segment" {
		return job.Advertiser, "segment/" + job.Segment, nil
	}
	return job.Advertiser, "campaign/" + job.Campaign, nil
}

// Awaits returns what must be waited for until no request that was compared with an older
// generation of the suppression list can be on its way, or "". before are the uploads that
// were running when the list got this generation. answered reports that a worker has answered
// that it has such requests, and silent is the time since when none has.
//
// A worker that does not answer sends nothing once it has lost its lease, even if it was
// suspended. So nothing of it is awaited when another worker has its work. Nor is it when nobody
// has taken the work, or the worker has kept it without an answer, for as long as a lease and a
// request last together.
func (u Uploads) Awaits(ctx context.Context, generation uint64, silent time.Time, before []usher.Upload) (waitsFor string, answered bool, err error) {
	workers, err := u.reader.presence.Workers(ctx)
	if err != nil {
		return "the answers of the workers", true, nil //nolint:nilerr // it may be known later
	}
	for _, w := range workers {
		if w.Allowed != nil && *w.Allowed < generation {
			return fmt.Sprintf("the batches that worker %s has begun", w.Worker), true, nil
		}
	}
	if u.reader.records.Now().Sub(silent) > u.reader.lease+u.request {
		return "", false, nil
	}
	for _, upload := range before {
		if upload.Token == "" || slices.ContainsFunc(workers, func(w presence.Answer) bool { return slices.Contains(w.Leases, upload.Token) }) {
			continue
		}
		held, err := u.stillHeld(ctx, upload)
		if held || err != nil {
			return fmt.Sprintf("worker %s, which had a batch for %s and does not answer", holder{token: upload.Token}.worker(), upload.Target), false, err
		}
	}
	return "", false, nil
}

// stillHeld reports whether the record of an upload names the same lease.
func (u Uploads) stillHeld(ctx context.Context, upload usher.Upload) (bool, error) {
	var x records.Execution
	_, found, err := u.reader.store.State.Get(ctx, upload.Key, &x)
	return found && x.State == usher.Running && x.Holder == upload.Token, err
}
