package main_test

import (
	"context"
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

// Two workers act on one campaign while Redis continuously drops their locks and
// their POSTs arrive late. One worker is stopped during a POST and continues after
// the other has finished. In the end the newest action is in effect, and the audit
// has no change that the platform did not make.
func TestTwoWorkersWhoseLocksExpire(t *testing.T) {
	t.Parallel()
	d := newDeploymentOn(t, sandbox.Options{ApprovalDelay: -1}, "USHER_RETRY_FIRST=50ms")
	d.raced = true
	for i := range 20 {
		d.control("POST", "faults", job{"op": "*.set-status", "kind": "late", "delayMs": 50 + i*53%400, "after": 2 * i}, nil)
	}
	// Otherwise the platform's own lock would reject late POSTs.
	d.control("POST", "faults", job{"op": "campaigns.unlock", "kind": "status", "status": 404, "times": 10_000}, nil)
	first := d.worker("first")
	d.worker("second")
	defer d.deleteLocks()()
	actions := 0
	for wave := range 3 {
		posts := len(d.journal(""))
		ids := d.publishActions(actions, 12)
		if wave == 1 {
			for !d.awaitStatusPost(posts, ids) { // the newest action came first, and there was nothing to post
				ids = append(ids, d.publishActions(actions+len(ids), 12)...)
			}
			first.signal(syscall.SIGSTOP)
		}
		actions += len(ids)
		for _, id := range ids {
			if r := d.ended(id); r.State != usher.Done {
				t.Errorf("job %s: %s", id, recordText(r))
			}
		}
		first.signal(syscall.SIGCONT)
		eventually(t, "the newest action is in effect", func() bool {
			statuses := d.statuses("SANDBOX1-autumn")
			return !slices.Contains(statuses, "INACTIVE") && len(statuses) == 4
		})
	}
	d.wantAuditedChanges("SANDBOX1-autumn", "autumn-1")
	restored := slices.DeleteFunc(d.audits("SANDBOX1-autumn"), func(a usher.Audit) bool { return a.Restores == "" })
	t.Logf("%d actions on 4 creatives, %d changes restored", actions, len(restored))
}

// publishActions publishes n alternating pauses and resumes of a campaign. If n is
// even, the last one is a resume.
func (d *deployment) publishActions(from, n int) (ids []string) {
	d.t.Helper()
	for i := from; i < from+n; i++ {
		kind := usher.CampaignPause
		if (i-from)%2 == 1 {
			kind = usher.CampaignResume
		}
		ids = append(ids, fmt.Sprintf("action-%02d", i))
		d.publish(kind, job{"id": ids[i-from], "campaign": "SANDBOX1-autumn", "actor": "budget-engine"})
	}
	return ids
}

// awaitStatusPost waits until a worker has posted a status after that many entries of the
// journal, or until all jobs have ended. It reports whether a status was posted.
func (d *deployment) awaitStatusPost(after int, ids []string) (posted bool) {
	d.t.Helper()
	eventually(d.t, "a worker posts a status, or all jobs have ended", func() bool {
		ended := !slices.ContainsFunc(ids, func(id string) bool { return !d.record(id).State.Ended() })
		posted = slices.ContainsFunc(d.journal("")[after:], func(e journalEntry) bool { return strings.HasSuffix(e.Op, "set-status") })
		return posted || ended
	})
	return posted
}

// deleteLocks deletes all locks from Redis continuously until stop is called.
func (d *deployment) deleteLocks() (stop func()) {
	d.t.Helper()
	options, err := redis.ParseURL(d.redis.url())
	if err != nil {
		d.t.Fatal(err)
	}
	rdb := redis.NewClient(options)
	ctx, cancel := context.WithCancel(d.t.Context())
	var deleting sync.WaitGroup
	deleting.Go(func() {
		defer rdb.Close()
		for ctx.Err() == nil {
			if keys, err := rdb.Keys(ctx, "*lock:*").Result(); err == nil && len(keys) > 0 {
				rdb.Del(ctx, keys...)
			}
		}
	})
	return func() { cancel(); deleting.Wait() }
}

// statuses returns the status of each creative of a campaign.
func (d *deployment) statuses(campaign string) (all []string) {
	d.t.Helper()
	var got struct {
		Status []struct {
			ApprovalStatus string `json:"approvalStatus"`
		} `json:"status"`
	}
	d.usherJSON(&got, "api", "campaigns", "status", campaign)
	for _, s := range got.Status {
		all = append(all, s.ApprovalStatus)
	}
	return all
}

// wantAuditedChanges checks that the audit of a creative has no more changes than
// the platform's journal. It may have fewer: a change that was overwritten before a
// worker read it back is recorded as requested only.
func (d *deployment) wantAuditedChanges(campaign, creative string) {
	d.t.Helper()
	changes, status := map[string]int{}, "ACTIVE"
	for _, a := range d.journal("") {
		if a.Status != 200 || a.Op != "campaigns.set-status" && !strings.Contains(a.Path, "/"+creative+"/") {
			continue
		}
		if to := a.Form["status"]; to != "" && to != status {
			changes[to]++
			status = to
		}
	}
	audited := map[string]int{}
	for _, a := range d.audits(campaign) {
		if a.Creative == creative && a.Before != a.After {
			audited[a.After]++
		}
	}
	for to, n := range audited {
		if n > changes[to] {
			d.t.Errorf("the audit has %d changes to %s of %s, the platform made %d", n, to, creative, changes[to])
		}
	}
	if len(changes) == 0 {
		d.t.Error("the platform made no change, so the test checked nothing")
	}
}
