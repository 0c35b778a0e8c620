package demo

import (
	"testing"

	"usher"
)

func TestExpectationRefusesOtherTallies(t *testing.T) {
	t.Parallel()
	b := expectation{rows: 10, ids: 7, junk: usher.Counts{usher.ZeroID: 2}, invalid: usher.Counts{usher.Shape: 1}, members: fingerprint{count: 5}}
	right := func() usher.Tally {
		return usher.Tally{Read: 10, Accepted: 5, Duplicate: 2, Junk: usher.Counts{usher.ZeroID: 2}, Invalid: usher.Counts{usher.Shape: 1}}
	}
	if err := b.check(right()); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string]func(*usher.Tally){
		"a row lost":         func(t *usher.Tally) { t.Read, t.Accepted = 9, 4 },
		"an id lost":         func(t *usher.Tally) { t.Accepted, t.Duplicate = 4, 3 },
		"an id made up":      func(t *usher.Tally) { t.Accepted, t.Junk = 6, usher.Counts{usher.ZeroID: 1} },
		"another reason":     func(t *usher.Tally) { t.Junk = usher.Counts{usher.Macro: 2} },
		"an id refused":      func(t *usher.Tally) { t.Refused, t.Accepted = usher.Counts{"E1": 1}, 4 },
		"invalid as a shape": func(t *usher.Tally) { t.Invalid = usher.Counts{usher.SHA1: 1} },
		"does not add up":    func(t *usher.Tally) { t.Suppressed = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tally := right()
			wrong(&tally)
			if b.check(tally) == nil {
				t.Errorf("%+v passed", tally)
			}
		})
	}
}
