package queues

import (
	"context"
	"errors"
	"slices"
	"time"
)

// arrivals are the targets of the messages that were published last, newest first. A target
// is in it once.
type arrivals struct {
	targets []arrival // the newest is the last
	known   map[string]bool
}

type arrival struct {
	target    string
	notBefore time.Time // when it is worth a look
}

// mostArrivals bounds the memory of arrivals. Older messages have been delivered, or are
// when the lane gets to them.
const mostArrivals = 10_000

// note adds a target to which a message has come.
func (a *arrivals) note(target string) {
	if a.add(target) {
		a.targets = append(a.targets, arrival{target: target})
	}
}

// again adds a target that is worth another look, when no newer one is.
func (a *arrivals) again(target string, notBefore time.Time) {
	if a.add(target) {
		a.targets = slices.Insert(a.targets, 0, arrival{target, notBefore})
	}
}

// add notes that a target is known, and makes room for it. It reports whether it is new.
func (a *arrivals) add(target string) bool {
	if a.known[target] {
		return false
	}
	if len(a.targets) == mostArrivals {
		for _, old := range a.targets[:mostArrivals/2] {
			delete(a.known, old.target)
		}
		a.targets = append(a.targets[:0], a.targets[mostArrivals/2:]...)
	}
	if a.known == nil {
		a.known = map[string]bool{}
	}
	a.known[target] = true
	return true
}

// next removes and returns the newest target that is worth a look.
func (a *arrivals) next(now time.Time) (target string, found bool) {
	for i, at := range slices.Backward(a.targets) {
		if !at.notBefore.After(now) {
			a.targets = slices.Delete(a.targets, i, i+1)
			delete(a.known, at.target)
			return at.target, true
		}
	}
	return "", false
}

// Bounds of a look at the newest messages, which a slot makes between two jobs.
const (
	catchUpEvery = 100 * time.Millisecond
	catchUpTime  = 200 * time.Millisecond
	mostLooks    = 8 // at targets
	mostHeld     = 8 // jobs of one target
)

// catchUp reads messages that were published since the last call. It does nothing if a
// call was made just before, and leaves the rest to the next one if they are many.
func (f *family) catchUp(ctx context.Context) error {
	f.mu.Lock()
	now := time.Now()
	early := now.Sub(f.asked) < catchUpEvery
	if !early {
		f.asked = now
	}
	f.mu.Unlock()
	if early {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	err := f.readNew(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// readNew reads the messages of the stream that were not read.
func (f *family) readNew(ctx context.Context) error {
	select {
	case f.reading <- struct{}{}:
		defer func() { <-f.reading }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	stream, err := f.open(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	from := f.next
	f.mu.Unlock()
	return f.read(ctx, stream, from, from)
}

// takeElsewhere takes a job on one of the targets of the newest messages, if many messages
// are not delivered yet. It returns nil if there is none that a slot may take.
func (q *Queue) takeElsewhere(ctx, work context.Context, s *succession) (*Lease, error) {
	if !s.keeper.isOfMany() {
		return nil, nil
	}
	for _, f := range q.families {
		if err := f.catchUp(ctx); err != nil {
			return nil, err
		}
		for range mostLooks {
			target, found := f.nextArrived(q.now())
			if !found {
				break
			}
			front := *s
			front.target, front.family, front.elsewhere = target, f.name, true
			lease, err := q.takeFront(ctx, work, &front)
			if lease != nil || err != nil {
				f.lookAgain(target, time.Time{}) // others may wait behind this job
				return lease, err
			}
		}
	}
	return nil, nil
}

func (f *family) nextArrived(now time.Time) (target string, found bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.arrived.next(now)
}

// lookAgain notes that a job elsewhere that is not free may become free although nothing
// arrives: its next attempt, or a worker that has crashed. Its message may be behind many
// others.
func (s *succession) lookAgain(f *family, t *taking) {
	e := &t.entry
	var at time.Time
	switch {
	case !s.elsewhere:
		return
	case e.Record.Retry != nil && e.Holder == "":
		at = e.Record.Retry.At
	case e.Via != 0:
		at = t.q.now().Add(t.q.options.AckWait)
	default:
		return
	}
	f.lookAgain(s.target, at)
}

func (f *family) lookAgain(target string, notBefore time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.arrived.again(target, notBefore)
}

// isOfMany reports whether many messages behind the delivery's were not delivered yet.
func (d *delivery) isOfMany() bool { return d.meta.NumPending >= farBehind }
