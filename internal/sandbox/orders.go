package sandbox

import (
	"sync"
	"time"
)

// orders has the orders of tests: faults, a latency and a rate limit.
type orders struct {
	mu      sync.Mutex
	faults  []*fault
	removed chan struct{} // closed when the faults are removed
	lastID  int64
	delay   time.Duration // before each answer

	perSecond float64 // 0: no limit
	allowance float64
	refilled  time.Time
}

func newOrders(latency time.Duration) *orders {
	return &orders{delay: latency, removed: make(chan struct{})}
}

// add adds a fault and returns it with its defaults.
func (o *orders) add(f fault, now time.Time) (fault, error) {
	if err := f.complete(now); err != nil {
		return fault{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lastID++
	f.ID, f.removed = o.lastID, o.removed
	o.faults = append(o.faults, &f)
	return f, nil
}

// pick returns the fault that hits a request, or nil: the first one that matches
// and is not spent.
func (o *orders) pick(op, method, requestPath string, now time.Time) *fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.faults {
		if f.spent(now) || !f.matches(op, method, requestPath) {
			continue
		}
		if f.Seen++; f.Seen <= f.After {
			continue
		}
		f.Made++
		hit := *f
		return &hit
	}
	return nil
}

// list returns all faults, including spent ones, so that a test can see whether its fault
// hit.
func (o *orders) list() []fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := make([]fault, len(o.faults))
	for i, f := range o.faults {
		list[i] = *f
	}
	return list
}

func (o *orders) clearFaults() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults = nil
	close(o.removed)
	o.removed = make(chan struct{})
}

func (o *orders) setLatency(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.delay = d
}

func (o *orders) latency() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.delay
}

// setLimit sets the number of requests that are allowed per second, which is also the
// burst. 0 removes the limit.
func (o *orders) setLimit(perSecond float64, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.perSecond, o.allowance, o.refilled = perSecond, max(perSecond, 1), now
}

func (o *orders) limit() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.perSecond
}

// allow takes a request from the allowance, which is a token bucket for one second. It
// reports whether the request is allowed.
func (o *orders) allow(now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.perSecond == 0 {
		return true
	}
	o.allowance = min(o.allowance+now.Sub(o.refilled).Seconds()*o.perSecond, max(o.perSecond, 1))
	o.refilled = now
	if o.allowance < 1 {
		return false
	}
	o.allowance--
	return true
}
