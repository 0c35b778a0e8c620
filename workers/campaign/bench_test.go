package campaign_test

import (
	"net/http"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

const spring = "SANDBOX1-spring"

// Operations of the sandbox.
const (
	posts  = "set-status" // of a campaign or a creative
	puts   = "campaigns.put"
	locks  = "campaigns.lock"
	unlock = "campaigns.unlock"
)

// bench is a workertest.Bench with helpers for campaign tests.
type bench struct {
	*workertest.Bench
	before  rtb.Definition // of SANDBOX1-spring; nil unless numberBench made the bench
	earlier int            // PUTs of the bench itself
}

func newBench(t *testing.T, o sandbox.Options) *bench {
	t.Helper()
	return &bench{Bench: workertest.NewBench(t, o)}
}

func statusBench(t *testing.T) *bench {
	t.Helper()
	return newBench(t, sandbox.Options{})
}

// numberBench returns a bench on which the daily budget of SANDBOX1-spring is 100.
func numberBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, sandbox.Options{})
	b.Campaign.Late = 50 * time.Millisecond
	b.set(usher.BudgetField, 100)
	b.set(usher.BidField, 2)
	b.before = b.definition()
	return b
}

// pause returns a campaign.pause of a campaign with two creatives.
func pause(creatives ...string) *workertest.Lease {
	return &workertest.Lease{Piece: usher.Work{ID: "j", Kind: usher.CampaignPause, Job: usher.Job{
		Campaign: spring, Creatives: creatives, Reason: "budget spent", Actor: "engine",
	}}}
}

// intended returns a pause whose worker crashed after it had saved the intent.
func intended(before string, changing ...string) *workertest.Lease {
	s := pause()
	s.Piece.Progress.Intent = &usher.Intent{Before: map[string]string{}, Wanted: rtb.Inactive, Changing: changing}
	for _, code := range changing {
		s.Piece.Progress.Intent.Before[code] = before
	}
	return s
}

// person returns a client with the login of a person.
func (b *bench) person() *rtb.Client {
	b.T.Helper()
	b.Control(http.MethodPost, "users", map[string]string{"username": "human", "password": "secret", "advertiser": "SANDBOX1"}, nil)
	return b.Client("human", "secret", nil)
}

// addPending adds a creative that waits for approval to SANDBOX1-spring.
func (b *bench) addPending(code string) {
	b.T.Helper()
	client := b.Worker.Platform("", true)
	campaign, err := client.Campaigns.Get(b.T.Context(), spring)
	if err != nil {
		b.T.Fatal(err)
	}
	campaign.Creatives = append(campaign.Creatives, rtb.Creative{
		Code: code, CreativeID: "asset-new", Dimensions: campaign.Creatives[0].Dimensions,
		ClickthroughURL: "https://shop.example.com/new", Type: "IMAGE",
	})
	if err := client.Campaigns.Lock(b.T.Context(), campaign.Code); err != nil {
		b.T.Fatal(err)
	}
	if _, _, err := rtb.CampaignsPut.Do(b.T.Context(), client, rtb.CampaignDefinition{CampaignCode: campaign.Code, Campaign: campaign}); err != nil {
		b.T.Fatal(err)
	}
	if got := b.Statuses(campaign.Code); got[code] != rtb.Pending {
		b.T.Fatalf("statuses are %v", got)
	}
}

// definition returns the campaign as the platform has it.
func (b *bench) definition() rtb.Definition {
	b.T.Helper()
	d, err := b.Worker.Platform("", true).CampaignDefinition(b.T.Context(), spring)
	if err != nil {
		b.T.Fatal(err)
	}
	return d
}

// change replaces the campaign as a person with usher's login would.
func (b *bench) change(to func(rtb.Definition) rtb.Definition) {
	b.T.Helper()
	client := b.Worker.Platform("", true)
	changed := to(b.definition())
	if err := client.Campaigns.Lock(b.T.Context(), spring); err != nil {
		b.T.Fatal(err)
	}
	if _, err := client.ReplaceCampaign(b.T.Context(), spring, changed); err != nil {
		b.T.Fatal(err)
	}
	if err := client.Campaigns.Unlock(b.T.Context(), spring); err != nil {
		b.T.Fatal(err)
	}
	b.earlier++
}

// set sets a number as a person would.
func (b *bench) set(field usher.BiddingField, value float64) {
	b.T.Helper()
	b.change(func(d rtb.Definition) rtb.Definition {
		changed, err := d.With(spring, field, value)
		if err != nil {
			b.T.Fatal(err)
		}
		return changed
	})
}

// lower is the job of a rule that decided to set the budget from 100 to 80.
func lower() *workertest.Lease {
	change := &usher.BiddingChange{Field: usher.BudgetField, From: 100, To: 80, Currency: "USD"}
	return &workertest.Lease{
		Piece: usher.Work{ID: "j", Kind: usher.CampaignBudget, Job: usher.Job{Campaign: spring, Actor: "rules/budgets", Evaluation: "tick"}},
		Decisions: []usher.StoredDecision{{
			Decision: usher.Decision{Campaign: spring, Rule: "pace", Action: usher.Decrease, Bidding: change, Reason: "too dear", Metrics: map[string]float64{"cpc": 3}},
			Seen:     usher.CreativeState{Status: "100 USD"},
		}},
	}
}

// wantLowered fails unless the job has set the budget to 80 and changed nothing else, and
// the audit and the memory of rules have that once.
func (b *bench) wantLowered(l *workertest.Lease, when string) {
	b.T.Helper()
	l.Want(b.T, "done")
	now := b.definition()
	if got, others := now.Number(usher.BudgetField), b.before.Differences(now, usher.BudgetField); got != 80 || len(others) > 0 {
		b.T.Errorf("%s: the budget is %v, and %v differ", when, got, others)
	}
	for what, all := range map[string][]usher.Audit{"the audit": l.Audits, "memory": l.Remembered} {
		if len(all) == 0 {
			b.T.Errorf("%s: %s has nothing", when, what)
		}
		for _, a := range all {
			if a.Job != "j" || a.Before != "100 USD" || a.Wanted != "80 USD" || a.After != "80 USD" || a.Rule != "pace" || !b.before.Same(rtb.Definition(a.Definitions.Before)) || !now.Same(rtb.Definition(a.Definitions.After)) {
				b.T.Errorf("%s: %s has %+v", when, what, a)
			}
		}
	}
}

// wantPuts fails unless the job has replaced the campaign so many times.
func (b *bench) wantPuts(want int) {
	b.T.Helper()
	b.WantCalls(b.T, puts, b.earlier+want)
}

// wantUnchanged fails unless the campaign is as it was before.
func (b *bench) wantUnchanged() {
	b.T.Helper()
	if now := b.definition(); !b.before.Same(now) {
		b.T.Errorf("%v differ", b.before.Differences(now, ""))
	}
}
