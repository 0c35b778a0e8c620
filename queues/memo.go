package queues

import (
	"context"
	"sync"
	"usher/queues/store"
)

// memo keeps values of a bucket for as long as one look at the letters takes.
// The zero value is empty.
type memo[T any] struct {
	mu   sync.Mutex
	kept map[string]T
}

// maxMemo bounds it.
const maxMemo = 10_000

// get is the value of a key, its zero value where there is none.
func (m *memo[T]) get(ctx context.Context, bucket *store.Bucket, key string) (T, error) {
	m.mu.Lock()
	v, known := m.kept[key]
	m.mu.Unlock()
	if known {
		return v, nil
	}
	if _, _, err := bucket.Get(ctx, key, &v); err != nil {
		return v, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil || len(m.kept) >= maxMemo {
		m.kept = map[string]T{}
	}
	m.kept[key] = v
	return v, nil
}
