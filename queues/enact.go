package queues

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// campaignOrder is a campaign job that carries out decisions.
type campaignOrder struct {
	kind usher.Kind
	job  usher.Job
}

type campaignOrders []campaignOrder

func (all campaignOrders) ids() []string {
	ids := make([]string, len(all))
	for i, o := range all {
		ids[i] = o.job.ID
	}
	return ids
}

// namedMost is how many creatives a job of usher's own names. The decisions
// say which they are; that the job does too is for its readers.
const namedMost = 1000

// ordersOf are the jobs that carry out an evaluation: one a campaign and
// direction, the same ones however often they are made. Of decisions that are
// held there are jobs only where the evaluation was approved.
func ordersOf(e *usher.Evaluation, decisions []usher.Ruling) campaignOrders {
	var all campaignOrders
	for campaign, some := range byCampaign(decisions) {
		for _, kind := range []usher.Kind{usher.CampaignPause, usher.CampaignResume} {
			var creatives, rules []string
			reason := ""
			for _, d := range some {
				if d.Carries(e.State == usher.EvaluationApproved) != kind {
					continue
				}
				creatives = append(creatives, d.Creative)
				if !slices.Contains(rules, d.Rule) {
					rules = append(rules, d.Rule)
				}
				reason = d.Reason
			}
			if len(creatives) == 0 {
				continue
			}
			if len(rules) > 1 {
				reason = "rules " + strings.Join(rules, ", ")
			}
			_, verb, _ := strings.Cut(string(kind), ".")
			o := campaignOrder{kind, usher.Job{
				ID: fitID(e.ID, "."+campaign+"."+verb), Advertiser: e.Account, Campaign: campaign, Creatives: creatives,
				Reason: cutText(reason, 1000), Actor: e.Actor(), Evaluation: e.ID,
			}}
			if len(creatives) > namedMost {
				o.job.Creatives = nil
			}
			all = append(all, o)
		}
	}
	return all
}

// cutText is text without what a job's reason may not have, at most n bytes of
// it.
func cutText(text string, n int) string {
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

// fitID joins a name and an end to an id that may name a job: a name that is
// too long is cut, and told from others by its hash.
func fitID(name, end string) string {
	const most = 128
	if len(name)+len(end) <= most {
		return name + end
	}
	sum := "-" + shortSum(name)
	return strings.TrimRight(name[:most-len(end)-len(sum)], ".") + sum + end
}

// shortSum tells texts apart in an id.
func shortSum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12] }

// Enact publishes the jobs of an evaluation. It may be repeated: they are
// the same, and take effect once.
func (q *Queue) Enact(ctx context.Context, e usher.Evaluation) error {
	if e.State == usher.EvaluationRejected {
		return nil
	}
	decisions, err := q.Decisions(ctx, e.ID)
	if err != nil {
		return err
	}
	return q.publishOrders(ctx, ordersOf(&e, decisions))
}

func (q *Queue) publishOrders(ctx context.Context, orders campaignOrders) error {
	var sent []jetstream.PubAckFuture
	for _, o := range orders {
		data, err := json.Marshal(o.job)
		if err != nil {
			return fmt.Errorf("encode job %s: %w", o.job.ID, err)
		}
		msg := &nats.Msg{Subject: q.names.Job(o.kind), Data: data}
		future, err := q.js.PublishMsgAsync(msg, jetstream.WithMsgID(o.job.ID), jetstream.WithStallWait(callTime))
		if err != nil {
			return fmt.Errorf("publish job %s: %w", o.job.ID, err)
		}
		sent = append(sent, future)
	}
	for _, future := range sent {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return fmt.Errorf("publish the jobs of an evaluation: %w", err)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
