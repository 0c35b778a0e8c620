package rules_test

import (
	"strings"
	"testing"

	"usher/internal/rules"
)

// TestProblems makes one change to a valid file and checks the place, the message and
// the hint of the problem. An empty want means no problem.
func TestProblems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, to, want, hint string }{
		"nothing":            {"", "", "", ""},
		"zone":               {"Europe/London", "Europe/Londn", `2:11: error: unknown time zone "Europe/Londn"`, `did you mean "Europe/London"?`},
		"local zone":         {"Europe/London", "Local", `2:11: error: unknown time zone "Local"`, "IANA"},
		"no zone":            {"timezone: Europe/London\n", "", `1:1: error: key "timezone" is missing`, "Europe/London"},
		"other account":      {`["SANDBOX1-*"]`, `["SANDBOX2-*"]`, `5:25: error: the pattern "SANDBOX2-*" matches no campaign of the account`, `"SANDBOX1-*"`},
		"excluded whole":     {`["*-evergreen"]`, `["SANDBOX1-*"]`, "the scope matches nothing", "exclude"},
		"no campaigns":       {`campaigns: ["*"], `, "", "15:12: error: scope has no campaigns", `["*"]`},
		"ratio":              {"    min_data: {impressions: 5000}\n", "", "17:17: error: pause_when: ctr is a ratio, and without min_data it fires on a handful", "min_data: {impressions: 5000}"},
		"own ratio":          {"grossMediaSpend >= 0.95 * budget", "clicks / (impressions + 1) < 0.01 && grossMediaSpend >= 0.95 * budget", "it divides by a count", "min_data"},
		"budget is no count": {"grossMediaSpend >= 0.95 * budget", "budgetUsed >= 0.95 && grossMediaSpend / budget > 0.95", "", ""},
		"falling today":      {"last 7 days", "today", "18:17: warning: pause_when: ctr can rise and fall during the day", "last 7 days"},
		"overlap":            {"< 0.80 * budget", "< 0.98 * budget", "8:18: error: pause_when and resume_when overlap: with grossMediaSpend", "gap"},
		"no gap":             {"< 0.80 * budget", "< 0.95 * budget", "8:18: warning: there is no gap between pause_when and resume_when", "gap"},
		"other metric":       {"< 0.80 * budget", "< 0.80 * budget && clicks > 3", "", ""},
		"metric":             {"ctr <", "crt <", `18:17: error: pause_when: unknown metric "crt"`, `did you mean "ctr"?`},
		"metric before":      {"ctr <", "previous.crt <", `unknown metric "previous.crt"`, `did you mean "previous.ctr"?`},
		"field of min_data":  {"{impressions:", "{impresions:", `17:16: error: min_data has no key "impresions"`, `did you mean "impressions"?`},
		"min_data of none":   {"{impressions: 5000}", "{impressions: 0}", "min_data of 0 impressions requires nothing", "above 0"},
		"single =":           {"ctr < 0.0005", "ctr = 0.0005", "18:21: error: pause_when: a single = is not an operator", "=="},
		"and":                {"ctr < 0.0005", "ctr < 0.0005 and clicks > 3", `18:30: error: pause_when: "and" does not join conditions`, "&&"},
		"percent":            {"0.95 * budget", "95% * budget", "have no percent signs", "0.95"},
		"a number":           {"ctr < 0.0005", "ctr", "18:17: error: pause_when: it is a number, not a condition", "ctr > 0"},
		"a truth compared":   {"ctr < 0.0005", "ctr < 0.0005 < 3", "there is no <", "compare"},
		"text":               {"ctr < 0.0005", "ctr < 0.0005 && campaignCode == 'x'", `unknown metric "campaignCode"`, ""},
		"function":           {"ctr < 0.0005", "max(ctr, 1) < 0.0005", `conditions have no "max"`, "+ - * /"},
		"macro":              {"ctr < 0.0005", "'[1, 2].exists(x, x < ctr)'", "conditions have no", ""},
		"too large":          {"ctr < 0.0005", strings.Repeat("clicks + ", 120) + "1 > ctr", "it has 243 parts; 200 are allowed", "two rules"},
		"too deep":           {"ctr < 0.0005", strings.Repeat("(", 2000) + "ctr" + strings.Repeat(")", 2000) + " < 1", "it cannot be read here", ""},
		"constant":           {"ctr < 0.0005", "1 < 2", "it reads no metric", ""},
		"before lifetime":    {"last 7 days\n    min_data: {impressions: 5000}\n    pause_when: ctr <", "lifetime\n    min_data: {impressions: 5000}\n    pause_when: previous.ctr <", "lifetime has no window before it", "last 7 days"},
		"window":             {"last 7 days", "last 0 days", `window "last 0 days": N is a whole number from 1 to 366`, ""},
		"schedule":           {`"0 7 * * *"`, `"0 25 * * *"`, `hour "25"`, "minute hour day month weekday"},
		"never due":          {`"0 7 * * *"`, `"0 7 31 2 *"`, "never due", ""},
		"mode":               {"mode: act", "mode: approved", `13:11: error: unknown mode "approved"`, `did you mean "approve"?`},
		"share":              {"20%", "120%", `12:44: error: max_share must be a percentage, and this is "120%"`, "up to 100%"},
		"share without %":    {"20%", "0.2", `max_share must be a percentage, and this is "0.2"`, "20%"},
		"limit of 0":         {"max_creatives: 50", "max_creatives: 0", "max_creatives must be a whole number of at least 1, and this is 0", "from 1"},
		"cooldown":           {"cooldown: 1h", "cooldown: 1 hour", `cooldown must be a duration, and this is "1 hour"`, "1h"},
		"name twice":         {"weak-creative", "stop-at-daily-budget", "the rule in line 4 has the name", "another name"},
		"name":               {"weak-creative", "weak creative", `the name "weak creative" cannot be part of a job id`, "letters"},
		"key twice":          {"    priority: 10\n", "    priority: 10\n    priority: 11\n", "the file is not valid YAML", ""},
		"tabs":               {"    priority: 10\n", "\tpriority: 10\n", "the file is not valid YAML", "spaces"},
		"no value":           {"priority: 10", "priority:", `11:5: error: key "priority" has no value`, ""},
		"lag for nothing":    {"cooldown: 1h", "report_lag: 1h", "10:5: warning: report_lag has no effect", "projectedSpend"},
		"resume alone":       {"    pause_when: grossMediaSpend >= 0.95 * budget\n", "", `key "pause_when" is missing`, "resumes only what it paused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(budgets, c.from, c.to, 1)
			if text == budgets && c.from != "" {
				t.Fatalf("%q is not in the file", c.from)
			}
			set, problems := rules.Load("x.yaml", []byte(text))
			for _, p := range problems {
				if strings.HasPrefix(p.Message, "the platform promises rows of complete days only") {
					continue // every window of today has this warning
				}
				if c.want != "" && strings.Contains(p.String(), c.want) && strings.Contains(p.Hint, c.hint) && p.Hint != "" && p.Error == (set == nil) {
					return
				}
				t.Logf("the problem is\n%s", p)
				if c.want == "" {
					t.Error("a valid file has a problem")
				}
			}
			if c.want != "" {
				t.Errorf("no problem has %q with the hint %q", c.want, c.hint)
			}
		})
	}
}

// TestConditionsOnSeveralLines checks the places of errors in conditions of several
// lines.
func TestConditionsOnSeveralLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ condition, place string }{
		"literal": {"|\n      ctr < 0.0005 &&\n      clcks > 3", "x.yaml:20:7"},
		"folded":  {">-\n      ctr < 0.0005 &&\n        clcks > 3", "x.yaml:20:9"},
		"quoted":  {`"clcks > 3"`, "x.yaml:18:18"},
		"joined":  {"ctr < 0.0005 &&\n      clcks > 3", "x.yaml:19:7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := rules.Load("x.yaml", []byte(strings.Replace(budgets, "ctr < 0.0005", c.condition, 1)))
			last := problems[len(problems)-1].String()
			if !strings.HasPrefix(last, c.place) || !strings.Contains(last, `unknown metric "clcks"`) || !strings.Contains(last, `did you mean "clicks"?`) {
				t.Errorf("the problem is %s", last)
			}
		})
	}
}

// TestMixedOperators checks conditions that mix && and ||.
func TestMixedOperators(t *testing.T) {
	const message = " warning: pause_when: && and || are mixed without parentheses, and && is read first | write "
	condition := func(to string, want ...string) mistake {
		return mistake{"grossMediaSpend >= 1.05 * budget", to, want}
	}
	testMistakes(t, map[string]mistake{
		"or, then and":     condition("grossMediaSpend >= 90 || clicks > 500 && won > 900", "7:55:"+message+"grossMediaSpend >= 90 || (clicks > 500 && won > 900), as it is read"),
		"and, then or":     condition("clicks > 500 && won > 900 || grossMediaSpend >= 90", "7:43:"+message+"(clicks > 500 && won > 900) || grossMediaSpend >= 90"),
		"parentheses":      condition("(clicks > 500 && won > 900) || grossMediaSpend >= 90"),
		"other parens":     condition("clicks > 500 && (won > 900 || grossMediaSpend >= 90)"),
		"within parens":    condition("clicks > 500 && (won > 900 || grossMediaSpend >= 90 && won < 7000)", "7:69:"+message+"won > 900 || (grossMediaSpend >= 90 && won < 7000), as"),
		"only and":         condition("clicks > 500 && won > 900 && grossMediaSpend >= 90"),
		"only or":          condition("clicks > 500 || won > 900 || grossMediaSpend >= 90"),
		"a choice":         condition("'won > 900 || clicks > 500 ? clicks > 90 && won > 7 : won > 3000'"),
		"a quoted window":  condition(`won > 900 && (clicks > 500 || over("last 14 days").won > 70)`),
		"several lines":    condition("|\n      clicks > 500 &&\n      won > 900 ||\n      grossMediaSpend >= 90", "9:17:"+message+"(clicks > 500 && won > 900) || grossMediaSpend >= 90"),
		"two of each":      condition("clicks > 500 && won > 900 || grossMediaSpend >= 90 && won > 70", "7:43:"+message+"(clicks > 500 && won > 900) || (grossMediaSpend >= 90 && won > 70)"),
		"arithmetic first": condition("(clicks + won) * 2 > 500 || won > 900 && clicks > 3", "7:55:"+message+"(clicks + won) * 2 > 500 || (won > 900 && clicks > 3)"),
	})
}
