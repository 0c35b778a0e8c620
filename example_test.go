package usher_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"usher"
)

// The body of a message on usher.jobs.segment.add.
func ExampleJob() {
	job := usher.Job{
		ID: "crm-2026-03-01", Segment: "1",
		Profile: &usher.Profile{Type: usher.IDFA},
		Source:  &usher.Source{URL: "file:///exports/2026-03-01.csv"},
	}
	body, err := json.Marshal(job)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(body))
	fmt.Println(job.Target(usher.SegmentAdd))
	// Output:
	// {"id":"crm-2026-03-01","segment":"1","profile":"idfa","source":{"url":"file:///exports/2026-03-01.csv"}}
	// segment 1
}

func ExampleProfile_Resolved() {
	for _, profile := range []usher.Profile{{Type: usher.IDFA}, {Type: usher.AAID}, {Type: usher.AAID, Case: usher.Upper}} {
		r := profile.Resolved()
		fmt.Println(profile, r.Case, *r.Hyphens)
	}
	// Output:
	// idfa upper true
	// aaid lower true
	// aaid/upper/hyphens upper true
}

func ExampleTally_Check() {
	t := usher.Tally{Read: 5, Accepted: 3, Junk: usher.Counts{usher.ZeroID: 2}}
	fmt.Println(t.Check())
	t.Accepted--
	fmt.Println(t.Check() != nil)
	// Output:
	// <nil>
	// true
}

func ExampleRetryAfter() {
	err := fmt.Errorf("upload batch 7: %w", &usher.RetryAfter{After: time.Second, Why: "rate limit"})
	var later *usher.RetryAfter
	if errors.As(err, &later) {
		fmt.Println(later.Why, later.After)
	}
	// Output: rate limit 1s
}
