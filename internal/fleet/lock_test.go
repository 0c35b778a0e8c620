package fleet_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
	"usher/internal/fleet"
)

// mustLock takes a free lock.
func mustLock(t *testing.T, f *fleet.Fleet, name string) (context.Context, func()) {
	t.Helper()
	ctx, unlock, err := f.Lock(t.Context(), name)
	if err != nil {
		t.Fatalf("lock %s: %v", name, err)
	}
	return ctx, unlock
}

func TestLockHasOneHolder(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		a := join(t, dial(t, addr), "host-a/1", 0)
		b := join(t, dial(t, addr), "host-b/2", 0)
		ctx, unlock := mustLock(t, a, "campaign/X")

		_, _, err := b.Lock(t.Context(), "campaign/X")
		var later *usher.RetryAfter
		if !errors.As(err, &later) {
			t.Fatalf("a held lock gave %v, want a RetryAfter", err)
		}
		if later.Why != "lock campaign/X held by host-a/1" {
			t.Errorf("why is %q", later.Why)
		}
		if later.After < 200*time.Millisecond || later.After > 5*time.Second {
			t.Errorf("RetryAfter is %v", later.After)
		}
		_, other := mustLock(t, b, "campaign/Y")
		other()

		if err := ctx.Err(); err != nil {
			t.Fatalf("the lock ended while it was held: %v", context.Cause(ctx))
		}
		unlock()
		unlock()
		if ctx.Err() == nil {
			t.Error("the context of the work is alive after the release")
		}
		_, unlock = mustLock(t, b, "campaign/X")
		unlock()
	})
}

func TestLockIsRenewed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		scripts := make(chan struct{}, 100)
		rdb.AddHook(tap{":lock:", func(redis.Cmder) error {
			scripts <- struct{}{}
			return nil
		}})
		// One script takes the lock, the other four renew it, so 4/3 of its TTL pass.
		// With a shorter TTL the lock would be lost if the machine stalls briefly.
		ctx, unlock := mustLock(t, join(t, rdb, "a", 9*time.Second), "campaign/X")
		defer unlock()
		for range 5 {
			await(t, "renewals", scripts)
		}
		if ctx.Err() != nil {
			t.Fatalf("lost while it was renewed: %v", context.Cause(ctx))
		}
		if _, _, err := join(t, dial(t, addr), "b", 0).Lock(t.Context(), "campaign/X"); err == nil {
			t.Fatal("another worker took a renewed lock")
		}
	})
}

func TestLockTakenAwayEndsItsWork(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		ctx, unlock := mustLock(t, join(t, rdb, "a", 2*time.Second), "campaign/X")
		key := t.Name() + ":usher:lock:campaign/X"
		if err := rdb.Set(t.Context(), key, "another", time.Minute).Err(); err != nil {
			t.Fatal(err)
		}
		await(t, "the work to end", ctx.Done())
		if cause := context.Cause(ctx); !errors.Is(cause, usher.ErrLockLost) {
			t.Errorf("the cause is %v", cause)
		}
		unlock()
		if got := rdb.Get(t.Context(), key).Val(); got != "another" {
			t.Errorf("releasing a lost lock changed it to %q", got)
		}
	})
}

func TestLockWhoseReplyIsLostIsOurs(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		loseReplies(rdb, ":lock:", 1)
		_, unlock := mustLock(t, join(t, rdb, "a", 0), "campaign/X")
		unlock()
		if n := rdb.Exists(t.Context(), t.Name()+":usher:lock:campaign/X").Val(); n != 0 {
			t.Error("the lock exists after its release")
		}
	})
}

func TestLockTakenTwiceHasItsFullTTL(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb, other := dial(t, addr), dial(t, addr)
		key := t.Name() + ":usher:lock:campaign/X"
		replies := 0
		rdb.AddHook(tap{":lock:", func(redis.Cmder) error {
			if replies++; replies > 1 {
				return nil
			}
			// Most of the lock's TTL passes before the lost reply is noticed.
			if err := other.PExpire(t.Context(), key, 10*time.Second).Err(); err != nil {
				t.Error(err)
			}
			return &net.OpError{Op: "read", Net: "tcp", Err: context.DeadlineExceeded}
		}})
		_, unlock := mustLock(t, join(t, rdb, "a", time.Hour), "campaign/X")
		defer unlock()
		if left := other.PTTL(t.Context(), key).Val(); left < 30*time.Minute {
			t.Errorf("%v of an hour are left", left)
		}
	})
}

func TestLockOfUnknownStateIsReleased(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		loseReplies(rdb, ":lock:", 2)
		_, _, err := join(t, rdb, "a", 0).Lock(t.Context(), "campaign/X")
		var later *usher.RetryAfter
		if !errors.As(err, &later) || strings.Contains(later.Why, "held by") {
			t.Fatalf("got %v, want a RetryAfter that names no holder", err)
		}
		b := join(t, dial(t, addr), "b", 0)
		until(t, "the lock to be free", func() bool {
			_, unlock, err := b.Lock(t.Context(), "campaign/X")
			if err == nil {
				unlock()
			}
			return err == nil
		})
	})
}

func TestLockNeverHasTwoHolders(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		var inside, taken atomic.Int32
		var workers sync.WaitGroup
		for _, name := range []string{"a", "b"} {
			f := join(t, dial(t, addr), name, 0)
			for range 3 {
				workers.Go(func() {
					for taken.Load() < 60 && t.Context().Err() == nil {
						ctx, unlock, err := f.Lock(t.Context(), "campaign/X")
						if err != nil {
							continue
						}
						if inside.Add(1) > 1 && ctx.Err() == nil {
							t.Error("two workers hold the lock")
						}
						taken.Add(1)
						inside.Add(-1)
						unlock()
					}
				})
			}
		}
		workers.Wait()
	})
}

func TestLockOutlivesItsCallersContext(t *testing.T) {
	t.Parallel()
	f := join(t, dial(t, sharedAddress(t)), "a", 0)
	parent, cancel := context.WithCancelCause(t.Context())
	ctx, unlock, err := f.Lock(parent, "campaign/X")
	if err != nil {
		t.Fatal(err)
	}
	cancel(usher.ErrCancelled)
	if !errors.Is(context.Cause(ctx), usher.ErrCancelled) {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
	if _, _, err := f.Lock(t.Context(), "campaign/X"); err == nil {
		t.Error("the lock was free before its release")
	}
	unlock()
	_, unlock = mustLock(t, f, "campaign/X")
	unlock()
}

func TestLockEndsAtClose(t *testing.T) {
	t.Parallel()
	f := join(t, dial(t, sharedAddress(t)), "a", 0)
	ctx, unlock := mustLock(t, f, "campaign/X")
	f.Close()
	if !errors.Is(context.Cause(ctx), usher.ErrShutdown) {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
	unlock()
}

func TestLockKeepsItsCallersCause(t *testing.T) {
	t.Parallel()
	f := join(t, dial(t, sharedAddress(t)), "a", 0)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(usher.ErrDeadline)
	if _, _, err := f.Lock(ctx, "campaign/X"); !errors.Is(err, usher.ErrDeadline) {
		t.Errorf("got %v", err)
	}
}

func TestLockIsLostByTheClock(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		ctx, unlock := mustLock(t, join(t, dial(t, addr), "a", time.Minute), "campaign/X")
		defer unlock()
		if ctx.Err() != nil {
			t.Fatal("lost at once")
		}
		fleet.Oversleep(ctx)
		if ctx.Err() == nil || !errors.Is(context.Cause(ctx), usher.ErrLockLost) {
			t.Errorf("the error is %v, its cause %v", ctx.Err(), context.Cause(ctx))
		}
	})
}
