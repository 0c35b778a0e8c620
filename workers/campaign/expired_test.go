package campaign_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
	"usher/internal/fleet"
	"usher/internal/rtb"
	"usher/queues/audit"
	"usher/workers/internal/workertest"
)

// startRedis starts a redis-server that ends with the test.
func startRedis(t *testing.T) *redis.Client {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server not found: apt-get install redis-server, or run `make test`")
	}
	dir, err := os.MkdirTemp("", "redis") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "socket")
	server := exec.Command(program, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(strings.ToLower(lines.Text()), "ready to accept connections") {
			rdb := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
			t.Cleanup(func() { _ = rdb.Close() })
			return rdb
		}
	}
	t.Fatal("redis-server ended before it was ready")
	return nil
}

// failpoint stops the goroutine that passes it for the n-th time.
type failpoint struct {
	n       int64
	passed  atomic.Int64
	reached chan struct{}
	release func()
	passes  <-chan struct{} // closed by release
}

// newFailpoint returns a failpoint that is released when the test ends.
func newFailpoint(t *testing.T, n int64) *failpoint {
	t.Helper()
	released, release := context.WithCancel(t.Context())
	return &failpoint{n: n, reached: make(chan struct{}), release: release, passes: released.Done()}
}

func (f *failpoint) pass() {
	if f.passed.Add(1) == f.n {
		close(f.reached)
		<-f.passes
	}
}

// wait blocks until a goroutine has stopped at the failpoint.
func (f *failpoint) wait(t *testing.T) {
	t.Helper()
	select {
	case <-f.reached:
	case <-time.After(5 * time.Minute):
		t.Fatal("no goroutine has reached the failpoint")
	}
}

// A worker stops before the POST of a pause until its locks have expired. A resume
// reads back ACTIVE. Before it claims the creative, the POST takes effect and the
// pause claims its change. The resume is the newest job: it is done only when the
// creative is ACTIVE again.
func TestOlderPostBetweenReadingAndClaim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		inactive bool // when the resume begins
	}{{"nothing to resume", false}, {"resumed", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := workertest.NewQueue(t)
			rdb := startRedis(t)
			// The worker that is stopped does not renew its lock.
			locks := fleet.New(rdb, fleet.Options{LockTTL: time.Hour})
			t.Cleanup(locks.Close)
			q.Campaign.Lock = locks.Lock
			q.Worker.Limits.FirstRetry = time.Millisecond
			beforePost, beforeClaim := newFailpoint(t, 2), newFailpoint(t, 1)
			q.Campaign.Stopped = func(context.Context) (string, bool, error) {
				beforePost.pass() // the switch is read again before a POST
				return "", false, nil
			}
			q.Worker.Logger = workertest.ObserveStates(q.Worker.Logger, func(state string) {
				if state == "recording" {
					beforeClaim.pass()
				}
			})
			q.Start()

			q.Publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring","creatives":["spring-1"]}`)
			beforePost.wait(t)
			expireLocks(t, rdb)
			if c.inactive {
				q.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			}
			q.Publish(usher.CampaignResume, `{"id":"resume","campaign":"SANDBOX1-spring","creatives":["spring-1"]}`)
			beforeClaim.wait(t)
			if got := q.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active {
				t.Fatalf("the resume has read back %v", got)
			}
			beforePost.release()
			q.Done("pause")
			if got := q.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive {
				t.Fatalf("after the pause: %v", got)
			}
			beforeClaim.release()
			q.Done("resume")

			if got := q.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active {
				t.Errorf("the resume is done, and the statuses are %v", got)
			}
			(&history{Queue: q}).check(false)
		})
	}
}

// A pause has recorded its change of spring-1, and must read again because a newer job has written
// the entry of spring-2 meanwhile. By then, a newer job has resumed spring-1, too: that is in the
// audit of that job, and the pause has one entry.
func TestChangeIsAuditedOnce(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	rdb := startRedis(t)
	locks := fleet.New(rdb, fleet.Options{LockTTL: time.Hour})
	t.Cleanup(locks.Close)
	q.Campaign.Lock = locks.Lock
	beforeClaims, beforeReading := newFailpoint(t, 1), newFailpoint(t, 1)
	var again atomic.Bool
	q.Worker.Logger = workertest.ObserveStates(q.Worker.Logger, func(state string) {
		switch {
		case state == "recording":
			beforeClaims.pass()
		case state == "readingBack" && again.Load():
			beforeReading.pass()
		}
	})
	q.Start()
	resume := func(id, creative string) {
		t.Helper()
		q.Publish(usher.CampaignResume, `{"id":"`+id+`","campaign":"SANDBOX1-spring","creatives":["`+creative+`"]}`)
		q.Done(id)
	}

	q.Publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring","creatives":["spring-1","spring-2"]}`)
	beforeClaims.wait(t)
	expireLocks(t, rdb)
	resume("second", "spring-2")
	again.Store(true)
	beforeClaims.release()
	beforeReading.wait(t)
	resume("first", "spring-1")
	beforeReading.release()
	q.Done("pause")

	var entries []string
	err := q.Jobs.Audit().Each(t.Context(), audit.Filter{Creative: "spring-1"}, func(a usher.Audit) error {
		entries = append(entries, a.Job+" "+a.Before+" "+a.After)
		return nil
	})
	if want := []string{"pause ACTIVE INACTIVE", "first INACTIVE ACTIVE"}; err != nil || !slices.Equal(entries, want) {
		t.Errorf("the audit is %q, %v, want %q", entries, err, want)
	}
}

// expireLocks makes all locks expire now.
func expireLocks(t *testing.T, rdb *redis.Client) {
	t.Helper()
	names, err := rdb.Keys(t.Context(), "*lock:*").Result()
	if err != nil || len(names) != 1 {
		t.Fatalf("the locks are %v, %v", names, err)
	}
	if err := rdb.PExpire(t.Context(), names[0], 0).Err(); err != nil {
		t.Fatal(err)
	}
}
