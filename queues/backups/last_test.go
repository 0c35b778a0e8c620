package backups_test

import (
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher/queues/backups"
	"usher/queues/queuetest"
)

// The age is infinite until there is a backup, and counts from the beginning of the newest one.
func TestAge(t *testing.T) {
	t.Parallel()
	q, stop := queuetest.Open()
	defer stop()
	now := time.Now()
	metric := func() float64 {
		t.Helper()
		registry := prometheus.NewRegistry()
		registry.MustRegister(backups.NewCollector(q.Store(), func() time.Time { return now }, slog.New(slog.DiscardHandler)))
		families, err := registry.Gather()
		if err != nil || len(families) != 1 {
			t.Fatalf("%v, %v", families, err)
		}
		return families[0].GetMetric()[0].GetGauge().GetValue()
	}
	age, err := backups.ReadAge(t.Context(), q.Store())
	if err != nil || age.Last != nil || now.Sub(age.Since).Abs() > time.Minute || !math.IsInf(metric(), 1) {
		t.Fatalf("before the first backup: %+v, %v, %f", age, err, metric())
	}
	if age.IsOverdue(now) || !age.IsOverdue(now.Add(backups.Overdue+time.Minute)) {
		t.Error("people must be told once an installation without a backup is two days old")
	}
	for _, before := range []time.Duration{5 * time.Hour, 3 * time.Hour, 4 * time.Hour} { // a drill may restore an older one
		m := &backups.Manifest{Began: now.Add(-before), Ended: now}
		if err := backups.Note(t.Context(), q.Store(), m); err != nil {
			t.Fatal(err)
		}
	}
	age, err = backups.ReadAge(t.Context(), q.Store())
	if err != nil || age.Last == nil || math.Abs(metric()-3*3600) > 1 || age.IsOverdue(now) {
		t.Errorf("after a backup: %+v, %v, %f", age, err, metric())
	}
}
