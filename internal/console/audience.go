package console

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/ledger"
)

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
	i := slices.IndexFunc(rows, func(r audienceRow) bool { return r.Target == name })
	if i < 0 {
		return nil, refuse(http.StatusNotFound, "no job, ledger or feed of %q is known", name)
	}
	page := audienceData{audienceRow: rows[i], Sizes: []sizePoint{}, Trend: []trendPoint{}, Jobs: []jobRow{}}
	found, err := c.jobsOfAudience(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, j := range found {
		page.addJob(j.record, &j.job)
	}
	if page.Ledger != nil && c.options.Ledger.HasFiles() {
		generations, err := c.options.Ledger.Generations(ctx, c.ledgerTarget(name))
		if err != nil {
			return nil, err
		}
		for _, g := range generations {
			page.Sizes = append(page.Sizes, sizePoint{At: g.At, Ledger: &g.Fingerprint.Count})
		}
	}
	slices.SortFunc(page.Sizes, func(a, b sizePoint) int { return a.At.Compare(b.At) })
	slices.Reverse(page.Trend)
	return page, nil
}

// audienceJob is a job of an audience.
type audienceJob struct {
	record *usher.Record
	job    usher.Job
}

// jobsOfAudience returns the newest jobs of an audience, newest first.
func (c *Console) jobsOfAudience(ctx context.Context, name string) ([]audienceJob, error) {
	kept, err := c.watcher.jobs(ctx)
	if err != nil {
		return nil, err
	}
	var found []audienceJob
	for _, r := range kept.Jobs {
		if family := r.Kind.Family(); family != "segment" && family != "target" {
			continue
		}
		var job usher.Job
		_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
		if c.audienceOf(r.Kind, &job) == name {
			found = append(found, audienceJob{r, job})
		}
		if len(found) >= maxAudienceJobs {
			break
		}
	}
	return found, nil
}

func (p *audienceData) addJob(r *usher.Record, job *usher.Job) {
	p.Jobs = append(p.Jobs, rowOf(r))
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
	Count      int64   `json:"count"`
	Asked      int64   `json:"asked"`
	Missing    int64   `json:"missing"`    // the ledger has them, the platform has not
	Unexpected int64   `json:"unexpected"` // the platform has them, the ledger has not
	Low        float64 `json:"low"`        // percent of the ids by which they differ at least
	High       float64 `json:"high"`
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
	found, err := c.jobsOfAudience(ctx, name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found, func(j audienceJob) bool { return j.job.Source != nil && j.job.Source.URL != "" })
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
