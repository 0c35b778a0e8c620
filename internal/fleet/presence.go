package fleet

import (
	"context"
	"time"
)

// probe is how often Redis is looked for while it is away.
const probe = 500 * time.Millisecond

// Workers is how many workers were there at this one's last heartbeat that
// Redis answered, this one among them; 0 while none was answered yet.
func (f *Fleet) Workers() int { return int(f.workers.Load()) }

// beatUntilClosed sends heartbeats until Close, then leaves. While Redis is
// away it is this that looks for it, and nobody else.
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
			next.Reset(min(probe, f.options.Heartbeat))
		case <-next.C:
			wait := f.options.Heartbeat
			if f.beat(ctx) != nil {
				wait = min(probe, wait)
			}
			next.Reset(wait)
		}
	}
}

// beat says that this worker is there and counts who else is.
func (f *Fleet) beat(ctx context.Context) error {
	gone := 3 * f.options.Heartbeat
	n, err := f.eval(ctx, f.scripts.heartbeat, []string{f.key("workers")}, f.self, gone.Milliseconds()).Int64()
	if err != nil {
		return away("count the workers", err)
	}
	// A Redis that came back empty does not know the others until they have
	// spoken; were it lost again meanwhile, each would take the whole rate.
	if back := f.back.Load(); back != nil && time.Since(*back) < gone {
		n = max(n, f.workers.Load())
	}
	f.workers.Store(n)
	return nil
}

// leave takes this worker off the list; where that fails, its silence does.
func (f *Fleet) leave(ctx context.Context) {
	if f.lost.Load() {
		return
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := f.rdb.ZRem(limited, f.key("workers"), f.self).Err(); err != nil {
		f.log.Warn("this worker could not be taken off the list of workers; it counts until its silence tells", "error", err)
	}
}
