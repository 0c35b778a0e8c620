package condition_test

import (
	"testing"

	"usher/internal/rules/condition"
	"usher/internal/rules/figures"
)

// compile compiles a condition of a rule on creatives.
func compile(source string) (*condition.Condition, []condition.Fault) {
	return condition.Compile(source, condition.Scope{
		Level: figures.CreativeLevel, Window: figures.Window{Kind: figures.LastDays, Days: 7}, Columns: &figures.Columns{},
	})
}

// TestPrecedence checks which operators are read first.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"1 + 2 * clicks / 4 - 5 > 6":                    "1 + 2 * clicks / 4 - 5 > 6",
		"(1 + 2) * clicks > 6":                          "(1 + 2) * clicks > 6",
		"1 - (2 - clicks) > 6":                          "1 - (2 - clicks) > 6",
		"-5 - -clicks > --6":                            "-5 - -clicks > --6",
		"!(clicks > 1) && !true || won < 2":             "!(clicks > 1) && !true || won < 2",
		"clicks > 1 || (won > 2 || false)":              "clicks > 1 || (won > 2 || false)",
		"clicks > 1 ? won > 2 : won > 3 ? true : false": "clicks > 1 ? won > 2 : won > 3 ? true : false",
		"(clicks > 1 ? won : clicks) >= 1e3":            "(clicks > 1 ? won : clicks) >= 1000",
		".5 * campaign . ctr < ctr // a comment":        "0.5 * campaign.ctr < ctr",
		"over(\n'last 14 days').ctr\n!= rank( ctr )":    `over("last 14 days").ctr != rank(ctr)`,
	} {
		c, faults := compile(source)
		if faults != nil {
			t.Errorf("%s: %v", source, faults)
			continue
		}
		if got := c.Root.String(); got != want {
			t.Errorf("%s is read as %s, not %s", source, got, want)
		}
	}
}

// TestTypes checks that operators take numbers or comparisons, as they need them.
func TestTypes(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"ctr < 0.1 < clicks":          "there is no < of a comparison and a number",
		"ctr && clicks > 5":           "there is no && of a number and a comparison",
		"!ctr":                        "there is no ! of a number",
		"-(clicks > 5)":               "there is no - of a comparison",
		"clicks > 5 ? ctr : won > 5":  "there is no ?: of a comparison and a number and a comparison",
		"true == (clicks > 5)":        "there is no == of a comparison and a comparison",
		"clicks > 5 ? ctr : clicks":   "it is a number, not a condition",
		"true":                        "it reads no metric, so its value never changes",
		"clicks > 9999999999999e9999": `"9999999999999e9999" is not a number`,
		"clicks >":                    "it cannot be read here: it ends where a number or a metric is missing",
		"":                            "it cannot be read here: it ends where a number or a metric is missing",
		"-":                           "it cannot be read here: it ends where a number or a metric is missing",
		"clicks.":                     "it cannot be read here: it ends where a number or a metric is missing",
		"clicks > 5 won":              `it cannot be read here: there is no operator before "won"`,
		"clicks > {5}":                "conditions have no lists, maps or messages",
		"(clicks).ctr.won > 5":        `it cannot be read here: "." does not belong here`,
	} {
		if _, faults := compile(source); len(faults) != 1 || faults[0].Message != want || faults[0].Hint == "" {
			t.Errorf("the faults of %q are %v, not %q", source, faults, want)
		}
	}
}

// FuzzCompile checks that a text is either a condition, which is the same when it is read again
// as it is printed, or has faults.
func FuzzCompile(f *testing.F) {
	for _, source := range []string{
		"grossMediaSpend >= 0.95 * budget && !(ctr_upper95 < campaign.ctr)", `rank(ctr) > count() - 3 ? previous.cpc / 2 > 1 : over("last 3 days").won == 5`,
		"ctr is between 1,5 and 5k or 5 % of “won” ≥ $5 in the bottom 3", "(((clicks > 5", "over(last 3 days).ctr drops by more than 5%", "time of the day . . 1 000.5 EUR ☺",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		c, faults := compile(source)
		if c == nil {
			if len(faults) == 0 {
				t.Fatalf("%q has neither a condition nor faults", source)
			}
			return
		}
		printed := c.Root.String()
		again, faults := compile(printed)
		if faults != nil || again.Root.String() != printed {
			t.Fatalf("%q is printed as %q, which is read as %v, %v", source, printed, again, faults)
		}
	})
}

// BenchmarkCompile compiles a condition of 19 parts.
func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if c, faults := compile(`cpc > 2 && impressions > 100 || previous.ctr > 2 * campaign.ctr && over("last 3 days").won / budget >= 0.95`); c == nil {
			b.Fatal(faults)
		}
	}
}
