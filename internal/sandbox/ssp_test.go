package sandbox_test

import (
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

func TestPublishersAndAdslots(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now})
	p.order("/sandbox/users", `{"username":"stranger","password":"s","advertiser":"OTHER"}`)
	c, stranger, ctx := p.client(), p.clientAs("stranger", "s", "OTHER"), t.Context()
	news := rtb.Publisher{PublisherID: "news", Domain: "news.example.com", PublisherName: "Example News"}
	made, err := c.SSP.PutPublisher(ctx, news)
	must(t, err)
	clock.advance(48 * 3600 * 1e9)
	news.PublisherName = "Example Times"
	updated, err := c.SSP.PutPublisher(ctx, news)
	must(t, err)
	if made.PublisherStatus != rtb.Active || made.Username != "sandbox" || made.CreatedDate != "2026-03-01" || made.UpdatedDate != "2026-03-01" {
		t.Errorf("created it is %+v", made)
	}
	if updated.PublisherName != "Example Times" || updated.CreatedDate != "2026-03-01" || updated.UpdatedDate != "2026-03-03" {
		t.Errorf("updated it is %+v", updated)
	}
	top := rtb.Adslot{AdslotID: "top", PublisherID: "news", AdslotName: "Top", Width: 728, Height: 90, Position: "ATF", Formats: []string{"IMAGE", "VAST"}, IABCategoryIDs: []rtb.Count{1}}
	slot, err := c.SSP.PutAdslot(ctx, top)
	must(t, err)
	if slot.AdslotStatus != rtb.Active || slot.CreatedDate != "2026-03-03" || slot.Formats[1] != "VAST" {
		t.Errorf("the adslot is %+v", slot)
	}
	_, err = c.SSP.PutPublisher(ctx, rtb.Publisher{PublisherID: "blog", Domain: "blog.example.com", PublisherName: "A blog"})
	must(t, err)
	elsewhere := top
	elsewhere.PublisherID = "blog"
	adslot := func(c *rtb.Client, publisher, id string) error {
		_, err := c.SSP.Adslot(ctx, publisher, id)
		return err
	}
	for name, v := range map[string]struct {
		err  error
		want string
	}{
		"another account's publisherId":                           {func() error { _, err := stranger.SSP.PutPublisher(ctx, news); return err }(), "permanent refused E10063"},
		"another account's publisher":                             {func() error { _, err := stranger.SSP.Publisher(ctx, "news"); return err }(), "permanent forbidden AUTH003"},
		"another account's adslot":                                {adslot(stranger, "news", "top"), "permanent forbidden AUTH003"},
		"an adslot for another account's publisher":               {func() error { _, err := stranger.SSP.PutAdslot(ctx, top); return err }(), "permanent forbidden AUTH003"},
		"an adslot of two publishers":                             {func() error { _, err := c.SSP.PutAdslot(ctx, elsewhere); return err }(), "permanent refused E10063"},
		"an adslot of another publisher":                          {adslot(c, "blog", "top"), "permanent not_found E10404"},
		"an unknown adslot":                                       {adslot(c, "news", "no"), "permanent not_found E10404"},
		"an unknown publisher":                                    {adslot(c, "no", "top"), "permanent not_found E10404"},
		"a name of less than 5 characters, refused by the client": {func() error { _, err := c.SSP.PutPublisher(ctx, rtb.Publisher{PublisherName: "News"}); return err }(), "permanent invalid_job "},
	} {
		if got := verdict(v.err); got != v.want {
			t.Errorf("%s: %s, want %s", name, got, v.want)
		}
	}
}
