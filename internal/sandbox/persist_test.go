package sandbox_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// copyTorn copies a data directory as a killed process may leave it: some bytes at the end
// of both files are missing.
func copyTorn(t *testing.T, from string, cutState, cutJournal int64) string {
	t.Helper()
	to := t.TempDir()
	for name, cut := range map[string]int64{"state.log": cutState, "journal.jsonl": cutJournal} {
		text, err := os.ReadFile(filepath.Join(from, name))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(to, name), text[:max(int64(len(text))-cut, 0)], 0o600))
	}
	return to
}

func TestStateSurvivesAKill(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, sandbox.Options{Data: data})
	c, ctx := p.client(), t.Context()
	id, err := result[string](rtb.SegmentsCreate.Do(ctx, c, rtb.NewSegment{Segment: rtb.Segment{Name: "kept", Type: rtb.TypeAndroidID}}))
	must(t, err)
	must(t, c.Segments.Upload(ctx, id, batchOf(0, 5000)))
	must(t, c.Segments.RemoveUser(ctx, id, rtb.TypeAndroidID, digestOf(4999)))
	_, err = c.Campaigns.AddMobileTargets(ctx, "SANDBOX1-summer", batchOf(0, 7))
	must(t, err)
	must(t, c.Campaigns.Lock(ctx, "SANDBOX1-summer"))
	_, err = c.Creatives.SetStatus(ctx, "summer-2", rtb.Inactive)
	must(t, err)
	want, journal := p.fingerprint("segments/"+id), p.journal(0)
	token := p.token()

	// The process was killed: nothing was closed.
	again := start(t, sandbox.Options{Data: copyTorn(t, data, 0, 0)})
	if got := again.fingerprint("segments/" + id); got != want {
		t.Errorf("the segment is %+v, want %+v", got, want)
	}
	if got := again.journal(0); !slices.EqualFunc(got[:len(journal)], journal, func(a, b journalEntry) bool { return a.Seq == b.Seq && a.Op == b.Op }) {
		t.Errorf("the journal is %+v, want %+v", got, journal)
	}
	old := rtb.New(rtb.Options{BaseURL: again.url, Tokens: fixed{token}})
	_, err = old.Campaigns.SetStatus(ctx, "SANDBOX1-summer", rtb.Inactive) // the lock and the token still hold
	must(t, err)
	targeting, err := old.Campaigns.MobileTargets(ctx, "SANDBOX1-summer")
	must(t, err)
	if targeting.NumberOfIDs != 7 {
		t.Errorf("the targeting is %+v", targeting)
	}
	next, err := result[string](rtb.SegmentsCreate.Do(ctx, old, rtb.NewSegment{Segment: rtb.Segment{Name: "next", Type: rtb.TypeIDFA}}))
	must(t, err)
	if next == id {
		t.Error("an id was reused")
	}
}

// TestTornTails cuts the files at random places. The sandbox opens and has the effects of
// the first requests, never a part of the effect of a request.
func TestTornTails(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, sandbox.Options{Data: data})
	begin, err := os.Stat(filepath.Join(data, "state.log"))
	must(t, err)
	c := p.client()
	for n := range 20 {
		must(t, c.Segments.Upload(t.Context(), "1", batchOf(n*100, n*100+100)))
	}
	end, err := os.Stat(filepath.Join(data, "state.log"))
	must(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		cut := random.Int64N(end.Size() - begin.Size())
		again, err := sandbox.Open(sandbox.Options{Data: copyTorn(t, data, cut, random.Int64N(2000))})
		if err != nil {
			t.Fatalf("cut by %d: %v", cut, err)
		}
		q := &platform{Sandbox: again, t: t}
		count := q.count(t)
		if count%100 != 0 || cut == 0 && count != 2000 || count == 2000 && cut > 0 {
			t.Errorf("cut by %d the segment holds %d", cut, count)
		}
		must(t, again.Close())
	}
}

// count returns the size of segment 1 without a server.
func (p *platform) count(t *testing.T) int64 {
	t.Helper()
	var f fingerprint
	serveJSON(t, p.Sandbox, "GET", "/sandbox/segments/1/fingerprint", &f)
	return f.Count
}

func TestDamagedStateIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, sandbox.Options{Data: data})
	_, err := p.client().Segments.List(t.Context())
	must(t, err)
	to := copyTorn(t, data, 0, 0)
	path := filepath.Join(to, "state.log")
	text, err := os.ReadFile(path)
	must(t, err)
	text[bytes.IndexByte(text, '\n')+1] = 'x' // in the first commit, others follow
	must(t, os.WriteFile(path, text, 0o600))
	if _, err := sandbox.Open(sandbox.Options{Data: to}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("the error is %v", err)
	}
	must(t, os.WriteFile(path, []byte("something else altogether\n"), 0o600))
	if _, err := sandbox.Open(sandbox.Options{Data: to}); err == nil {
		t.Error("a foreign file is accepted as state")
	}
}

func TestResetIsDurable(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, sandbox.Options{Data: data})
	must(t, p.client().Segments.Upload(t.Context(), "1", batchOf(0, 5000)))
	p.order("/sandbox/reset", "")
	again := start(t, sandbox.Options{Data: copyTorn(t, data, 0, 0)})
	if got := again.fingerprint("segments/1"); got.Count != 0 {
		t.Errorf("after a reset the segment is %+v", got)
	}
}

func TestClosedSandbox(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{Data: t.TempDir()})
	c := p.client()
	_, err := c.Segments.List(t.Context())
	must(t, err)
	must(t, p.Close())
	if err := c.Campaigns.Lock(t.Context(), "SANDBOX1-spring"); verdict(err) != "unavailable" {
		t.Errorf("the error is %v", err)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []sandbox.Options{{TargetPost: "both"}, {LockTTL: -1}, {Advertiser: "a b"}, {Data: "/dev/null/x"}} {
		if _, err := sandbox.Open(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
