package console

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"usher/queues/presence"
)

// The meter counts the growth of the workers' counters once, and nothing that was there before its
// first observation. A time in which nobody answered is a gap; if nobody was asked for long, the
// growth is spread over that time.
func TestMeter(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := newMeter()
	at := func(seconds int, reads ...int64) {
		var workers []presence.Answer
		for i, n := range reads {
			w := presence.Answer{Worker: fmt.Sprint(i), Since: start.Add(-time.Hour), Work: presence.Work{Read: n, Accepted: n / 2, Bytes: 10 * n}}
			if i > 0 {
				w.Since = start.Add(2 * time.Second)
			}
			workers = append(workers, w)
		}
		m.observe(start.Add(time.Duration(seconds)*time.Second), workers)
	}
	at(0, 1000)
	at(5, 1000, 50) // a new worker, which has read 50 rows
	at(10, 1200)    // it does not answer in time, and continues
	at(15, 1200, 150)
	total := func(seconds int) (read, accepted, bytes float64) {
		for _, p := range m.throughput(start.Add(time.Duration(seconds)*time.Second), false).Series {
			if p.Read != nil {
				read, accepted, bytes = read+5**p.Read, accepted+5**p.Accepted, bytes+5**p.Bytes
			}
		}
		return read, accepted, bytes
	}
	if read, accepted, bytes := total(20); read != 350 || accepted != 175 || bytes != 3500 {
		t.Errorf("the meter counts %g rows, %g accepted, %g bytes", read, accepted, bytes)
	}
	if now := m.throughput(start.Add(20*time.Second), false); now.Rows == nil || *now.Rows != 30 {
		t.Errorf("the rate is %v rows a second", now.Rows)
	}
	at(70, 2300, 150) // nobody was asked for 55 s: 1,100 rows in 11 steps
	m.fail()          // from here on to 105 s nothing is known
	at(105, 9999, 150)
	at(110, 10_099, 150)
	var drawn []float64
	for _, p := range m.throughput(start.Add(120*time.Second), false).Series[meterSteps-24:] {
		rate := -1.0 // a gap
		if p.Read != nil {
			rate = *p.Read
		}
		drawn = append(drawn, rate)
	}
	want := slices.Concat([]float64{10, 40, 20}, slices.Repeat([]float64{20}, 11), slices.Repeat([]float64{-1}, 7), []float64{20, -1})
	if !slices.Equal(drawn, want) {
		t.Errorf("the series is %v, want %v", drawn, want)
	}
	next := newMeter() // of the next process
	next.quarter.fill(m.quarter.observed(start.Add(120 * time.Second)))
	next.day.fill(m.day.observed(start.Add(120 * time.Second)))
	if was, is := m.throughput(start.Add(120*time.Second), false), next.throughput(start.Add(120*time.Second), false); !reflect.DeepEqual(was.Series, is.Series) {
		t.Error("the next process shows another series")
	}
	if read, _, _ := total(3600); read != 0 {
		t.Errorf("an hour later the meter still has %g rows", read)
	}
	day := m.throughput(start.Add(3600*time.Second), true).Series
	if p := day[len(day)-12]; p.At != start.Unix() || p.Read == nil || math.Round(*p.Read*75) != 1550 { // 75 of 120 s were observed
		t.Errorf("the first step of the day is %+v", p)
	}
}

// Topics that a page has not read yet are merged, and their number is bounded.
func TestUnreadTopicsAreMerged(t *testing.T) {
	t.Parallel()
	h := newHub(time.Now)
	l, ok := h.join()
	if !ok {
		t.Fatal("the first listener was refused")
	}
	for i := range 10_000 {
		h.notify(topicJobs)
		h.notify(topicJobPrefix + fmt.Sprint(i))
	}
	h.notify(topicAudit)
	topics := l.take()
	if len(topics) > maxNamedJobs+3 || topics[0] != topicAudit {
		t.Errorf("%d topics are pending: %.3v", len(topics), topics)
	}
	if !slices.Contains(topics, topicAnyJob) {
		t.Error("the pages of jobs that the message does not name do not learn that theirs has changed")
	}
	if again := l.take(); len(again) != 0 {
		t.Errorf("the same topics were returned again: %v", again)
	}
	for range maxListeners - 1 {
		h.join()
	}
	if _, ok := h.join(); ok {
		t.Error("more than maxListeners pages may listen")
	}
	h.leave(l)
	if _, ok := h.join(); !ok {
		t.Error("no page may listen after another one has left")
	}
	h.close()
	if _, ok := h.join(); ok {
		t.Error("a page may listen after the hub was closed")
	}
}

// A slow value is loaded during at most a tenth of the time, however often it is requested.
func TestCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const cost = time.Second
		loads := 0
		c := newCache(func(context.Context) (int, error) {
			time.Sleep(cost)
			loads++
			return loads, nil
		})
		for range 600 {
			c.invalidate()
			if _, err := c.get(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if loads < 5 || loads > 7 {
			t.Errorf("the value was loaded %d times in a minute", loads)
		}
		time.Sleep(cacheAge + time.Second)
		before := loads
		if now, _ := c.get(t.Context()); now == before {
			t.Error("an old value was not loaded again")
		}
	})
}

// A request that waits for another request's load ends with its own context.
func TestCacheWaitEndsWithContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		finish := make(chan struct{})
		c := newCache(func(context.Context) (int, error) { <-finish; return 1, nil })
		go func() { _, _ = c.get(t.Context()) }()
		synctest.Wait() // the first request loads
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.get(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the second request returned %v, want the end of its context", err)
		}
		close(finish)
		if value, err := c.get(t.Context()); value != 1 || err != nil {
			t.Errorf("after the load: %d, %v", value, err)
		}
	})
}

// A worker that no longer answers is listed as gone for a day, after those that answer.
func TestRoster(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r := newRoster(nil, time.Now, nil)
	r.update([]presence.Answer{{Worker: "a"}, {Worker: "b", Version: "1.0.0"}}, nil, start)
	now := r.update([]presence.Answer{{Worker: "b"}, {Worker: "c"}}, nil, start.Add(time.Hour))
	if len(now) != 3 || now[0].Name != "b" || now[0].Version != "" || now[2].Name != "a" || !now[2].Gone || !now[2].Heard.Equal(start) || now[1].Gone {
		t.Errorf("the workers are %+v", now)
	}
	if stopped := r.update(nil, map[string]time.Time{"c": start.Add(time.Hour - time.Second), "a": start.Add(-time.Minute)}, start.Add(time.Hour)); !stopped[2].Stopped || stopped[0].Stopped {
		t.Errorf("the worker c has left, and a had left before: %+v", stopped)
	}
	if now := r.update([]presence.Answer{{Worker: "b"}}, nil, start.Add(25*time.Hour)); len(now) != 2 || now[1].Name != "c" || !now[1].Gone {
		t.Errorf("a day later they are %+v", now)
	}
	next := newRoster(nil, time.Now, nil) // of another process
	next.update([]presence.Answer{{Worker: "d"}}, nil, start.Add(26*time.Hour))
	next.fill(r.stored(start))
	if now := next.update([]presence.Answer{{Worker: "d"}}, nil, start.Add(26*time.Hour)); len(now) != 2 || now[0].Name != "d" || now[1].Name != "b" || !now[1].Gone {
		t.Errorf("after a restart they are %+v", now)
	}
}

func TestDifferentFilesAreAProblem(t *testing.T) {
	t.Parallel()
	o := overview{}
	o.addDifferences([]presence.Difference{{Task: "rules", Leader: "a", Workers: []string{"b"}}})
	if len(o.Problems) != 1 || o.Problems[0].Level != "warn" || o.Problems[0].About != "rules.files has other files on b than on a, and only those on a count" {
		t.Errorf("the overview says %+v", o.Problems)
	}
}
