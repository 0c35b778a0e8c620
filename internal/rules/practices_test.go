package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// TestPractices checks that the example files of practices are valid, say what a buyer says, have
// tests, and get no advice but that events must bring the metrics of today.
func TestPractices(t *testing.T) {
	t.Parallel()
	const folder = "../../docs/examples/rules"
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) != 22 {
		t.Fatalf("there are %d files, %v", len(files), err)
	}
	list, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set, problems := rules.LoadWith(file, text, os.ReadFile)
		if set == nil || len(set.Tests) < 1 {
			t.Errorf("%s: %v", file, problems)
			continue
		}
		for _, p := range problems {
			if !strings.Contains(p.Message, "the platform promises rows of complete days only") {
				t.Errorf("%s: %s", file, p)
			}
		}
		sentence, _, _ := strings.Cut(string(text), "\n")
		sentence = strings.Trim(sentence, `# "`)
		if row := "| " + sentence + " | [" + filepath.Base(file) + "]"; !strings.HasPrefix(string(text), `# "`) || !strings.Contains(string(list), row) {
			t.Errorf("%s begins with %q, which is not its sentence in the list", file, sentence)
		}
	}
}

// TestPracticesOfLateOutcomes has the newest day without installs, and the two newest ones without revenue:
// the rules decide by the days before, and are UNKNOWN once a further day lacks.
func TestPracticesOfLateOutcomes(t *testing.T) {
	t.Parallel()
	for file, c := range map[string]struct {
		name           string
		days, late     int
		perDay, lastly float64 // spend, and that of the late days
		outcome        float64 // of each day
		want           usher.Action
	}{
		"install-cost above its target":              {"installs", 8, 1, 40, 1000, 1, usher.Pause},
		"install-cost below, but for yesterday":      {"installs", 8, 1, 40, 1000, 3, usher.None},
		"install-cost with another day late":         {"installs", 8, 2, 40, 40, 1, usher.Unknown},
		"return-on-spend below two":                  {"revenue", 16, 2, 50, 50, 90, usher.Pause},
		"return-on-spend of two, but for late spend": {"revenue", 16, 2, 50, 900, 101, usher.None},
		"return-on-spend with another day late":      {"revenue", 16, 3, 50, 50, 90, usher.Unknown},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			path, _, _ := strings.Cut(file, " ")
			path = filepath.Join("../../docs/examples/rules", path+".yaml")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			set, problems := rules.LoadWith(path, text, os.ReadFile)
			if set == nil {
				t.Fatal(problems)
			}
			sums, known := rules.NewFigures(set, noon()), figures.Outcomes{}
			for ago := 1; ago <= c.days; ago++ {
				row := figures.Row{Date: noon().AddDate(0, 0, -ago).Format(time.DateOnly), Campaign: "SANDBOX1-winter"}
				row.Values[figures.GrossMediaSpend] = c.perDay
				if ago <= c.late {
					row.Values[figures.GrossMediaSpend] = c.lastly
				} else {
					known.Rows = append(known.Rows, figures.OutcomeRow{Date: row.Date, Campaign: row.Campaign, Name: c.name, Value: c.outcome})
				}
				if err := sums.Add(row); err != nil {
					t.Fatal(err)
				}
			}
			if err := sums.AddOutcomes(&known); err != nil {
				t.Fatal(err)
			}
			snapshot := rules.Snapshot{Figures: sums, Creatives: []rules.Creative{{Campaign: "SANDBOX1-winter", Code: "video-1", Status: "ACTIVE"}}}
			if d := decisions(t, set, snapshot)["video-1"]; d.Action != c.want && (d.Action != usher.Held || d.Wants != c.want) {
				t.Errorf("it is %s: %s", d.Action, d.Reason)
			}
		})
	}
}
