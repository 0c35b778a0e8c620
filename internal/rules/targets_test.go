package rules_test

import (
	"io/fs"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// table returns a reader of one table, which is at x/targets.csv.
func table(text string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if path != "x/targets.csv" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}
}

const targetRule = "account: A\ntimezone: UTC\ntargets: targets.csv\nrules:\n" +
	"  - {name: stop, scope: {campaigns: [\"A-*\"], level: campaign}, window: yesterday, schedule: \"0 7 * * *\", limits: {max_creatives: 9}, min_data: {clicks: 20}, pause_when: cpc > target.cpc, resume_when: cpc < 0.8 * target.cpc}\n"

// TestTargets checks decisions by targets of campaigns, and what they say.
func TestTargets(t *testing.T) {
	t.Parallel()
	const csv = "campaign,cpc,note\nA-x,12.50,a\nA-y,\"\",b\nA-z*,3,c\n"
	for _, level := range []string{"campaign", "creative"} {
		set, problems := rules.LoadWith("x/r.yaml", []byte(strings.Replace(targetRule, "level: campaign", "level: "+level, 1)), table(csv))
		if set == nil || len(problems) > 0 {
			t.Fatal(problems)
		}
		for campaign, want := range map[string]struct {
			action usher.Action
			reason string
		}{
			"A-x":  {usher.None, "does not hold: cpc > target.cpc (10 is not > 12.5, target.cpc 12.50 from targets.csv)"},
			"A-z1": {usher.Pause, "cpc > target.cpc (10 > 3, target.cpc 3 from targets.csv)"},
			"A-y":  {usher.Unknown, "unknown: target.cpc is empty in line 3 of targets.csv"},
			"A-q":  {usher.Unknown, "unknown: targets.csv has no row for the campaign"},
		} {
			sums := rules.NewFigures(set, noon())
			for _, creative := range []string{"", "c"} {
				row := figures.Row{Date: "2026-05-19", Campaign: campaign, Creative: creative}
				row.Values[figures.GrossMediaSpend], row.Values[figures.Clicks] = 200, 20
				if err := sums.Add(row); err != nil {
					t.Fatal(err)
				}
			}
			run, err := set.Decide(t.Context(), rules.Snapshot{Figures: sums, Creatives: []rules.Creative{{Campaign: campaign, Code: "c", Status: rules.Active}}})
			if err != nil {
				t.Fatal(err)
			}
			for d := range run.Decisions(nil) {
				if d.Action != want.action || d.Reason != want.reason {
					t.Errorf("%s of %s: %s: %s", level, campaign, d.Action, d.Reason)
				}
				if v, known := d.Metrics["target.cpc"]; known != (want.action != usher.Unknown) || campaign == "A-x" && v != 12.5 {
					t.Errorf("%s of %s has metrics %v", level, campaign, d.Metrics)
				}
			}
			blind := run.Blind()
			if want.action == usher.Unknown != (len(blind) == 1) {
				t.Errorf("%s of %s is blind: %v", level, campaign, blind)
			}
		}
	}
}

// TestTargetVersions checks that a changed table is a changed rule.
func TestTargetVersions(t *testing.T) {
	t.Parallel()
	one, _ := rules.LoadWith("x/r.yaml", []byte(targetRule), table("campaign,cpc\nA-x,1\n"))
	same, _ := rules.LoadAnnounced(&usher.RuleFile{Path: "x/r.yaml", Text: targetRule, Targets: "campaign,cpc\nA-x,1\n"})
	other, _ := rules.LoadWith("x/r.yaml", []byte(targetRule), table("campaign,cpc\nA-x,2\n"))
	if one.Version != same.Version || one.Version == other.Version {
		t.Errorf("versions are %s, %s and %s", one.Version, same.Version, other.Version)
	}
}

// TestTargetProblems checks what is wrong with targets, and where.
func TestTargetProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, rules, table, want string }{
		{"no file", strings.Replace(targetRule, "targets.csv", "other.csv", 1), "", "x/r.yaml:3:10: error: there is no file x/other.csv"},
		{"no CSV", strings.Replace(targetRule, "targets.csv", "targets.xlsx", 1), "", `x/r.yaml:3:10: error: "targets.xlsx" is no name of a CSV file`},
		{"no targets", strings.Replace(targetRule, "targets: targets.csv\n", "", 1), "", "the file has no targets"},
		{"in a rule", strings.Replace(strings.Replace(targetRule, "targets: targets.csv\n", "", 1), "{name: stop", "{name: stop, targets: targets.csv", 1), "", "write it at the top of the file"},
		{"a column lacks", targetRule, "campaign,cpa\nA-x,1\n", `pause_when: the table of targets has no column "cpc"`},
		{"a column is spelled otherwise", targetRule, "campaign,cpC\nA-x,1\n", `did you mean "cpC"?`},
		{"a text", targetRule, "campaign,cpc\nA-x,1\nA-y,cheap\n", `x/targets.csv:3:1: error: cpc of A-y is "cheap", which is no finite number`},
		{"infinite", targetRule, "campaign,cpc\nA-x,1e999\n", `x/targets.csv:2:1: error: cpc of A-x is "1e999", which is no finite number`},
		{"a decimal comma", targetRule, "campaign;cpc\nA-x;12,50\n", "write 12.50"},
		{"a duplicate column", targetRule, "campaign,cpc,cpc\nA-x,1,2\n", `x/targets.csv:1:1: error: there are two columns "cpc"`},
		{"without a column", strings.Replace(targetRule, "cpc > target.cpc", "cpc > target", 1), "campaign,cpc\nA-x,1\n", "write target. and a column: cpc"},
		{"of a window", strings.Replace(targetRule, "cpc > target.cpc", "cpc > previous.target.cpc", 1), "campaign,cpc\nA-x,1\n", "error: pause_when: a target has no window"},
		{"as targets", strings.Replace(targetRule, "cpc > target.cpc", "cpc > targets.cpc", 1), "campaign,cpc\nA-x,1\n", "compare with target.cpc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set, problems := rules.LoadWith("x/r.yaml", []byte(c.rules), table(c.table))
			var text strings.Builder
			for _, p := range problems {
				text.WriteString(p.String() + "\n")
			}
			if set != nil || !strings.Contains(text.String(), c.want) {
				t.Errorf("the problems are:\n%s", &text)
			}
		})
	}
}
