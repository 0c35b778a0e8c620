package console

import (
	"net/netip"
	"sync"
	"time"
)

// budget is how many logins may fail at once, and the time after which one more may.
type budget struct {
	most  int
	every time.Duration
}

// Budgets of a name at one address, of an address with any name, and of a name at any
// address. The last one is large, because strangers can use it up; it does not apply
// where the user has logged in before.
var (
	budgetOfPair    = budget{5, time.Minute}
	budgetOfAddress = budget{20, 15 * time.Second}
	budgetOfName    = budget{100, 3 * time.Second}
)

// maxThrottled bounds the accounts of budgets that are kept. If they are used up, only
// users at an address where they have logged in before may log in.
const maxThrottled = 30_000

// throttle limits failed logins. A login takes from the budgets before its password is
// compared, so that many at once cannot pass, and a successful one gives it back.
type throttle struct {
	now func() time.Time

	mu      sync.Mutex
	spent   map[throttled]*spending
	trusted map[throttled]bool // pairs that have logged in; as many as users and their addresses
}

// throttled is what has a budget: a name, an address, or a pair.
type throttled struct{ name, address string }

func (k throttled) budget() budget {
	switch {
	case k.address == "":
		return budgetOfName
	case k.name == "":
		return budgetOfAddress
	}
	return budgetOfPair
}

// spending is what is spent of a budget.
type spending struct {
	logins float64
	at     time.Time
}

// recover gives back what has come back since the last time.
func (s *spending) recover(b budget, now time.Time) {
	s.logins = max(0, s.logins-float64(now.Sub(s.at))/float64(b.every))
	s.at = now
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, spent: map[throttled]*spending{}, trusted: map[throttled]bool{}}
}

// reserve takes a login from the budgets of a name and an address, or returns how long
// the login must wait.
func (t *throttle) reserve(name, address string) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, keys := t.now(), t.keys(name, address)
	if len(t.spent) >= maxThrottled {
		if t.prune(now); len(t.spent) >= maxThrottled && !t.trusted[keys[0]] {
			return time.Minute
		}
	}
	for _, key := range keys {
		b := key.budget()
		if s := t.spent[key]; s != nil {
			s.recover(b, now)
			wait = max(wait, time.Duration((s.logins+1-float64(b.most))*float64(b.every)))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, key := range keys {
		if t.spent[key] == nil {
			t.spent[key] = &spending{at: now}
		}
		t.spent[key].logins++
	}
	return 0
}

// succeed gives back what reserve has taken, and all that the pair has spent.
func (t *throttle) succeed(name, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	keys := t.keys(name, address)
	for _, key := range keys {
		if s := t.spent[key]; s != nil {
			s.logins = max(0, s.logins-1)
		}
	}
	delete(t.spent, keys[0])
	t.trusted[keys[0]] = true
}

// keys returns what a login takes from: the pair first.
func (t *throttle) keys(name, address string) []throttled {
	address = network(address)
	pair := throttled{name, address}
	if t.trusted[pair] {
		return []throttled{pair, {address: address}}
	}
	return []throttled{pair, {address: address}, {name: name}}
}

// prune drops accounts of which nothing is spent.
func (t *throttle) prune(now time.Time) {
	for key, s := range t.spent {
		if s.recover(key.budget(), now); s.logins == 0 {
			delete(t.spent, key)
		}
	}
}

// network returns an address, or the network of an IPv6 address that one customer of a
// provider has.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}
