package queues

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues/message"
	"usher/queues/store"
	"usher/queues/targets"
)

// The newest word about a campaign is carried out first: while many jobs wait, a slot that is
// delivered a pause or resume takes the newest one of the campaign instead, as slot.go
// describes, and returns the older one. Creatives that a newer job has set are left alone
// anyway, so no order is needed. When a job has set all creatives of a campaign on which
// older jobs wait, it notes that in the campaign's entry, and they end without a call of the
// platform.

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

// supersededBy returns the newer job that has set all creatives of the campaign of a job,
// or "". A job that was published after that one is not superseded, whatever its order: it
// is a replay, or the stream was recreated.
func (q *Queue) supersededBy(ctx context.Context, m *message.Message) (job string, err error) {
	var e campaignEntry
	_, _, err = q.state.Get(ctx, campaignKey(m.Job.Campaign), &e)
	q.noteClaim(e.Published)
	if e.Order > m.Order && e.Published.After(m.Published) {
		job = e.Job
	}
	return job, err
}

// preferNewerOfCampaign takes the newest job of the campaign of a delivered one, if that is
// newer, while many jobs wait. If a newer job runs, it returns the delivery and reports that
// it is settled. Otherwise the delivered job is to be taken.
func (t *taking) preferNewerOfCampaign(ctx, work context.Context) (lease *Lease, settled bool, err error) {
	m, q := t.message, t.q
	if !targets.NewestFirst(m.Kind) {
		return nil, false, nil
	}
	target := m.Job.Target(m.Kind)
	if !t.delivery.hasManyBehind() && !q.targets.Backlog(m.Kind).HasOthers(target, placeOf(m)) {
		if m.Published.UnixNano() < q.claimed.Load() { // the rest of a backlog
			t.superseded, err = q.supersededBy(ctx, m)
		}
		return nil, false, err
	}
	// Read all messages before this one, and most of those after it.
	if err := errors.Join(q.targets.ReadTo(ctx, m), q.targets.Index().CatchUp(ctx)); err != nil {
		return nil, false, err
	}
	front := *t.slot
	front.keeper, front.target, front.kind = t.delivery, target, m.Kind
	lease, busy, err := q.takeNewest(ctx, work, &front, placeOf(m))
	switch {
	case lease != nil || err != nil:
		return lease, false, err
	case busy:
		return nil, true, t.delivery.nak(recheckDelay)
	}
	t.superseded, err = q.supersededBy(ctx, m)
	return nil, false, err
}

// takeNewest takes the newest job of a campaign that is above a place and free. It leaves
// out those that wait for their next attempt. It takes none, and reports busy, if it comes
// to one that runs. A slot that looks elsewhere also leaves the keeper's job, and those that
// are superseded, to the lane.
func (q *Queue) takeNewest(ctx, work context.Context, s *slot, above targets.Place) (lease *Lease, busy bool, err error) {
	b := q.targets.Backlog(s.kind)
	for p, found := b.Last(s.target); found && above.Before(p); p, found = b.Previous(s.target, p) {
		t, err := q.readFront(ctx, b, s.keeper, p)
		if err != nil {
			return nil, false, err
		}
		if t == nil {
			b.Remove(s.target, p)
			continue
		}
		free, err := t.isFree(ctx)
		if err != nil {
			return nil, false, err
		}
		if !free {
			s.lookAgain(t)
			if t.job.Holder != "" {
				return nil, true, nil
			}
			continue
		}
		if t.superseded, err = q.supersededBy(ctx, t.message); err != nil {
			return nil, false, err
		}
		if s.elsewhere && (t.superseded != "" || p.Seq == s.keeper.meta.Sequence.Stream) {
			return nil, false, nil
		}
		lease, err := t.takeFree(ctx, work)
		return lease, lease == nil, err
	}
	return nil, false, nil
}

// takeNewestElsewhere takes the newest job of a campaign that the slot was delivered no job
// of.
func (q *Queue) takeNewestElsewhere(ctx, work context.Context, s *slot) (*Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, q.options.AckWait/2)
	defer cancel()
	if pause, err := q.Lanes().Paused(ctx, s.lane); pause != nil || err != nil {
		return nil, err
	}
	lease, _, err := q.takeNewest(ctx, work, s, targets.Place{})
	return lease, err
}
