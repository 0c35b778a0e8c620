package console

import (
	"time"

	"usher"
)

// The meter covers the last quarter of an hour in steps. The current rate is the average of
// the last currentSteps complete steps, because workers save their progress only about once
// a second.
const (
	meterStep    = 5 * time.Second
	meterSteps   = 180
	currentSteps = 2
)

// meter measures the throughput of all workers by the growth of the records' tallies
// between two observations. What it has not observed is a gap, not zero.
type meter struct {
	last  map[string]progress // by job; nil before the first observation, and after a failed one
	at    int64               // the step of the last observation
	steps [meterSteps]step
}

// progress is a job's counts at the last observation.
type progress struct{ read, accepted, bytes int64 }

// step is the growth within one step of time.
type step struct {
	at                    int64 // in steps since 1970; another one: not observed
	read, accepted, bytes float64
}

func newMeter() *meter { return &meter{} }

// observe adds the growth of the records since the last observation, spread evenly over the
// steps since then. The first observation counts nothing. A tally that has shrunk, as after the
// restart of a job, counts nothing either.
func (m *meter) observe(now time.Time, records []usher.Record) {
	var grown progress
	next := make(map[string]progress, len(records))
	for i := range records {
		r := &records[i]
		g := progress{r.Tally.Read, r.Tally.Accepted, r.Bytes}
		next[r.ID] = g
		before := m.last[r.ID]
		grown.read += max(g.read-before.read, 0)
		grown.accepted += max(g.accepted-before.accepted, 0)
		grown.bytes += max(g.bytes-before.bytes, 0)
	}
	to := now.UnixNano() / int64(meterStep)
	from := min(m.at+1, to)
	if m.last == nil {
		from, grown = to, progress{}
	}
	steps := float64(to - from + 1)
	for at := max(from, to-meterSteps+1); at <= to; at++ {
		s := m.step(at)
		s.read += float64(grown.read) / steps
		s.accepted += float64(grown.accepted) / steps
		s.bytes += float64(grown.bytes) / steps
	}
	m.last, m.at = next, to
}

// fail says that the records could not be read. How they grow until the next observation is
// not known.
func (m *meter) fail() { m.last = nil }

func (m *meter) step(at int64) *step {
	s := &m.steps[at%meterSteps]
	if s.at != at {
		*s = step{at: at}
	}
	return s
}

// throughput is the measured throughput.
type throughput struct {
	Rows   *float64     `json:"rows"`   // per second, now; null: not known
	Bytes  *float64     `json:"bytes"`  // per second, now; null: not known
	Series []meterPoint `json:"series"` // oldest first
}

// meterPoint is a step: Unix time in seconds, and rates per second, which are null if the step
// was not observed.
type meterPoint struct {
	At       int64    `json:"at"`
	Read     *float64 `json:"read"`
	Accepted *float64 `json:"accepted"`
	Bytes    *float64 `json:"bytes"`
}

// throughput returns the current rate and all complete steps.
func (m *meter) throughput(now time.Time) throughput {
	t := throughput{Series: make([]meterPoint, 0, meterSteps)}
	current, seconds := now.UnixNano()/int64(meterStep), meterStep.Seconds()
	var rows, bytes, known float64
	for at := current - meterSteps + 1; at < current; at++ {
		p := meterPoint{At: at * int64(meterStep/time.Second)}
		if s := m.steps[at%meterSteps]; s.at == at {
			p.Read, p.Accepted, p.Bytes = new(s.read/seconds), new(s.accepted/seconds), new(s.bytes/seconds)
			if at >= current-currentSteps {
				rows, bytes, known = rows+*p.Read, bytes+*p.Bytes, known+1
			}
		}
		t.Series = append(t.Series, p)
	}
	if known > 0 {
		t.Rows, t.Bytes = new(rows/known), new(bytes/known)
	}
	return t
}
