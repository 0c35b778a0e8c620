package workers

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"usher"
)

// Jobs publishes jobs and says how they are.
type Jobs interface {
	// Publish publishes a job with an id. Repeating it has no effect.
	Publish(ctx context.Context, k usher.Kind, j usher.Job) error
	// State returns the state of a job.
	State(ctx context.Context, id string) (usher.State, error)
}

// untilNext is what takes ids out of the targeting of a campaign.
const untilNext = "its next target.mirror, target.replace or target.clear"

// eraseTargeting takes the digests out of the targeting of a campaign, if the job asks for that,
// by a mirror of what the campaign's ledger says: it clears the targeting and fills it again.
// Otherwise they are pending.
func (f *forget) eraseTargeting(ctx context.Context, e *usher.Erasure) error {
	if e.Found+e.Pending == 0 {
		return nil
	}
	e.Until = untilNext
	if f.Work.Job.Targets != "now" {
		return nil
	}
	if e.Pending > 0 || f.worker.Jobs == nil {
		f.Warnf("pending", "%s cannot be filled again, because no ledger says what else it targets: the ids are taken out by %s", e.Target, untilNext)
		return nil
	}
	mirror, err := f.refill(ctx, e)
	if err != nil {
		return err
	}
	state, err := f.worker.Jobs.State(ctx, mirror)
	switch {
	case err != nil:
		return fmt.Errorf("read the state of job %s: %w", mirror, err)
	case !state.Ended():
		return Wait(refillDelay, "waits for job %s, which takes the ids out of %s", mirror, e.Target)
	case state != usher.Done:
		f.Warnf("pending", "job %s, which should take the ids out of %s, is %s", mirror, e.Target, state)
		return nil
	}
	e.Removed, e.Until = e.Found, ""
	return nil
}

// refillDelay is the delay until a job that waits for the mirror of a campaign looks again.
const refillDelay = time.Second

// refill publishes the mirror of a campaign and returns its id.
func (f *forget) refill(ctx context.Context, e *usher.Erasure) (id string, err error) {
	head, _, err := f.worker.Ledger.Head(ctx, f.target(e))
	if err != nil {
		return "", err
	}
	g, err := f.worker.Ledger.Generation(ctx, head.Target, head.Generation)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", f.Work.ID, f.s.Run, e.Target))
	job := usher.Job{
		ID: fmt.Sprintf("forget-%x", sum[:12]), Advertiser: f.advertiser(), Campaign: idOf(e),
		Profile: &g.Profile, Source: &usher.Source{URL: currentMembers}, Force: true,
	}
	if g.Profile.Type == "" { // made by a job that has no profile
		job.Profile = &usher.Profile{Type: usher.IDFA}
	}
	return job.ID, f.worker.Jobs.Publish(ctx, usher.TargetMirror, job)
}
