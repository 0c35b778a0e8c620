package places

import (
	"errors"
	"strings"
	"testing"
	"time"

	"usher"
)

// metered is a meter with its own clock.
type metered struct {
	*Meter

	now      time.Time
	reported []*usher.SlowSource
}

func newMetered(least int64) *metered {
	m := &metered{now: time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)}
	m.Meter = NewMeter(least, func() time.Time { return m.now }, func(s *usher.SlowSource) { m.reported = append(m.reported, s) })
	return m
}

// wait waits for a piece, checks every second meanwhile, and returns the error of its end.
func (m *metered) wait(seconds, bytes int) error {
	m.begin()
	for range seconds {
		m.now = m.now.Add(time.Second)
		m.check()
	}
	return m.end(bytes)
}

func TestMeter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		pieces  int // each after seconds of waiting
		bytes   int
		seconds int
		busy    int // seconds after each piece for which usher does not wait
		slow    bool
	}{
		{"a drip", 60, 1, 1, 0, true},
		{"a drip for less than a minute", 59, 1, 1, 0, false},
		{"a drip while usher is mostly busy", 59, 1, 1, 600, false},
		{"a drip for a minute in all", 60, 1, 1, 600, true},
		{"just enough", 300, 10_000, 1, 0, false},
		{"just too little", 300, 9_999, 1, 0, true},
		{"a pause of half a minute between large pieces", 20, 400_000, 30, 0, false},
		{"nothing for a minute, and then little", 1, 100_000, 61, 0, true},
		{"no waiting at all", 1000, 1, 0, 60, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMetered(10_000)
			var err error
			for range c.pieces {
				if err = m.wait(c.seconds, c.bytes); err != nil {
					break
				}
				m.now = m.now.Add(time.Duration(c.busy) * time.Second)
			}
			if (err != nil) != c.slow || c.slow && !errors.Is(err, usher.ErrSlowSource) {
				t.Errorf("the error is %v", err)
			}
			if c.slow && !strings.Contains(err.Error(), "10 kB/s") {
				t.Errorf("the error does not name the minimum: %v", err)
			}
		})
	}
}

// A slow source is reported with bytes and rate every few seconds, until it is fast enough.
func TestMeterReports(t *testing.T) {
	t.Parallel()
	m := newMetered(10_000)
	for range 10 {
		if err := m.wait(1, 100); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(m.reported); n < 4 || n > 5 {
		t.Fatalf("%d reports in 10 s", n)
	}
	if r := m.reported[len(m.reported)-1]; r.Bytes < 900 || r.Rate < 90 || r.Rate > 110 || r.Least != 10_000 {
		t.Errorf("the last report is %+v", r)
	}
	if err := m.wait(1, 1_000_000); err != nil {
		t.Fatal(err)
	}
	if r := m.reported[len(m.reported)-1]; r != nil {
		t.Errorf("a source that is fast enough is reported as %+v", r)
	}
}

func TestMeterWithoutMinimum(t *testing.T) {
	t.Parallel()
	m := newMetered(0)
	for range 100 {
		if err := m.wait(10, 1); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.reported) > 0 {
		t.Errorf("%d reports", len(m.reported))
	}
}
