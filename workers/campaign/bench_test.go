package campaign_test

import (
	"net/http"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// bench is a workertest.Bench with helpers for campaign tests.
type bench struct{ *workertest.Bench }

func newBench(t *testing.T, o sandbox.Options) *bench {
	t.Helper()
	return &bench{workertest.NewBench(t, o)}
}

const (
	posts = "set-status" // of a campaign or a creative
	locks = "campaigns.lock"
)

// pause returns a campaign.pause of a campaign with two creatives.
func pause(creatives ...string) *workertest.Lease {
	return &workertest.Lease{Piece: usher.Work{ID: "j", Kind: usher.CampaignPause, Job: usher.Job{
		Campaign: "SANDBOX1-spring", Creatives: creatives, Reason: "budget spent", Actor: "engine",
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
	campaign, err := client.Campaigns.Get(b.T.Context(), "SANDBOX1-spring")
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
	if _, err := client.Campaigns.Put(b.T.Context(), campaign.Code, campaign); err != nil {
		b.T.Fatal(err)
	}
	if got := b.Statuses(campaign.Code); got[code] != rtb.Pending {
		b.T.Fatalf("statuses are %v", got)
	}
}
