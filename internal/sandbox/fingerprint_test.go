package sandbox_test

import (
	"errors"
	"net/http"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// TestFingerprintsMatchMembers fills a sandbox that keeps members and one that does
// not with the same ids: the fingerprints must be equal.
func TestFingerprintsMatchMembers(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	exact, prints := start(t, sandbox.Options{}), start(t, sandbox.Options{Members: "fingerprint", Data: data})
	for _, p := range []*platform{exact, prints} {
		c, ctx := p.client(), t.Context()
		must(t, c.Segments.Upload(ctx, "1", batchOf(0, 70_000)))
		must(t, c.Segments.Upload(ctx, "1", batchOf(70_000, 90_000)))
		must(t, errorOf(rtb.SegmentsAddUser.Do(ctx, c, rtb.SegmentUser{SegmentID: "1", SegmentType: rtb.TypeIDFA, UserID: digestOf(90_000)})))
		must(t, c.Segments.RemoveUser(ctx, "1", rtb.TypeIDFA, digestOf(3)))
		targeting, err := c.Campaigns.AddMobileTargets(ctx, "SANDBOX1-spring", batchOf(0, 1234))
		must(t, err)
		if targeting.NumberOfIDs != 1234 {
			t.Errorf("the targeting has %d ids", targeting.NumberOfIDs)
		}
		must(t, c.Campaigns.ClearMobileTargets(ctx, "SANDBOX1-spring"))
		_, err = c.Campaigns.AddMobileTargets(ctx, "SANDBOX1-spring", batchOf(5, 10))
		must(t, err)
	}
	again := start(t, sandbox.Options{Members: "fingerprint", Data: copyTorn(t, data, 0, 0)})
	for _, set := range []string{"segments/1", "campaigns/SANDBOX1-spring"} {
		want := exact.fingerprint(set)
		if got := prints.fingerprint(set); got != want {
			t.Errorf("%s: %+v, want %+v", set, got, want)
		}
		if got := again.fingerprint(set); got != want {
			t.Errorf("%s after a kill: %+v, want %+v", set, got, want)
		}
	}
}

func TestFingerprintsKeepNoMembers(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, sandbox.Options{Members: "fingerprint", Data: data})
	must(t, p.client().Segments.Upload(t.Context(), "1", batchOf(0, 10)))
	_, err := p.client().Segments.Contains(t.Context(), "1", rtb.TypeIDFA, digestOf(1))
	var permanent *usher.Permanent
	if !errors.As(err, &permanent) || permanent.Code != "E10069" {
		t.Errorf("contains: %v, want E10069", err)
	}
	if s, err := sandbox.Open(sandbox.Options{Data: copyTorn(t, data, 0, 0)}); err == nil {
		t.Error("a state without members was opened as one with members")
		must(t, s.Close())
	}
	if _, err := sandbox.Open(sandbox.Options{Members: "some"}); err == nil {
		t.Error("members some is accepted")
	}
	var journal []journalEntry
	p.ask(http.MethodGet, "/sandbox/journal", "", &journal)
	for _, e := range journal {
		if e.Op == "segments.upload" && e.Upload.Count != 10 {
			t.Errorf("the journal says %+v", e.Upload)
		}
	}
}
