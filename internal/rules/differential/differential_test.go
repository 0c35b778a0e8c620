package differential_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestDifferential compares what the command decides with the evaluator of this package, on
// random rule files and reports, in five ways: rules test, preview, backtest, and runs by
// time and by events; on budgets and bids, by preview and backtest. An account has up to three files. Four accounts share the worker at
// once. Between runs, people change creatives, approve and undo runs, and edit the files.
// USHER_TEST_RULE_FILES=2000 makes that many trials, and USHER_TEST_RULE_SEED draws others: the
// gate always draws the same, make nightly new ones.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("starts usher dev")
	}
	t.Parallel()
	trials, seed := number(t, "USHER_TEST_RULE_FILES", 24), number(t, "USHER_TEST_RULE_SEED", 1)
	u := startUsher(t)
	var next, valid, files, decided, changes atomic.Int64
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for n := int(next.Add(1)); n <= trials && !t.Failed(); n = int(next.Add(1)) {
				d := &drawer{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(n))), today: n%3 == 0}
				c := &trial{usher: u, drawer: d, name: fmt.Sprintf("T%d", n)}
				if c.compare() {
					valid.Add(1)
				}
				files.Add(int64(len(c.files) + c.spendFiles))
				decided.Add(int64(c.decided))
				changes.Add(int64(c.changes))
			}
		})
	}
	workers.Wait()
	if v := int(valid.Load()); v < trials*2/3 {
		t.Errorf("only %d of %d trials have a valid file", v, trials)
	}
	if decided, changes := decided.Load(), changes.Load(); changes < decided/20 {
		t.Errorf("only %d of %d decisions change something or are held", changes, decided)
	}
	t.Logf("%d of %d trials have valid files, %d in all; %d decisions are equal, %d of which change something or are held", valid.Load(), trials, files.Load(), decided.Load(), changes.Load())
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

// trial is the comparison of the files of one account.
type trial struct {
	*usher
	*drawer
	name    string
	files   []*file
	file    *file // one of them, for the ways that know only one file
	account *account
	day     int
	decided int
	changes int // decisions that change something, or are held

	spendFiles int // valid files on budgets and bids
}

// compare compares all ways. It reports whether a file is valid.
func (c *trial) compare() bool {
	zone := c.zone()
	c.account = &account{zone: zone}
	c.day = c.account.dayOf(time.Now()) // events are of today
	if !c.today {                       // clocks change in spring and in autumn
		c.day = int(time.Date(2014, pick(c.drawer, time.March, time.April, time.October), 1+c.IntN(60), 0, 0, 0, 0, time.UTC).Unix() / 86_400)
	}
	c.account = c.drawer.account(c.name, zone, c.day+3)
	c.account.targets = c.targets(c.account)
	if err := c.account.targets.write(c.dir, c.name); err != nil {
		c.t.Fatal(err)
	}
	for n := range 1 + c.IntN(3) {
		if f := c.valid(c.name + string(rune('a'+n))); f != nil {
			c.files = append(c.files, f)
		}
	}
	if len(c.files) == 0 {
		return false
	}
	defer func() {
		for _, f := range c.files {
			_ = os.Remove(c.pathOf(f.name))
		}
	}()
	c.platform.add(c.account)
	c.account.outcomes = c.outcomes(c.account, c.day-1)
	c.put(c.account)
	c.file = pick(c.drawer, c.files...)
	c.byPreview(c.pathOf(c.file.name))
	c.byBacktest(c.pathOf(c.file.name))
	c.byTests(c.file.String())
	c.byNumbers()
	if c.today {
		c.byEvents()
	} else {
		c.byTicks()
	}
	return true
}

// valid draws and writes a file of a name. It returns nil if the command finds that the
// file is not valid, and leaves the one before in place.
func (c *trial) valid(name string) *file {
	return c.writeIfValid(c.drawer.file(name, c.account, c.day))
}

// equal fails the test unless the decisions are those of the evaluator. If changes is set,
// decisions that neither want nor hold a change are left out.
func (c *trial) equal(way string, want map[string]decision, got []printed, changes bool) {
	c.t.Helper()
	found, reasons := map[string]string{}, map[string]string{}
	for _, d := range got {
		if d.Creative != "" {
			found[d.Creative], reasons[d.Creative] = d.outcome(), d.Reason
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
				c.t.Errorf("%s of %s on %s: usher decides %q, the evaluator %q: %s\n%s\n%s", way, creative, dateOf(c.day), got, expected, reasons[creative], c.allFiles(), c.rows(campaign, creative))
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

// allFiles prints the files of the account.
func (c *trial) allFiles() string {
	var b strings.Builder
	for _, f := range c.files {
		fmt.Fprintf(&b, "# %s.yaml\n%s", f.name, f)
	}
	return b.String()
}
