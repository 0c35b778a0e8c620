package campaign_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"usher"
	"usher/internal/rtb"
	"usher/queues/audit"
	"usher/workers/internal/workertest"
)

// request is a pause or resume of one creative, by a job on its campaign.
type request struct {
	order  int
	wanted string // "" reads the status
}

// response is the outcome of a request.
type response struct {
	superseded, changed bool
	status              string // the status that was read
}

// creative is the state of the model: the newest request so far, and the status.
type creative struct {
	order  int
	status string
}

// newestWins is the model of a creative: requests come in any order, an older one
// has no effect, and a newer one sets the status. If exact is set, a response
// reports a change exactly if there was one; this requires locks that hold.
func newestWins(exact bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return creative{order: -1, status: rtb.Active} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(creative), input.(request), output.(response)
			switch {
			case in.wanted == "":
				return s.status == out.status, s
			case out.superseded:
				return in.order < s.order, s
			}
			return in.order > s.order && (!exact || out.changed == (s.status != in.wanted)), creative{in.order, in.wanted}
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
	}
}

// history is a series of requests about a campaign, in waves.
type history struct {
	*workertest.Queue
	operations []porcupine.Operation
	requests   int
}

// wave publishes n requests at once, waits until all are done, and reads the
// status of spring-1.
func (h *history) wave(n int) {
	h.T.Helper()
	published := map[string]int64{}
	var ids []string
	for i := h.requests; i < h.requests+n; i++ {
		kind := usher.CampaignPause
		if i%2 == 1 {
			kind = usher.CampaignResume
		}
		id := fmt.Sprintf("request-%03d", i)
		ids = append(ids, id)
		published[id] = time.Now().UnixNano()
		h.Publish(kind, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
	}
	h.Done(ids...)
	changed := map[string]bool{}
	for _, a := range auditsOf(h.Queue, "spring-1") {
		changed[a.Job] = a.Before != a.After
	}
	for _, id := range ids {
		r, err := h.Jobs.Status().Record(h.T.Context(), id)
		if err != nil {
			h.T.Fatal(err)
		}
		out := response{changed: changed[id], superseded: slices.ContainsFunc(r.Warnings, func(w usher.Warning) bool { return w.Code == "superseded" })}
		wanted := map[usher.Kind]string{usher.CampaignPause: rtb.Inactive, usher.CampaignResume: rtb.Active}[r.Kind]
		h.operations = append(h.operations, porcupine.Operation{
			ClientId: h.requests, Input: request{h.requests, wanted}, Output: out, Call: published[id], Return: time.Now().UnixNano(),
		})
		h.requests++
	}
	read := time.Now().UnixNano()
	status := h.Statuses("SANDBOX1-spring")["spring-1"]
	h.operations = append(h.operations, porcupine.Operation{
		ClientId: h.requests, Input: request{}, Output: response{status: status}, Call: read, Return: time.Now().UnixNano(),
	})
}

// check compares the history with the model, and the audit with what the platform
// did.
func (h *history) check(exact bool) {
	h.T.Helper()
	if verdict := porcupine.CheckOperationsTimeout(newestWins(exact), h.operations, time.Minute); verdict != porcupine.Ok {
		h.T.Errorf("the newest request did not win: %s", verdict)
		for _, o := range h.operations {
			h.T.Logf("%+v: %+v", o.Input, o.Output)
		}
		for _, a := range auditsOf(h.Queue, "spring-1") {
			h.T.Logf("%s %s: %s, from %s to %s, is %s, restores %q", a.At, a.Job, a.Reason, a.Before, a.Wanted, a.After, a.Restores)
		}
	}
	changes := h.countChanges("spring-1")
	var claimed []string
	for _, a := range auditsOf(h.Queue, "spring-1") {
		if a.Before != a.After {
			claimed = append(claimed, a.Job+" "+a.After)
		}
	}
	if exact && len(claimed) != changes || len(claimed) > changes {
		h.T.Errorf("the platform made %d changes, the audit has %d: %v", changes, len(claimed), claimed)
	}
}

// countChanges counts the changes of a creative's status in the platform's journal.
func (h *history) countChanges(creative string) int {
	h.T.Helper()
	var entries []struct {
		Op, Path string
		Status   int
		Form     map[string]string
	}
	h.Control(http.MethodGet, "journal", nil, &entries)
	changes, status := 0, rtb.Active
	for _, e := range entries {
		if e.Status != http.StatusOK || e.Op != "campaigns.set-status" && !strings.Contains(e.Path, "/"+creative+"/") || e.Form["status"] == "" {
			continue
		}
		if e.Form["status"] != status {
			changes++
		}
		status = e.Form["status"]
	}
	return changes
}

// Many jobs run at once, and some responses are late or lost: the history is one
// in which the newest request wins.
func TestHistory(t *testing.T) {
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

// Locks expire whenever another job wants them. Their holder notices this at once, too
// late or never, and requests arrive after they have timed out. Changes overtake each
// other, but the newest request wins before its job, or the job that overtook it, ends.
func TestHistoryUnderExpiredLocks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	var restored atomic.Int64
	t.Cleanup(func() {
		if restored.Load() == 0 {
			t.Error("no change was overtaken, so the test has tested nothing")
		}
	})
	for i := range 3 { // at once, each on its own platform
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			restored.Add(testHistoryUnderExpiredLocks(t))
		})
	}
}

// testHistoryUnderExpiredLocks checks one history and returns the number of changes that
// restored a creative.
func testHistoryUnderExpiredLocks(t *testing.T) (restored int64) {
	t.Helper()
	p := workertest.NewQueue(t)
	var mu sync.Mutex
	var taken int
	var expire context.CancelCauseFunc = func(error) {}
	p.Campaign.Lock = func(ctx context.Context, _ string) (context.Context, func(), error) {
		mu.Lock()
		defer mu.Unlock()
		switch taken++; taken % 3 {
		case 0:
			expire(usher.ErrLockLost)
		case 1:
			late := expire
			time.AfterFunc(30*time.Millisecond, func() { late(usher.ErrLockLost) })
		}
		ctx, expire = context.WithCancelCause(ctx)
		return ctx, func() {}, nil
	}
	for i := range p.Worker.Lanes {
		p.Worker.Lanes[i].Slots = 4
	}
	p.Worker.Limits.FirstRetry, p.Worker.Limits.LastRetry = time.Millisecond, 50*time.Millisecond
	// Late is much longer than the delays, because a busy machine adds to them: a change
	// that arrives after Late may win, and the test would fail.
	p.Worker.Limits.Attempts, p.Campaign.Late = 1000, 750*time.Millisecond
	for i := range 100 {
		p.Fault("*.set-status", "late", map[string]any{"delayMs": 10 + i*37%140, "after": 2 * i})
	}
	// Otherwise the platform's lock would refuse late requests.
	p.Fault("campaigns.unlock", "status", map[string]any{"status": 404, "times": 10_000})
	p.Start()
	h := &history{Queue: p}
	for range 4 {
		h.wave(20)
	}
	h.check(false)
	for _, a := range auditsOf(h.Queue, "spring-1") {
		if a.Restores != "" {
			restored++
		}
	}
	t.Logf("%d requests, %d changes on the platform, %d of them restored a creative", h.requests, h.countChanges("spring-1"), restored)
	return restored
}

// The model rejects a history in which an older request wins.
func TestHistoryInWhichAnOlderRequestWins(t *testing.T) {
	t.Parallel()
	operation := func(order int, wanted string, out response, call, end int64) porcupine.Operation {
		return porcupine.Operation{ClientId: order, Input: request{order, wanted}, Output: out, Call: call, Return: end}
	}
	for name, c := range map[string]struct {
		status string
		older  response
		right  bool
	}{
		"newest wins": {rtb.Active, response{superseded: true}, true},
		"older wins":  {rtb.Inactive, response{changed: true}, false},
		"older wins and reports that it was superseded": {rtb.Inactive, response{superseded: true}, false},
		"older comes first and changes it":              {rtb.Active, response{changed: true}, true},
	} {
		all := []porcupine.Operation{
			operation(0, rtb.Inactive, c.older, 1, 10), operation(1, rtb.Active, response{}, 2, 9),
			{ClientId: 2, Input: request{}, Output: response{status: c.status}, Call: 11, Return: 12},
		}
		if porcupine.CheckOperations(newestWins(false), all) != c.right {
			t.Errorf("%s: the model does not say %t", name, c.right)
		}
	}
}

func auditsOf(p *workertest.Queue, creative string) []usher.Audit {
	p.T.Helper()
	var all []usher.Audit
	err := p.Jobs.Audit().Each(p.T.Context(), audit.Filter{Creative: creative}, func(a usher.Audit) error { all = append(all, a); return nil })
	if err != nil {
		p.T.Fatal(err)
	}
	return all
}
