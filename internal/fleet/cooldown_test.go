package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"usher"
)

func TestCooldownGrowsWithEachRefusal(t *testing.T) {
	t.Parallel()
	c := newCooldown()
	refuse := func(n int) (lengths []time.Duration) {
		for range n {
			length, answered := c.begin(errors.New("wrong password"))
			if !answered {
				t.Error("the refusal does not count as an answer")
			}
			lengths = append(lengths, length/time.Second)
		}
		return lengths
	}
	if got := refuse(7); !slices.Equal(got, []time.Duration{2, 4, 8, 16, 32, 60, 60}) {
		t.Errorf("the cooldowns are %v seconds", got)
	}
	c.end()
	if err := c.check(); err != nil {
		t.Errorf("after a successful login: %v", err)
	}
	if got := refuse(2); !slices.Equal(got, []time.Duration{2, 4}) {
		t.Errorf("after a successful login the cooldowns are %v seconds", got)
	}
}

func TestCooldownByError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err      error
		length   time.Duration
		answered bool
	}{
		{&usher.Unavailable{Err: errors.New("connection refused")}, time.Second, false},
		{fmt.Errorf("log in: %w", context.DeadlineExceeded), time.Second, false},
		{&usher.RetryAfter{After: 10 * time.Second}, 10 * time.Second, true},
		{&usher.RetryAfter{After: time.Hour}, time.Minute, true},
	} {
		if length, answered := newCooldown().begin(test.err); length != test.length || answered != test.answered {
			t.Errorf("%v: %v, %t", test.err, length, answered)
		}
	}
}
