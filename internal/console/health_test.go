package console

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues/store"
)

// A service that responds late once is not lost: its routes go on answering. One that is late twice in a row is
// lost since the first time, and one that refuses is lost at once.
func TestLateOnceIsNotLost(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC)
	refused := errors.New("not connected")
	silent := errors.New("connected, but without a response")
	type check struct {
		err  error
		late bool
	}
	for name, c := range map[string]struct {
		checks []check
		lost   bool
		since  int
	}{
		"well":                   {[]check{{nil, false}}, false, 0},
		"late once":              {[]check{{nil, false}, {silent, true}}, false, 0},
		"late, well, late":       {[]check{{silent, true}, {nil, false}, {silent, true}}, false, 0},
		"late twice":             {[]check{{nil, false}, {silent, true}, {silent, true}, {silent, true}}, true, 1},
		"refuses":                {[]check{{nil, false}, {refused, false}, {refused, false}}, true, 1},
		"late, refuses":          {[]check{{silent, true}, {refused, false}}, true, 0},
		"refuses, late, is well": {[]check{{refused, false}, {silent, true}, {nil, true}}, false, 0},
	} {
		s := service{Name: "NATS", OK: true, bit: needsNATS}
		for i, one := range c.checks {
			s = s.after(one.err, one.late, at.Add(time.Duration(i)*time.Second))
		}
		h := health{Services: []service{s}}
		if lost := h.lost(needsNATS) != nil; lost != c.lost || s.OK == lost || lost && !s.Since.Equal(at.Add(time.Duration(c.since)*time.Second)) {
			t.Errorf("%s: it is lost: %t, and the state is %+v", name, lost, s)
		}
	}
}

// A service that refuses the login is not one that does not respond.
func TestRefusedLogins(t *testing.T) {
	t.Parallel()
	for service, err := range map[string]error{"NATS": store.ErrLogin, "Redis": usher.ErrRedisLogin, "Platform": usher.ErrUnauthorized} {
		if loss := lossOf(service, fmt.Errorf("try: %w", err)); !strings.Contains(loss.says, "refuses usher's login") || !strings.Contains(loss.hint, "password") {
			t.Errorf("%s: %+v", service, loss)
		}
	}
}
