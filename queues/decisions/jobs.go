package decisions

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/queues"
	"usher/queues/status"
)

// maxNamed is the largest number of creatives that a job of usher names. The
// decisions are authoritative: which of them a job without names carries out follows from its id, see
// Store.DecisionsOf.
const maxNamed = 1000

// jobsOf returns the jobs that carry an evaluation out: one for each campaign and kind of job.
// It returns the same jobs for the same evaluation. Held decisions have jobs only if the
// evaluation is approved. By then the job of the other decisions on the campaign may have
// ended, so they do not share it.
func jobsOf(e *usher.Evaluation, decisions []usher.StoredDecision) []queues.NewJob {
	var all []queues.NewJob
	for job := range decisionsByJob(e, decisions) {
		all = append(all, job)
	}
	return all
}

// decisionsByJob yields the jobs that carry an evaluation out, each with its decisions.
func decisionsByJob(e *usher.Evaluation, decisions []usher.StoredDecision) iter.Seq2[queues.NewJob, []usher.StoredDecision] {
	return func(yield func(queues.NewJob, []usher.StoredDecision) bool) {
		for campaign, some := range byCampaign(decisions) {
			for _, kind := range []usher.Kind{usher.CampaignPause, usher.CampaignResume, usher.CampaignBudget, usher.CampaignBid} {
				for approval := range len(e.Approvals) + 2 {
					carried := carriedOut(e, kind, some, approval)
					if len(carried) == 0 {
						continue
					}
					job := jobOf(e, campaign, carried)
					job.ID = jobID(e, kind, &carried[0], some)
					if !yield(queues.NewJob{Kind: kind, Job: job}, carried) {
						return
					}
				}
			}
		}
	}
}

// decisionsOfJob returns those of an evaluation's decisions on a campaign that the job with an id carries out.
func decisionsOfJob(e *usher.Evaluation, decisions []usher.StoredDecision, id string) []usher.StoredDecision {
	for job, carried := range decisionsByJob(e, decisions) {
		if job.Job.ID == id {
			return carried
		}
	}
	return nil
}

// openJobs returns the jobs of an evaluation that have not ended, by the subjects of their decisions.
func (r *Store) openJobs(ctx context.Context, e *usher.Evaluation, decisions []usher.StoredDecision) (map[string]string, error) {
	open := map[string]string{}
	for job, carried := range decisionsByJob(e, decisions) {
		if !slices.Contains(e.Jobs, job.Job.ID) {
			continue
		}
		record, err := r.queue.Status().Record(ctx, job.Job.ID)
		switch {
		case errors.Is(err, status.ErrNoJob) || err == nil && record.State.Ended():
		case err != nil:
			return nil, fmt.Errorf("read job %s of run %s: %w", job.Job.ID, e.ID, err)
		default:
			for k := range carried {
				open[carried[k].Subject()] = job.Job.ID
			}
		}
	}
	return open, nil
}

// carriedOut returns the decisions that a job of a kind carries out: those that were held until an
// approval with a number, or, of 0, those that were not held.
func carriedOut(e *usher.Evaluation, kind usher.Kind, decisions []usher.StoredDecision, approval int) []usher.StoredDecision {
	return slices.DeleteFunc(slices.Clone(decisions), func(d usher.StoredDecision) bool {
		return d.JobKind(approval > 0) != kind || (approval > 0) != (d.Action == usher.Held) || e.ApprovalOf(&d) != approval
	})
}

// jobID returns the id of the job of a kind that carries out a decision. decisions are
// those on its campaign.
func jobID(e *usher.Evaluation, kind usher.Kind, d *usher.StoredDecision, decisions []usher.StoredDecision) string {
	_, verb, _ := strings.Cut(string(kind), ".")
	switch approval := e.ApprovalOf(d); {
	case approval > 1:
		verb += ".approved" + strconv.Itoa(approval)
	case approval == 1 && len(carriedOut(e, kind, decisions, 0)) > 0:
		verb += ".approved"
	}
	id := fitID(e.ID, "."+d.Campaign+"."+verb)
	return cmp.Or(e.Renamed[id], id)
}

// jobOf returns the job that carries out decisions on one campaign, without its id.
func jobOf(e *usher.Evaluation, campaign string, decisions []usher.StoredDecision) usher.Job {
	var creatives, rules []string
	for _, d := range decisions {
		if d.Bidding == nil {
			creatives = append(creatives, d.Creative)
		}
		if !slices.Contains(rules, d.Rule) {
			rules = append(rules, d.Rule)
		}
	}
	if len(creatives) > maxNamed {
		creatives = nil
	}
	reason := decisions[len(decisions)-1].Reason
	if len(rules) > 1 {
		reason = "rules " + strings.Join(rules, ", ")
	}
	return usher.Job{
		Advertiser: e.Account, Campaign: campaign, Creatives: creatives,
		Reason: cleanText(reason, 1000), Actor: e.Actor(), Evaluation: e.ID,
	}
}

func idsOf(jobs []queues.NewJob) []string {
	ids := make([]string, len(jobs))
	for i, j := range jobs {
		ids[i] = j.Job.ID
	}
	return ids
}

// cleanText returns text in the form of a job's reason: without control characters, and at
// most n bytes long.
func cleanText(text string, n int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n-3], "") + "…"
}

// fitID joins a name and a suffix to the id of a job. If the name is too long,
// fitID shortens it and appends its hash.
func fitID(name, suffix string) string {
	const maxLength = 128
	if len(name)+len(suffix) <= maxLength {
		return name + suffix
	}
	hash := "-" + shortHash(name)
	return strings.TrimRight(name[:maxLength-len(suffix)-len(hash)], ".") + hash + suffix
}

func shortHash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12] }

// renameTaken renames those jobs of an evaluation whose ids are on record. A publisher who knows
// the id of a run knows those of its jobs, too, and a job with an id that is on record with another
// body does not run. A job that waits without a record does no harm, because those of an evaluation
// are recorded when they are published.
func (r *Store) renameTaken(ctx context.Context, e *usher.Evaluation, jobs []queues.NewJob) error {
	open := slices.DeleteFunc(idsOf(jobs), usher.ReservedID)
	taken, err := r.queue.Reruns().OnRecord(ctx, open)
	if err != nil || len(taken) == 0 {
		return err
	}
	e.Renamed = maps.Clone(e.Renamed)
	if e.Renamed == nil {
		e.Renamed = map[string]string{}
	}
	for _, id := range taken {
		e.Renamed[id] = fitID(id, "."+rand.Text()[:8])
	}
	return nil
}
