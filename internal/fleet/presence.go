package fleet

import (
	"context"
	"fmt"
	"time"
)

// probeInterval is the interval at which a Redis that does not answer is probed.
const probeInterval = 500 * time.Millisecond

// Workers returns the number of workers at this worker's last heartbeat,
// including this one; 0 before the first answered heartbeat.
func (f *Fleet) Workers() int { return int(f.workers.Load()) }

// OldestHeartbeat returns how long ago the worker that was silent for longest had sent its
// heartbeat, at this worker's last one.
func (f *Fleet) OldestHeartbeat() time.Duration { return time.Duration(f.oldest.Load()) }

// beatUntilClosed sends heartbeats until Close, then leaves. While Redis does not
// answer, heartbeats are the only requests to it.
func (f *Fleet) beatUntilClosed() {
	ctx := context.Background()
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-f.closing:
			f.leave(ctx)
			return
		case <-f.missed:
			next.Reset(min(probeInterval, f.options.Heartbeat))
		case <-next.C:
			wait := f.options.Heartbeat
			if f.Beat(ctx) != nil {
				wait = min(probeInterval, wait)
			}
			next.Reset(wait)
		}
	}
}

// Beat sends a heartbeat and counts the workers. If it returns nil, Redis takes writes.
func (f *Fleet) Beat(ctx context.Context) error {
	f.beating.Lock()
	defer f.beating.Unlock()
	gone := 3 * f.options.Heartbeat
	result, err := f.eval(ctx, f.scripts.heartbeat, []string{f.key("workers")}, f.self, gone.Milliseconds()).Int64Slice()
	if err == nil && len(result) != 2 {
		err = fmt.Errorf("the script returned %d numbers, want 2", len(result))
	}
	if err != nil {
		return Explain("count the workers", err)
	}
	n := result[0]
	f.oldest.Store(int64(time.Duration(result[1]) * time.Millisecond))
	// A Redis that restarted empty does not know the other workers until their next
	// heartbeats. If Redis were lost again before those, each worker would use the
	// whole rate.
	if back := f.back.Load(); back != nil && time.Since(*back) < gone {
		n = max(n, f.workers.Load())
	}
	f.workers.Store(n)
	return nil
}

// leave removes this worker from the list of workers. If that fails, the other
// workers drop it after three missed heartbeats.
func (f *Fleet) leave(ctx context.Context) {
	if f.lost.Load() {
		return
	}
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := f.rdb.ZRem(limited, f.key("workers"), f.self).Err(); err != nil {
		f.log.Warn("this worker could not leave the list of workers; it is counted until it has missed three heartbeats", "error", err)
	}
}
