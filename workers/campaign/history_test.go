package campaign_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"usher"
	"usher/internal/rtb"
	"usher/queues"
	"usher/workers/workertest"
)

// word is a pause or resume of a campaign, as one of its creatives met it.
type word struct {
	order  int
	wanted string // "" reads the status
}

// heard is what became of a word.
type heard struct {
	superseded, changed bool
	status              string // that was read
}

// lastWord is a creative: the newest word that it has heard, and its status.
type lastWord struct {
	order  int
	status string
}

// newestWins is what a creative may do: words come in any order, an older one
// leaves it alone, and a newer one sets it. Where exact is set, a word says
// that it has changed the creative just when it has: with locks that hold.
func newestWins(exact bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return lastWord{order: -1, status: rtb.Active} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(lastWord), input.(word), output.(heard)
			switch {
			case in.wanted == "":
				return s.status == out.status, s
			case out.superseded:
				return in.order < s.order, s
			}
			return in.order > s.order && (!exact || out.changed == (s.status != in.wanted)), lastWord{in.order, in.wanted}
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
	}
}

// history is a run of words on a campaign, wave by wave.
type history struct {
	*workertest.Queue
	operations []porcupine.Operation
	words      int
}

// wave publishes so many words at once, waits until all are done, and reads
// what the creative spring-1 has come to.
func (h *history) wave(words int) {
	h.T.Helper()
	asked := map[string]int64{}
	var ids []string
	for i := h.words; i < h.words+words; i++ {
		kind := usher.CampaignPause
		if i%2 == 1 {
			kind = usher.CampaignResume
		}
		id := fmt.Sprintf("word-%03d", i)
		ids = append(ids, id)
		asked[id] = time.Now().UnixNano()
		h.Publish(kind, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
	}
	h.Done(ids...)
	changed := map[string]bool{}
	for _, a := range auditsOf(h.Queue, "spring-1") {
		changed[a.Job] = a.Before != a.After
	}
	for _, id := range ids {
		r, err := h.Queue.Queue.Record(h.T.Context(), id)
		if err != nil {
			h.T.Fatal(err)
		}
		out := heard{changed: changed[id], superseded: slices.ContainsFunc(r.Warnings, func(w usher.Warning) bool { return w.Code == "superseded" })}
		wanted := map[usher.Kind]string{usher.CampaignPause: rtb.Inactive, usher.CampaignResume: rtb.Active}[r.Kind]
		h.operations = append(h.operations, porcupine.Operation{
			ClientId: h.words, Input: word{h.words, wanted}, Output: out, Call: asked[id], Return: time.Now().UnixNano(),
		})
		h.words++
	}
	read := time.Now().UnixNano()
	status := h.Statuses("SANDBOX1-spring")["spring-1"]
	h.operations = append(h.operations, porcupine.Operation{
		ClientId: h.words, Input: word{}, Output: heard{status: status}, Call: read, Return: time.Now().UnixNano(),
	})
}

// check holds the history to the model, and the audit to what the platform did.
func (h *history) check(exact bool) {
	h.T.Helper()
	if verdict := porcupine.CheckOperationsTimeout(newestWins(exact), h.operations, time.Minute); verdict != porcupine.Ok {
		h.T.Errorf("the newest word did not win: %s", verdict)
		for _, o := range h.operations {
			h.T.Logf("%+v: %+v", o.Input, o.Output)
		}
		for _, a := range auditsOf(h.Queue, "spring-1") {
			h.T.Logf("%s %s: %s, from %s to %s, is %s, restores %q", a.At, a.Job, a.Reason, a.Before, a.Wanted, a.After, a.Restores)
		}
	}
	effects := h.effectsOn("spring-1")
	var claimed []string
	for _, a := range auditsOf(h.Queue, "spring-1") {
		if a.Before != a.After {
			claimed = append(claimed, a.Job+" "+a.After)
		}
	}
	if exact && len(claimed) != effects || len(claimed) > effects {
		h.T.Errorf("the platform made %d changes, the audit has %d: %v", effects, len(claimed), claimed)
	}
}

// effectsOn counts the changes of a creative's status in the platform's journal.
func (h *history) effectsOn(creative string) int {
	h.T.Helper()
	var entries []struct {
		Op, Path string
		Status   int
		Form     map[string]string
	}
	h.Control(http.MethodGet, "journal", nil, &entries)
	effects, status := 0, rtb.Active
	for _, e := range entries {
		if e.Status != http.StatusOK || e.Op != "campaigns.set-status" && !strings.Contains(e.Path, "/"+creative+"/") || e.Form["status"] == "" {
			continue
		}
		if e.Form["status"] != status {
			effects++
		}
		status = e.Form["status"]
	}
	return effects
}

// Words of many jobs, four at once, answers late or lost: their history is one
// in which the newest word wins.
func TestHistoryOfWords(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	var held sync.Mutex
	p.Campaign.Lock = func(ctx context.Context, name string) (context.Context, func(), error) {
		if !held.TryLock() {
			return nil, nil, &usher.RetryAfter{After: 5 * time.Millisecond, Why: "lock " + name + " held"}
		}
		return ctx, held.Unlock, nil
	}
	for i := range p.Worker.Lanes {
		p.Worker.Lanes[i].Slots = 4
	}
	p.Worker.Limits.FirstRetry, p.Campaign.Late = time.Millisecond, 100*time.Millisecond
	p.Fault("campaigns.set-status", "slow", map[string]any{"delayMs": 30, "after": 2, "times": 5})
	p.Fault("campaigns.set-status", "reset_after", map[string]any{"after": 8, "times": 2})
	p.Start()
	h := &history{Queue: p}
	h.wave(20)
	h.wave(20)
	h.check(true)
}

// Locks that lapse whenever somebody else wants them, which their holder learns
// at once, too late or never, under requests that arrive when they have been
// given up: words overtake each other, and the newest one still wins before its
// job or the one that overtook it ends.
func TestHistoryOfWordsUnderLapsedLocks(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	var mu sync.Mutex
	var lapses int
	var lapse context.CancelCauseFunc = func(error) {}
	p.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		mu.Lock()
		defer mu.Unlock()
		switch lapses++; lapses % 3 {
		case 0:
			lapse(usher.ErrLockLost)
		case 1:
			late := lapse
			time.AfterFunc(30*time.Millisecond, func() { late(usher.ErrLockLost) })
		}
		ctx, lapse = context.WithCancelCause(ctx)
		return ctx, func() {}, nil
	}
	for i := range p.Worker.Lanes {
		p.Worker.Lanes[i].Slots = 4
	}
	p.Worker.Limits.FirstRetry, p.Worker.Limits.LastRetry = time.Millisecond, 50*time.Millisecond
	p.Worker.Limits.Attempts, p.Campaign.Late = 1000, 500*time.Millisecond
	for i := range 100 {
		p.Fault("*.set-status", "late", map[string]any{"delayMs": 20 + i*37%280, "after": 2 * i})
	}
	// Else the platform's own lock would refuse what comes late.
	p.Fault("campaigns.unlock", "status", map[string]any{"status": 404, "times": 10_000})
	p.Start()
	h := &history{Queue: p}
	for range 10 {
		h.wave(20)
	}
	h.check(false)
	restored := 0
	for _, a := range auditsOf(h.Queue, "spring-1") {
		if a.Restores != "" {
			restored++
		}
	}
	if restored == 0 {
		t.Error("no word was ever overtaken: the test has missed what it is for")
	}
	t.Logf("%d words, %d changes on the platform, %d of them to put back what was overtaken", h.words, h.effectsOn("spring-1"), restored)
}

// The model tells a history in which an older word won.
func TestHistoryInWhichAnOlderWordWins(t *testing.T) {
	t.Parallel()
	said := func(order int, wanted string, out heard, call, end int64) porcupine.Operation {
		return porcupine.Operation{ClientId: order, Input: word{order, wanted}, Output: out, Call: call, Return: end}
	}
	for name, c := range map[string]struct {
		status string
		older  heard
		right  bool
	}{
		"newest wins":                      {rtb.Active, heard{superseded: true}, true},
		"older wins":                       {rtb.Inactive, heard{changed: true}, false},
		"older wins and says it has not":   {rtb.Inactive, heard{superseded: true}, false},
		"older came first and was changed": {rtb.Active, heard{changed: true}, true},
	} {
		all := []porcupine.Operation{
			said(0, rtb.Inactive, c.older, 1, 10), said(1, rtb.Active, heard{}, 2, 9),
			{ClientId: 2, Input: word{}, Output: heard{status: c.status}, Call: 11, Return: 12},
		}
		if porcupine.CheckOperations(newestWins(false), all) != c.right {
			t.Errorf("%s: it is not %t", name, c.right)
		}
	}
}

func auditsOf(p *workertest.Queue, creative string) []usher.Audit {
	p.T.Helper()
	var all []usher.Audit
	err := p.Queue.Audit().Each(p.T.Context(), queues.AuditFilter{Creative: creative}, func(a usher.Audit) error { all = append(all, a); return nil })
	if err != nil {
		p.T.Fatal(err)
	}
	return all
}
