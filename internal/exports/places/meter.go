package places

import (
	"fmt"
	"sync"
	"time"

	"usher"
)

const (
	// meterPeriod is the time of waiting over which the rate of a source is averaged.
	meterPeriod = time.Minute
	// meterReport is how often a slow source is reported.
	meterReport = 2 * time.Second
)

// Meter measures how fast servers and buckets deliver: the bytes that have come, and the time for
// which usher has waited for them. While usher is busy, or waits for something else, no time counts.
// It is safe for concurrent use.
type Meter struct {
	least  int64 // bytes per second; 0: any rate will do
	now    func() time.Time
	report func(*usher.SlowSource) // nil: nobody wants to know

	mu       sync.Mutex
	total    int64
	came     int64         // in the present period
	waited   time.Duration // in the present period
	waiting  int           // callers between begin and end
	since    time.Time     // when the first of them began, or the last check
	reported time.Time     // zero: the source is not reported as slow
}

// NewMeter returns a Meter that takes at least some bytes per second. It calls report every few
// seconds while a source is slower, and with nil after that. now is the clock.
func NewMeter(least int64, now func() time.Time, report func(*usher.SlowSource)) *Meter {
	if report == nil {
		report = func(*usher.SlowSource) {}
	}
	return &Meter{least: least, now: now, report: report}
}

// begin is called when usher begins to wait for the source.
func (m *Meter) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waiting++; m.waiting == 1 {
		m.since = m.now()
	}
}

// end is called when usher no longer waits, with the number of bytes that have come. It returns an
// error if a period of waiting is over in which the source was too slow.
func (m *Meter) end(bytes int) error {
	m.count(bytes)
	m.check()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting--
	if m.waited < meterPeriod {
		return nil
	}
	found := m.found()
	if m.came, m.waited = 0, 0; m.isSlow(found) {
		return fmt.Errorf("%w: %s", usher.ErrSlowSource, found.String())
	}
	return nil
}

// count counts bytes that have come.
func (m *Meter) count(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total += int64(n)
	m.came += int64(n)
}

// check reports a source that is slow, and one that no longer is.
func (m *Meter) check() {
	if slow, changed := m.change(); changed {
		m.report(slow) // which may take its time
	}
}

// change returns what is to be reported, if anything is.
func (m *Meter) change() (slow *usher.SlowSource, changed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if m.waiting > 0 {
		m.waited, m.since = m.waited+now.Sub(m.since), now
	}
	if m.waited < meterReport {
		return nil, false
	}
	switch found := m.found(); {
	case m.isSlow(found) && (m.reported.IsZero() || now.Sub(m.reported) >= meterReport):
		m.reported = now
		return &found, true
	case !m.isSlow(found) && !m.reported.IsZero():
		m.reported = time.Time{}
		return nil, true
	}
	return nil, false
}

// found returns the rate of the present period. It is called with mu held.
func (m *Meter) found() usher.SlowSource {
	return usher.SlowSource{Bytes: m.total, Rate: float64(m.came) / m.waited.Seconds(), Least: m.least}
}

func (m *Meter) isSlow(found usher.SlowSource) bool { return found.Rate < float64(m.least) }
