package console

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/feeds"
	"usher/internal/ledger"
)

// audienceRow is a segment, or the mobile device targeting of a campaign.
type audienceRow struct {
	Target   string       `json:"target"` // segment 17, target CODE
	Size     *int64       `json:"size"`   // null: not known
	SizeOf   string       `json:"sizeOf"` // where Size is from: ledger or platform
	SizeAt   *time.Time   `json:"sizeAt"`
	Ledger   *ledgerRow   `json:"ledger"` // null: usher keeps no ledger of it
	Last     *changeRow   `json:"last"`   // the newest job that has changed it; null: none on record
	Feed     *feedRow     `json:"feed"`   // null: no feed writes to it
	Open     int          `json:"open"`   // jobs that have not ended
	Letters  int          `json:"letters"`
	Problems []audienceIs `json:"problems"`
}

// audienceIs is a problem of an audience.
type audienceIs struct {
	Level   string `json:"level"` // bad, warn
	Message string `json:"says"`
	Page    string `json:"where,omitempty"`
}

// ledgerRow is what usher believes that a target holds.
type ledgerRow struct {
	At      time.Time `json:"at"`
	Count   int64     `json:"count"`
	Job     string    `json:"job"`
	Changed bool      `json:"changed"`           // other jobs have changed the target since
	Pending string    `json:"pending,omitempty"` // the job that has begun to change the target
}

// changeRow is a change of an audience by a job.
type changeRow struct {
	At      time.Time  `json:"at"`
	Job     string     `json:"job"`
	Kind    usher.Kind `json:"kind"`
	Added   int64      `json:"added"`
	Removed int64      `json:"removed"`
}

// feedRow is the feed that writes to a target.
type feedRow struct {
	Name   string     `json:"name"`
	Watch  string     `json:"watch"`
	Every  string     `json:"every"`
	Paused string     `json:"paused,omitempty"` // by whom
	Looked *time.Time `json:"looked"`
	Next   *time.Time `json:"next"` // when the next export is expected by; null: not said
	Late   *time.Time `json:"late"` // by when an export was expected that has not come
	Held   int        `json:"held"` // exports that wait for approval
	// Versions names the exports that wait for approval.
	Versions []string   `json:"versions,omitempty"`
	Why      string     `json:"why,omitempty"`
	Last     *time.Time `json:"last"` // when the last job was published
	Rows     int64      `json:"rows,omitempty"`
}

// audienceOf returns the name of the target of a job that changes an audience, or "".
func (c *Console) audienceOf(kind usher.Kind, job *usher.Job) string {
	family := kind.Family()
	if family != "segment" && family != "target" {
		return ""
	}
	return audienceName(job.Target(kind), job.Advertiser, c.options.Platform().Advertiser)
}

// audienceName returns the name of a target; an advertiser that is not the configured one is
// part of it.
func audienceName(target, advertiser, configured string) string {
	if advertiser == "" || advertiser == configured {
		return target
	}
	return target + " of " + advertiser
}

func (c *Console) listAudiences(ctx context.Context, _ *http.Request, _ User) (any, error) {
	rows, err := c.audiences.get(ctx)
	return map[string][]audienceRow{"audiences": append([]audienceRow{}, rows...)}, err
}

// loadAudiences reads all targets of which a job, a ledger or a feed is known, those with
// problems first.
func (c *Console) loadAudiences(ctx context.Context) ([]audienceRow, error) {
	byName := map[string]*audienceRow{}
	row := func(name string) *audienceRow {
		if byName[name] == nil {
			byName[name] = &audienceRow{Target: name, Problems: []audienceIs{}}
		}
		return byName[name]
	}
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range kept.Jobs {
		var job usher.Job
		_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
		if name := c.audienceOf(r.Kind, &job); name != "" {
			row(name).addJob(r, &job)
		}
	}
	if err := c.addLedgers(ctx, row); err != nil {
		return nil, err
	}
	states, err := c.feeds.get(ctx)
	if err != nil {
		return nil, err
	}
	for i := range states {
		row(states[i].Spec.Target).addFeed(&states[i], c.options.Now())
	}
	groups, err := c.causes.get(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		if r := byName[g.Target]; r != nil {
			r.addCause(&g)
		}
	}
	rows := make([]audienceRow, 0, len(byName))
	for _, r := range byName {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b audienceRow) int {
		return cmp.Or(cmp.Compare(len(b.Problems), len(a.Problems)), strings.Compare(a.Target, b.Target))
	})
	return rows, nil
}

// addJob adds a job of the target. Newer jobs are added first.
func (a *audienceRow) addJob(r *usher.Record, job *usher.Job) {
	if !r.State.Ended() {
		a.Open++
		return
	}
	if job.DryRun || r.Finished == nil {
		return
	}
	if a.Size == nil && r.State == usher.Done && (r.NumberOfIDs.After > 0 || r.NumberOfIDs.Before > 0) {
		a.Size, a.SizeOf, a.SizeAt = &r.NumberOfIDs.After, "platform", r.Finished
	}
	if change := changeOf(r); a.Last == nil && change.Added+change.Removed > 0 {
		a.Last = &change
	}
}

// changeOf returns how many ids a job has added and removed.
func changeOf(r *usher.Record) changeRow {
	change := changeRow{Job: r.ID, Kind: r.Kind}
	if r.Finished != nil {
		change.At = *r.Finished
	}
	switch r.Kind {
	case usher.SegmentRemove:
		change.Removed = r.Tally.Accepted
	case usher.TargetClear:
		change.Removed = r.NumberOfIDs.Before
	case usher.TargetReplace:
		change.Added, change.Removed = r.Tally.Accepted, r.NumberOfIDs.Before
	default:
		change.Added, change.Removed = r.Tally.Accepted-r.Refreshed, r.Removed
	}
	return change
}

// addLedgers adds the state of all ledgers. A ledger knows the size better than the platform,
// which answers later.
func (c *Console) addLedgers(ctx context.Context, row func(name string) *audienceRow) error {
	configured := c.options.Platform().Advertiser
	return c.options.Ledger.Heads(ctx, func(h ledger.Head, damaged string) {
		if damaged != "" || h.Generation == 0 {
			return
		}
		family, id, _ := strings.Cut(h.Name, "/")
		if family == "campaign" {
			family = "target"
		}
		r := row(audienceName(family+" "+id, h.Advertiser, configured))
		r.Ledger = &ledgerRow{At: h.At, Count: h.Fingerprint.Count, Job: h.Job, Changed: len(h.Deltas)+len(h.Noted) > 0}
		if h.Pending != nil {
			r.Ledger.Pending = h.Pending.Job
		}
		if !r.Ledger.Changed || r.Size == nil {
			r.Size, r.SizeOf, r.SizeAt = &r.Ledger.Count, "ledger", &r.Ledger.At
		}
	})
}

// addFeed adds the feed that writes to the target.
func (a *audienceRow) addFeed(s *feeds.State, now time.Time) {
	f := &feedRow{Name: s.Name, Watch: s.Spec.Watch, Every: s.Spec.Every, Looked: known(s.Looked), Held: len(s.Held()), Versions: s.HeldVersions(), Why: s.Why}
	a.Feed = f
	if s.Last != nil {
		f.Last, f.Rows = &s.Last.At, s.Last.Rows
	}
	if s.Spec.Expect.By != "" {
		f.Next = known(s.Spec.Expect.Next(now))
	}
	page := audiencePage(a.Target)
	if s.Paused != nil {
		f.Paused = strings.TrimSuffix(s.Paused.By+": "+s.Paused.Reason, ": ")
		a.Problems = append(a.Problems, audienceIs{"warn", "its feed is paused by " + f.Paused, page})
	}
	if by, late := s.Late(now); late {
		f.Late = &by
		a.Problems = append(a.Problems, audienceIs{"bad", "its export is late: ask who writes it whether it was written, and to this place", page})
	}
	if f.Held > 0 {
		a.Problems = append(a.Problems, audienceIs{"warn", "an export is held: " + s.Held()[0].Reason, page})
	}
}

func (a *audienceRow) addCause(g *usher.LetterGroup) {
	a.Letters += g.Count
	a.Problems = append(a.Problems, audienceIs{"bad", fmt.Sprintf("%d failed: %s", g.Count, g.Message), "/letters?group=" + g.Group})
}

// known returns a time, or nil for the zero time.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
