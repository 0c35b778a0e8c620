package console

import (
	"sync"
	"time"
)

// A name or an address with this many failed logins within tryWindow must wait. If
// triesMost names and addresses have failed, all must wait.
const (
	triesOfName    = 5
	triesOfAddress = 20
	tryWindow      = 5 * time.Minute
	triesMost      = 10_000
)

// throttle limits failed logins by name and by address.
type throttle struct {
	now func() time.Time

	mu     sync.Mutex
	failed map[string]tries
}

type tries struct {
	count int
	until time.Time
}

// wait returns how long a login with this name from this address must wait.
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

// succeed clears the failures of the name. Those of the address are kept; otherwise an
// attacker with an account could clear them by logging in.
func (t *throttle) succeed(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.failed, "name "+name)
}
