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
// between two observations.
type meter struct {
	last  map[string]progress // by job; nil before the first observation
	steps [meterSteps]step
}

// progress is a job's counts at the last observation.
type progress struct{ read, accepted, bytes int64 }

// step is the growth within one step of time.
type step struct {
	at                    int64 // in steps since 1970
	read, accepted, bytes int64
}

func newMeter() *meter { return &meter{} }

// observe adds the growth of the records since the last observation. The first observation
// counts nothing. A tally that has shrunk, as after the restart of a job, counts nothing
// either.
func (m *meter) observe(now time.Time, records []usher.Record) {
	s := m.step(now.UnixNano() / int64(meterStep))
	next := make(map[string]progress, len(records))
	for i := range records {
		r := &records[i]
		g := progress{r.Tally.Read, r.Tally.Accepted, r.Bytes}
		next[r.ID] = g
		if m.last == nil {
			continue
		}
		before := m.last[r.ID]
		s.read += max(g.read-before.read, 0)
		s.accepted += max(g.accepted-before.accepted, 0)
		s.bytes += max(g.bytes-before.bytes, 0)
	}
	m.last = next
}

func (m *meter) step(at int64) *step {
	s := &m.steps[at%meterSteps]
	if s.at != at {
		*s = step{at: at}
	}
	return s
}

// throughput is the measured throughput.
type throughput struct {
	Rows   float64      `json:"rows"`   // per second, now
	Bytes  float64      `json:"bytes"`  // per second, now
	Series []meterPoint `json:"series"` // oldest first
}

// meterPoint is a step: Unix time in seconds, and rates per second.
type meterPoint struct {
	At       int64   `json:"at"`
	Read     float64 `json:"read"`
	Accepted float64 `json:"accepted"`
	Bytes    float64 `json:"bytes"`
}

// throughput returns the current rate and all complete steps.
func (m *meter) throughput(now time.Time) throughput {
	t := throughput{Series: make([]meterPoint, 0, meterSteps)}
	current, seconds := now.UnixNano()/int64(meterStep), meterStep.Seconds()
	for at := current - meterSteps + 1; at < current; at++ {
		p := meterPoint{At: at * int64(meterStep/time.Second)}
		if s := m.steps[at%meterSteps]; s.at == at {
			p.Read, p.Accepted, p.Bytes = float64(s.read)/seconds, float64(s.accepted)/seconds, float64(s.bytes)/seconds
		}
		t.Series = append(t.Series, p)
		if at >= current-currentSteps {
			t.Rows += p.Read / currentSteps
			t.Bytes += p.Bytes / currentSteps
		}
	}
	return t
}
