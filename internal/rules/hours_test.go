package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// atTime returns the decision of the rule "r" with more keys on a creative in
// Europe/Berlin at a time of the form 2026-05-20T23:10:00+02:00. If clicks is negative,
// the report has no rows.
func atTime(t *testing.T, more, at string, clicks float64, status string, memory usher.CreativeMemory) usher.Decision {
	t.Helper()
	set := load(t, "account: A\ntimezone: Europe/Berlin\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, "+more+"}\n")
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	var rows []figures.Row
	if clicks >= 0 {
		rows = append(rows, viewed(set.Day(now), 0, clicks))
	}
	snapshot := active("c", reported(t, set, now, rows...))
	snapshot.Creatives[0].Status, snapshot.Memory = status, func(string) usher.CreativeMemory { return memory }
	return onlyDecision(t, set, snapshot)
}

func TestActiveHours(t *testing.T) {
	t.Parallel()
	const (
		hours  = `active_hours: "08:00-22:00"`
		night  = `active_hours: "22:00-06:00"`
		stop   = hours + ", window: today, pause_when: clicks > 5"
		both   = stop + ", resume_when: clicks < 3"
		picky  = hours + ", window: yesterday, min_data: {impressions: 5000}, max_report_age: 1h, pause_when: ctr < 0.1"
		noRows = -1
	)
	pausedBy := func(rule, at string) usher.CreativeMemory {
		changed, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		return usher.CreativeMemory{Owner: &usher.Ownership{Rule: rule, Status: "INACTIVE"}, Rules: map[string]usher.RuleMemory{"budgets/r": {Changed: changed}}}
	}
	atNight, byDay := pausedBy("budgets/r", "2026-05-19T22:00:00+02:00"), pausedBy("budgets/r", "2026-05-19T21:59:59+02:00")
	approvedByDay := pausedBy("budgets/r", "2026-05-20T08:30:00+02:00")
	approvedByDay.Rules["budgets/r"] = usher.RuleMemory{Changed: approvedByDay.Rules["budgets/r"].Changed, AsOf: atNight.Rules["budgets/r"].Changed}
	changed := pausedBy("budgets/r", "2026-05-19T22:00:00+02:00")
	changed.Owner.LatestUpdate = "earlier"
	for name, c := range map[string]struct {
		more   string
		at     string
		clicks float64
		status string
		memory usher.CreativeMemory
		action usher.Action
		reason string
	}{
		"outside":                      {hours, "2026-05-20T23:10:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside active_hours 08:00-22:00 (it is 23:10 in Europe/Berlin)"},
		"in another zone's clock":      {hours, "2026-05-20T21:10:00Z", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "it is 23:10 in Europe/Berlin"},
		"outside, with a window":       {hours + ", window: last 7 days", "2026-05-20T23:10:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside active_hours"},
		"resumed, with a window":       {hours + ", window: last 7 days", "2026-05-20T08:00:00+02:00", noRows, "INACTIVE", atNight, usher.Resume, "inside active_hours"},
		"at the end":                   {hours, "2026-05-20T22:00:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "it is 22:00"},
		"before the end":               {hours, "2026-05-20T21:59:59+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "inside active_hours 08:00-22:00 (it is 21:59 in Europe/Berlin)"},
		"before the begin":             {hours, "2026-05-20T07:59:59+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "it is 07:59"},
		"paused already":               {hours, "2026-05-20T23:10:00+02:00", noRows, "INACTIVE", atNight, usher.None, "already INACTIVE: outside active_hours"},
		"resumed at the begin":         {hours, "2026-05-20T08:00:00+02:00", noRows, "INACTIVE", atNight, usher.Resume, "inside active_hours 08:00-22:00 (it is 08:00 in Europe/Berlin)"},
		"approved after the begin":     {stop, "2026-05-20T09:00:00+02:00", 0, "INACTIVE", approvedByDay, usher.Resume, "inside active_hours"},
		"paused by another rule":       {hours, "2026-05-20T08:00:00+02:00", noRows, "INACTIVE", pausedBy("budgets/s", "2026-05-19T22:00:00+02:00"), usher.None, "rule budgets/s paused it"},
		"changed by a person":          {hours, "2026-05-20T08:00:00+02:00", noRows, "INACTIVE", changed, usher.None, "it was changed since"},
		"over midnight, before it":     {night, "2026-05-20T23:10:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "inside"},
		"over midnight, after it":      {night, "2026-05-20T05:59:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "inside"},
		"over midnight, at its end":    {night, "2026-05-20T06:00:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside"},
		"until 24:00":                  {`active_hours: "08:00-24:00"`, "2026-05-20T23:59:59+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "inside"},
		"from 00:00":                   {`active_hours: "00:00-08:00"`, "2026-05-20T00:00:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "inside"},
		"clocks go forward, before":    {`active_hours: "03:30-22:00"`, "2026-03-29T01:59:00+01:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "it is 01:59"},
		"clocks go forward, after":     {`active_hours: "02:30-22:00"`, "2026-03-29T03:00:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "it is 03:00"},
		"clocks go back, first 02:30":  {`active_hours: "02:30-22:00"`, "2026-10-25T02:30:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.None, "it is 02:30"},
		"clocks go back, second 02:10": {`active_hours: "02:30-22:00"`, "2026-10-25T02:10:00+01:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "it is 02:10"},

		"outside, without rows":        {picky, "2026-05-20T23:10:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside active_hours"},
		"outside, too little data":     {picky, "2026-05-20T23:10:00+02:00", 9, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside active_hours"},
		"inside, without rows":         {picky, "2026-05-20T12:00:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Unknown, "no row"},
		"outside, condition false":     {stop, "2026-05-20T23:10:00+02:00", 1, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside active_hours"},
		"inside, condition true":       {stop, "2026-05-20T12:00:00+02:00", 9, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "clicks > 5 (9 > 5)"},
		"inside, condition false":      {stop, "2026-05-20T12:00:00+02:00", 1, "ACTIVE", usher.CreativeMemory{}, usher.None, "does not hold: clicks > 5"},
		"paused by hours":              {stop, "2026-05-20T08:00:00+02:00", 1, "INACTIVE", atNight, usher.Resume, "(it is 08:00 in Europe/Berlin), and pause_when does not hold: clicks > 5 (1 is not > 5)"},
		"paused by hours, unknown now": {stop, "2026-05-20T08:00:00+02:00", noRows, "INACTIVE", atNight, usher.Unknown, "no row"},
		"paused by pause_when":         {stop, "2026-05-20T12:00:00+02:00", 1, "INACTIVE", byDay, usher.None, "not resumed, because pause_when paused it, and the rule has no resume_when"},
		"paused by both":               {stop, "2026-05-20T08:00:00+02:00", 9, "INACTIVE", atNight, usher.None, "already INACTIVE: clicks > 5"},
		"resume_when holds":            {both, "2026-05-20T08:00:00+02:00", 1, "INACTIVE", byDay, usher.Resume, "clicks < 3 (1 < 3)"},
		"resume_when does not":         {both, "2026-05-20T08:00:00+02:00", 4, "INACTIVE", atNight, usher.None, "does not hold"},
		"resume_when holds, outside":   {both, "2026-05-20T23:10:00+02:00", 1, "INACTIVE", byDay, usher.None, "already INACTIVE: outside"},
		"notifies":                     {hours + ", mode: notify", "2026-05-20T23:10:00+02:00", noRows, "ACTIVE", usher.CreativeMemory{}, usher.Notify, "would pause, but only notifies: outside active_hours"},
		"on creatives":                 {strings.Replace(hours, "active", "limits: {max_creatives: 3}, active", 1), "2026-05-20T23:10:00+02:00", 3, "ACTIVE", usher.CreativeMemory{}, usher.Pause, "outside"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := atTime(t, c.more, c.at, c.clicks, c.status, c.memory)
			if d.Action != c.action || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestCauseOfPause checks that a change of the hours, of the zone, or of the rule's name does not change what
// a rule resumes. A pause by a worker of 1.0.2 has no cause; the present hours tell it.
func TestCauseOfPause(t *testing.T) {
	t.Parallel()
	const (
		stop = "window: today, pause_when: clicks > 5"
		day  = `, active_hours: "08:00-22:00"`
	)
	for name, c := range map[string]struct {
		keys   string
		owner  string
		cause  usher.Cause
		paused string // the time of 2026-05-19, in Europe/Berlin
		want   usher.Action
		reason string
	}{
		"hours are new":               {stop + day, "budgets/r", usher.CauseCondition, "07:00", usher.None, "not resumed, because pause_when paused it, and the rule has no resume_when"},
		"hours are shorter":           {stop + `, active_hours: "08:00-21:00"`, "budgets/r", usher.CauseCondition, "21:30", usher.None, "pause_when paused it"},
		"hours are longer":            {stop + `, active_hours: "08:00-24:00"`, "budgets/r", usher.CauseHours, "23:00", usher.Resume, "inside active_hours"},
		"days are new":                {stop + ", active_days: [wed]", "budgets/r", usher.CauseCondition, "12:00", usher.None, "pause_when paused it"},
		"in another file":             {stop + day + ", formerly: others/r", "others/r", usher.CauseCondition, "07:00", usher.None, "pause_when paused it"},
		"in another file, by hours":   {stop + day + ", formerly: others/r", "others/r", usher.CauseHours, "09:00", usher.Resume, "inside active_hours"},
		"pause_when is gone":          {strings.TrimPrefix(day, ", "), "budgets/r", usher.CauseCondition, "12:00", usher.None, "pause_when paused it"},
		"until has passed":            {stop + day + ", until: tomorrow", "budgets/r", usher.CauseCondition, "12:00", usher.Resume, "until: tomorrow"},
		"resume_when is new":          {stop + day + ", resume_when: clicks < 3", "budgets/r", usher.CauseCondition, "12:00", usher.Resume, "clicks < 3"},
		"of 1.0.2, inside the hours":  {stop + day, "budgets/r", "", "12:00", usher.None, "pause_when paused it"},
		"of 1.0.2, outside the hours": {stop + day, "budgets/r", "", "23:00", usher.Resume, "inside active_hours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			paused, err := time.Parse(time.RFC3339, "2026-05-19T"+c.paused+":00+02:00")
			if err != nil {
				t.Fatal(err)
			}
			d := atTime(t, c.keys, "2026-05-20T12:00:00+02:00", 1, "INACTIVE", usher.CreativeMemory{
				Owner: &usher.Ownership{Rule: c.owner, Status: "INACTIVE", Cause: c.cause},
				Rules: map[string]usher.RuleMemory{c.owner: {Changed: paused}},
			})
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) || d.Cause != "" {
				t.Errorf("%s, cause %q: %s", d.Action, d.Cause, d.Reason)
			}
		})
	}
	for at, want := range map[string]usher.Cause{"2026-05-20T21:59:00+02:00": usher.CauseCondition, "2026-05-20T22:00:00+02:00": usher.CauseHours} {
		for _, mode := range []string{"act", "approve", "notify"} {
			if d := atTime(t, stop+day+", mode: "+mode, at, 9, "ACTIVE", usher.CreativeMemory{}); d.Cause != want {
				t.Errorf("at %s in mode %s it is %s because of %q: %s", at, mode, d.Action, d.Cause, d.Reason)
			}
		}
	}
}

// TestHoursBlockResume checks that a rule that is outside its hours blocks the resumes of
// other rules.
func TestHoursBlockResume(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: night, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00"}
  - {name: spend, scope: {campaigns: ["A-*"]}, window: today, pause_when: clicks > 5, resume_when: clicks < 3}
tests:
  - {name: outside, at: "22:00", paused_by: spend, metrics: {clicks: 1}, expect: none}
  - {name: inside, at: "21:59", paused_by: spend, metrics: {clicks: 1}, expect: resume, rule: spend}
  - {name: by hours, at: "08:00", paused_by: night, metrics: {clicks: 1}, expect: resume, rule: night}
  - {name: wanted paused, at: "08:00", paused_by: night, metrics: {clicks: 9}, expect: none}
  - {name: end of the day, expect: pause, rule: night}
`)
	results, err := set.RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Passed {
			t.Errorf("%s: %s", r.Test, r.Message)
		}
	}
}

// TestTimeAfterClockChange checks that at is what the clock shows on a day on which clocks
// have changed, and that a time that they skip is refused.
func TestTimeAfterClockChange(t *testing.T) {
	t.Parallel()
	const file = `account: A
timezone: Europe/London
rules:
  - {name: night, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00"}
tests:
  - {name: spring, date: 2014-03-30, at: "22:00", metrics: {clicks: 1}, expect: pause}
  - {name: autumn, date: 2014-10-26, at: "08:00", paused_by: night, metrics: {clicks: 1}, expect: resume}
`
	results, err := load(t, file).RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Passed {
			t.Errorf("%s: %s", r.Test, r.Message)
		}
	}
	_, problems := rules.Load("x.yaml", []byte(strings.Replace(file, "22:00\",", "01:30\",", 1)))
	for _, p := range problems {
		if isProblem(p, "6:38: error: skip this time on 2014-03-30 | write another at") {
			return
		}
	}
	t.Errorf("the problems are %v", problems)
}

// TestBacktestIgnoresHours checks that a backtest, which runs at the end of each day,
// leaves hours out and says so.
func TestBacktestIgnoresHours(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: night, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00"}
  - {name: both, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00", window: today, pause_when: clicks > 5}
`)
	row := figures.Row{Date: "2026-05-20", Campaign: "A-x"}
	row.Values[figures.Clicks] = 9
	next := row
	next.Date = "2026-05-21"
	outcome, err := backtest.Run(t.Context(), set, backtest.Input{From: "2026-05-20", To: "2026-05-21", Rows: []figures.Row{row, next}, Creatives: []rules.Creative{{Campaign: "A-x", Code: "c"}}})
	if err != nil {
		t.Fatal(err)
	}
	s := outcome.Summary
	if strings.Join(s.WholeDay, " ") != "both" {
		t.Errorf("rules that decide by whole days are %v", s.WholeDay)
	}
	if strings.Join(s.WithoutHours, " ") != "night both" || s.Pauses != 1 || s.Resumes != 0 || len(s.Rules) != 1 || s.Rules[0].Pauses != 1 {
		t.Errorf("the summary is %+v", s)
	}
}

// TestHoursLint checks the mistakes in rules with hours.
func TestHoursLint(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ more, want string }{
		"none":            {`, schedule: "*/15 * * * *"`, ""},
		"at both ends":    {`, schedule: "5 8,22 * * *"`, ""},
		"no schedule":     {"", "nothing evaluates the rule when active_hours begin or end"},
		"not at the end":  {`, schedule: "0 8 * * *"`, "not due within an hour after active_hours end at 22:00"},
		"not at begin":    {`, schedule: "0 22 * * *"`, "not due within an hour after active_hours begin at 08:00"},
		"no effect":       {`, min_days: 3, schedule: "0 * * * *"`, "min_days has no effect"},
		"for":             {`, for: 2 days, window: yesterday, pause_when: won > 5, schedule: "0 * * * *"`, "for and active_hours are in one rule"},
		"min_age":         {`, min_age: 2d, schedule: "0 * * * *"`, "min_age and active_hours are in one rule"},
		"nothing resumes": {`, resume_when: clicks < 3, schedule: "0 * * * *"`, "resume_when has no effect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := rules.Load("x.yaml", []byte("account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-x\"]}, active_hours: \"08:00-22:00\""+c.more+"}\n"))
			if (c.want == "") != (len(problems) == 0) || c.want != "" && !strings.Contains(problems[0].Message, c.want) {
				t.Errorf("problems: %v", problems)
			}
		})
	}
}

// TestReadsToday checks which rules read the running day by window: today.
func TestReadsToday(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: night, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00"}
  - {name: today, scope: {campaigns: ["A-*"]}, window: today, pause_when: clicks > 5}
  - {name: week, scope: {campaigns: ["A-*"]}, window: last 7 days, pause_when: clicks > 5}
  - {name: over, scope: {campaigns: ["A-*"]}, window: last 7 days, pause_when: clicks > 5 && over("today").clicks > 1}
  - {name: resume, scope: {campaigns: ["A-*"]}, window: last 7 days, pause_when: clicks > 5, resume_when: over("today").clicks < 1}
  - {name: lifetime, scope: {campaigns: ["A-*"]}, window: lifetime, pause_when: clicks > 5}
`)
	if got := strings.Join(set.ReadsToday(), " "); got != "today over resume" {
		t.Errorf("%s", got)
	}
}

// TestActiveDays checks the weekdays outside of which a rule pauses, also if its hours go over
// midnight and where clocks change.
func TestActiveDays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys, at string
		want     usher.Action
		reason   string
	}{
		"a workday":           {"active_days: [mon, tue, wed, thu, fri]", "2026-05-22T10:00:00Z", usher.None, ""},
		"Saturday":            {"active_days: [mon, tue, wed, thu, fri]", "2026-05-23T10:00:00Z", usher.Pause, "outside active_days mon, tue, wed, thu, fri (it is Sat 11:00 in Europe/London)"},
		"Saturday in London":  {"active_days: [mon, tue, wed, thu, fri]", "2026-05-22T23:30:00Z", usher.Pause, "Sat 00:30"},
		"hours of a workday":  {"active_hours: \"08:00-22:00\", active_days: [fri]", "2026-05-22T10:00:00Z", usher.None, ""},
		"before them":         {"active_hours: \"08:00-22:00\", active_days: [fri]", "2026-05-22T06:00:00Z", usher.Pause, "outside active_hours 08:00-22:00 on fri (it is Fri 07:00 in Europe/London)"},
		"another day":         {"active_hours: \"08:00-22:00\", active_days: [fri]", "2026-05-21T10:00:00Z", usher.Pause, ""},
		"since the evening":   {"active_hours: \"22:00-06:00\", active_days: [fri]", "2026-05-23T04:00:00Z", usher.None, ""},
		"the evening after":   {"active_hours: \"22:00-06:00\", active_days: [fri]", "2026-05-23T22:00:00Z", usher.Pause, ""},
		"the morning of it":   {"active_hours: \"22:00-06:00\", active_days: [fri]", "2026-05-22T04:00:00Z", usher.Pause, ""},
		"the day clocks turn": {"active_days: [sun]", "2026-03-29T23:30:00Z", usher.Pause, "Mon 00:30"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, "account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, "+c.keys+"}\n")
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			if d := onlyDecision(t, set, active("c", reported(t, set, at))); d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestMistakesInActiveDays checks weekdays that are wrong.
func TestMistakesInActiveDays(t *testing.T) {
	const limits = "    limits: {max_share: 20%}\n"
	days := func(text string, want ...string) mistake {
		return mistake{"    schedule: \"0 7 * * *\"\n" + limits, "    schedule: \"*/15 * * * *\"\n    limits: {max_creatives: 20}\n    active_days: " + text + "\n", want}
	}
	testMistakes(t, map[string]mistake{
		"workdays":  days("[mon, tue, wed, thu, fri]"),
		"a name":    days("[monday]", `10:19: error: unknown weekday "monday" | write mon`),
		"capitals":  days("[Mon]", `10:19: error: unknown weekday "Mon" | mon`),
		"twice":     days("[mon, mon]", "10:24: error: active_days has mon twice | remove it"),
		"none":      days("[]", "10:18: error: active_days has no weekday | write active_days"),
		"all":       days("[mon, tue, wed, thu, fri, sat, sun]", "10:18: error: active_days has every day: no time is outside | remove active_days"),
		"no list":   days("mon", "10:18: error: active_days must be a list | "),
		"with for":  days("[mon]\n    for: 3 days", "11:5: error: for and active_hours are in one rule | "),
		"schedule":  {"    schedule: \"0 7 * * *\"\n" + limits, "    schedule: \"0 7 * * *\"\n    limits: {max_creatives: 20}\n    active_days: [mon]\n", []string{"10:5: warning: the rule is not due within an hour after active_days begin at 00:00 | "}},
		"on a week": onWeak("ctr < 0.5 * over(\"this week\").ctr"),
	})
}

// TestWeeks checks the window this week and the same day of last week.
func TestWeeks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		window, condition, at string
		want                  usher.Action
		reason                string
	}{
		"since Monday":        {"this week", "clicks == 7", "2026-05-21T10:00:00Z", usher.Pause, ""}, // Thursday: 3 days, 18 to 20 May
		"on a Monday":         {"this week", "clicks < 5", "2026-05-18T10:00:00Z", usher.Unknown, "unknown: this week has no complete day yet"},
		"a cap on a Monday":   {"this week", "clicks > 0", "2026-05-18T10:00:00Z", usher.None, "does not hold: clicks > 0 (0 is not > 0, this week has no complete day yet)"},
		"at least 0":          {"this week", "clicks >= 0", "2026-05-18T10:00:00Z", usher.Unknown, "this week has no complete day yet"},
		"on its right":        {"this week", "5 > clicks", "2026-05-18T10:00:00Z", usher.Unknown, "this week has no complete day yet"},
		"less than it":        {"this week", "5 <= clicks", "2026-05-18T10:00:00Z", usher.None, "5 is not <= 0"},
		"a negated sum":       {"this week", "20 - clicks > 5", "2026-05-18T10:00:00Z", usher.Unknown, "this week has no complete day yet"},
		"no clicks":           {"this week", "clicks == 0", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"a ratio":             {"this week, min_days: 1", "spendRate > 5", "2026-05-18T10:00:00Z", usher.Unknown, "this week has no complete day yet"},
		"a negated cap":       {"this week", "!(clicks >= 3)", "2026-05-18T10:00:00Z", usher.Unknown, "unknown: this week has no complete day yet"},
		"negated twice":       {"this week", "!!(clicks >= 3)", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"a negated minimum":   {"this week", "!(clicks < 3)", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"negated, known":      {"this week", "!(clicks >= 8)", "2026-05-21T10:00:00Z", usher.Pause, ""},
		"negated, not empty":  {"yesterday", `!(clicks >= 8) && over("this week").clicks > 5`, "2026-05-18T10:00:00Z", usher.None, ""},
		"otherwise":           {"this week", "clicks >= 3 ? false : true", "2026-05-18T10:00:00Z", usher.Unknown, "this week has no complete day yet"},
		"one of two numbers":  {"this week", "(clicks >= 3 ? 1 : 10) > 5", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"a negated product":   {"this week", "-2 * clicks > -5", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"what is left":        {"this week", "100 - clicks < 90", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"unequal":             {"this week", "clicks != 3", "2026-05-18T10:00:00Z", usher.Unknown, ""},
		"with a cap":          {"this week", "clicks > 5 && !(clicks >= 3)", "2026-05-18T10:00:00Z", usher.None, ""},
		"of the month":        {"this month", "!(clicks >= 3)", "2026-06-01T10:00:00Z", usher.Unknown, "unknown: this month has no complete day yet"},
		"less in the month":   {"this month", "clicks < 3", "2026-06-01T10:00:00Z", usher.Unknown, "unknown: this month has no complete day yet"},
		"over the month":      {"yesterday", `!(over("this month").clicks >= 3)`, "2026-06-01T10:00:00Z", usher.Unknown, "this month has no complete day yet"},
		"of the account":      {"this week", "account.clicks > 5", "2026-05-18T10:00:00Z", usher.None, "0 is not > 5"},
		"of another window":   {"yesterday", `clicks > 5 && over("this week").clicks < 5`, "2026-05-25T10:00:00Z", usher.Unknown, ""},
		"over this week":      {"yesterday", `over("this week").impressions == 300`, "2026-05-21T10:00:00Z", usher.Pause, ""},
		"the day before":      {"yesterday", `clicks == over("same day last week").clicks + 1`, "2026-05-21T10:00:00Z", usher.Pause, ""},
		"of the week's names": {"yesterday", `over("same day last week").clicks == 4`, "2026-05-21T10:00:00Z", usher.Pause, `over("same day last week").clicks == 4 (4 == 4)`},
		"today":               {"today", `over("same day last week").clicks == 6`, "2026-05-21T10:00:00Z", usher.Pause, ""},
		"no row":              {"today", `over("same day last week").clicks > 1`, "2026-05-13T10:00:00Z", usher.Unknown, "same day last week (2026-05-06) has 0 of 1 days"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, "campaign", c.condition, "window: "+c.window)
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			rows := []figures.Row{viewed("2026-05-13", 100, 4), viewed("2026-05-14", 100, 6), viewed("2026-05-18", 100, 1), viewed("2026-05-19", 100, 1), viewed("2026-05-20", 100, 5), viewed("2026-05-21", 10, 1), viewed("2026-05-31", 10, 1)}
			if d := onlyDecision(t, set, active("c", reported(t, set, at, rows...))); d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
	for window, want := range map[string]string{"same day last week": "is no window of a rule", "last 3 days": "same day last week is a day, and the rule's window last 3 days is none"} {
		_, problems := rules.Load("x.yaml", []byte("account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: "+window+", pause_when: 'over(\"same day last week\").clicks > 1'}\n"))
		if !rules.Errors(problems) || !strings.Contains(fmt.Sprint(problems), want) {
			t.Errorf("window %s: %v", window, problems)
		}
	}
}

// TestFirstDayResumes checks that resume_when takes the sums of a month that has no complete day as
// 0, and that increase_when does not.
func TestFirstDayResumes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)
	rows := []figures.Row{viewed("2026-05-31", 100, 4)}
	for condition, want := range map[string]usher.Action{
		"clicks < 3":                                  usher.Resume,
		"clicks <= 0 && account.clicks < 3":           usher.Resume,
		`over("yesterday").impressions > 90 + clicks`: usher.Resume,
		"clicks > 3 && clicks < 9":                    usher.None,
		"ctr < 0.5":                                   usher.Unknown,
		"monthEndSpend < 5":                           usher.Unknown,
		"grossMediaSpend < 0.5 * budget":              usher.Unknown,
		"clicks < 3 && monthEndSpend < 5000":          usher.Unknown,
	} {
		min := ""
		if condition == "ctr < 0.5" {
			min = "min_data: {impressions: 1}, "
		}
		set := oneRule(t, "campaign", "clicks > 50", min+"window: this month, resume_when: '"+condition+"'")
		snapshot := active("c", reported(t, set, at, rows...))
		snapshot.Creatives[0].Status = "INACTIVE"
		snapshot.Memory = func(string) usher.CreativeMemory {
			return usher.CreativeMemory{Owner: &usher.Ownership{Rule: "budgets/r", Status: "INACTIVE"}}
		}
		if d := onlyDecision(t, set, snapshot); d.Action != want {
			t.Errorf("%s: %s: %s", condition, d.Action, d.Reason)
		}
	}
	for keys, want := range map[string]usher.Action{
		"increase_when: clicks < 3, budget: {increase: 20%, max: 500}":  usher.Unknown,
		"decrease_when: clicks > 30, budget: {decrease: 20%, min: 5}":   usher.None,
		"decrease_when: clicks <= 30, budget: {decrease: 20%, min: 50}": usher.Unknown,
	} {
		set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: this month, "+keys+"}\n")
		run, err := set.DecideNumbers(t.Context(), usher.BudgetField, rules.Snapshot{Figures: reported(t, set, at, rows...), Numbers: []rules.Number{{Campaign: "A-x", Value: 100, Currency: "USD"}}})
		if err != nil {
			t.Fatal(err)
		}
		for d := range run.Decisions(nil) {
			if d.Action != want {
				t.Errorf("%s: %s: %s", keys, d.Action, d.Reason)
			}
		}
	}
}

// TestWeeksInTests checks that a test case has the metrics of a week that has no complete day.
func TestWeeksInTests(t *testing.T) {
	t.Parallel()
	for _, condition := range []string{"clicks > 5", "account.clicks > 5", "campaign.clicks > 5"} {
		set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: this week, pause_when: "+condition+"}\ntests:\n  - {date: 2026-05-18, metrics: {clicks: 6}, expect: pause}\n")
		results, err := set.RunTests(t.Context())
		if err != nil || !results[0].Passed {
			t.Errorf("%s: %+v, %v", condition, results, err)
		}
	}
}

// TestUntil checks when a rule resumes what it paused: at the beginning of a day in the account's
// zone, unless it wants it paused.
func TestUntil(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	paused := time.Date(2026, 3, 27, 16, 0, 0, 0, zone) // a Friday; clocks are set on Sunday
	for name, c := range map[string]struct {
		keys, owner, at string // at in London
		spend           float64
		want            usher.Action
		reason          string
	}{
		"the evening":         {"until: tomorrow", "budgets/r", "2026-03-27T23:59", 3, usher.None, ""},
		"midnight":            {"until: tomorrow", "budgets/r", "2026-03-28T00:00", 3, usher.Resume, "it was paused on 2026-03-27 until 2026-03-28, which has begun: until: tomorrow"},
		"wanted paused":       {"until: tomorrow", "budgets/r", "2026-03-28T00:00", 9, usher.None, "already INACTIVE"},
		"unknown":             {"until: tomorrow", "budgets/r", "2026-03-28T00:00", -1, usher.Resume, ""},
		"of another rule":     {"until: tomorrow", "budgets/other", "2026-03-28T00:00", 3, usher.None, ""},
		"under a former name": {"until: tomorrow, formerly: other", "budgets/other", "2026-03-28T00:00", 3, usher.Resume, ""},
		"Sunday":              {"until: monday", "budgets/r", "2026-03-29T23:59", 3, usher.None, ""},
		"Monday":              {"until: monday", "budgets/r", "2026-03-30T00:00", 3, usher.Resume, "until 2026-03-30"},
		"the last of March":   {"until: next_month", "budgets/r", "2026-03-31T23:59", 3, usher.None, ""},
		"the first of April":  {"until: next_month", "budgets/r", "2026-04-01T00:00", 3, usher.Resume, "until 2026-04-01"},
		"a cooldown":          {"until: tomorrow, cooldown: 24h", "budgets/r", "2026-03-28T00:00", 3, usher.Held, "its cooldown lasts until"},
		"before resume_when":  {"until: monday, resume_when: grossMediaSpend < 4", "budgets/r", "2026-03-28T00:00", 3, usher.Resume, "grossMediaSpend < 4 (3 < 4)"},
		"outside its hours":   {"until: tomorrow, active_hours: \"08:00-22:00\"", "budgets/r", "2026-03-28T00:00", 3, usher.None, "already INACTIVE: outside"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, "account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: yesterday, pause_when: grossMediaSpend > 5, "+c.keys+"}\n")
			at, err := time.ParseInLocation("2006-01-02T15:04", c.at, zone)
			if err != nil {
				t.Fatal(err)
			}
			var rows []figures.Row
			if c.spend >= 0 {
				rows = append(rows, spent(at.AddDate(0, 0, -1).Format(time.DateOnly), c.spend, 0))
			}
			snapshot := active("c", reported(t, set, at, rows...))
			snapshot.Creatives[0].Status = "INACTIVE"
			snapshot.Memory = func(string) usher.CreativeMemory {
				return usher.CreativeMemory{
					Owner: &usher.Ownership{Rule: c.owner, Status: "INACTIVE"},
					Rules: map[string]usher.RuleMemory{c.owner: {Changed: paused, Day: "2026-03-27", Flips: 1}},
				}
			}
			if d := onlyDecision(t, set, snapshot); d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
	set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: yesterday, pause_when: clicks > 5, until: next_month}\ntests:\n  - {metrics: {clicks: 3}, status: INACTIVE, paused_by: r, expect: resume}\n  - {metrics: {clicks: 9}, status: INACTIVE, paused_by: r, expect: none}\n")
	results, err := set.RunTests(t.Context())
	if err != nil || !results[0].Passed || !results[1].Passed {
		t.Errorf("%+v, %v", results, err)
	}
}

// TestMistakesInUntil checks times that are wrong, and schedules that are not due then.
func TestMistakesInUntil(t *testing.T) {
	const limits = "    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n"
	until := func(text string, want ...string) mistake {
		return mistake{limits, "    schedule: \"0 0,7 * * *\"\n    limits: {max_share: 20%}\n    until: " + text + "\n", want}
	}
	testMistakes(t, map[string]mistake{
		"tomorrow":    until("tomorrow"),
		"Monday":      until("next week", `10:12: error: unknown until "next week" | write monday`),
		"a date":      until("2026-06-01", `10:12: error: unknown until "2026-06-01" | tomorrow`),
		"at 7 only":   {limits, limits + "    until: tomorrow\n", []string{"10:5: warning: the rule is not due within an hour after midnight, when until: tomorrow ends | 0 0,7"}},
		"with budget": {"    pause_when: grossMediaSpend >= 1.05 * budget\n", "    decrease_when: grossMediaSpend >= 1.05 * budget\n    budget: {decrease: 20%, min: 50}\n    until: tomorrow\n", []string{"9:5: error: until and budget are in one rule | write two rules"}},
	})
}
