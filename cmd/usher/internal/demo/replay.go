package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"usher"
	"usher/internal/readable"
	"usher/queues/audit"
	"usher/queues/letters"
)

// The job that fails, because its export does not exist yet.
const (
	LateFile     = "newsletter.csv"
	lateJob      = "demo-newsletter"
	lateCampaign = "SANDBOX1-spring"
)

// replay makes a job fail, fixes the cause, and replays the job.
func (d *demo) replay(ctx context.Context, s *stage) error {
	letter, err := d.fail(ctx, s)
	if err != nil {
		return err
	}
	export, err := writeExport(d.exports(), LateFile, max(d.ids/20, minRows), 2)
	if err != nil {
		return err
	}
	d.page.textf("The job was not retried, because a missing file does not appear by itself. Now the file is written (%s) and the letter replayed, as 'usher dead replay --id %s' does:", readable.Count(export.rows, "row"), lateJob)
	dead := letters.New(s.queue)
	plan, err := dead.PlanReplay(ctx, letters.Filter{ID: lateJob}, letters.ReplayOptions{})
	if err != nil {
		return err
	}
	report, err := dead.Replay(ctx, &plan, letters.ReplayOptions{Act: audit.Act{Actor: "demo", Reason: "the export has arrived"}})
	if err != nil {
		return err
	}
	if report.Replayed != 1 {
		return fmt.Errorf("replay %s: %d replayed, %d skipped: %w", lateJob, report.Replayed, plan.LeftOut.Count, errUnexpected)
	}
	r, err := s.awaitEnd(ctx, lateJob, letter.Run+1)
	if err != nil {
		return err
	}
	if err := mustBeDone(r); err != nil {
		return err
	}
	if err := export.check(r.Tally); err != nil {
		return err
	}
	return d.showReplayed(ctx, s, export, r)
}

// fail submits a job whose export is missing and shows its dead letter.
func (d *demo) fail(ctx context.Context, s *stage) (usher.DeadLetter, error) {
	var none usher.DeadLetter
	d.page.heading("A job that fails, and is replayed")
	d.page.textf("This job uploads into a campaign's mobile device targeting, but its export does not exist yet:")
	late := expectation{file: filepath.Join(d.exports(), LateFile)}
	body, err := json.Marshal(usher.Job{ID: lateJob, Campaign: lateCampaign, Profile: &usher.Profile{Type: usher.IDFA}, Source: late.source()})
	if err != nil {
		return none, fmt.Errorf("encode job: %w", err)
	}
	d.page.codef("> %s", body)
	answer, id, err := s.request(ctx, usher.TargetAdd, body)
	if err != nil {
		return none, err
	}
	d.page.codef("< %s", bytes.TrimSpace(answer))
	r, err := s.awaitEnd(ctx, id, 1)
	if err != nil {
		return none, err
	}
	found, err := letters.New(s.queue).List(ctx, letters.Filter{ID: id})
	if err != nil {
		return none, err
	}
	if r.State != usher.Failed || len(found) != 1 || found[0].Class != usher.SourceMissing {
		return none, fmt.Errorf("make job %s fail: its state is %s, with %d dead letters: %w", id, r.State, len(found), errUnexpected)
	}
	d.page.textf("The job is now in the dead letters. 'usher dead ls' and 'usher dead show' show the cause and what to do:")
	l := found[0]
	d.page.fact("class", string(l.Class))
	d.page.fact("target", l.Target)
	d.page.fact("message", l.Message)
	d.page.fact("hint", l.Hint)
	return l, nil
}

// showReplayed shows the result of the replay and checks that the letter no longer exists.
func (d *demo) showReplayed(ctx context.Context, s *stage, export *expectation, r usher.Record) error {
	left, err := letters.New(s.queue).List(ctx, letters.Filter{})
	if err != nil {
		return err
	}
	if len(left) != 0 {
		return fmt.Errorf("replay job %s: %d dead letters remain: %w", lateJob, len(left), errUnexpected)
	}
	targeting, err := s.platform.Campaigns.MobileTargets(ctx, lateCampaign)
	if err != nil {
		return err
	}
	if int64(targeting.NumberOfIDs) != export.members.count {
		return fmt.Errorf("replay job %s: the campaign targets %d ids, the export has %d: %w", lateJob, targeting.NumberOfIDs, export.members.count, errUnexpected)
	}
	d.page.codef("%s is %s: run %d, %s read, %s accepted", r.ID, r.State, r.Run, readable.Number(r.Tally.Read), readable.Number(r.Tally.Accepted))
	d.page.codef("GET /v3/campaigns/%s/mobileDeviceIdTarget  →  numberOfIds %s", lateCampaign, readable.Number(int64(targeting.NumberOfIDs)))
	d.page.textf("The campaign targets exactly the devices of the export, and the dead letter no longer exists.")
	return nil
}
