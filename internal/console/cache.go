package console

import (
	"context"
	"sync"
	"time"
)

// cacheAge is how old a value may become without a known change: not every
// change is told.
const cacheAge = 10 * time.Second

// cache holds what takes its time to read. It is read again at most a tenth of
// the time, however many pages ask.
type cache[T any] struct {
	load func(ctx context.Context) (T, error)

	mu    sync.Mutex
	value T
	at    time.Time // of the last load; zero: none
	cost  time.Duration

	dirty chan struct{} // holds one: the value has changed
}

func newCache[T any](load func(ctx context.Context) (T, error)) *cache[T] {
	return &cache[T]{load: load, dirty: make(chan struct{}, 1)}
}

// change says that the value is another now.
func (c *cache[T]) change() { poke(c.dirty) }

// get is the value, as of a moment ago.
func (c *cache[T]) get(ctx context.Context) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	age := time.Since(c.at)
	changed := len(c.dirty) > 0 || age > cacheAge
	if !c.at.IsZero() && (!changed || age < max(liveEvery, 10*c.cost)) {
		return c.value, nil
	}
	select {
	case <-c.dirty:
	default:
	}
	began := time.Now()
	value, err := c.load(ctx)
	if err != nil {
		c.change()
		return value, err
	}
	c.value, c.at, c.cost = value, time.Now(), time.Since(began)
	return value, nil
}
