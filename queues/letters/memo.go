package letters

import (
	"context"
	"sync"
)

// memo caches values by key for the time that one plan takes. The zero value is
// empty and ready to use.
type memo[T any] struct {
	mu     sync.Mutex
	cached map[string]T
}

// maxCached bounds the cache. When it is full, it starts empty again.
const maxCached = 10_000

// get returns the cached value of a key, or loads it.
func (m *memo[T]) get(ctx context.Context, key string, load func(context.Context, string) (T, error)) (T, error) {
	m.mu.Lock()
	v, cached := m.cached[key]
	m.mu.Unlock()
	if cached {
		return v, nil
	}
	v, err := load(ctx, key)
	if err != nil {
		return v, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cached == nil || len(m.cached) >= maxCached {
		m.cached = map[string]T{}
	}
	m.cached[key] = v
	return v, nil
}
