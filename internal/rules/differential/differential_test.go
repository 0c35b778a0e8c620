package differential_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestDifferential compares what the command decides with the evaluator of this package, on
// random rule files and reports, in five ways: rules test, preview, backtest, and runs by
// time and by events. Set USHER_TEST_RULE_FILES=2000 for that many files, and
// USHER_TEST_RULE_SEED to repeat a failure.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("starts usher dev")
	}
	t.Parallel()
	files, seed := number(t, "USHER_TEST_RULE_FILES", 36), number(t, "USHER_TEST_RULE_SEED", int(time.Now().Unix()))
	t.Logf("USHER_TEST_RULE_SEED=%d", seed)
	u := startUsher(t)
	var next, valid, decided, changes atomic.Int64
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for n := int(next.Add(1)); n <= files && !t.Failed(); n = int(next.Add(1)) {
				d := &drawer{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(n))), today: n%3 == 0}
				c := &trial{usher: u, drawer: d, name: fmt.Sprintf("T%d", n)}
				if c.compare() {
					valid.Add(1)
				}
				decided.Add(int64(c.decided))
				changes.Add(int64(c.changes))
			}
		})
	}
	workers.Wait()
	if v := int(valid.Load()); v < files*2/3 {
		t.Errorf("only %d of %d files are valid", v, files)
	}
	if decided, changes := decided.Load(), changes.Load(); changes < decided/20 {
		t.Errorf("only %d of %d decisions change something or are held", changes, decided)
	}
	t.Logf("%d of %d files are valid; %d decisions are equal, %d of which change something or are held", valid.Load(), files, decided.Load(), changes.Load())
}

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// trial is the comparison of one file.
type trial struct {
	*usher
	*drawer
	name    string
	file    *file
	account *account
	day     int
	decided int
	changes int // decisions that change something, or are held
}

// compare compares all ways. It reports whether the file is valid.
func (c *trial) compare() bool {
	c.day = int(time.Now().Unix() / 86_400) // events are of today
	if !c.today {
		c.day = int(time.Date(2014, 4, 1+c.IntN(60), 0, 0, 0, 0, time.UTC).Unix() / 86_400)
	}
	c.file, c.account = c.drawer.file(c.name, c.day), c.drawer.account(c.name, c.day+3)
	text := c.file.String()
	path := c.write(c.name, text)
	defer os.Remove(path)
	var checked []struct{ Valid bool }
	if _, ok := c.run(&checked, "rules", "check", path, "--json"); !ok {
		return false
	}
	c.platform.add(c.account)
	c.byPreview(path)
	c.byBacktest(path)
	c.byTests(text)
	if c.today {
		c.byEvent()
	} else {
		c.byTicks()
	}
	return true
}

// equal fails the test unless the decisions are those of the evaluator. If changes is set,
// decisions that neither want nor hold a change are left out.
func (c *trial) equal(way string, want map[string]decision, got []printed, changes bool) {
	c.t.Helper()
	found := map[string]string{}
	for _, d := range got {
		if d.Creative != "" {
			found[d.Creative] = d.outcome()
		}
	}
	for _, campaign := range c.account.campaigns {
		for _, creative := range c.account.creatives[campaign] {
			wanted, has := want[creative]
			expected := ""
			if has {
				expected = printed{Action: wanted.action, Wants: wanted.wants, Guard: wanted.guard, Rule: wanted.rule}.outcome()
			}
			got := found[creative]
			if changes {
				expected, got = change(expected), change(got)
			}
			if expected != got {
				c.t.Errorf("%s of %s on %s: usher decides %q, the evaluator %q\n%s\n%s", way, creative, dateOf(c.day), got, expected, c.file, c.rows(campaign, creative))
			}
			c.decided++
			if change(expected) != "" {
				c.changes++
			}
		}
	}
}

// change returns an outcome, or nothing if it neither wants nor holds a change.
func change(outcome string) string {
	if strings.HasPrefix(outcome, "none") || strings.HasPrefix(outcome, "unknown") {
		return ""
	}
	return outcome
}

// rows prints the reports of a campaign and of a creative.
func (c *trial) rows(campaign, creative string) string {
	var b strings.Builder
	for _, entity := range []string{campaign, creative} {
		for day := c.day - 12; day <= c.day+3; day++ {
			values, known := c.account.reports[entity][day]
			fmt.Fprintf(&b, "%s %s %t %v\n", entity, dateOf(day), known, values)
		}
	}
	return b.String()
}

func (c *trial) byPreview(path string) {
	var report struct{ Decisions []printed }
	if stderr, ok := c.run(&report, "rules", "preview", path, "--as-of", dateOf(c.day), "--json"); !ok {
		c.t.Errorf("preview: %s", stderr)
		return
	}
	r := newRun(c.file, c.account)
	r.day, r.at = c.day, float64(c.day+1)*24
	c.equal("preview", r.decide(), report.Decisions, false)
}

func (c *trial) byBacktest(path string) {
	var report struct{ Decisions []printed }
	if stderr, ok := c.run(&report, "rules", "backtest", path, "--from", dateOf(c.day), "--to", dateOf(c.day+3), "--json"); !ok {
		c.t.Errorf("backtest: %s", stderr)
		return
	}
	r := newRun(c.file, c.account)
	r.isBacktest = true
	for r.day = c.day; r.day <= c.day+3; r.day++ {
		r.at = float64(r.day+1) * 24
		want := r.decide()
		today := slices.DeleteFunc(slices.Clone(report.Decisions), func(d printed) bool { return d.Date != dateOf(r.day) })
		c.equal("backtest of "+dateOf(r.day), want, today, false)
		r.carryOut(want)
	}
}

// byTests writes what the evaluator decides as test cases.
func (c *trial) byTests(text string) {
	text += "tests:\n"
	cases := 0
	for range 6 {
		campaign := pick(c.drawer, c.account.campaigns...)
		creative := c.account.creatives[campaign][0]
		kind, age := pick(c.drawer, anyType, "IMAGE", "VIDEO"), pick(c.drawer, 90, 90, 2, 5)
		r := newRun(c.file, &account{
			code: c.account.code, campaigns: []string{campaign}, creatives: map[string][]string{campaign: {creative}}, types: map[string]string{creative: kind},
		})
		r.day, r.flat, r.flatBefore, r.flatAge = c.day, c.row(), c.row(), float64(age)
		clock := 24
		if c.chance(2) {
			clock = pick(c.drawer, 0, 6, 9, 14, 22)
		}
		r.at = float64(c.day*24 + clock)
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
			r.status[creative], r.owner[creative] = "INACTIVE", by
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

// byTicks runs the file at four times of two days, once by a single rule, and carries out
// what was decided.
func (c *trial) byTicks() {
	r := newRun(c.file, c.account)
	only := pick(c.drawer, c.file.rules...)
	hours := map[int]bool{}
	for len(hours) < 4 {
		hours[(c.day+1+c.IntN(2))*24+pick(c.drawer, 1, 6, 9, 14, 22, 23)] = true
	}
	for n, hour := range slices.Sorted(maps.Keys(hours)) {
		r.day, r.at, r.due = hour/24, float64(hour), nil
		args := []string{"--rules", c.name, "--as-of", fmt.Sprintf("%sT%02d:00:00Z", dateOf(r.day), hour%24)}
		if n == 1 {
			r.due = func(by *rule) bool { return by.name == only.name }
			args = append(args, "--rule", only.name)
		}
		want := r.decide()
		got, _ := c.evaluate(fmt.Sprintf("%s-tick-%d", c.name, n), args...)
		c.equal(fmt.Sprintf("tick %d", n), want, got, true)
		r.carryOut(want)
	}
}

// byEvent runs the file on the numbers of an event of today.
func (c *trial) byEvent() {
	campaign := pick(c.drawer, c.account.campaigns...)
	r := newRun(c.file, c.account)
	r.day, r.only, r.at = c.day, campaign, time.Since(time.Unix(0, 0)).Hours()
	r.events = map[string]row{campaign: c.row()}
	r.due = func(by *rule) bool { return !by.creativeLevel && by.window.kind == "today" }
	metrics, err := json.Marshal(map[string]any{"campaign": campaign, "at": time.Now().UTC().Format(time.RFC3339), "values": map[string]float64(r.events[campaign])})
	if err != nil {
		c.t.Error(err)
		return
	}
	want := r.decide()
	got, why := c.evaluate(c.name+"-event", "--rules", c.name, "--metrics", string(metrics))
	if strings.Contains(why, "and today is") { // midnight has passed
		return
	}
	c.equal(fmt.Sprintf("event %s", metrics), want, got, true)
}
