package differential_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// byPreview compares what preview decides.
func (c *trial) byPreview(path string) {
	var report struct{ Decisions []printed }
	if stderr, ok := c.run(&report, "rules", "preview", path, "--as-of", dateOf(c.day), "--json"); !ok {
		c.t.Errorf("preview: %s", stderr)
		return
	}
	r := newRun(c.file, c.account)
	r.day, r.at = c.day, c.account.begin(c.day+1)
	c.equal("preview", r.decide(), report.Decisions, false)
}

// byBacktest compares four days of a backtest.
func (c *trial) byBacktest(path string) {
	var report struct{ Decisions []printed }
	if stderr, ok := c.run(&report, "rules", "backtest", path, "--from", dateOf(c.day), "--to", dateOf(c.day+3), "--json"); !ok {
		c.t.Errorf("backtest: %s", stderr)
		return
	}
	r := newRun(c.file, c.account)
	r.isBacktest, r.due = true, r.isDueToday
	for r.day = c.day; r.day <= c.day+3; r.day++ {
		r.at = c.account.begin(r.day + 1)
		want := r.decide()
		today := slices.DeleteFunc(slices.Clone(report.Decisions), func(d printed) bool { return d.Date != dateOf(r.day) })
		c.equal("backtest of "+dateOf(r.day), want, today, false)
		r.carryOut(want, false)
	}
}

// byTests writes what the evaluator decides as test cases.
func (c *trial) byTests(text string) {
	for _, r := range c.file.rules {
		if r.reads("spendRate") || r.reads("pacing") || r.reads("projectedSpend") {
			return // a test case has no hours that have passed
		}
	}
	text += "tests:\n"
	cases := 0
	for range 6 {
		campaign := pick(c.drawer, c.account.campaigns...)
		creative := c.account.creatives[campaign][0]
		kind, age := pick(c.drawer, anyType, "IMAGE", "VIDEO"), pick(c.drawer, 90, 90, 2, 5)
		r := newRun(c.file, &account{
			code: c.account.code, zone: c.account.zone, begins: c.account.begins, campaigns: []string{campaign}, creatives: map[string][]string{campaign: {creative}}, types: map[string]string{creative: kind},
		})
		r.day, r.flat, r.flatBefore, r.flatAge = c.day, c.row(), c.row(), float64(age)
		for _, values := range []row{r.flat, r.flatBefore} {
			if len(values) > 0 && !c.chance(4) {
				values[installs] = float64(c.IntN(12))
			}
		}
		clock := 24
		if c.chance(2) {
			clock = pick(c.drawer, 0, 6, 9, 14, 22)
		}
		if r.at = c.account.begin(c.day + 1); clock < 24 {
			date := time.Unix(int64(c.day)*86_400, 0).UTC()
			r.at = time.Date(date.Year(), date.Month(), date.Day(), clock, 0, 0, 0, c.account.zone)
			if r.at.Hour() != clock {
				continue // the clock does not show this time on the day
			}
		}
		by := ""
		for _, each := range c.file.rules {
			if (each.resume != nil || each.hours != nil) && c.chance(2) {
				by = each.name
			}
		}
		line := fmt.Sprintf("campaign: %s, creative: %s, age: %dd, date: %s, metrics: %s, previous: %s", campaign, creative, age, dateOf(c.day), r.flat, r.flatBefore)
		if clock < 24 {
			line += fmt.Sprintf(", at: \"%02d:00\"", clock)
		}
		if kind != anyType {
			line += ", type: " + kind
		}
		if by != "" {
			r.status[creative], r.owner[creative] = "INACTIVE", c.file.name+"/"+by
			line += ", paused_by: " + by
		}
		want, inScope := r.decide()[creative]
		if !inScope || len(r.flat) == 0 || len(r.flatBefore) == 0 {
			continue
		}
		cases++
		text += fmt.Sprintf("  - {%s, expect: %s, rule: %s}\n", line, want.action, want.rule)
	}
	if cases == 0 {
		return
	}
	path := c.write(c.name+"-tests", text)
	defer os.Remove(path)
	var results []struct {
		Passed  bool
		Line    int
		Message string
	}
	if stderr, _ := c.run(&results, "rules", "test", path, "--json"); len(results) != cases {
		c.t.Errorf("rules test: %s", stderr)
	}
	for _, result := range results {
		c.decided++
		if !result.Passed {
			c.t.Errorf("rules test, line %d: %s\n%s", result.Line, result.Message, text)
		}
	}
}

// String returns the row in the syntax of YAML.
func (r row) String() string {
	data, err := json.Marshal(map[string]float64(r))
	if err != nil {
		return err.Error()
	}
	return string(data)
}
