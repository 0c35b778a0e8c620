package console

import (
	"context"
	"time"
)

// cacheAge is the age after which a value is loaded again even if no change was announced,
// because not every change is announced.
const cacheAge = 10 * time.Second

// cache holds a value that is slow to load. It spends at most a tenth of the time loading
// it, no matter how many pages request the value.
type cache[T any] struct {
	load func(ctx context.Context) (T, error)
	age  time.Duration // after which a value is loaded again although no change was announced

	turn  chan struct{} // capacity 1; full while a request uses the fields below
	value T
	at    time.Time // of the last load; zero: never loaded
	cost  time.Duration

	dirty chan struct{} // capacity 1; full if the value has changed since the last load
}

func newCache[T any](load func(ctx context.Context) (T, error)) *cache[T] {
	return &cache[T]{load: load, age: cacheAge, turn: make(chan struct{}, 1), dirty: make(chan struct{}, 1)}
}

// invalidate marks the value as changed.
func (c *cache[T]) invalidate() { signal(c.dirty) }

// get returns the value. After a change, the value may be outdated for liveEvery or for ten
// times the duration of a load, whichever is longer. If another request is loading the value,
// get waits for it until ctx ends.
func (c *cache[T]) get(ctx context.Context) (T, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
	age := time.Since(c.at)
	changed := len(c.dirty) > 0 || age > c.age
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
		c.invalidate()
		return value, err
	}
	c.value, c.at, c.cost = value, time.Now(), time.Since(began)
	return value, nil
}
