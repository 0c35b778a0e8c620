package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"usher/internal/rules"
)

// faultless is a rule file without a problem. Each mistake is a change of it.
const faultless = `account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop
    scope: {campaigns: ["SANDBOX1-*"], exclude: ["*-loyalty"]}
    window: yesterday
    pause_when: grossMediaSpend >= 1.05 * budget
    schedule: "0 7 * * *"
    limits: {max_share: 20%}
  - name: weak
    scope: {campaigns: ["SANDBOX1-*"], level: creative, keep_active: 1}
    window: last 7 days
    min_data: {impressions: 5000}
    pause_when: ctr < 0.0005
    schedule: "0 7 * * *"
`

// mistake is a change of the faultless file, and the problems that it makes: the
// place and the kind, a part of the message, and a part of the hint.
type mistake struct {
	from, to string
	want     []string // "7:17: error: message | hint"
}

// testMistakes checks that each mistake makes exactly the wanted problems.
func testMistakes(t *testing.T, mistakes map[string]mistake) {
	t.Helper()
	t.Parallel()
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(faultless, m.from, m.to, 1)
			if text == faultless && m.from != m.to {
				t.Fatalf("%q is not in the file", m.from)
			}
			_, problems := rules.Load("x.yaml", []byte(text))
			for i, p := range problems {
				if i >= len(m.want) || !isProblem(p, m.want[i]) {
					t.Errorf("an unexpected problem:\n%s", p)
				}
			}
			if len(problems) < len(m.want) {
				t.Errorf("no problem is %q", m.want[len(problems)])
			}
		})
	}
}

// isProblem reports whether a problem is the wanted one.
func isProblem(p rules.Problem, want string) bool {
	kind := "warning"
	if p.Error {
		kind = "error"
	}
	start := fmt.Sprintf("%d:%d: %s: ", p.Line, p.Column, kind)
	message, hint, _ := strings.Cut(strings.TrimPrefix(want, start), " | ")
	return strings.HasPrefix(want, start) && strings.Contains(p.Message, message) && strings.Contains(p.Hint, hint) && p.Hint != ""
}

// TestFaultless checks that the file to which the mistakes are made has none.
func TestFaultless(t *testing.T) {
	testMistakes(t, map[string]mistake{"none": {"", "", nil}})
}

// TestForeignSigns checks signs, words and numbers that conditions do not have.
func TestForeignSigns(t *testing.T) {
	// condition returns a change of the first pause_when, which begins in 7:17.
	condition := func(to string, want ...string) mistake {
		return mistake{"grossMediaSpend >= 1.05 * budget", to, want}
	}
	testMistakes(t, map[string]mistake{
		"=>":                  condition("grossMediaSpend => 95", `7:33: error: pause_when: "=>" is not an operator | write >=`),
		"=<":                  condition("grossMediaSpend =< 95", `7:33: error: pause_when: "=<" is not an operator | write <=`),
		"> =":                 condition("grossMediaSpend > = 95", `7:33: error: pause_when: "> =" is not an operator | write >= without a space`),
		"≥":                   condition("grossMediaSpend ≥ 95", `7:33: error: pause_when: "≥" is not an operator | write >=`),
		"≤":                   condition("ecpm > 2 && grossMediaSpend ≤ 95", `7:45: error: pause_when: "≤" is not an operator | write <=`),
		"<>":                  condition("clicks <> 5", `7:24: error: pause_when: "<>" is not an operator | write !=`),
		"≠":                   condition("clicks ≠ 5", `7:24: error: pause_when: "≠" is not an operator | write !=`),
		"single =":            condition("clicks = 5", `7:24: error: pause_when: a single = is not an operator | write ==`),
		"===":                 condition("clicks === 5", `7:24: error: pause_when: "===" is not an operator | write ==`),
		"×":                   condition("grossMediaSpend >= 1.05 × budget", `7:41: error: pause_when: "×" is not an operator | write *`),
		"a dash for minus":    condition("grossMediaSpend – budget > 5", `7:33: error: pause_when: "–" is not an operator | write -`),
		"power":               condition("clicks ^ 2 > 5", `7:24: error: pause_when: "^" is not an operator | write clicks * clicks`),
		"semicolon":           condition("clicks > 5;", `7:27: error: pause_when: ";" does not end a condition | leave it out`),
		"$100":                condition("grossMediaSpend >= $100", `7:36: error: pause_when: amounts have no currency | write 100: amounts are in the account's currency`),
		"€ 100":               condition("grossMediaSpend >= € 100", `7:36: error: pause_when: amounts have no currency | write 100: `),
		"100 EUR":             condition("grossMediaSpend >= 100 EUR", `7:36: error: pause_when: amounts have no currency | write 100: `),
		"100€":                condition("grossMediaSpend >= 100€", `7:36: error: pause_when: amounts have no currency | write 100: `),
		"percent":             condition("grossMediaSpend >= 95% * budget", `7:36: error: pause_when: conditions have no percent signs | write 95% as 0.95`),
		"percent of a ratio":  condition("budgetUsed >= 97.5 %", `7:31: error: pause_when: conditions have no percent signs | write 97.5 % as 0.975`),
		"0,95":                condition("grossMediaSpend >= 0,95 * budget", `7:36: error: pause_when: "0,95" is not a number | write 0.95`),
		"1,000":               condition("impressions >= 1,000", `7:32: error: pause_when: "1,000" is not a number | write 1000`),
		"0,950":               condition("grossMediaSpend >= 0,950 * budget", `7:36: error: pause_when: "0,950" is not a number | write 0.950`),
		"1.000.000":           condition("impressions >= 1.000.000", `7:32: error: pause_when: "1.000.000" is not a number | write 1000000`),
		"1 000":               condition("impressions >= 1 000", `7:32: error: pause_when: "1 000" is not a number | write 1000`),
		"1'000":               condition("impressions >= 1'000", `7:32: error: pause_when: "1'000" is not a number | write 1000`),
		"1_000":               condition("impressions >= 1_000", `7:32: error: pause_when: "1_000" is not a number | write 1000`),
		"1.234,50":            condition("grossMediaSpend >= 1.234,50", `7:36: error: pause_when: "1.234,50" is not a number | write 1234.50`),
		"5k":                  condition("impressions >= 5k", `7:32: error: pause_when: "5k" is not a number | write 5000`),
		"1.5M":                condition("impressions >= 1.5M", `7:32: error: pause_when: "1.5M" is not a number | write 1500000`),
		"smart quotes":        condition("“grossMediaSpend” >= 95", `7:17: error: pause_when: conditions have no quotes | write grossMediaSpend`),
		"smart quotes around": {`"*-loyalty"`, `“*-loyalty”`, []string{"5:50: error: the text begins with “, which YAML does not read as a quote | write \"*-loyalty\""}},
		"AND":                 condition("clicks > 5 AND won > 5", `7:28: error: pause_when: "AND" does not join conditions | write &&`),
		"or":                  condition("clicks > 5 or won > 5", `7:28: error: pause_when: "or" does not join conditions | write ||`),
		"&":                   condition("clicks > 5 & won > 5", `7:28: error: pause_when: "&" does not join conditions | write &&`),
		"NOT":                 condition("NOT clicks > 5", `7:17: error: pause_when: "NOT" is not an operator | write !( … )`),
		"less than":           condition("clicks is less than 5", `7:24: error: pause_when: "is less than" is not an operator | write <`),
		"above":               condition("clicks above 5", `7:24: error: pause_when: "above" is not an operator | write >`),
		"between":             condition("clicks between 1 and 5", `7:17: error: pause_when: "between" is not an operator | write clicks >= 1 && clicks <= 5`),
		"if then":             condition("if clicks > 5 then pause", `7:17: error: pause_when: "if" has no place in a condition | write only the comparison`, `7:31: error: pause_when: "then" has no place in a condition | write only the comparison`),
		"name of words":       condition("gross media spend > 5", `7:17: error: pause_when: unknown metric "gross media spend" | write grossMediaSpend`),
		"two signs":           condition("grossMediaSpend => 0,95 * budget", `7:33: error: "=>" is not | >=`, `7:36: error: "0,95" is not | 0.95`),
		"no-break space":      condition("clicks\u00a0> 5", `7:23: error: pause_when: a space that is not a plain space | type a space`),
		"unknown sign":        condition("clicks > 5 ☺", `7:28: error: pause_when: conditions have no "☺" | numbers, metrics, + - * /`),
		"a dangling operator": condition("clicks > 5 &&", `7:30: error: pause_when: it cannot be read here | grossMediaSpend >= 0.95 * budget`),
		"spend":               condition("spend > 5", `7:17: error: pause_when: unknown metric "spend" | did you mean "grossMediaSpend"?`),
		"cpm":                 condition("cpm > 5", `7:17: error: pause_when: unknown metric "cpm" | did you mean "ecpm"?`),
		"cost":                condition("cost > 5", `7:17: error: pause_when: unknown metric "cost" | did you mean "grossMediaSpend"?`),
		"daily budget":        condition("grossMediaSpend > daily_budget", `7:35: error: pause_when: unknown metric "daily_budget" | did you mean "budget"?`),
		"roas":                condition("roas < 2", `7:17: error: pause_when: unknown metric "roas" | the platform reports no conversions`),
		"frequency":           condition("frequency > 3", `7:17: error: pause_when: unknown metric "frequency" | the platform reports no reach`),
		"viewability":         condition("viewability < 0.5", `7:17: error: pause_when: unknown metric "viewability" | usher cannot see whether an ad was in view`),
		"a day of the week":   condition("weekday == 6", `7:17: error: pause_when: unknown metric "weekday" | active_days`),
		"an hour as function": condition("hour() > 20", `7:21: error: pause_when: conditions have no "hour" | active_hours`),
		"hour":                condition("hour > 22", `7:17: error: pause_when: unknown metric "hour" | schedule`),
		"a window's metric":   condition("yesterday.clicks > 22", `7:17: error: pause_when: yesterday has no parts, such as .clicks | write clicks, and window: yesterday`),
		"a part of a metric":  condition("ctr.today < 1", `7:17: error: pause_when: ctr is a number and has no parts, such as .today | leave out .today`),
		"… of another window": condition(`over("today").ctr.x < 1`, `7:17: error: pause_when: over("today").ctr is a number and has no parts, such as .x | leave out .x`),
		"… of a sum":          condition("(clicks + won).x < 1", `7:25: error: pause_when: only names have parts, such as .x | leave out .x`),
		"… behind a mistake":  condition("roas > 2 && ctr.x < 1", `7:17: error: pause_when: unknown metric "roas" | the platform reports no conversions`, `7:29: error: pause_when: ctr is a number and has no parts, such as .x | leave out .x`),
		"a list":              condition("[clicks > 5, won > 5]", `7:17: error: pause_when must be one line of text, and this is a list | join comparisons with &&`),
		"a mapping":           condition("{metric: clicks, value: 5}", `7:17: error: pause_when must be one line of text, and this is a mapping | clicks > 5`),
		"! first":             condition("!(clicks > 5)", `7:17: error: the file is not valid YAML: the text has a sign that YAML reads otherwise | put quotes around it: pause_when: '!(clicks > 5)'`),
	})
}

// TestMistakesInYAML checks mistakes that are none of the rules' own.
func TestMistakesInYAML(t *testing.T) {
	testMistakes(t, map[string]mistake{
		"tab":                  {"    window: yesterday", "\twindow: yesterday", []string{"6:1: error: the file is not valid YAML: the line is indented with a tab | indent with spaces"}},
		"tab after spaces":     {"    window: yesterday", "  \twindow: yesterday", []string{"6:3: error: the file is not valid YAML: the line is indented with a tab | indent with spaces"}},
		"no quotes, cron":      {`"0 7 * * *"`, "*/15 * * * *", []string{"8:15: error: the file is not valid YAML: the text has a sign | schedule: '*/15 * * * *'"}},
		"no quotes, *":         {`"SANDBOX1-*"`, "*", []string{`5:25: error: the file is not valid YAML: a * begins an alias | put quotes around it: "*"`}},
		"no quotes, pattern":   {`"*-loyalty"`, "*-loyalty", []string{`5:50: error: a pattern of exclude must be a text, and this is an anchor or alias | quotes`}},
		"no space":             {"window: yesterday", "window:yesterday", []string{"6:5: error: the file is not valid YAML: a key must end with a colon and a space | write window: yesterday"}},
		"= for a colon":        {"window: yesterday", "window = yesterday", []string{"6:5: error: the file is not valid YAML: a key must end with a colon and a space | write window: yesterday"}},
		"one pattern":          {`["SANDBOX1-*"]`, "SANDBOX1-*", []string{`5:24: error: campaigns must be a list, and this is a single value | write campaigns: ["SANDBOX1-*"]`}},
		"1,000 in a mapping":   {"impressions: 5000", "impressions: 5,000", []string{`13:31: error: min_data has no key "000" | write 5000`}},
		"min_data of installs": {"impressions: 5000", "installs: 20", []string{`13:16: error: min_data has no key "installs" | uniqueEngagements, won; and outcome.NAME for a number from outside`}},
		"min_data of a margin": {"impressions: 5000", "mediaMargin: 20", []string{`13:29: error: mediaMargin does not grow with more data | use impressions`}},
		"min_data alone":       {"{impressions: 5000}", "5000", []string{`13:15: error: min_data must be keys with values, and this is "5000" | {impressions: 5000}`}},
		"min_data of 5k":       {"impressions: 5000", "impressions: 5k", []string{`13:29: error: the minimum of impressions must be a number, and this is "5k" | write 5000`}},
		"min_data of a rate":   {"impressions: 5000", "ctr: 0.1", []string{`13:16: error: min_data has no key "ctr" | impressions`}},
		"decimal comma":        {"20%", "2,5%", []string{`9:25: error: max_share must be a percentage, and this is "2" | write 2%`, `9:27: error: limits has no key "5%" | write 2.5%`}},
		"a day in words":       {"impressions: 5000}", "impressions: 5000}\n    cooldown: 1 day", []string{`14:15: error: cooldown must be a duration, and this is "1 day" | write 1d`}},
		"a number alone":       {"impressions: 5000}", "impressions: 5000}\n    cooldown: 30", []string{`14:15: error: cooldown must be a duration, and this is "30" | write 30m for minutes`}},
		"a share without %":    {"20%", "20", []string{`9:25: error: max_share must be a percentage, and this is "20" | write 20%`}},
		"a share of 1":         {"20%", "0.2", []string{`9:25: error: max_share must be a percentage, and this is "0.2" | write 20%`}},
		"priority in words":    {"impressions: 5000}", "impressions: 5000}\n    priority: high", []string{`14:15: error: priority must be a number, and this is "high" | write it in digits`}},
		"key of another":       {"pause_when: ctr", "when: ctr", []string{`14:5: error: a rule has no key "when" | write pause_when`}},
		"hours in short":       {"impressions: 5000}", "impressions: 5000}\n    active_hours: 8-22", []string{`14:19: error: active_hours must be two times of the day, and this is "8-22" | write "08:00-22:00"`}},
		"hours in am and pm":   {"impressions: 5000}", "impressions: 5000}\n    active_hours: 6am - 11:30 pm", []string{`14:19: error: active_hours must be two times of the day, and this is "6am - 11:30 pm" | write "06:00-23:30"`}},
		"midnight and noon":    {"impressions: 5000}", "impressions: 5000}\n    active_hours: 12am-12pm", []string{`14:19: error: active_hours must be two times of the day, and this is "12am-12pm" | write "00:00-12:00"`}},
		"hours of weekdays":    {"impressions: 5000}", "impressions: 5000}\n    active_hours: Mon-Fri 8-22", []string{`14:19: error: active_hours must be two times of the day, and this is "Mon-Fri 8-22" | write "08:00-22:00", and active_days`}},
		"one hour":             {"impressions: 5000}", "impressions: 5000}\n    active_hours: \"08:00\"", []string{`14:19: error: active_hours must be two times of the day, and this is "08:00" | write "08:00-22:00"`}},
		"hours from 24:00":     {"impressions: 5000}", "impressions: 5000}\n    active_hours: 24:00-06:00", []string{`14:19: error: active_hours must be two times of the day, and this is "24:00-06:00" | write "08:00-22:00"`}},
		"hours of 25":          {"impressions: 5000}", "impressions: 5000}\n    active_hours: 08:00-25:00", []string{`14:19: error: active_hours must be two times of the day, and this is "08:00-25:00" | write "08:00-22:00"`}},
		"all hours":            {"impressions: 5000}", "impressions: 5000}\n    active_hours: 00:00-24:00", []string{`14:19: error: active_hours "00:00-24:00" have no end: no time is outside | write "08:00-22:00", or remove active_hours`}},
		"a duration of 0":      {"impressions: 5000}", "impressions: 5000}\n    min_age: 0d", []string{`14:14: error: min_age must be a duration, and this is "0d" | write a duration above 0, such as 1d, or leave the key out`}},
		"no minutes":           {"impressions: 5000}", "impressions: 5000}\n    cooldown: 0m", []string{`14:15: error: cooldown must be a duration, and this is "0m" | write a duration above 0, such as 1m, or leave the key out`}},
		"eleven years":         {"impressions: 5000}", "impressions: 5000}\n    cooldown: 4000d", []string{`14:15: error: cooldown must be a duration, and this is "4000d" | write 3660d or less`}},
		"equal ends":           {"impressions: 5000}", "impressions: 5000}\n    active_hours: 08:00-08:00", []string{`14:19: error: active_hours "08:00-08:00" have no end: no time is outside | write "08:00-22:00", or remove active_hours`}},
		"hours by a name":      {"impressions: 5000}", "impressions: 5000}\n    dayparting: 08:00-22:00", []string{`14:5: error: a rule has no key "dayparting" | write active_hours`}},
		"mode misspelt":        {"impressions: 5000}", "impressions: 5000}\n    mode: notfy", []string{`14:11: error: unknown mode "notfy" | did you mean "notify"?`}},
		"enabled":              {"impressions: 5000}", "impressions: 5000}\n    enabled: false", []string{`14:5: error: a rule has no key "enabled" | write mode: observe`}},
	})
}

// TestMistakesInTheHead checks mistakes in the account and its zone.
func TestMistakesInTheHead(t *testing.T) {
	zone := func(to string, want ...string) mistake { return mistake{"Europe/London", to, want} }
	testMistakes(t, map[string]mistake{
		"Etc/GMT+2":          zone("Etc/GMT+2", "2:11: warning: Etc/GMT+2 is 2 hours behind UTC | Etc/GMT-2"),
		"Etc/GMT-1":          zone("Etc/GMT-1", "2:11: warning: Etc/GMT-1 is 1 hour ahead of UTC | Etc/GMT+1"),
		"EST":                zone("EST", "2:11: warning: EST has no summer time | America/New_York"),
		"CET":                zone("CEST", `2:11: error: unknown time zone "CEST" | write Europe/Berlin`),
		"PT":                 zone("PT", `2:11: error: unknown time zone "PT" | write America/Los_Angeles`),
		"GMT+2":              zone("GMT+2", `2:11: error: unknown time zone "GMT+2" | write the zone of a city`),
		"+02:00":             zone(`"+02:00"`, `2:11: error: unknown time zone "+02:00" | write the zone of a city`),
		"a city":             zone("Berlin", `2:11: error: unknown time zone "Berlin" | write Europe/Berlin`),
		"a city of words":    zone("New York", `2:11: error: unknown time zone "New York" | write America/New_York`),
		"UTC":                zone("UTC"),
		"lower-case account": {"account: SANDBOX1", "account: sandbox1", []string{"1:10: warning: the account's code has lower-case letters | write SANDBOX1", `5:25: error: the pattern "SANDBOX1-*" matches no campaign | write account: SANDBOX1 above, or "sandbox1-*" here`, `11:25: error: the pattern "SANDBOX1-*" matches no campaign`}},
		"name of an account": {"account: SANDBOX1", "account: My Shop", []string{`1:10: error: "My Shop" is not an advertiser's code | letters, digits and hyphens`}},
		"an account with *":  {"account: SANDBOX1", "account: SANDBOX1-*", []string{`1:10: error: "SANDBOX1-*" is not an advertiser's code | letters, digits and hyphens`}},
	})
}

// TestMistakesInSchedules checks schedules that cannot be read, and those that are due
// at other times than a reader expects.
func TestMistakesInSchedules(t *testing.T) {
	// schedule returns a change of the first schedule, which begins in 8:15.
	schedule := func(to string, want ...string) mistake {
		return mistake{`"0 7 * * *"`, to, want}
	}
	testMistakes(t, map[string]mistake{
		"MON-FRI":            schedule(`"0 7 * * MON-FRI"`, `8:24: error: schedule "0 7 * * MON-FRI": weekday "MON-FRI" | write "0 7 * * 1-5"`),
		"JAN":                schedule(`"0 7 1 JAN *"`, `8:22: error: schedule "0 7 1 JAN *": month "JAN" | write "0 7 1 1 *"`),
		"@daily":             schedule(`"@daily"`, `8:15: error: schedule "@daily" has 1 field | write "0 0 * * *"`),
		"@hourly":            schedule(`"@hourly"`, `8:15: error: schedule "@hourly" has 1 field | write "0 * * * *"`),
		"7:30":               schedule(`"7:30"`, `8:15: error: schedule "7:30" has 1 field | write "30 7 * * *"`),
		"daily at 7am":       schedule("daily at 7am", `8:15: error: schedule "daily at 7am" has 3 fields | write "0 7 * * *"`),
		"every 15 minutes":   schedule("every 15 minutes", `8:15: error: schedule "every 15 minutes" has 3 fields | write "*/15 * * * *"`),
		"every 2 hours":      schedule("every 2 hours", `8:15: error: schedule "every 2 hours" has 3 fields | write "0 */2 * * *"`),
		"15m":                schedule("15m", `8:15: error: schedule "15m" has 1 field | write "*/15 * * * *"`),
		"with seconds":       schedule(`"0 0 7 * * *"`, `8:15: error: schedule "0 0 7 * * *" has 6 fields | write "0 7 * * *"`),
		"? of Quartz":        schedule(`"0 7 ? * 1"`, `8:20: error: schedule "0 7 ? * 1": day "?" | write "0 7 * * 1"`),
		"hour 24":            schedule(`"0 24 * * *"`, `8:18: error: schedule "0 24 * * *": hour "24" | write "0 0 * * *"`),
		"step of 90":         schedule(`"*/90 * * * *"`, `8:16: error: schedule "*/90 * * * *": minute "*/90": step "90" | minute hour day month weekday`),
		"every minute of 7":  schedule(`"* 7 * * *"`, `8:15: warning: the rule is due in every minute from 7:00 to 7:59 | write "0 7 * * *"`),
		"two days":           schedule(`"0 7 1 * 1"`, `8:15: warning: the rule is due on day 1 of a month and also on every Monday | write "0 7 1 * *" or "0 7 * * 1"`),
		"a day and workdays": schedule(`"0 7 1 * 1-5"`, `8:15: warning: the rule is due on day 1 of a month and also on the weekdays 1-5 | write "0 7 1 * *" or "0 7 * * 1-5"`),
		"often on yesterday": schedule(`"*/5 * * * *"`, `8:15: warning: the rule is due 288 times a day, but the complete days of window: yesterday change once a day | write schedule: "0 7 * * *"`),
		"uneven minutes":     schedule(`"*/45 7 * * *"`, `8:15: warning: */45 is not every 45 minutes: the rule is due in minutes 0, 45 | write a step that divides 60`),
		"uneven hours":       schedule(`"0 */5 * * *"`, `8:15: warning: */5 is not every 5 hours: the rule is due in hours 0, 5, 10, 15, 20 | write a step that divides 24`),
		"the 31st":           schedule(`"0 7 31 * *"`, `8:15: warning: 5 months have no day 31 | write "0 7 1 * *"`),
		"the 30th":           schedule(`"0 7 30 * *"`, `8:15: warning: 1 month has no day 30 | write "0 7 1 * *"`),
		"29 February":        schedule(`"0 7 29 2 *"`, `8:15: warning: the rule is due in leap years only | write "0 7 28 2 *"`),
		"hourly":             schedule(`"0 * * * *"`),
		"workdays":           schedule(`"0 7 * * 1-5"`),
		"several days":       schedule(`"0 7 1,15 * *"`),
		"none":               {"    schedule: \"0 7 * * *\"\n", "", []string{"4:5: warning: nothing evaluates the rule by itself: it has no schedule | write schedule:"}},
		"none, for events":   {"window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n", "window: today\n    pause_when: grossMediaSpend >= 1.05 * budget\n", []string{"6:5: warning: the platform promises rows of complete days only | yesterday"}},
		"often on today":     {"window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n", "window: today\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"*/5 * * * *\"\n", []string{"6:5: warning: the platform promises rows of complete days only | yesterday"}},
		"age of yesterday":   {"limits: {max_share: 20%}", "limits: {max_share: 20%}\n    max_report_age: 6h", []string{"10:5: error: the rule never has figures: yesterday's report is 7h old when the rule is due | write max_report_age: 24h"}},
		"age of some hours":  {"\"0 7 * * *\"\n    limits: {max_share: 20%}", "\"0 */6 * * *\"\n    limits: {max_share: 20%}\n    max_report_age: 6h", []string{"10:5: warning: the rule has no figures at 2 of 4 times of a day: yesterday's report is up to 18h old | write max_report_age: 24h"}},
		"age that suffices":  {"limits: {max_share: 20%}", "limits: {max_share: 20%}\n    max_report_age: 36h", nil},
	})
}

// TestMistakesInWindows checks windows of other tools.
func TestMistakesInWindows(t *testing.T) {
	window := func(to string, want ...string) mistake { return mistake{"last 7 days", to, want} }
	testMistakes(t, map[string]mistake{
		"last_7d":     window("last_7d", `12:13: error: unknown window "last_7d" | did you mean "last 7 days"?`),
		"7d":          window("7d", `12:13: error: unknown window "7d" | did you mean "last 7 days"?`),
		"7 days":      window("7 days", `12:13: error: unknown window "7 days" | did you mean "last 7 days"?`),
		"last week":   window("last week", `12:13: error: unknown window "last week" | did you mean "last 7 days"?`),
		"upper case":  window("Last 7 Days", `12:13: error: unknown window "Last 7 Days" | did you mean "last 7 days"?`),
		"max":         window("maximum", `12:13: error: unknown window "maximum" | did you mean "lifetime"?`),
		"a quantity":  window("7", `12:13: error: unknown window "7" | did you mean "last 7 days"?`),
		"today":       window("today", `12:5: warning: the platform promises rows of complete days only | write window: yesterday; metrics of a budget engine are for rules on campaigns`, "14:17: warning: pause_when: ctr can rise and fall during the day | last 7 days"),
		"a year or 2": window("last 730 days", `12:13: error: window "last 730 days": N is a whole number from 1 to 366 | did you mean "last 366 days"?`),
	})
}

// TestMistakesInScopes checks patterns that match nothing, and rules without a bound.
func TestMistakesInScopes(t *testing.T) {
	const stop = `{campaigns: ["SANDBOX1-*"], exclude: ["*-loyalty"]}`
	scope := func(to string, want ...string) mistake { return mistake{stop, to, want} }
	const limits = "    limits: {max_share: 20%}\n"
	testMistakes(t, map[string]mistake{
		"exclude without a star":   scope(`{campaigns: ["SANDBOX1-*"], exclude: ["loyalty"]}`, `5:50: error: exclude "loyalty" matches no campaign of the account | write "*loyalty*"`),
		"exclude of another":       scope(`{campaigns: ["SANDBOX1-a*"], exclude: ["SANDBOX1-b*"]}`, `5:51: warning: exclude "SANDBOX1-b*" matches no campaign in the scope | remove it`),
		"exclude of an account":    scope(`{campaigns: ["SANDBOX1-*"], exclude: ["OTHER-*"]}`, `5:50: error: exclude "OTHER-*" matches no campaign of the account | campaigns of account SANDBOX1 begin with "SANDBOX1-": write a pattern such as "SANDBOX1-loyalty*"`),
		"a code that is excluded":  scope(`{campaigns: ["SANDBOX1-spring"], exclude: ["*-spring"]}`, `5:5: error: the scope matches nothing: exclude has "SANDBOX1-spring", too | remove the pattern from exclude`),
		"one of two is excluded":   scope(`{campaigns: ["SANDBOX1-spring", "SANDBOX1-summer"], exclude: ["*-spring"]}`, `5:5: warning: exclude has "SANDBOX1-spring", too, so the rule does not decide on it | remove it from campaigns`),
		"exclude of some":          scope(`{campaigns: ["SANDBOX1-a*"], exclude: ["*b*"]}`),
		"exclude of a class":       scope(`{campaigns: ["SANDBOX1-[a-c]*"], exclude: ["SANDBOX1-b*"]}`),
		"name of a campaign":       scope(`{campaigns: ["Summer Sale"]}`, `5:25: error: "Summer Sale" is no pattern of campaign codes: they have letters, digits and hyphens | the campaign's code`),
		"regular expression":       scope(`{campaigns: ["SANDBOX1-.*"]}`, `5:25: error: "SANDBOX1-.*" is no pattern of campaign codes: they have letters, digits and hyphens | write "SANDBOX1-*"`),
		"SQL":                      scope(`{campaigns: ["SANDBOX1-%"]}`, `5:25: error: "SANDBOX1-%" is no pattern of campaign codes: they have letters, digits and hyphens | write "SANDBOX1-*"`),
		"several in one":           scope(`{campaigns: ["SANDBOX1-a,SANDBOX1-b"]}`, `5:25: error: "SANDBOX1-a,SANDBOX1-b" is no pattern of campaign codes: they have letters, digits and hyphens | write ["SANDBOX1-a", "SANDBOX1-b"]`),
		"the account alone":        scope(`{campaigns: ["SANDBOX1"]}`, `5:25: error: the pattern "SANDBOX1" matches no campaign of the account | write "SANDBOX1-*"`),
		"a code without account":   scope(`{campaigns: ["summer"]}`, `5:25: error: the pattern "summer" matches no campaign of the account | write "SANDBOX1-summer"`),
		"all without limits":       {limits, "", []string{`4:5: warning: the rule may pause every creative of the account in one run | write limits: {max_share: 20%}`}},
		"* without limits":         {stop + "\n    window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n" + limits, "{campaigns: [\"*\"]}\n    window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n", []string{`4:5: warning: the rule may pause every creative of the account in one run | write limits: {max_share: 20%}`}},
		"flips are no limit":       {limits, "    limits: {max_flips_per_day: 2}\n", []string{`4:5: warning: the rule may pause every creative of the account in one run: max_flips_per_day bounds only the changes of each | write limits: {max_share: 20%}`}},
		"all, but it asks":         {limits, "    mode: approve\n", nil},
		"all, but it observes":     {limits, "    mode: observe\n", nil},
		"some without limits":      {"[\"SANDBOX1-*\"], exclude: [\"*-loyalty\"]}\n    window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n" + limits, "[\"SANDBOX1-a*\"]}\n    window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n", nil},
		"a share of everything":    {"20%", "100%", []string{"9:5: warning: max_share: 100% limits nothing | write a smaller share, such as 20%"}},
		"flips that cannot happen": {limits, limits + "    cooldown: 2d\n    resume_when: grossMediaSpend < 0.8 * budget\n", nil},
		"flips beyond a cooldown":  {limits, "    limits: {max_share: 20%, max_flips_per_day: 3}\n    cooldown: 1d\n", []string{"9:5: warning: max_flips_per_day: 3 limits nothing: with cooldown: 24h a creative is changed once a day at most | remove max_flips_per_day"}},
	})
}

// TestMistakesInFor checks days on which pause_when must have held.
func TestMistakesInFor(t *testing.T) {
	const schedule = "    schedule: \"0 7 * * *\"\n    limits"
	held := func(days string, want ...string) mistake {
		return mistake{schedule, "    for: " + days + "\n" + schedule, want}
	}
	of := func(condition, name string) mistake {
		return mistake{"grossMediaSpend >= 1.05 * budget\n", condition + "\n    for: 3 days\n", []string{"8:5: error: for evaluates pause_when on single days, and " + name + " is not a metric of one day | remove for, or compare with a number"}}
	}
	testMistakes(t, map[string]mistake{
		"3 days":         held("3 days"),
		"30 days":        held("30 days"),
		"1 day":          held("1 day", "8:5: warning: for: 1 day has no effect: the window yesterday is that day | write 2 days or more, or remove for"),
		"0 days":         held("0 days", `8:10: error: for must be a number of days from 1 to 30, and this is "0 days" | write 1 day`),
		"-2 days":        held("-2 days", `8:10: error: for must be a number of days from 1 to 30, and this is "-2 days" | write 1 day`),
		"31 days":        held("31 days", `8:10: error: for must be a number of days from 1 to 30, and this is "31 days" | write 30 days`),
		"a number":       held("3", `8:10: error: for must be a number of days from 1 to 30, and this is "3" | write 3 days`),
		"a duration":     held("5d", `8:10: error: for must be a number of days from 1 to 30, and this is "5d" | write 5 days`),
		"hours":          held("48h", `8:10: error: for must be a number of days from 1 to 30, and this is "48h" | write 3 days`),
		"a week":         held("a week", `8:10: error: for must be a number of days from 1 to 30, and this is "a week" | write 3 days`),
		"half a day":     held("1.5 days", `8:10: error: for must be a number of days from 1 to 30, and this is "1.5 days" | write 3 days`),
		"a list":         held("[3 days]", "8:10: error: for must be a text, and this is a list | write one word or number"),
		"previous":       of("grossMediaSpend > 2 * previous.grossMediaSpend", "previous.grossMediaSpend"),
		"over":           of("'grossMediaSpend > over(\"last 3 days\").grossMediaSpend'", `over("last 3 days").grossMediaSpend`),
		"lifetimeUsed":   of("campaign.lifetimeUsed > 0.9", "campaign.lifetimeUsed"),
		"projectedSpend": of("projectedSpend >= budget", "projectedSpend"),
		"lifetime":       {"window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "window: lifetime\n    for: 3 days\n    pause_when: grossMediaSpend >= 1.05 * budget", []string{"7:5: error: for evaluates pause_when on single days, and lifetime is all days | write window: yesterday"}},
		"another name":   {schedule, "    for_days: 3 days\n" + schedule, []string{`8:5: error: a rule has no key "for_days" | write for`}},
	})
}

// TestMistakesInMinData checks min_data that does not make a ratio meaningful.
func TestMistakesInMinData(t *testing.T) {
	minData := func(to string, want ...string) mistake { return mistake{"{impressions: 5000}", to, want} }
	weak := func(least, condition string, want ...string) mistake {
		return mistake{"{impressions: 5000}\n    pause_when: ctr < 0.0005", least + "\n    pause_when: " + condition, want}
	}
	testMistakes(t, map[string]mistake{
		"5 impressions":            minData("{impressions: 5}", "13:5: warning: min_data: 5 impressions are too few for ctr: where it is 0.0005, they have 0.0025 clicks | write min_data: {impressions: 2000} or more"),
		"1000 for a rare click":    minData("{impressions: 1000}", "13:5: warning: min_data: 1000 impressions are too few for ctr: where it is 0.0005, they have 0.5 clicks | write min_data: {impressions: 2000} or more"),
		"5.000":                    minData("{impressions: 5.000}", "13:5: warning: min_data: 5 impressions are too few", "13:29: warning: 5.000 is the number 5 | write 5000 if the point separates thousands"),
		"unrelated":                minData("{auctions: 5000}", "13:5: warning: min_data has no impressions, by which ctr divides: 5000 auctions may come with a handful of them | write min_data: {impressions: 2000}"),
		"a budget":                 minData("{budget: 100}", "13:5: warning: min_data has no impressions, by which ctr divides: 100 budget may come | write min_data: {impressions: 2000}"),
		"what impressions lead to": minData("{clicks: 20}"),
		"both":                     minData("{auctions: 5, impressions: 5000}"),
		"cpc by impressions":       weak("{impressions: 5000}", "cpc > 2", "13:5: warning: min_data has no clicks, by which cpc divides: 5000 impressions may come with a handful of them | write min_data: {clicks: 20}"),
		"cpc by 2 clicks":          weak("{clicks: 2}", "cpc > 2", "13:5: warning: min_data: 2 clicks are too few for cpc | write min_data: {clicks: 20}"),
		"cpc by clicks":            weak("{clicks: 20}", "cpc > 2"),
		"own ratio":                weak("{auctions: 5000}", "clicks / impressions < 0.0005", "13:5: warning: min_data has no impressions, by which the condition divides: 5000 auctions may come with a handful of them | write min_data: {impressions: 500}"),
		"winRate":                  weak("{bidsPlaced: 500}", "winRate < 0.05"),
		"ecpm of 20":               weak("{impressions: 20}", "ecpm > 5", "13:5: warning: min_data: 20 impressions are too few for ecpm | write min_data: {impressions: 500}"),
	})
}
