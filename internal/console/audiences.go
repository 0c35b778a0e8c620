package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/ledger"
	"usher/queues/letters"
	"usher/queues/status"
)

// audienceRow is a segment, or the mobile device targeting of a campaign.
type audienceRow struct {
	Target   string       `json:"target"` // segment 17, target CODE
	Name     string       `json:"name"`   // of the segment on the platform; "": it has none, or is not known
	Type     string       `json:"type"`   // of the segment, such as IDFA; "": not known
	Expiry   *int64       `json:"expiry"` // days after which a member leaves; null: never, or not known
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
	Large   bool       `json:"large"` // a mirror has removed more than half of what it may
}

// feedRow is the feed that writes to a target.
type feedRow struct {
	Name   string     `json:"name"`
	Watch  string     `json:"watch"`
	Every  string     `json:"every"`
	Paused string     `json:"paused,omitempty"` // by whom
	Looked *time.Time `json:"looked"`
	Next   *time.Time `json:"next"`  // when the next export is expected by; null: not said
	Late   *time.Time `json:"late"`  // by when an export was expected that has not come
	Blind  *time.Time `json:"blind"` // since when it cannot look at its place; null: it can
	Held   int        `json:"held"`  // exports that wait for approval
	// Versions names the exports that wait for approval, and Approvable those of them that can be read.
	Versions   []string   `json:"versions,omitempty"`
	Approvable []string   `json:"approvable,omitempty"`
	Why        string     `json:"why,omitempty"`
	Last       *time.Time `json:"last"`          // when the last job was published
	Job        string     `json:"job,omitempty"` // the last one
	Rows       int64      `json:"rows,omitempty"`

	JobState usher.State      `json:"jobState,omitempty"` // of the last job
	Error    *usher.JobError  `json:"error,omitempty"`    // of a last job that has failed: its export was not uploaded
	Remedies []letters.Remedy `json:"remedies,omitempty"` // changes of that job that its error asks for

	memory *usher.Memory // how the last good export was read
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
	return audienceList{append([]audienceRow{}, rows...), c.olderAudiences(ctx).looking()}, err
}

// audienceList are all audiences.
type audienceList struct {
	Audiences []audienceRow `json:"audiences"`
	Looking   *looking      `json:"looking,omitempty"` // older jobs are still being read, so there may be more audiences and changes
}

// olderAudiences returns a search for what jobs have changed that are not among the newest: a value of
// the type map[string]*audienceRow.
func (c *Console) olderAudiences(ctx context.Context) *searchResult {
	kept, err := c.watcher.jobs(ctx)
	if err != nil || !kept.Older {
		return &searchResult{ended: c.options.Now()}
	}
	found := c.searches.find("audiences", edgeOf(kept), func() (func(*usher.Record) bool, any) {
		byName := map[string]*audienceRow{}
		return func(r *usher.Record) bool {
			var job usher.Job
			_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
			if name := c.audienceOf(r.Kind, &job); name != "" {
				if byName[name] == nil {
					byName[name] = &audienceRow{}
				}
				byName[name].addOlder(r, &job)
			}
			return false
		}, byName
	})
	return &found
}

// addOlder adds a job of the target. Older jobs may be added later.
func (a *audienceRow) addOlder(r *usher.Record, job *usher.Job) {
	of := &audienceRow{}
	of.addJob(r, job)
	a.add(of)
}

// add takes what is newer in another row.
func (a *audienceRow) add(other *audienceRow) {
	if other.Size != nil && (a.SizeAt == nil || a.SizeAt.Before(*other.SizeAt)) {
		a.Size, a.SizeOf, a.SizeAt = other.Size, other.SizeOf, other.SizeAt
	}
	if other.Last != nil && (a.Last == nil || a.Last.At.Before(other.Last.At)) {
		a.Last = other.Last
	}
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
	if err := c.addJobs(ctx, row); err != nil {
		return nil, err
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
		if segment, known := c.segmentOf(ctx, c.ledgerTarget(r.Target)); known {
			r.Name, r.Type = segment.Name, segment.Type
			if segment.Days > 0 {
				r.Expiry = &segment.Days
			}
		}
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b audienceRow) int {
		return cmp.Or(cmp.Compare(len(b.Problems), len(a.Problems)), strings.Compare(a.Target, b.Target))
	})
	return rows, nil
}

// addJobs adds what jobs have changed.
func (c *Console) addJobs(ctx context.Context, row func(name string) *audienceRow) error {
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return err
	}
	for _, r := range kept.Jobs {
		var job usher.Job
		_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
		if name := c.audienceOf(r.Kind, &job); name != "" {
			row(name).addJob(r, &job)
		}
	}
	older, _ := c.olderAudiences(ctx).value.(map[string]*audienceRow) // nil until it has looked at all
	for name, of := range older {
		row(name).add(of)
	}
	return nil
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
	change.Added, change.Removed = r.Change()
	change.Large = r.Consequence != nil && r.Consequence.Large
	return change
}

// addLedgers adds the state of all ledgers. A ledger knows the size better than the platform,
// which answers later.
func (c *Console) addLedgers(ctx context.Context, row func(name string) *audienceRow) error {
	lapsing, err := c.options.Lapsing(ctx)
	if err != nil {
		return err
	}
	for i := range lapsing {
		r := row(c.audienceOfLedger(lapsing[i].Target))
		r.Problems = append(r.Problems, audienceIs{"warn", lapsing[i].Says() + ": mirror it more often, or with a greater refreshDays", audiencePage(r.Target)})
	}
	return c.options.Ledger.Heads(ctx, func(h ledger.Head, damaged string) {
		if damaged != "" || h.Generation == 0 {
			return
		}
		r := row(c.audienceOfLedger(h.Target))
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
func (a *audienceRow) addFeed(s *feedState, now time.Time) {
	f := &feedRow{Name: s.Name, Watch: s.Spec.Watch, Every: s.Spec.Every, Looked: known(s.Looked), Held: len(s.Held()), Versions: s.HeldVersions(), Approvable: s.Approvable(), Why: s.Why, JobState: s.job, Error: s.failure, memory: s.Memory}
	a.Feed = f
	if s.Last != nil {
		f.Last, f.Rows, f.Job = &s.Last.At, s.Last.Rows, s.Last.Job
	}
	if s.failure != nil {
		f.Remedies = letters.Remedies(s.failure.Class, s.failure.Hint)
	}
	f.Next = known(s.NextExpected(now))
	page := audiencePage(a.Target)
	if s.Paused != nil {
		f.Paused = strings.TrimSuffix(s.Paused.By+": "+s.Paused.Reason, ": ")
		a.Problems = append(a.Problems, audienceIs{"warn", "its feed is paused by " + f.Paused, page})
	}
	if by, late := s.Late(now); late {
		f.Late = &by
		a.Problems = append(a.Problems, audienceIs{"bad", "its export is late: ask who writes it whether it was written, and to this place", page})
	}
	if s.Blind != "" && s.Paused == nil {
		f.Blind = &s.BlindSince
		a.Problems = append(a.Problems, audienceIs{"bad", "its feed is blind, so that new exports are not seen: " + s.Blind, page})
	} else if s.Problem != "" {
		a.Problems = append(a.Problems, audienceIs{"warn", "something is wrong with its feed in the feed files: " + s.Problem, page})
	}
	if f.Held > 0 {
		a.Problems = append(a.Problems, audienceIs{"warn", "an export is held: " + s.Held()[0].Reason, page})
	}
}

func (a *audienceRow) addCause(g *usher.LetterGroup) {
	left := g.Count - g.Needless
	if a.Letters += left; left > 0 {
		a.Problems = append(a.Problems, audienceIs{"bad", fmt.Sprintf("%d failed: %s", left, g.Message), "/letters?group=" + g.Group})
	}
}

// known returns a time, or nil for the zero time.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Bounds of the page of an audience, and of a comparison with the platform.
const (
	maxAudienceJobs = 200
	verifyTime      = 5 * time.Minute
	verifySample    = 200 // ids that are asked for
)

// audiencePage returns the page of an audience.
func audiencePage(target string) string { return "/audiences/" + url.PathEscape(target) }

// audienceData is the data of the page of an audience.
type audienceData struct {
	audienceRow

	Sizes  []sizePoint  `json:"sizes"`  // oldest first
	Trend  []trendPoint `json:"trend"`  // oldest first
	Jobs   []jobRow     `json:"jobs"`   // newest first
	Source string       `json:"source"` // of the newest job with a file, as people may see it

	// Withheld is what the last mirror has left out; null: nothing.
	Withheld *withheldRow `json:"withheld"`

	// Memory is how the last good export was read, as the feed or the ledger has it.
	Memory *usher.Memory `json:"memory"`

	Looking *looking `json:"looking,omitempty"` // older jobs are still being read, so the page lacks some
}

// sizePoint is the size of an audience at a time, as far as it is known.
type sizePoint struct {
	At       time.Time `json:"at"`
	Ledger   *int64    `json:"ledger"`
	Platform *int64    `json:"platform"`
}

// trendPoint is the quality of an export, as its job has counted it.
type trendPoint struct {
	At      time.Time `json:"at"`
	Job     string    `json:"job"`
	Read    int64     `json:"read"`
	Junk    int64     `json:"junk"`
	Invalid int64     `json:"invalid"`
}

func (c *Console) audience(ctx context.Context, req *http.Request, _ User) (any, error) {
	name := req.PathValue("target")
	rows, err := c.audiences.get(ctx)
	if err != nil {
		return nil, err
	}
	found, looking, err := c.jobsOfAudience(ctx, name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(rows, func(r audienceRow) bool { return r.Target == name })
	if i < 0 && len(found) == 0 && looking == nil {
		return nil, refuse(http.StatusNotFound, "no job, ledger or feed of %q is known", name)
	}
	page := audienceData{audienceRow: audienceRow{Target: name, Problems: []audienceIs{}}, Sizes: []sizePoint{}, Trend: []trendPoint{}, Jobs: []jobRow{}, Looking: looking}
	if i >= 0 {
		page.audienceRow = rows[i]
	}
	for _, j := range found {
		page.addJob(j.record, &j.job)
	}
	if err := c.addGenerations(ctx, &page); err != nil {
		return nil, err
	}
	if f := page.Feed; f != nil && f.memory != nil && (page.Memory == nil || page.Memory.At.Before(f.memory.At)) {
		page.Memory = f.memory
	}
	slices.SortFunc(page.Sizes, func(a, b sizePoint) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(page.Trend, func(a, b trendPoint) int { return a.At.Compare(b.At) }) // a replayed job ends after newer ones
	return page, nil
}

// addGenerations adds what the ledger has kept of earlier mirrors.
func (c *Console) addGenerations(ctx context.Context, page *audienceData) error {
	if page.Ledger == nil || !c.options.Ledger.HasFiles() {
		return nil
	}
	generations, err := c.options.Ledger.Generations(ctx, c.ledgerTarget(page.Target))
	for _, g := range generations {
		if g.At.Equal(page.Ledger.At) {
			page.Withheld = c.withheld(ctx, &g)
		}
		page.Sizes = append(page.Sizes, sizePoint{At: g.At, Ledger: &g.Fingerprint.Count})
		if g.At.Equal(page.Ledger.At) && g.Memory != nil && g.Memory.Job != "" {
			page.Memory = g.Memory
		}
	}
	return err
}

// audienceJob is a job of an audience.
type audienceJob struct {
	record *usher.Record
	job    usher.Job
}

// jobsOfAudience returns the newest jobs of an audience, newest first, and how far it has looked for them.
func (c *Console) jobsOfAudience(ctx context.Context, name string) ([]audienceJob, *looking, error) {
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, nil, err
	}
	var found []audienceJob
	matches := func(r *usher.Record) (job usher.Job, match bool) {
		if family := r.Kind.Family(); family != "segment" && family != "target" {
			return job, false
		}
		_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
		return job, c.audienceOf(r.Kind, &job) == name
	}
	add := func(r *usher.Record) {
		if job, match := matches(r); match && len(found) < maxAudienceJobs {
			found = append(found, audienceJob{r, job})
		}
	}
	for _, r := range kept.Jobs {
		add(r)
	}
	if !kept.Older || len(found) >= maxAudienceJobs {
		return found, nil, nil
	}
	older := c.searches.find("audience\n"+name, edgeOf(kept), func() (func(*usher.Record) bool, any) {
		return func(r *usher.Record) bool { _, match := matches(r); return match }, nil
	})
	known := map[string]bool{}
	for _, r := range kept.Jobs {
		known[r.ID] = true
	}
	for _, h := range older.hits[:min(len(older.hits), maxWhole)] {
		if !known[h.ID] && h.record != nil {
			add(h.record)
		}
	}
	slices.SortStableFunc(found, func(a, b audienceJob) int {
		return status.CursorOf(a.record).Compare(status.CursorOf(b.record))
	})
	return found, older.looking(), nil
}

func (p *audienceData) addJob(r *usher.Record, job *usher.Job) {
	row := rowOf(r)
	row.TargetName = p.Name
	p.Jobs = append(p.Jobs, row)
	if p.Source == "" && job.Source != nil {
		p.Source = job.Source.URL
	}
	if r.Finished == nil {
		return
	}
	if r.Tally.Read > 0 {
		p.Trend = append(p.Trend, trendPoint{*r.Finished, r.ID, r.Tally.Read, r.Tally.Junk.Sum(), r.Tally.Invalid.Sum()})
	}
	if !job.DryRun && r.State == usher.Done && r.NumberOfIDs.After > 0 {
		p.Sizes = append(p.Sizes, sizePoint{At: *r.Finished, Platform: &r.NumberOfIDs.After})
	}
}

// audienceOfLedger returns the name of the audience of a ledger.
func (c *Console) audienceOfLedger(t ledger.Target) string {
	family := "target"
	if t.IsSegment() {
		family = "segment"
	}
	return audienceName(family+" "+t.ID(), t.Advertiser, c.options.Platform().Advertiser)
}

// ledgerTarget returns the target of an audience in the ledger.
func (c *Console) ledgerTarget(name string) ledger.Target {
	name, advertiser, _ := strings.Cut(name, " of ")
	if advertiser == "" {
		advertiser = c.options.Platform().Advertiser
	}
	family, id, _ := strings.Cut(name, " ")
	if family == "target" {
		family = "campaign"
	}
	return ledger.Target{Advertiser: advertiser, Name: family + "/" + id}
}

// Verification is the result of a comparison of a ledger with the platform.
type Verification struct {
	Count      *int64   `json:"count"`     // null: not known, as are Low and High
	Uncertain  int64    `json:"uncertain"` // ids that the target may or may not hold
	Asked      int64    `json:"asked"`
	Missing    int64    `json:"missing"`    // the ledger has them, the platform has not
	Unexpected int64    `json:"unexpected"` // the platform has them, the ledger has not
	Low        *float64 `json:"low"`        // percent of the ids by which they differ at least
	High       *float64 `json:"high"`
}

// verify compares the ledger of an audience with the platform.
func (c *Console) verify(w http.ResponseWriter, req *http.Request, _ User) error {
	name := req.PathValue("target")
	ctx, cancel := context.WithTimeout(req.Context(), verifyTime)
	defer cancel()
	found, err := c.options.Verify(ctx, c.ledgerTarget(name), verifySample)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, found)
}

// compare publishes a dry run of a mirror: it counts what an export would add to an audience
// and remove from it, and changes nothing.
func (c *Console) compare(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		URL string `json:"url"`
	}](req)
	if err != nil {
		return nil, err
	}
	name := req.PathValue("target")
	found, looking, err := c.jobsOfAudience(ctx, name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found, func(j audienceJob) bool { return j.job.Source != nil && j.job.Source.URL != "" })
	if i < 0 && looking != nil {
		return nil, refuse(http.StatusServiceUnavailable, "the jobs of %s are still being read: try it again in a moment", name)
	}
	if i < 0 {
		return nil, refuse(http.StatusConflict, "no job on record says how exports of %s are read: use usher ledger diff", name)
	}
	last := found[i]
	source := *last.job.Source
	source.URL = in.URL
	kind := usher.Kind(last.record.Kind.Family() + ".mirror")
	job := usher.Job{
		ID: "compare-" + strings.ToLower(rand.Text()[:10]), Advertiser: last.job.Advertiser, Segment: last.job.Segment, Campaign: last.job.Campaign,
		Profile: last.job.Profile, Source: &source, DryRun: true, Force: true, MaxRejectPercent: last.job.MaxRejectPercent,
	}
	return c.submitFor(ctx, user, kind, &job, name+" compared with an export")
}
