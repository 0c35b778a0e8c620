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

// demoCampaign is a campaign of the sandbox with three creatives.
const demoCampaign = "SANDBOX1-summer"

// pause publishes a pause like a budget engine and shows its effect.
func (d *demo) pause(ctx context.Context, s *stage) error {
	before, err := s.platform.Campaigns.Status(ctx, demoCampaign)
	if err != nil {
		return err
	}
	d.page.heading("A budget is spent: pause a campaign")
	d.page.textf("A budget engine publishes this message to usher.jobs.campaign.pause and waits for JetStream's PubAck, which guarantees that the job is not lost. Pauses have their own slots, connections and share of the rate limit, so they never wait behind an upload.")
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
	r, err := s.awaitEnd(ctx, "demo-pause", 1)
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
	if err := d.showChange(before, after); err != nil {
		return err
	}
	d.page.textf("Done after %s: usher locked the campaign in Redis and on the platform, read, changed and read back the creatives, and unlocked it. Each change has an entry in the audit (usher.audit.<campaign>), which is kept for 400 days. This is the last one:", took.Round(10*time.Millisecond))
	return d.audit(ctx, s)
}

// showChange shows the creatives' statuses before and after.
func (d *demo) showChange(before, after []rtb.CreativeStatus) error {
	now := map[string]string{}
	for _, c := range after {
		now[c.CreativeCode] = c.ApprovalStatus
	}
	table := terminal.Table{Header: []string{"CREATIVE", "BEFORE", "AFTER"}}
	for _, c := range before {
		status := now[c.CreativeCode]
		table.Add(c.CreativeCode, c.ApprovalStatus, status)
		if c.ApprovalStatus != rtb.Active || status != rtb.Inactive {
			return fmt.Errorf("pause campaign %s: creative %s should change from %s to %s, but changed from %s to %q", demoCampaign, c.CreativeCode, rtb.Active, rtb.Inactive, c.ApprovalStatus, status)
		}
	}
	if len(before) == 0 {
		return fmt.Errorf("pause campaign %s: it has no creatives", demoCampaign)
	}
	d.page.table(table.Write)
	return nil
}

// audit shows the last entry of the campaign's audit.
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
		return fmt.Errorf("read the audit of %s: job %q, %s → %s: %w", demoCampaign, a.Job, a.Before, a.After, errUnexpected)
	}
	return nil
}
