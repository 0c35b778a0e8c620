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
	made, err := result[rtb.Publisher](rtb.SSPPutPublisher.Do(ctx, c, rtb.PublisherDefinition{Publisher: news}))
	must(t, err)
	clock.advance(48 * 3600 * 1e9)
	news.PublisherName = "Example Times"
	updated, err := result[rtb.Publisher](rtb.SSPPutPublisher.Do(ctx, c, rtb.PublisherDefinition{Publisher: news}))
	must(t, err)
	if made.PublisherStatus != rtb.Active || made.Username != "sandbox" || made.CreatedDate != "2026-03-01" || made.UpdatedDate != "2026-03-01" {
		t.Errorf("created it is %+v", made)
	}
	if updated.PublisherName != "Example Times" || updated.CreatedDate != "2026-03-01" || updated.UpdatedDate != "2026-03-03" {
		t.Errorf("updated it is %+v", updated)
	}
	top := rtb.Adslot{AdslotID: "top", PublisherID: "news", AdslotName: "Top", Width: 728, Height: 90, Position: "ATF", Formats: []string{"IMAGE", "VAST"}, IABCategoryIDs: []rtb.Count{1}}
	putAdslot := func(c *rtb.Client, a rtb.Adslot) (rtb.Adslot, error) {
		return result[rtb.Adslot](rtb.SSPPutAdslot.Do(ctx, c, rtb.AdslotDefinition{PublisherID: a.PublisherID, Adslot: a}))
	}
	slot, err := putAdslot(c, top)
	must(t, err)
	if slot.AdslotStatus != rtb.Active || slot.CreatedDate != "2026-03-03" || slot.Formats[1] != "VAST" {
		t.Errorf("the adslot is %+v", slot)
	}
	err = errorOf(rtb.SSPPutPublisher.Do(ctx, c, rtb.PublisherDefinition{Publisher: rtb.Publisher{PublisherID: "blog", Domain: "blog.example.com", PublisherName: "A blog"}}))
	must(t, err)
	elsewhere := top
	elsewhere.PublisherID = "blog"
	adslot := func(c *rtb.Client, publisher, id string) error {
		err := errorOf(rtb.SSPAdslot.Do(ctx, c, rtb.AdslotPath{PublisherID: publisher, AdslotID: id}))
		return err
	}
	for name, v := range map[string]struct {
		err  error
		want string
	}{
		"another account's publisherId":                           {errorOf(rtb.SSPPutPublisher.Do(ctx, stranger, rtb.PublisherDefinition{Publisher: news})), "permanent refused E10063"},
		"another account's publisher":                             {errorOf(rtb.SSPPublisher.Do(ctx, stranger, rtb.PublisherPath{PublisherID: "news"})), "permanent forbidden AUTH003"},
		"another account's adslot":                                {adslot(stranger, "news", "top"), "permanent forbidden AUTH003"},
		"an adslot for another account's publisher":               {func() error { _, err := putAdslot(stranger, top); return err }(), "permanent forbidden AUTH003"},
		"an adslot of two publishers":                             {func() error { _, err := putAdslot(c, elsewhere); return err }(), "permanent refused E10063"},
		"an adslot of another publisher":                          {adslot(c, "blog", "top"), "permanent not_found E10404"},
		"an unknown adslot":                                       {adslot(c, "news", "no"), "permanent not_found E10404"},
		"an unknown publisher":                                    {adslot(c, "no", "top"), "permanent not_found E10404"},
		"a name of less than 5 characters, refused by the client": {errorOf(rtb.SSPPutPublisher.Do(ctx, c, rtb.PublisherDefinition{Publisher: rtb.Publisher{PublisherName: "News"}})), "permanent invalid_job "},
	} {
		if got := verdict(v.err); got != v.want {
			t.Errorf("%s: %s, want %s", name, got, v.want)
		}
	}
}
