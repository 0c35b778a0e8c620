package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"usher"
	"usher/hashing"
	"usher/pipeline"
)

// TestRefusedBatch tests how refused batches are halved. All batches together have 100 ids.
func TestRefusedBatch(t *testing.T) {
	t.Parallel()
	all := func(_ int, _ []string) error { return refusedAs("E1") }
	for name, test := range map[string]struct {
		batch    int
		answer   func(request int, digests []string) error
		requests int
		accepted int64
		refused  usher.Counts
		ends     bool // whether the job ends refused
	}{
		"one bad id": {
			batch:    100,
			answer:   badIDs("E1", 17),
			requests: 1 + 2*7, accepted: 99, refused: usher.Counts{"E1": 1}, // 100, 50, 25, 13, 6, 3, 2, 1
		},
		"three bad ids": {
			batch: 128, answer: badIDs("E1", 0, 30, 31),
			requests: 1 + 2*(1+1+2+2+3+3+1), accepted: 97, refused: usher.Counts{"E1": 3},
		},
		"all, with one code": {
			batch: 100, answer: all,
			requests: 3, refused: usher.Counts{"E1": 100},
		},
		"all, without a code": {
			batch: 100, answer: func(int, []string) error { return refusedAs("") },
			requests: 3, refused: usher.Counts{"unknown": 100},
		},
		"both halves, with different codes": {
			batch: 4,
			answer: func(_ int, digests []string) error {
				if slices.Contains(digests, digestOf(0)) {
					return refusedAs("E1")
				}
				return refusedAs("E2")
			},
			// The first batch: whole E1, halves E1 and E2, four single ids. The next
			// two: whole and halves E2. Two in a row end the job.
			requests: 7 + 3 + 3, refused: usher.Counts{"E1": 1, "E2": 11}, ends: true,
		},
		"every fourth id": {
			batch: 100,
			answer: func(_ int, digests []string) error {
				for i := range 25 {
					if containsAny(digests, 4*i) {
						return refusedAs("E1")
					}
				}
				return nil
			},
			// Both halves are refused with the same code, so the batch is given up.
			requests: 3, refused: usher.Counts{"E1": 100},
		},
		"two batches in a row": {
			batch: 50, answer: all,
			requests: 6, refused: usher.Counts{"E1": 100}, ends: true,
		},
		"two batches, not in a row": {
			batch: 30,
			answer: func(_ int, digests []string) error {
				if containsAny(digests, ints(30, 60)...) {
					return nil
				}
				return refusedAs("E1")
			},
			requests: 3 + 1 + 3 + 3, accepted: 30, refused: usher.Counts{"E1": 70}, ends: true, // the third and the fourth
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &receiver{answer: test.answer, warn: "W1"}
			o := r.options()
			o.BatchIDs, o.InFlight, o.MaxRejectPercent = test.batch, 1, 100
			c, err := pipeline.Upload(t.Context(), blocksOf(ids(0, 100), 10), o)
			checkTally(t, c)
			var p *usher.Permanent
			if ended := errors.As(err, &p) && p.Class == usher.Refused; ended != test.ends || (err != nil && !ended) {
				t.Errorf("error %v, want the job to end refused: %v", err, test.ends)
			}
			got := c.Tally
			if len(r.requests) != test.requests || got.Accepted != test.accepted || !sameCounts(got.Refused, test.refused) {
				t.Errorf("%d requests, tally %+v, want %d with %d accepted and %v refused", len(r.requests), got, test.requests, test.accepted, test.refused)
			}
			if estimate := pipeline.Distinct(c.Sketch); estimate != test.accepted && estimate < test.accepted-5 || estimate > test.accepted+5 {
				t.Errorf("%d distinct ids estimated of %d accepted", estimate, test.accepted)
			}
			if test.accepted > 0 && (len(c.Warnings) != 1 || c.Warnings[0].Code != "W1") {
				t.Errorf("warnings %v", c.Warnings)
			}
		})
	}
}

// A platform that has refused single ids, and taken the others, is not asked again: each id is counted
// and passed on as what became of it, also if the request is a half, or another attempt.
func TestRefusedOneByOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer   func(request int, digests []string) error
		requests int
	}{
		"at once":            {nil, 5},
		"in another attempt": {func(request int, _ []string) error { return map[int]error{1: unavailable(), 3: unavailable()}[request] }, 7},
		"in halves": {func(_ int, digests []string) error {
			if len(digests) == 20 && containsAny(digests, 5) {
				return refusedAs("E1")
			}
			return nil
		}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				bad := map[string]string{digestOf(0): "E1", digestOf(5): "E2", digestOf(6): "E2", digestOf(19): "E1", digestOf(50): "E1", digestOf(99): "E3"}
				r := &receiver{answer: c.answer}
				o := r.options()
				o.BatchIDs, o.InFlight = 20, 1
				o.Send = func(ctx context.Context, b *usher.Batch) error {
					for at, digest := range strings.Split(textOf(b), ",") {
						if code, refused := bad[digest]; refused {
							b.Refused = append(b.Refused, usher.RefusedDigest{At: at, Why: &usher.Permanent{Class: usher.Refused, Code: code, Err: errors.New("no")}})
						}
					}
					return r.send(ctx, b)
				}
				outcomes := map[bool][]string{}
				o.Outcome = func(_ context.Context, digests []hashing.Digest, accepted bool) error {
					for _, d := range digests {
						outcomes[accepted] = append(outcomes[accepted], d.String())
					}
					return nil
				}
				got := upload(t, ids(0, 100), o)
				if got.Tally.Accepted != 94 || !sameCounts(got.Tally.Refused, usher.Counts{"E1": 3, "E2": 2, "E3": 1}) || got.Refusal.GivenUp != 0 {
					t.Errorf("tally %+v, refusal %+v", got.Tally, got.Refusal)
				}
				if len(r.requests) != c.requests {
					t.Errorf("%d requests, want %d", len(r.requests), c.requests)
				}
				for _, digest := range outcomes[true] {
					if bad[digest] != "" {
						t.Errorf("%s counts as accepted", digest)
					}
				}
				if len(outcomes[true]) != 94 || len(outcomes[false]) != 6 {
					t.Errorf("outcomes %v", outcomes)
				}
			})
		})
	}
}

func badIDs(code string, bad ...int) func(int, []string) error {
	return func(_ int, digests []string) error {
		if containsAny(digests, bad...) {
			return refusedAs(code)
		}
		return nil
	}
}

func ints(from, to int) []int {
	var all []int
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func sameCounts(a, b usher.Counts) bool {
	if len(a) != len(b) {
		return false
	}
	for k, n := range a {
		if b[k] != n {
			return false
		}
	}
	return true
}

// TestRefusedBudget tests that a batch is sent in at most 64 requests.
func TestRefusedBudget(t *testing.T) {
	t.Parallel()
	// 20 bad ids are spread over the first half of 1,024; the second half is accepted.
	var bad []int
	for i := range 20 {
		bad = append(bad, 25*i)
	}
	r := &receiver{answer: badIDs("E1", bad...)}
	o := r.options()
	o.BatchIDs, o.MaxRejectPercent = 1024, 100
	c := upload(t, ids(0, 1024), o)
	if len(r.requests) != 64 {
		t.Errorf("%d requests, want 64", len(r.requests))
	}
	if n := c.Tally.Refused["E1"]; n < 20 || n >= 512 || c.Tally.Accepted != 1024-n {
		t.Errorf("tally %+v", c.Tally)
	}
	for _, n := range bad {
		if r.got[digestOf(n)] != 0 {
			t.Errorf("id %d was accepted", n)
		}
	}
}

// A request that is lost may arrive late, also if it was of a half and another attempt was answered: the
// requests with which it was allowed are then not certain to have arrived.
func TestRequestLostInHalves(t *testing.T) {
	t.Parallel()
	lost := func(at ...int) func(int, []string) error {
		return func(request int, digests []string) error {
			if slices.Contains(at, request) {
				return unavailable()
			}
			return badIDs("E1", 3)(request, digests)
		}
	}
	for name, c := range map[string]struct {
		answer func(int, []string) error
		want   []bool
	}{
		"no request":            {lost(), []bool{true}},
		"the whole batch":       {lost(1), []bool{false, true}}, // each attempt is allowed
		"a half":                {lost(2), []bool{false}},
		"a half of a half":      {lost(5), []bool{false}},
		"a half, and the batch": {lost(1, 3), []bool{false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := &receiver{answer: c.answer}
				o := r.options()
				var arrived []bool
				o.Screen = func(context.Context) (*pipeline.Suppression, func(bool), error) {
					return nil, func(certain bool) { arrived = append(arrived, certain) }, nil
				}
				if tally := upload(t, ids(0, 8), o).Tally; tally.Accepted != 7 || tally.Refused["E1"] != 1 {
					t.Errorf("tally %+v", tally)
				}
				if !slices.Equal(arrived, c.want) {
					t.Errorf("certain to have arrived: %v, want %v", arrived, c.want)
				}
			})
		})
	}
}

// TestRefusedThenBroken tests that a batch counts only when all its pieces are
// acknowledged.
func TestRefusedThenBroken(t *testing.T) {
	t.Parallel()
	forbidden := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("the platform forbids it")}
	r := &receiver{answer: func(request int, digests []string) error {
		switch {
		case request == 3:
			return forbidden
		case containsAny(digests, 3):
			return refusedAs("E1")
		}
		return nil
	}}
	o := r.options()
	c, err := pipeline.Upload(t.Context(), blocksOf(ids(0, 100), 10), o)
	if !errors.Is(err, forbidden) || c.Batches != 0 || c.Tally.Read != 0 {
		t.Errorf("error %v, checkpoint %+v", err, c)
	}
}

// TestRefusalCodes tests that the keys of the tally are few, short and printable for any
// codes of the platform, and that all rows are counted.
func TestRefusalCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"":                              "unknown",
		" \n":                           "unknown",
		"E10059":                        "E10059",
		"a\x00b c\u202e":                "a_b_c_",
		"\xff\xfe!":                     "__!",
		strings.Repeat("x", 5000) + "y": strings.Repeat("x", 40),
	} {
		r := &receiver{answer: func(int, []string) error { return refusedAs(code) }}
		o := r.options()
		o.MaxRejectPercent = 100
		if c := upload(t, ids(0, 100), o); !sameCounts(c.Tally.Refused, usher.Counts{want: 100}) {
			t.Errorf("%.20q: %v", code, c.Tally.Refused)
		}
	}
	n := 0
	r := &receiver{answer: func(int, []string) error { n++; return refusedAs(fmt.Sprint("E", n)) }}
	o := r.options()
	o.BatchIDs, o.MaxRejectPercent, o.InFlight = 10, 100, 1
	c := upload(t, ids(0, 500), o)
	if len(c.Tally.Refused) != 31 || c.Tally.Refused["other"] != 470 {
		t.Errorf("%d codes: %v", len(c.Tally.Refused), c.Tally.Refused)
	}
}

// TestRefusedSaysWhy tests that a job with a single refused batch ends too_many_rejects,
// with the message of the platform.
func TestRefusedSaysWhy(t *testing.T) {
	t.Parallel()
	r := &receiver{answer: func(int, []string) error { return refusedAs("E1") }}
	_, err := pipeline.Upload(t.Context(), blocksOf(ids(0, 100), 10), r.options())
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Class != usher.TooManyRejects || !strings.Contains(err.Error(), "the platform says E1") || strings.Contains(p.Hint, "profile") {
		t.Errorf("error %v, %+v", err, p)
	}
}
