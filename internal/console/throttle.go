package console

import (
	"net/netip"
	"sync"
	"time"
)

// bucket is a token bucket: its capacity, and the time in which one token is added.
type bucket struct {
	capacity int
	refill   time.Duration
}

// The buckets of a name at one address, of an address with any name, and of a name at any
// address. The last one is large, because strangers can empty it. A login does not need it
// at an address where the user has logged in before.
var (
	pairBucket    = bucket{5, time.Minute}
	addressBucket = bucket{20, 15 * time.Second}
	nameBucket    = bucket{100, 3 * time.Second}
)

// maxBuckets is the maximum number of buckets that are kept. If it is reached, only users at
// an address where they have logged in before can log in.
const maxBuckets = 30_000

// throttle limits failed logins. A login takes a token from each of its buckets before its
// password is compared, so that concurrent guesses cannot exceed a limit. A successful login
// returns the tokens.
type throttle struct {
	now func() time.Time

	mu      sync.Mutex
	used    map[bucketKey]*usage
	trusted map[bucketKey]bool // the pairs of a user and an address that have logged in
}

// bucketKey identifies a bucket: that of a pair, of an address, or of a name.
type bucketKey struct{ name, address string }

func (k bucketKey) bucket() bucket {
	switch {
	case k.address == "":
		return nameBucket
	case k.name == "":
		return addressBucket
	}
	return pairBucket
}

// usage is the number of tokens that were missing from a bucket at a time.
type usage struct {
	tokens float64
	at     time.Time
}

// refill adds the tokens that are due since the last time.
func (u *usage) refill(b bucket, now time.Time) {
	u.tokens = max(0, u.tokens-float64(now.Sub(u.at))/float64(b.refill))
	u.at = now
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, used: map[bucketKey]*usage{}, trusted: map[bucketKey]bool{}}
}

// reserve takes a token from each bucket of a login and returns 0. If one of the buckets is
// empty, it takes nothing and returns how long the login must wait.
func (t *throttle) reserve(name, address string) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, keys := t.now(), t.keys(name, address)
	if len(t.used) >= maxBuckets {
		if t.prune(now); len(t.used) >= maxBuckets && !t.trusted[keys[0]] {
			return time.Minute
		}
	}
	for _, key := range keys {
		b := key.bucket()
		if u := t.used[key]; u != nil {
			u.refill(b, now)
			wait = max(wait, time.Duration((u.tokens+1-float64(b.capacity))*float64(b.refill)))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, key := range keys {
		if t.used[key] == nil {
			t.used[key] = &usage{at: now}
		}
		t.used[key].tokens++
	}
	return 0
}

// succeed returns the tokens that reserve has taken, and refills the bucket of the pair.
func (t *throttle) succeed(name, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	keys := t.keys(name, address)
	for _, key := range keys {
		if u := t.used[key]; u != nil {
			u.tokens = max(0, u.tokens-1)
		}
	}
	delete(t.used, keys[0])
	t.trusted[keys[0]] = true
}

// keys returns the buckets of a login. The first one is that of the pair.
func (t *throttle) keys(name, address string) []bucketKey {
	address = network(address)
	pair := bucketKey{name, address}
	if t.trusted[pair] {
		return []bucketKey{pair, {address: address}}
	}
	return []bucketKey{pair, {address: address}, {name: name}}
}

// prune drops full buckets.
func (t *throttle) prune(now time.Time) {
	for key, u := range t.used {
		if u.refill(key.bucket(), now); u.tokens == 0 {
			delete(t.used, key)
		}
	}
}

// network returns an IPv4 address as it is, and the /64 network of an IPv6 address, because
// providers give each customer a whole network.
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
