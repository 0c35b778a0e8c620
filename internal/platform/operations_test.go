package platform

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
)

// An operation fails and works again by its own calls only, with hysteresis.
func TestOperations(t *testing.T) {
	t.Parallel()
	down := &usher.Unavailable{Err: &rtb.Fault{Status: 503}}
	for _, c := range []struct {
		name  string
		calls string // x fails, o succeeds, O succeeds for another worker, ~ is cancelled, . is a minute without a call
		fails bool
	}{
		{"one failure", "oooxo", false},
		{"two in a row", "xx", false},
		{"three in a row", "xxx", true},
		{"one that comes back every third call", "xxoxxoxxoxxo", true},
		{"every other call", "xoxoxoxoxo", true},
		{"it works once", "xxxo", true},
		{"it works once, and nothing fails for a minute", "xxxo.", false},
		{"it works three times", "xxxooo", false},
		{"it works for another worker, and nothing fails for a minute", "xxxO.", false},
		{"it works for another worker, but not here", "xxxO.x", true},
		{"it worked for another worker before", "Oxxx.", true},
		{"it fails again", "xxxoooxxx", true},
		{"old failures do not count twice", "xxxooox", false},
		{"cancelled calls", "xx~~x", true},
		{"not called for ten minutes", "xxx...........", false},
		{"called again after that", "xxx...........x", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
			s := newOperations(func() time.Time { return now }, slog.New(slog.DiscardHandler))
			for _, call := range c.calls {
				now = now.Add(time.Second)
				switch call {
				case 'x':
					s.observe(rtb.Outcome{Op: "campaigns.set-status", Status: 503, Err: down})
				case 'o':
					s.observe(rtb.Outcome{Op: "campaigns.set-status", Status: 200})
				case 'O':
					s.observeOther(map[string]time.Time{"campaigns.set-status": now})
				case '~':
					s.observe(rtb.Outcome{Op: "campaigns.set-status", Err: context.Canceled})
				default:
					now = now.Add(time.Minute)
				}
				s.observe(rtb.Outcome{Op: "segments.list", Status: 200}) // says nothing of the other
			}
			failing := s.failing()
			if (len(failing) > 0) != c.fails || c.fails && failing[0].Operation != "campaigns.set-status" {
				t.Errorf("failing are %+v", failing)
			}
			if up, known := s.states()["campaigns.set-status"]; up == c.fails && known {
				t.Errorf("its state is up: %t", up)
			}
		})
	}
}

// An operation that fails here again, after it has worked for another worker, fails since then.
func TestFailsSince(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
	s := newOperations(func() time.Time { return now }, slog.New(slog.DiscardHandler))
	fail := func() {
		s.observe(rtb.Outcome{Op: "segments.upload", Status: 503, Err: &usher.Unavailable{Err: &rtb.Fault{Status: 503}}})
	}
	since := func(want time.Time) {
		t.Helper()
		if failing := s.failing(); len(failing) != 1 || !failing[0].Since.Equal(want) {
			t.Errorf("failing are %+v, want one since %s", failing, want)
		}
	}
	first := now
	for range 3 {
		fail()
		now = now.Add(time.Second)
	}
	since(first)
	s.observeOther(map[string]time.Time{"segments.upload": now})
	now = now.Add(7 * time.Minute)
	again := now
	fail()
	since(again)
	now = now.Add(time.Second)
	fail()
	since(again)
}

// An operation fails while a call waits for its answer for long, unless a call that was answered since
// then has succeeded, here or for another worker, and as long as such calls fail.
func TestHangs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		calls string // s is sent, x the oldest one fails, o it succeeds, n a new one succeeds at once, O one of another worker does; each takes ten seconds
		since int    // the seconds from the beginning since which it fails; -1: it does not
	}{
		{"it waits for a while", "s.", -1},
		{"it waits for long", "s...", 0},
		{"several wait for long", "ss...", 0},
		{"others are answered", "s...n", -1},
		{"others are answered for another worker", "s...O", -1},
		{"others were answered before", "ns...", 10},
		{"it is answered late", "s....o", -1},
		{"it fails at last", "s.....x", 0},
		{"the next one waits", "s.....xs", 0},
		{"the next one waits for long", "s.....xs....", 0},
		{"the next one is answered", "s.....xso", 0},
		{"it fails at last, but others were answered", "s...n..x", -1},
		{"it failed fast", "sx......", -1},
		{"one is answered a minute after the last failure", "s.....x......so", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			begin := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
			now := begin
			s := newOperations(func() time.Time { return now }, slog.New(slog.DiscardHandler))
			var waiting []func(error)
			send := func() {
				sent, ended := now, s.await("segments.upload")
				waiting = append(waiting, func(err error) {
					s.observe(rtb.Outcome{Op: "segments.upload", Err: err, Duration: now.Sub(sent)})
					ended()
				})
			}
			answer := func(err error) {
				waiting[0](err)
				waiting = waiting[1:]
			}
			for _, call := range c.calls {
				switch call {
				case 's':
					send()
				case 'x':
					answer(&usher.Unavailable{Err: errors.New("no answer")})
				case 'o':
					answer(nil)
				case 'n':
					s.observe(rtb.Outcome{Op: "segments.upload", Status: 200})
				case 'O':
					s.observeOther(map[string]time.Time{"segments.upload": now})
				}
				now = now.Add(10 * time.Second)
			}
			failing := s.failing()
			if (len(failing) > 0) != (c.since >= 0) {
				t.Fatalf("failing are %+v", failing)
			}
			if len(failing) > 0 && !failing[0].Since.Equal(begin.Add(time.Duration(c.since)*time.Second)) {
				t.Errorf("it fails since %s after the beginning, want %d s", failing[0].Since.Sub(begin), c.since)
			}
		})
	}
}

// After a probe has closed the breaker, the platform counts as up when a call succeeds, or none has
// failed for a minute. A refusal is an answer.
func TestProbeProvesNothing(t *testing.T) {
	t.Parallel()
	down := &usher.Unavailable{Err: errors.New("no answer")}
	b := NewBreaker(nil, time.Minute, time.Now, slog.New(slog.DiscardHandler))
	open := func() {
		for range failuresToOpen {
			b.Observe(down, false)
		}
	}
	open()
	b.close()
	if b.Open() || b.Up() {
		t.Errorf("after a probe, the breaker is open: %t, and the platform is up: %t", b.Open(), b.Up())
	}
	b.Observe(down, false)
	b.Observe(nil, false)
	if !b.Up() {
		t.Error("after a call that succeeded, the platform is not up")
	}
	open()
	b.close()
	b.unproven = b.unproven.Add(-calmFor)
	if !b.Up() {
		t.Error("a minute without a failure after a probe, the platform is not up")
	}
}

// What a gateway sends with status 200 or 404 is not counted by its status.
func TestStatusOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		down   bool
		want   string
	}{
		{200, false, "200"}, {200, true, "unreadable"}, {404, false, "404"}, {404, true, "unreadable"}, {502, true, "502"}, {0, true, "0"},
	} {
		o := rtb.Outcome{Status: c.status}
		if c.down {
			o.Err = &usher.Unavailable{Err: &rtb.Fault{Status: c.status}}
		}
		if got := statusOf(o); got != c.want {
			t.Errorf("status %d, down %t: %s, want %s", c.status, c.down, got, c.want)
		}
	}
}
