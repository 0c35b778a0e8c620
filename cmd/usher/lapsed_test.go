package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"usher"
	"usher/internal/sandbox"
)

// Two workers on one campaign, from whom Redis takes their locks all the time,
// and whose posts arrive late; one of them is stopped in the middle of a post
// and goes on when the other one has done its work. The newest word holds when
// all is quiet, and the audit has no change that the platform has not.
func TestTwoWorkersWhoseLocksLapse(t *testing.T) {
	t.Parallel()
	p := newPlantOn(t, sandbox.Options{ApprovalDelay: -1}, "USHER_RETRY_FIRST=50ms")
	for i := range 20 {
		p.control("POST", "faults", job{"op": "*.set-status", "kind": "late", "delayMs": 50 + i*53%400, "after": 2 * i}, nil)
	}
	// Else the platform's own lock would refuse what comes late.
	p.control("POST", "faults", job{"op": "campaigns.unlock", "kind": "status", "status": 404, "times": 10_000}, nil)
	first := p.worker("first")
	p.worker("second")
	defer p.forgetLocks()()
	words := 0
	for wave := range 3 {
		ids := p.say(words, 12)
		words += len(ids)
		if wave == 1 {
			posts := len(p.journal(""))
			eventually(t, "somebody posts", func() bool {
				return slices.ContainsFunc(p.journal("")[posts:], func(a asked) bool { return strings.HasSuffix(a.Op, "set-status") })
			})
			first.signal(syscall.SIGSTOP)
		}
		for _, id := range ids {
			if r := p.ended(id); r.State != usher.Done {
				t.Errorf("job %s: %s", id, said(r))
			}
		}
		first.signal(syscall.SIGCONT)
		eventually(t, "the newest word holds", func() bool {
			statuses := p.statuses("SANDBOX1-autumn")
			return !slices.Contains(statuses, "INACTIVE") && len(statuses) == 4
		})
	}
	p.wantOwnChanges("SANDBOX1-autumn", "autumn-1")
	restored := slices.DeleteFunc(p.audits("SANDBOX1-autumn"), func(a usher.Audit) bool { return a.Restores == "" })
	t.Logf("%d words of 4 creatives, %d changes put back", words, len(restored))
}

// say publishes n words on a campaign, pauses and resumes in turn, the last one
// a resume.
func (p *plant) say(from, n int) (ids []string) {
	p.t.Helper()
	for i := from; i < from+n; i++ {
		kind := usher.CampaignPause
		if (i-from)%2 == 1 {
			kind = usher.CampaignResume
		}
		ids = append(ids, fmt.Sprintf("word-%02d", i))
		p.publish(kind, job{"id": ids[i-from], "campaign": "SANDBOX1-autumn", "actor": "budget-engine"})
	}
	return ids
}

// forgetLocks has Redis forget all locks, again and again until stop.
func (p *plant) forgetLocks() (stop func()) {
	p.t.Helper()
	options, err := redis.ParseURL(p.redis.url())
	if err != nil {
		p.t.Fatal(err)
	}
	rdb := redis.NewClient(options)
	ctx, cancel := context.WithCancel(p.t.Context())
	var forgetting sync.WaitGroup
	forgetting.Go(func() {
		defer rdb.Close()
		for ctx.Err() == nil {
			if keys, err := rdb.Keys(ctx, "*lock:*").Result(); err == nil && len(keys) > 0 {
				rdb.Del(ctx, keys...)
			}
		}
	})
	return func() { cancel(); forgetting.Wait() }
}

// statuses are those of a campaign's creatives.
func (p *plant) statuses(campaign string) (all []string) {
	p.t.Helper()
	var got struct {
		Status []struct {
			ApprovalStatus string `json:"approvalStatus"`
		} `json:"status"`
	}
	out, code := p.usher("api", "campaigns", "status", campaign, "--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		p.t.Fatalf("usher api campaigns status: %s, %v", out, err)
	}
	for _, s := range got.Status {
		all = append(all, s.ApprovalStatus)
	}
	return all
}

// wantOwnChanges holds the audit of a creative to the changes in the platform's
// journal: as many at most, since what was changed again before anybody looked
// is on record as asked for only.
func (p *plant) wantOwnChanges(campaign, creative string) {
	p.t.Helper()
	changes, status := map[string]int{}, "ACTIVE"
	for _, a := range p.journal("") {
		if a.Status != 200 || a.Op != "campaigns.set-status" && !strings.Contains(a.Path, "/"+creative+"/") {
			continue
		}
		if to := a.Form["status"]; to != "" && to != status {
			changes[to]++
			status = to
		}
	}
	audited := map[string]int{}
	for _, a := range p.audits(campaign) {
		if a.Creative == creative && a.Before != a.After {
			audited[a.After]++
		}
	}
	for to, n := range audited {
		if n > changes[to] {
			p.t.Errorf("the audit has %d changes of %s to %s, the platform made %d", n, creative, to, changes[to])
		}
	}
	if len(changes) == 0 {
		p.t.Error("the platform changed nothing: the test has missed what it is for")
	}
}
