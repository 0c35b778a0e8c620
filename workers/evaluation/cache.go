package evaluation

import (
	"sync"
	"time"
)

// cacheTTL is how long a worker does not read again what it has read of the platform for an earlier run:
// how many creatives are in a scope, which campaigns are active, what the campaigns spent on which a rule is
// UNKNOWN. Each takes a call for each campaign and changes slowly, and a cap that is a share of a scope needs
// no exact number.
const cacheTTL = time.Hour

// cache remembers values for cacheTTL. The zero value is empty and ready to use.
type cache[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]cached[V]
}

type cached[V any] struct {
	value V
	at    time.Time
}

func (c *cache[K, V]) get(key K, now time.Time) (value V, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, found := c.known[key]
	return known.value, found && now.Sub(known.at) < cacheTTL
}

func (c *cache[K, V]) put(key K, value V, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[K]cached[V]{}
	}
	c.known[key] = cached[V]{value, now}
}
