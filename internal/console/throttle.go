package console

import (
	"sync"
	"time"
)

// Failed logins that a name, or an address, may have before it waits; and for
// how long they count. So many are remembered: beyond that all wait.
const (
	triesOfName    = 5
	triesOfAddress = 20
	tryWindow      = 5 * time.Minute
	triesMost      = 10_000
)

// throttle slows guessing down, by name and by address.
type throttle struct {
	now func() time.Time

	mu     sync.Mutex
	failed map[string]tries
}

type tries struct {
	count int
	until time.Time
}

// wait is how long a login of this name from this address must wait.
func (t *throttle) wait(name, address string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if len(t.failed) >= triesMost {
		for key, f := range t.failed {
			if now.After(f.until) {
				delete(t.failed, key)
			}
		}
		if len(t.failed) >= triesMost {
			return time.Minute
		}
	}
	return max(t.left("name "+name, triesOfName, now), t.left("address "+address, triesOfAddress, now), 0)
}

func (t *throttle) left(key string, most int, now time.Time) time.Duration {
	if f := t.failed[key]; f.count >= most {
		return f.until.Sub(now)
	}
	return 0
}

// fail counts a failed login.
func (t *throttle) fail(name, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	for _, key := range []string{"name " + name, "address " + address} {
		f := t.failed[key]
		if now.After(f.until) {
			f.count = 0
		}
		t.failed[key] = tries{f.count + 1, now.Add(tryWindow)}
	}
}

// succeed forgets the name's failures. Those of the address stay: else an
// account of one's own would clear the way.
func (t *throttle) succeed(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.failed, "name "+name)
}
