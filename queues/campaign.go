package queues

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// The newest word about a campaign is carried out first: a pause or resume waits for the newest
// one of its campaign, which it releases, as released.go describes. Creatives that a newer job
// has set are left alone anyway, so no order is needed. When a job has set all creatives of a
// campaign on which older jobs wait, it notes that in the campaign's entry, and they end without
// a call of the platform.

// campaignEntry names a job that has set all creatives of a campaign. Key campaigns.<code>.
type campaignEntry struct {
	Job       string    `json:"job"`
	Order     uint64    `json:"order"`
	Published time.Time `json:"published"` // of the run
}

// Valid reports whether the entry is one that usher writes.
func (e *campaignEntry) Valid() bool { return usher.ValidID(e.Job) && e.Order > 0 }

func campaignKey(code string) string { return "campaigns." + store.Token(code) }

// ClaimCampaign notes that the lease's job has set all creatives of its campaign, if older
// jobs wait on it.
func (l *Lease) ClaimCampaign(ctx context.Context) error {
	m := l.message
	if !targets.NewestFirst(m.Kind) || !l.q.targets.Backlog(m.Kind).HasBefore(m.Job.Target(m.Kind), placeOf(m)) {
		return nil
	}
	l.q.noteClaim(m.Published)
	return store.Change(ctx, l.q.state, campaignKey(m.Job.Campaign), func(e *campaignEntry, _ bool) bool {
		if e.Order >= m.Order {
			return false
		}
		*e = campaignEntry{Job: m.ID, Order: m.Order, Published: m.Published}
		return true
	})
}

func placeOf(m *message.Message) targets.Place { return targets.Place{Seq: m.Seq, Order: m.Order} }

// noteClaim notes when a job was published that has set all creatives of its campaign. A job
// that was published after all of them is not superseded, and no entry is read for it.
func (q *Queue) noteClaim(published time.Time) {
	for at := published.UnixNano(); ; {
		known := q.claimed.Load()
		if published.IsZero() || at <= known || q.claimed.CompareAndSwap(known, at) {
			return
		}
	}
}

// campaignEntry returns the entry of a campaign; the zero value if there is none.
func (q *Queue) campaignEntry(ctx context.Context, campaign string) (*campaignEntry, error) {
	e := &campaignEntry{}
	_, _, err := q.state.Get(ctx, campaignKey(campaign), e)
	q.noteClaim(e.Published)
	return e, err
}

// supersedes reports whether the entry's job has made another one needless. A job that was
// published after that one is not superseded, whatever its order: it is a replay, or the stream
// was recreated.
func (e *campaignEntry) supersedes(m *message.Message) bool {
	return e.Order > m.Order && e.Published.After(m.Published)
}

// waitsForNewer reports whether a job on a campaign waits for a newer one, which it then
// releases, or else which newer job has superseded it. A newer one that waits for its next
// attempt is not waited for.
func (q *Queue) waitsForNewer(ctx context.Context, own *delivery, m *message.Message) (superseded string, waits bool, err error) {
	if !targets.NewestFirst(m.Kind) {
		return "", false, nil
	}
	b, target := q.targets.Backlog(m.Kind), m.Job.Target(m.Kind)
	if own.hasManyBehind() || b.HasOthers(target, placeOf(m)) {
		// Read all messages before this one, and most of those after it.
		if err := errors.Join(q.targets.ReadTo(ctx, m), q.targets.Index().CatchUp(ctx)); err != nil {
			return "", false, err
		}
	}
	for p, found := b.Last(target); found && placeOf(m).Before(p); p, found = b.Previous(target, p) {
		t, err := q.waiting(ctx, b, p)
		switch {
		case err != nil:
			return "", false, err
		case t == nil:
			b.Remove(target, p)
		case t.claim == records.Superfluous || t.claim == records.OtherJob || t.isReturned():
		case t.job.Holder != "":
			return "", true, nil
		default:
			return "", true, q.releaseFirst(ctx, lanes.Campaign, p)
		}
	}
	if m.Published.UnixNano() >= q.claimed.Load() {
		return "", false, nil
	}
	e, err := q.campaignEntry(ctx, m.Job.Campaign)
	if err == nil && e.supersedes(m) {
		superseded = e.Job
	}
	return superseded, false, err
}
