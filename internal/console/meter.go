package console

import (
	"time"

	"usher/queues/presence"
)

// The meter covers the last quarter of an hour in steps, and the last day in longer ones. The
// current rate is the average of the last currentSteps complete steps, because workers save their
// progress only about once a second.
const (
	meterStep    = 5 * time.Second
	meterSteps   = 180
	daySteps     = 288
	dayStep      = 5 * time.Minute
	currentSteps = 2
)

// meter measures the throughput of all workers by the growth of their counters between two
// observations. What it has not observed is a gap, not zero.
type meter struct {
	last    map[string]counters // by worker, of the last observation in which it answered
	at      time.Time           // of the last observation; zero: none, or it has failed
	quarter series
	day     series
}

// counters are a worker's counters.
type counters struct {
	since time.Time // its start
	heard time.Time
	presence.Work
}

// series has steps of the same length, as a ring.
type series struct {
	length time.Duration
	steps  []presence.Step
}

func newMeter() *meter {
	return &meter{
		last:    map[string]counters{},
		quarter: series{meterStep, make([]presence.Step, meterSteps)},
		day:     series{dayStep, make([]presence.Step, daySteps)},
	}
}

// observe adds the growth of the workers' counters since the last observation, spread evenly over
// the time since then. The first observation counts nothing.
func (m *meter) observe(now time.Time, workers []presence.Answer) {
	var grown presence.Work
	for i := range workers {
		w := &workers[i]
		before, known := m.last[w.Worker]
		m.last[w.Worker] = counters{w.Since, now, w.Work}
		if !known || !before.since.Equal(w.Since) {
			if w.Since.Before(m.at) {
				continue // it has worked before, and was not heard
			}
			before = counters{}
		}
		grown.Read += max(w.Work.Read-before.Read, 0)
		grown.Accepted += max(w.Work.Accepted-before.Accepted, 0)
		grown.Bytes += max(w.Work.Bytes-before.Bytes, 0)
	}
	for name, c := range m.last {
		if now.Sub(c.heard) > presence.SeenFor {
			delete(m.last, name)
		}
	}
	if !m.at.IsZero() {
		m.quarter.add(m.at, now, grown)
		m.day.add(m.at, now, grown)
	}
	m.at = now
}

// fail says that the counters could not be read. How they grow until the next observation is
// not known.
func (m *meter) fail() {
	m.at = time.Time{}
	clear(m.last)
}

// add spreads growth evenly over the steps after that of the last observation.
func (s *series) add(last, now time.Time, grown presence.Work) {
	to := s.number(now)
	from := min(s.number(last)+1, to)
	steps, seconds := float64(to-from+1), max(0, now.Sub(last).Seconds())
	for at := max(from, to-int64(len(s.steps))+1); at <= to; at++ {
		step := s.step(at)
		step.Seconds += seconds / steps
		step.Read += float64(grown.Read) / steps
		step.Accepted += float64(grown.Accepted) / steps
		step.Bytes += float64(grown.Bytes) / steps
	}
}

// number returns the number of the step at a time, since 1970.
func (s *series) number(t time.Time) int64 { return t.UnixNano() / int64(s.length) }

// step returns a step, which is empty if it was not observed yet.
func (s *series) step(number int64) *presence.Step {
	step, at := &s.steps[number%int64(len(s.steps))], number*int64(s.length/time.Second)
	if step.At != at {
		*step = presence.Step{At: at}
	}
	return step
}

// fill adds steps that were observed before this process was started.
func (s *series) fill(steps []presence.Step) {
	for _, old := range steps {
		number := old.At / int64(s.length/time.Second)
		if step := &s.steps[number%int64(len(s.steps))]; number >= 0 && step.At < old.At {
			*step = old
		}
	}
}

// observed returns the observed steps that are complete, oldest first.
func (s *series) observed(now time.Time) []presence.Step {
	var found []presence.Step
	current := s.number(now)
	for number := current - int64(len(s.steps)) + 1; number < current; number++ {
		if step := s.steps[number%int64(len(s.steps))]; step.At == number*int64(s.length/time.Second) {
			found = append(found, step)
		}
	}
	return found
}

// points returns the rates of all complete steps, oldest first.
func (s *series) points(now time.Time) []meterPoint {
	points, current := make([]meterPoint, 0, len(s.steps)), s.number(now)
	for number := current - int64(len(s.steps)) + 1; number < current; number++ {
		p := meterPoint{At: number * int64(s.length/time.Second)}
		if step := s.steps[number%int64(len(s.steps))]; step.At == p.At && step.Seconds > 0 {
			p.Read, p.Accepted, p.Bytes = new(step.Read/step.Seconds), new(step.Accepted/step.Seconds), new(step.Bytes/step.Seconds)
		}
		points = append(points, p)
	}
	return points
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

// throughput returns the current rate, and the series of the last quarter of an hour, or of the
// last day. Its steps are those of the chart: meterStep or dayStep long. The one that is not over
// yet is left out.
func (m *meter) throughput(now time.Time, day bool) throughput {
	quarter := m.quarter.points(now)
	t := throughput{Series: quarter}
	if day {
		t.Series = m.day.points(now)
	}
	var rows, bytes, known float64
	for _, p := range quarter[len(quarter)-currentSteps:] {
		if p.Read != nil {
			rows, bytes, known = rows+*p.Read, bytes+*p.Bytes, known+1
		}
	}
	if known > 0 {
		t.Rows, t.Bytes = new(rows/known), new(bytes/known)
	}
	return t
}
