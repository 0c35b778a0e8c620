package faults_test

import (
	"maps"
	"time"
)

// answers are the faulty responses of the platform. Each lasts for some requests.
func answers() []kind {
	order := func(name string, times int, fields map[string]any) kind {
		return kind{name: "platform: " + name, inject: func(c *cycle) (fault, error) {
			request := map[string]any{"op": "*", "times": times}
			maps.Copy(request, fields)
			var ordered struct {
				ID int64 `json:"id"`
			}
			if err := c.site.control("POST", "faults", request, &ordered); err != nil {
				return fault{}, err
			}
			return fault{missed: func() string { return c.whyMissed(ordered.ID) }, heal: func() error {
				return c.site.control("DELETE", "faults", nil, nil)
			}, hold: 3 * time.Second}, nil
		}}
	}
	return []kind{
		order("401", 3, map[string]any{"kind": "status", "status": 401}),
		order("429", 3, map[string]any{"kind": "status", "status": 429, "retryAfter": 1}),
		order("500", 8, map[string]any{"kind": "status", "status": 500}),
		order("503 for a while", 400, map[string]any{"kind": "status", "status": 503}),
		order("reset before the request", 4, map[string]any{"kind": "reset_before"}),
		order("reset after the request", 4, map[string]any{"kind": "reset_after"}),
		order("slow", 4, map[string]any{"kind": "slow", "delayMs": 3_000}),
		order("late", 4, map[string]any{"kind": "late", "delayMs": 2_000}),
		order("broken JSON", 4, map[string]any{"kind": "broken_json"}),
		{name: "platform: 503 of one operation", inject: func(c *cycle) (fault, error) {
			op := oneOf(c.random, "campaigns.lock", "creatives.set-status", "segments.upload")
			f, err := order("", 100_000, map[string]any{"op": op, "kind": "status", "status": 503}).inject(c)
			if err != nil {
				return fault{}, err
			}
			needs := c.jobs.urgent()
			if op == "segments.upload" {
				needs = c.jobs.inline(5)
			}
			c.add(needs)
			f.during = func() error {
				if err := c.site.named("platform", op); err != nil {
					return err
				}
				if op == "segments.upload" {
					return c.pauses()
				}
				return nil
			}
			return f, nil
		}},
	}
}

// whyMissed returns why a fault of the sandbox did not hit, or "".
func (c *cycle) whyMissed(id int64) string {
	var all []struct {
		ID   int64 `json:"id"`
		Made int   `json:"made"`
	}
	if err := c.site.control("GET", "faults", nil, &all); err != nil {
		return err.Error()
	}
	for _, f := range all {
		if f.ID == id && f.Made > 0 {
			return ""
		}
	}
	return "the platform received no request for the fault to hit"
}
