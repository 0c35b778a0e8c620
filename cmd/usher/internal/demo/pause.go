package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/rtb"
)

// demoCampaign is one of the sandbox's, with three creatives.
const demoCampaign = "SANDBOX1-summer"

// pause publishes what a budget engine would, and shows what came of it.
func (d *demo) pause(ctx context.Context, s *stage) error {
	before, err := s.platform.Campaigns.Status(ctx, demoCampaign)
	if err != nil {
		return err
	}
	d.page.heading("A budget is spent: pause a campaign")
	d.page.sayf("A budget engine publishes this to usher.jobs.campaign.pause and waits for JetStream's PubAck: from then on the job is not lost. A pause has slots, connections and a share of the rate limit of its own, so it never waits behind an upload.")
	body, err := json.Marshal(usher.Job{ID: "demo-pause", Campaign: demoCampaign, Reason: "daily budget spent", Actor: "budget engine"})
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	d.page.codef("> %s", body)
	began := time.Now()
	ack, err := s.js.Publish(ctx, "usher.jobs."+string(usher.CampaignPause), body, jetstream.WithMsgID("demo-pause"))
	if err != nil {
		return fmt.Errorf("publish the pause: %w", err)
	}
	d.page.codef("< PubAck: stream %s, sequence %d", ack.Stream, ack.Sequence)
	r, err := s.ended(ctx, "demo-pause", 1)
	if err != nil {
		return err
	}
	took := time.Since(began)
	if err := mustBeDone(r); err != nil {
		return err
	}
	after, err := s.platform.Campaigns.Status(ctx, demoCampaign)
	if err != nil {
		return err
	}
	if err := d.changed(before, after); err != nil {
		return err
	}
	d.page.sayf("Done after %s: locked in Redis and on the platform, read, set, read back, unlocked. Each creative that changed has a line in the audit, which is kept for 400 days (usher.audit.<campaign>); this is the last:", took.Round(10*time.Millisecond))
	return d.audit(ctx, s)
}

// changed shows the creatives' statuses before and after.
func (d *demo) changed(before, after []rtb.CreativeStatus) error {
	now := map[string]string{}
	for _, c := range after {
		now[c.CreativeCode] = c.ApprovalStatus
	}
	table := terminal.Table{Header: []string{"CREATIVE", "BEFORE", "AFTER"}}
	for _, c := range before {
		status := now[c.CreativeCode]
		table.Add(c.CreativeCode, c.ApprovalStatus, status)
		if c.ApprovalStatus != rtb.Active || status != rtb.Inactive {
			return fmt.Errorf("pause campaign %s: creative %s must go from %s to %s, and went from %s to %q", demoCampaign, c.CreativeCode, rtb.Active, rtb.Inactive, c.ApprovalStatus, status)
		}
	}
	if len(before) == 0 {
		return fmt.Errorf("pause campaign %s: it has no creatives", demoCampaign)
	}
	d.page.table(table.Write)
	return nil
}

// audit shows the last line of the campaign's audit.
func (d *demo) audit(ctx context.Context, s *stage) error {
	stream, err := s.js.Stream(ctx, "USHER_EVENTS")
	if err != nil {
		return fmt.Errorf("read the audit of %s: %w", demoCampaign, err)
	}
	line, err := stream.GetLastMsgForSubject(ctx, "usher.audit."+demoCampaign)
	if err != nil {
		return fmt.Errorf("read the audit of %s: %w", demoCampaign, err)
	}
	d.page.codef("%s", bytes.TrimSpace(line.Data))
	var a usher.Audit
	if err := json.Unmarshal(line.Data, &a); err != nil {
		return fmt.Errorf("read the audit of %s: %w", demoCampaign, err)
	}
	if a.Job != "demo-pause" || a.Before != rtb.Active || a.After != rtb.Inactive {
		return fmt.Errorf("read the audit of %s: job %q, %s → %s: %w", demoCampaign, a.Job, a.Before, a.After, errNotAsPlanned)
	}
	return nil
}
