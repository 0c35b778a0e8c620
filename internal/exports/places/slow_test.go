package places_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/internal/exports/places"
)

// leaping is a clock that each look advances.
func leaping(step time.Duration) func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(step)
		return now
	}
}

// A server that drips is given up after a minute of waiting, and the request is not repeated, so
// that the slot of the job is free for others. All files that a job opens have one meter.
func TestDrippingServer(t *testing.T) {
	t.Parallel()
	data := []byte(strings.Repeat(anID, 1000))
	s := newWebServer(t, func(w http.ResponseWriter, _ *http.Request, data []byte) {
		w.Header().Set("ETag", etagOf(data))
		w.Header().Set("Content-Length", "37000")
		control := http.NewResponseController(w)
		for i := range data {
			if _, err := w.Write(data[i : i+1]); err != nil || control.Flush() != nil {
				return
			}
		}
	})
	s.put(data)
	for name, least := range map[string]int64{"too slow": 10_000, "slow enough": 0} {
		var mu sync.Mutex
		var last *usher.SlowSource
		a := s.accessWith(t, places.Options{MinRate: least, Now: leaping(time.Second)}).Metered(func(slow *usher.SlowSource) {
			mu.Lock()
			defer mu.Unlock()
			last = slow
		})
		before := s.requests()
		f, err := a.OpenSource(t.Context(), &usher.Source{URL: s.URL + "/in/export.txt"}, places.Range{Size: 37_000})
		if err != nil {
			t.Fatal(err)
		}
		err = f.ReadFull(t.Context(), make([]byte, len(data)), 0)
		_ = f.Close() // only read
		if slow := errors.Is(err, usher.ErrSlowSource); slow != (least > 0) || err != nil && !slow {
			t.Errorf("%s: %v", name, err)
		}
		if n := s.requests() - before; n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
		mu.Lock()
		if (last != nil) != (least > 0) || last != nil && (last.Bytes <= 0 || last.Rate <= 0 || last.Least != least) {
			t.Errorf("%s: the last report is %+v", name, last)
		}
		mu.Unlock()
	}
}

// A server that sends the beginning and then nothing is given up after the first minute, too.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	s := newWebServer(t, func(w http.ResponseWriter, r *http.Request, data []byte) {
		w.Header().Set("ETag", etagOf(data))
		w.Header().Set("Content-Length", "37000")
		_, _ = w.Write(data[:10])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s.put([]byte(strings.Repeat(anID, 1000)))
	a := s.accessWith(t, places.Options{MinRate: 10_000, Now: leaping(40 * time.Second)})
	places.SetIdle(a, 10*time.Millisecond)
	f, err := a.OpenSource(t.Context(), &usher.Source{URL: s.URL + "/in/export.txt"}, places.Range{Size: 37_000})
	if err == nil {
		err = f.ReadFull(t.Context(), make([]byte, 37_000), 0)
		_ = f.Close() // only read
	}
	if n := s.requests(); !errors.Is(err, usher.ErrSlowSource) || n > 2 {
		t.Errorf("%d requests, %v", n, err)
	}
}
