package queues

import (
	"context"
	"time"

	"usher"
	"usher/queues/message"
	"usher/queues/store"
	"usher/queues/targets"
)

// The newest word about a campaign is carried out first: a pause or resume waits for the newest
// one of its campaign, which it releases, as released.go describes. Creatives that a newer job
// has set are left alone anyway, so no order is needed. When a job has set all creatives of a
// campaign on which older jobs wait, it notes that in the campaign's entry, and they end without
// a call of the platform.

// CampaignClaim names the newest job that has set all creatives of a campaign. Key campaigns.<code>.
type CampaignClaim struct {
	Job       string    `json:"job"`
	Order     uint64    `json:"order"`
	Published time.Time `json:"published"` // of the run
}

// Valid reports whether the entry is one that usher writes.
func (e *CampaignClaim) Valid() bool { return usher.ValidID(e.Job) && e.Order > 0 }

func campaignKey(code string) string { return "campaigns." + store.Token(code) }

// ClaimCampaign notes that the lease's job has set all creatives of its campaign: for older jobs that
// wait on it, and for replays of older ones that have failed.
func (l *Lease) ClaimCampaign(ctx context.Context) error {
	m := l.message
	if !targets.NewestFirst(m.Kind) {
		return nil
	}
	if l.q.targets.Backlog(m.Kind).HasBefore(m.Job.Target(m.Kind), placeOf(m)) {
		l.q.noteClaim(m.Published)
	}
	return store.Change(ctx, l.q.state, campaignKey(m.Job.Campaign), func(e *CampaignClaim, _ bool) bool {
		if e.Order >= m.Order {
			return false
		}
		*e = CampaignClaim{Job: m.ID, Order: m.Order, Published: m.Published}
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

// campaignClaim returns the entry of a campaign; the zero value if there is none.
func (q *Queue) campaignClaim(ctx context.Context, campaign string) (*CampaignClaim, error) {
	e := &CampaignClaim{}
	_, _, err := q.state.Get(ctx, campaignKey(campaign), e)
	q.noteClaim(e.Published)
	return e, err
}

// supersedes reports whether the entry's job has made another one needless. A job that was
// published after that one is not superseded, whatever its order: it is a replay, or the stream
// was recreated.
func (e *CampaignClaim) supersedes(m *message.Message) bool {
	return e.Order > m.Order && e.Published.After(m.Published)
}

// supersededBy returns the newer job that has superseded one on a campaign, or "".
func (q *Queue) supersededBy(ctx context.Context, m *message.Message) (string, error) {
	if m.Published.UnixNano() >= q.claimed.Load() {
		return "", nil
	}
	e, err := q.campaignClaim(ctx, m.Job.Campaign)
	if err != nil || !e.supersedes(m) {
		return "", err
	}
	return e.Job, nil
}

// Campaign returns the newest job that has set all creatives of a campaign; the zero value if there is
// none.
func (c Creatives) Campaign(ctx context.Context, campaign string) (CampaignClaim, error) {
	var e CampaignClaim
	_, _, err := c.q.state.Get(ctx, campaignKey(campaign), &e)
	return e, err
}
