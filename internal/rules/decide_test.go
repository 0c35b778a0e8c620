package rules_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// situation is the input of a random run.
type situation struct {
	text     string
	set      *rules.Set
	rows     []figures.Row
	list     []rules.Creative
	due      []string // nil: all
	other    *rules.Set
	memory   map[string]usher.CreativeMemory
	stopped  string
	campaign map[string]float64 // spend of campaigns that have a row
	creative map[string]float64 // clicks of creatives that have a row
}

var drawnAt = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// drawRules returns the rules of a random file, whose names begin with a letter.
func drawRules(t *rapid.T, letter string) string {
	var text strings.Builder
	text.WriteString("account: A\ntimezone: UTC\nrules:\n")
	for n := range rapid.IntRange(1, 4).Draw(t, "rules") {
		level, metric := "campaign", "grossMediaSpend"
		if rapid.Bool().Draw(t, "creative level") {
			level, metric = "creative", "clicks"
		}
		fmt.Fprintf(&text, "  - name: %s%d\n    scope: {campaigns: [%q], level: %s, keep_active: %d}\n    window: today\n    pause_when: %s >= %d\n", letter, n,
			rapid.SampledFrom([]string{"A-*", "A-1", "A-[12]"}).Draw(t, "scope"), level, rapid.IntRange(0, 2).Draw(t, "keep"), metric, rapid.IntRange(5, 9).Draw(t, "threshold"))
		for _, line := range []string{
			"resume_when: " + metric + " < 3", "cooldown: 1h", fmt.Sprintf("priority: %d", rapid.IntRange(0, 2).Draw(t, "priority")),
			"mode: " + rapid.SampledFrom([]string{"act", "approve", "notify", "observe"}).Draw(t, "mode"),
			fmt.Sprintf("limits: {max_creatives: %d, max_campaigns: 2, max_share: 60%%, max_flips_per_day: 2}", rapid.IntRange(1, 5).Draw(t, "cap")),
		} {
			if rapid.Bool().Draw(t, line) {
				text.WriteString("    " + line + "\n")
			}
		}
	}
	return text.String()
}

// draw returns random rules, rows, statuses and memories.
func draw(t *rapid.T) *situation {
	s := &situation{memory: map[string]usher.CreativeMemory{}, campaign: map[string]float64{}, creative: map[string]float64{}}
	s.text = drawRules(t, "r")
	var problems []rules.Problem
	if s.set, problems = rules.Load("drawn.yaml", []byte(s.text)); s.set == nil {
		t.Fatal(problems)
	}
	if rapid.Bool().Draw(t, "several are due") {
		s.due = []string{}
		for _, rule := range s.set.Rules {
			if rapid.Bool().Draw(t, "due") {
				s.due = append(s.due, rule.Name)
			}
		}
	}
	other := drawRules(t, "o")
	if s.other, problems = rules.Load(rapid.SampledFrom([]string{"before.yaml", "other.yaml"}).Draw(t, "file"), []byte(other)); s.other == nil {
		t.Fatal(problems)
	}
	s.text += fmt.Sprintf("due: %v\n%s:\n%s", s.due, s.other.Name, other)
	for campaign := range 3 {
		code := fmt.Sprintf("A-%d", campaign)
		if rapid.Bool().Draw(t, "has a row") {
			row := figures.Row{Date: "2026-05-20", Campaign: code}
			row.Values[figures.GrossMediaSpend] = float64(rapid.IntRange(0, 12).Draw(t, "spend"))
			s.campaign[code] = row.Values[figures.GrossMediaSpend]
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
		row := figures.Row{Date: "2026-05-20", Campaign: c.Campaign, Creative: c.Code}
		row.Values[figures.Clicks] = float64(rapid.IntRange(0, 12).Draw(t, "clicks"))
		s.creative[c.Code] = row.Values[figures.Clicks]
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
	sums := rules.NewFigures(s.set, drawnAt, s.other)
	for _, row := range s.rows {
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	run, err := s.set.Decide(context.Background(), rules.Snapshot{
		Figures: sums, Creatives: s.list, Due: s.due, Stopped: s.stopped, Memory: func(code string) usher.CreativeMemory { return s.memory[code] },
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(run.Decisions(nil))
}

// ruleOf is a rule of one of the files of a situation.
type ruleOf struct {
	*rules.Rule
	file string
	due  bool
}

// order returns all rules in the order in which they take creatives.
func (s *situation) order() []ruleOf {
	var all []ruleOf
	for _, set := range []*rules.Set{s.set, s.other} {
		for _, rule := range set.Rules {
			all = append(all, ruleOf{rule, set.Name, set == s.set && (s.due == nil || slices.Contains(s.due, rule.Name))})
		}
	}
	slices.SortStableFunc(all, func(a, b ruleOf) int {
		return 2*(b.Priority-a.Priority) + strings.Compare(a.file, b.file)
	})
	return all
}

// wants returns what a rule wants for a creative: pause, resume, none or unknown.
func (s *situation) wants(rule ruleOf, c rules.Creative) usher.Action {
	if ok, _ := path.Match(rule.Scope.Campaigns[0], c.Campaign); !ok {
		return usher.None
	}
	sums, key := s.campaign, c.Campaign
	if rule.Scope.Level == figures.CreativeLevel {
		sums, key = s.creative, c.Code
	}
	var threshold float64
	_, _ = fmt.Sscanf(rule.Pause.Source[strings.LastIndex(rule.Pause.Source, " "):], "%g", &threshold)
	switch v, known := sums[key]; {
	case !known:
		return usher.Unknown
	case v >= threshold:
		return usher.Pause
	case v < 3 && rule.Resume != nil:
		return usher.Resume
	}
	return usher.None
}

func (s *situation) wantsPause(rule ruleOf, c rules.Creative) bool {
	return (rule.Mode == rules.Act || rule.Mode == rules.Approve) && s.wants(rule, c) == usher.Pause
}

// rests reports whether a rule may not change a creative again yet.
func (s *situation) rests(rule ruleOf, c rules.Creative) bool {
	did, changed := s.memory[c.Code].Rules[rule.file+"/"+rule.Name]
	return changed && (rule.Cooldown > 0 && drawnAt.Sub(did.Changed) < rule.Cooldown || rule.Limits.FlipsPerDay > 0 && did.Flips >= rule.Limits.FlipsPerDay)
}

// expected returns the changes that the rules make, by creative: "pause by r1". It
// follows the documentation and uses none of the code under test.
func (s *situation) expected() map[string]string {
	creatives := slices.Clone(s.list)
	slices.SortFunc(creatives, func(a, b rules.Creative) int { return strings.Compare(a.Code, b.Code) })
	order, taken := s.order(), map[string]string{}
	for n, rule := range order {
		if !rule.due || rule.Mode != rules.Act {
			continue
		}
		list := map[string]string{}
		campaigns := map[string]bool{}
		for _, c := range creatives {
			if taken[c.Code] != "" || s.rests(rule, c) {
				continue
			}
			owner := s.memory[c.Code].Owner
			switch want := s.wants(rule, c); {
			case want == usher.Pause && c.Status == "ACTIVE" && s.leavesEnough(n, order, creatives, taken, list, c):
				list[c.Code] = "pause by " + rule.Name
			case want == usher.Resume && c.Status == "INACTIVE" && owner != nil && owner.Rule == rule.file+"/"+rule.Name && owner.LatestUpdate == c.LatestUpdate &&
				!slices.ContainsFunc(order, func(other ruleOf) bool { return s.wantsPause(other, c) }):
				list[c.Code] = "resume by " + rule.Name
			default:
				continue
			}
			campaigns[c.Campaign] = true
		}
		scope := 0
		for _, c := range creatives {
			if ok, _ := path.Match(rule.Scope.Campaigns[0], c.Campaign); ok {
				scope++
			}
		}
		limits := rule.Limits
		if limits.Creatives > 0 && len(list) > limits.Creatives || limits.Campaigns > 0 && len(campaigns) > limits.Campaigns || limits.Share > 0 && float64(len(list)) > limits.Share*float64(scope) {
			continue
		}
		maps.Copy(taken, list)
	}
	if s.stopped != "" {
		return map[string]string{}
	}
	return taken
}

// leavesEnough reports whether enough creatives of a campaign stay ACTIVE if the n-th
// rule pauses one more beside those on its list.
func (s *situation) leavesEnough(n int, order []ruleOf, creatives []rules.Creative, taken, list map[string]string, more rules.Creative) bool {
	left := 0
	for _, c := range creatives {
		after := func(rule ruleOf) bool { return rule.Scope.KeepActive == 0 && s.wantsPause(rule, c) }
		paused := strings.HasPrefix(taken[c.Code], "pause") || list[c.Code] != "" || c.Code == more.Code || slices.ContainsFunc(order[n+1:], after)
		if c.Campaign == more.Campaign && c.Status == "ACTIVE" && !paused {
			left++
		}
	}
	return order[n].Scope.KeepActive == 0 || left >= order[n].Scope.KeepActive
}

// TestChangesAsDocumented compares the changes in random situations with those that
// the documentation of how rules meet asks for.
func TestChangesAsDocumented(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		got, decided := map[string]string{}, map[string]bool{}
		for _, d := range s.decide(t) {
			if decided[d.Creative] {
				t.Fatalf("two decisions on %s\n%s", d.Creative, s.text)
			}
			decided[d.Creative] = true
			if d.Action == usher.Held && (d.Guard == "" || d.Wants != usher.Pause && d.Wants != usher.Resume) {
				t.Fatalf("held without a guard: %+v", d)
			}
			if d.Action == usher.Notify && (d.Guard != "" || d.Wants != usher.Pause && d.Wants != usher.Resume) {
				t.Fatalf("notifies of nothing: %+v", d)
			}
			if d.Action == usher.Pause || d.Action == usher.Resume {
				got[d.Creative] = string(d.Action) + " by " + d.Rule
			}
		}
		if diff := cmp.Diff(s.expected(), got); diff != "" {
			t.Fatalf("%s\n%+v\n%s", diff, s.list, s.text)
		}
	})
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
	set, snapshot := large(t, 5_000, 10, 1, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("late")
	cancel(late)
	if _, err := set.Decide(ctx, snapshot); !errors.Is(err, late) {
		t.Errorf("the error is %v", err)
	}
}
