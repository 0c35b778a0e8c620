package console

import (
	"errors"
	"testing"
	"time"
)

// An outage is one mark from its beginning to its end; a short one is none.
func TestOutages(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	var o outages
	well := []service{{Name: "NATS", OK: true}, {Name: "Redis", OK: true}}
	lost := func(at time.Time) []service {
		state := []service{well[0], well[1]}
		state[1] = state[1].after(errors.New("no answer"), false, at)
		return state
	}
	o.observe(well, lost(noon), noon)
	if got := o.list(); len(got) != 1 || got[0].Text != "Redis does not respond" || got[0].Until != nil {
		t.Fatalf("the outages are %+v", got)
	}
	o.observe(lost(noon), lost(noon), noon.Add(time.Minute))
	o.observe(lost(noon), well, noon.Add(2*time.Minute))
	if got := o.list(); len(got) != 1 || got[0].Until == nil || !got[0].Until.Equal(noon.Add(2*time.Minute)) {
		t.Fatalf("the outages are %+v", got)
	}
	later := noon.Add(time.Hour)
	o.observe(well, lost(later), later)
	o.observe(lost(later), well, later.Add(time.Second))
	if got := o.list(); len(got) != 1 {
		t.Errorf("a loss of a second is a mark: %+v", got)
	}
	unknown := []service{well[0], {Name: "Redis", Error: "not known"}}
	o.observe(lost(later), unknown, later.Add(time.Minute))
	o.observe(unknown, well, later.Add(2*time.Minute))
	for _, m := range o.list() {
		if m.Text == "" || m.Until == nil {
			t.Errorf("a service of which nothing is known has the mark %+v", m)
		}
	}
	o.observe(well, well, noon.Add(25*time.Hour))
	if got := o.list(); len(got) != 0 {
		t.Errorf("after a day, the outages are %+v", got)
	}
}

// Workers of a version that start one after the other are one mark.
func TestStartsOfWorkers(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	row := func(name, version string, after time.Duration) workerRow {
		at := noon.Add(after)
		return workerRow{Name: name, Version: version, Since: &at}
	}
	workers := []workerRow{
		row("c", "1.1", 3*time.Hour), row("a", "1.1", 3*time.Hour+time.Minute), row("b", "1.0", time.Hour), row("old", "1.0", -30*time.Hour), {Name: "unknown"},
	}
	got := startsOf(workers, noon.Add(4*time.Hour))
	if len(got) != 2 || got[0].Text != "1 worker started, version 1.0" || got[1].Text != "2 workers started, version 1.1" || !got[1].At.Equal(noon.Add(3*time.Hour)) {
		t.Errorf("the starts are %+v", got)
	}
}
