package fleet_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
)

// No lock, limit or login waits, whatever value one of usher's keys has.
func TestDamagedKeys(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		rdb := dial(t, addr)
		worker := join(t, rdb, "a", time.Second)
		limiter := worker.LimiterAt("SANDBOX1", usher.Rate{PerSecond: 1000, Burst: 1000})
		use := func(t *testing.T) {
			t.Helper()
			_, unlock := mustLock(t, worker, "campaign/X")
			unlock()
			for _, reserve := range []bool{true, false} {
				if wait := limiter.Ask(t.Context(), reserve); wait > 10*time.Second {
					t.Errorf("a call waits %s", wait)
				}
			}
			tokens := join(t, rdb, "new", 0).Tokens("key", named, func(context.Context) (string, error) { return "token", nil })
			if token, err := tokens.Renew(t.Context(), "garbage"); token == "" || len(token) > 100 || err != nil {
				t.Errorf("a login returned a token of %d bytes and error %v", len(token), err)
			}
		}
		use(t)
		prefix := t.Name() + ":usher:"
		keys := append(rdb.Keys(t.Context(), prefix+"*").Val(), prefix+"lock:campaign/X", prefix+"limit:{SANDBOX1}:stop")
		for _, key := range keys {
			if hash, ok := strings.CutPrefix(key, prefix+"token:"); ok {
				keys = append(keys, prefix+"refused:"+hash)
			}
		}
		for name, write := range map[string]func(tx redis.Pipeliner, key string){
			"empty":      func(tx redis.Pipeliner, key string) { tx.Set(t.Context(), key, "", 0) },
			"object":     func(tx redis.Pipeliner, key string) { tx.Set(t.Context(), key, "{}", 0) },
			"no number":  func(tx redis.Pipeliner, key string) { tx.Set(t.Context(), key, "nan", 0) },
			"far future": func(tx redis.Pipeliner, key string) { tx.Set(t.Context(), key, "1e300", 240*time.Hour) },
			"list":       func(tx redis.Pipeliner, key string) { tx.RPush(t.Context(), key, "a") },
			"long":       func(tx redis.Pipeliner, key string) { tx.Set(t.Context(), key, strings.Repeat("x", 1<<20), 0) },
		} {
			_, err := rdb.TxPipelined(t.Context(), func(tx redis.Pipeliner) error {
				for _, key := range keys {
					tx.Del(t.Context(), key)
					write(tx, key)
				}
				return nil
			})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if holder, err := worker.Holder(t.Context(), "campaign/X"); len(holder) > 100 || err != nil {
				t.Errorf("%s: the holder of a lock has %d bytes, error %v", name, len(holder), err)
			}
			use(t)
		}
	})
}
