package console

import (
	"time"

	"usher"
)

// The meter's steps, and how many it keeps: a quarter of an hour. The rate now
// is that of the last whole ones, so that checkpoints, which come once a
// second, do not make it jump.
const (
	meterStep  = 5 * time.Second
	meterSteps = 180
	meterNow   = 2
)

// meter measures how many rows go through the whole fleet: by how much the
// records' tallies grow from one look to the next.
type meter struct {
	last  map[string]grown // by job; nil before the first look
	steps [meterSteps]step
}

// grown is how far a job was at the last look.
type grown struct{ read, accepted, bytes int64 }

// step is what came in one step of time.
type step struct {
	at                    int64 // in steps since 1970
	read, accepted, bytes int64
}

func newMeter() *meter { return &meter{} }

// see takes a look at the records. Of what was there before the first look
// nothing is counted. A replay that goes on from its checkpoint counts only
// what is beyond it.
func (m *meter) see(now time.Time, records []usher.Record) {
	s := m.step(now.UnixNano() / int64(meterStep))
	next := make(map[string]grown, len(records))
	for i := range records {
		r := &records[i]
		g := grown{r.Tally.Read, r.Tally.Accepted, r.Bytes}
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

// throughput is what the page shows of it, oldest first.
type throughput struct {
	Rows   float64      `json:"rows"`  // a second, now
	Bytes  float64      `json:"bytes"` // a second, now
	Series []meterPoint `json:"series"`
}

// meterPoint is a step: Unix seconds and figures a second.
type meterPoint struct {
	At       int64   `json:"at"`
	Read     float64 `json:"read"`
	Accepted float64 `json:"accepted"`
	Bytes    float64 `json:"bytes"`
}

// view is all whole steps until now.
func (m *meter) view(now time.Time) throughput {
	t := throughput{Series: make([]meterPoint, 0, meterSteps)}
	current, seconds := now.UnixNano()/int64(meterStep), meterStep.Seconds()
	for at := current - meterSteps + 1; at < current; at++ {
		p := meterPoint{At: at * int64(meterStep/time.Second)}
		if s := m.steps[at%meterSteps]; s.at == at {
			p.Read, p.Accepted, p.Bytes = float64(s.read)/seconds, float64(s.accepted)/seconds, float64(s.bytes)/seconds
		}
		t.Series = append(t.Series, p)
		if at >= current-meterNow {
			t.Rows += p.Read / meterNow
			t.Bytes += p.Bytes / meterNow
		}
	}
	return t
}
