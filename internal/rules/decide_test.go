package rules_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"usher"
	"usher/internal/rules"
)

// situation is the input of a random run.
type situation struct {
	text     string
	set      *rules.Set
	rows     []rules.Row
	list     []rules.Creative
	memory   map[string]usher.CreativeMemory
	stopped  string
	campaign map[string]float64 // spend of campaigns that have a row
	creative map[string]float64 // clicks of creatives that have a row
}

var drawnAt = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// draw returns random rules, rows, statuses and memories.
func draw(t *rapid.T) *situation {
	s := &situation{memory: map[string]usher.CreativeMemory{}, campaign: map[string]float64{}, creative: map[string]float64{}}
	var text strings.Builder
	text.WriteString("account: A\ntimezone: UTC\nrules:\n")
	for n := range rapid.IntRange(1, 4).Draw(t, "rules") {
		level, metric := "campaign", "grossMediaSpend"
		if rapid.Bool().Draw(t, "creative level") {
			level, metric = "creative", "clicks"
		}
		fmt.Fprintf(&text, "  - name: r%d\n    scope: {campaigns: [%q], level: %s, keep_active: %d}\n    window: today\n    pause_when: %s >= %d\n", n,
			rapid.SampledFrom([]string{"A-*", "A-1", "A-[12]"}).Draw(t, "scope"), level, rapid.IntRange(0, 2).Draw(t, "keep"), metric, rapid.IntRange(5, 9).Draw(t, "threshold"))
		for key, value := range map[string]string{
			"resume_when: %s": metric + " < 3", "cooldown: %s": "1h", "priority: %s": fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "priority")),
			"mode: %s":   rapid.SampledFrom([]string{"act", "approve", "observe"}).Draw(t, "mode"),
			"limits: %s": fmt.Sprintf("{max_creatives: %d, max_campaigns: 2, max_share: 60%%, max_flips_per_day: 2}", rapid.IntRange(1, 5).Draw(t, "cap")),
		} {
			if rapid.Bool().Draw(t, key) {
				fmt.Fprintf(&text, "    "+key+"\n", value)
			}
		}
	}
	s.text = text.String()
	var problems []rules.Problem
	if s.set, problems = rules.Load("drawn.yaml", []byte(s.text)); s.set == nil {
		t.Fatal(problems)
	}
	for campaign := range 3 {
		code := fmt.Sprintf("A-%d", campaign)
		if rapid.Bool().Draw(t, "has a row") {
			row := rules.Row{Date: "2026-05-20", Campaign: code}
			row.Values[rules.GrossMediaSpend] = float64(rapid.IntRange(0, 12).Draw(t, "spend"))
			s.campaign[code] = row.Values[rules.GrossMediaSpend]
			s.rows = append(s.rows, row)
		}
		for n := range rapid.IntRange(0, 3).Draw(t, "creatives") {
			s.drawCreative(t, rules.Creative{Campaign: code, Code: fmt.Sprintf("c%d-%d", campaign, n)})
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "stop") == 0 {
		s.stopped = "incident"
	}
	return s
}

func (s *situation) drawCreative(t *rapid.T, c rules.Creative) {
	c.Status = rapid.SampledFrom([]string{"ACTIVE", "ACTIVE", "INACTIVE", "PENDING"}).Draw(t, "status")
	c.LatestUpdate = rapid.SampledFrom([]string{"t1", "t2"}).Draw(t, "updated")
	s.list = append(s.list, c)
	if rapid.Bool().Draw(t, "has a row") {
		row := rules.Row{Date: "2026-05-20", Campaign: c.Campaign, Creative: c.Code}
		row.Values[rules.Clicks] = float64(rapid.IntRange(0, 12).Draw(t, "clicks"))
		s.creative[c.Code] = row.Values[rules.Clicks]
		s.rows = append(s.rows, row)
	}
	m := usher.CreativeMemory{Rules: map[string]usher.RuleMemory{}}
	for _, rule := range s.set.Rules {
		if rapid.Bool().Draw(t, "changed before") {
			m.Rules[s.set.Key(rule.Name)] = usher.RuleMemory{
				Changed: drawnAt.Add(-time.Duration(rapid.IntRange(0, 90).Draw(t, "minutes")) * time.Minute), Day: "2026-05-20", Flips: rapid.IntRange(1, 3).Draw(t, "flips"),
			}
		}
	}
	if rapid.Bool().Draw(t, "owned") {
		rule := rapid.SampledFrom([]string{"drawn/r0", "drawn/r1", "other/r0"}).Draw(t, "owner")
		m.Owner = &usher.Ownership{Rule: rule, Status: "INACTIVE", LatestUpdate: rapid.SampledFrom([]string{"t1", "t2"}).Draw(t, "left")}
	}
	s.memory[c.Code] = m
}

func (s *situation) decide(t interface{ Fatal(...any) }) []usher.Decision {
	figures := rules.NewFigures(s.set, drawnAt)
	for _, row := range s.rows {
		if err := figures.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	run, err := s.set.Decide(context.Background(), rules.Snapshot{
		Figures: figures, Creatives: s.list, Stopped: s.stopped, Memory: func(code string) usher.CreativeMemory { return s.memory[code] },
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(run.Decisions(nil))
}

func (s *situation) rule(name string) *rules.Rule {
	return s.set.Rules[slices.IndexFunc(s.set.Rules, func(r *rules.Rule) bool { return r.Name == name })]
}

func (s *situation) find(code string) rules.Creative {
	return s.list[slices.IndexFunc(s.list, func(c rules.Creative) bool { return c.Code == code })]
}

// figure returns the figure that a rule reads.
func (s *situation) figure(rule *rules.Rule, c rules.Creative) (float64, bool) {
	if rule.Scope.Level == rules.CreativeLevel {
		v, known := s.creative[c.Code]
		return v, known
	}
	v, known := s.campaign[c.Campaign]
	return v, known
}

// TestInvariants checks the guarantees of decisions on random situations, without
// using the code under test.
func TestInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		changes, campaigns, paused := map[string]int{}, map[string]map[string]bool{}, map[string]int{}
		seen := map[string]bool{}
		for _, d := range s.decide(t) {
			if seen[d.Creative] {
				t.Fatalf("two decisions on %s\n%s", d.Creative, s.text)
			}
			seen[d.Creative] = true
			if d.Action == usher.Held && (d.Guard == "" || d.Wants != usher.Pause && d.Wants != usher.Resume) {
				t.Fatalf("held without a guard: %+v", d)
			}
			if d.Action != usher.Pause && d.Action != usher.Resume {
				continue
			}
			s.checkChange(t, d)
			changes[d.Rule]++
			if campaigns[d.Rule] == nil {
				campaigns[d.Rule] = map[string]bool{}
			}
			campaigns[d.Rule][d.Campaign] = true
			if d.Action == usher.Pause {
				paused[d.Campaign]++
				s.checkKeepActive(t, d, paused[d.Campaign])
			}
		}
		for name, n := range changes {
			limits := s.rule(name).Limits
			inScope := 0
			for _, c := range s.list {
				if s.set.Covers(c.Campaign, []string{name}) {
					inScope++
				}
			}
			if limits.Creatives > 0 && n > limits.Creatives || limits.Campaigns > 0 && len(campaigns[name]) > limits.Campaigns || limits.Share > 0 && float64(n) > limits.Share*float64(inScope) {
				t.Fatalf("%s changes %d creatives of %d, with the limits %+v\n%s", name, n, inScope, limits, s.text)
			}
		}
	})
}

// checkChange checks that a change is allowed.
func (s *situation) checkChange(t *rapid.T, d usher.Decision) {
	rule, c, m := s.rule(d.Rule), s.find(d.Creative), s.memory[d.Creative]
	figure, known := s.figure(rule, c)
	did, changed := m.Rules["drawn/"+d.Rule]
	switch {
	case !known:
		t.Fatalf("%+v on figures that are unknown\n%s", d, s.text)
	case rule.Mode != rules.Act || s.stopped != "":
		t.Fatalf("%+v in mode %s, stopped %q\n%s", d, rule.Mode, s.stopped, s.text)
	case changed && rule.Cooldown > 0 && drawnAt.Sub(did.Changed) < rule.Cooldown:
		t.Fatalf("%+v within the cooldown\n%s", d, s.text)
	case changed && rule.Limits.FlipsPerDay > 0 && did.Flips >= rule.Limits.FlipsPerDay:
		t.Fatalf("%+v after %d flips\n%s", d, did.Flips, s.text)
	case d.Action == usher.Pause && (c.Status != "ACTIVE" || figure < 5):
		t.Fatalf("%+v of %+v at %v\n%s", d, c, figure, s.text)
	case d.Action == usher.Resume && (c.Status != "INACTIVE" || figure >= 3 || m.Owner == nil || m.Owner.Rule != "drawn/"+d.Rule || m.Owner.LatestUpdate != c.LatestUpdate):
		t.Fatalf("%+v of %+v, owner %+v, at %v\n%s", d, c, m.Owner, figure, s.text)
	}
	if d.Action == usher.Resume {
		for _, other := range s.set.Rules {
			if v, known := s.figure(other, c); known && other.Mode != rules.Observe && s.set.Covers(c.Campaign, []string{other.Name}) && v >= 9 {
				t.Fatalf("%+v although %s wants it paused\n%s", d, other.Name, s.text)
			}
		}
	}
}

// checkKeepActive checks a pause against its rule's keep_active.
func (s *situation) checkKeepActive(t *rapid.T, d usher.Decision, paused int) {
	serving := 0
	for _, c := range s.list {
		if c.Campaign == d.Campaign && c.Status == "ACTIVE" {
			serving++
		}
	}
	if keep := s.rule(d.Rule).Scope.KeepActive; keep > 0 && serving-paused < keep {
		t.Fatalf("%+v leaves %d of %d, keep_active is %d\n%s", d, serving-paused, serving, keep, s.text)
	}
}

// TestOrderDoesNotMatter shuffles rows and creatives.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		first := s.decide(t)
		s.rows = rapid.Permutation(s.rows).Draw(t, "rows")
		s.list = rapid.Permutation(s.list).Draw(t, "creatives")
		if diff := cmp.Diff(first, s.decide(t)); diff != "" {
			t.Fatalf("in another order:\n%s\n%s", diff, s.text)
		}
	})
}

func TestDecideEndsWithContext(t *testing.T) {
	t.Parallel()
	set, snapshot := large(t, 5_000, 10, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("late")
	cancel(late)
	if _, err := set.Decide(ctx, snapshot); !errors.Is(err, late) {
		t.Errorf("the error is %v", err)
	}
}
