package differential_test

import (
	"fmt"
	"strings"
	"time"
)

// String returns the file as YAML.
func (f *file) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# edited %d times\naccount: %s\ntimezone: %s\n", f.edits, f.account, f.zone)
	if f.label != nil {
		fmt.Fprintf(&b, "labels: {l: {creatives: [\"*%s\"], from: %s, to: %s}}\n", f.label.creatives, dateOf(f.label.from), dateOf(f.label.to))
	}
	if f.targets != nil {
		fmt.Fprintf(&b, "targets: %s\n", f.targets.path)
	}
	b.WriteString("rules:\n")
	for _, r := range f.rules {
		f.writeRule(&b, r)
	}
	return b.String()
}

func (f *file) writeRule(b *strings.Builder, r *rule) {
	line := func(condition bool, format string, args ...any) {
		if condition {
			fmt.Fprintf(b, format, args...)
		}
	}
	campaigns := "*"
	if r.onlyCampaign != "" {
		campaigns = f.account + "-*" + r.onlyCampaign
	}
	fmt.Fprintf(b, "  - name: %s\n    scope: {campaigns: [%q]", r.name, campaigns)
	line(r.exceptCampaign != "", ", exclude: [\"*%s\"]", r.exceptCampaign)
	line(r.creativeLevel, ", level: creative")
	line(r.together, ", level: account")
	line(r.creatives != "", ", creatives: [\"*%s\"]", r.creatives)
	line(r.labelled, ", labels: [l]")
	line(r.types != "", ", types: [%q]", r.types)
	line(r.keep > 0, ", keep_active: %d", r.keep)
	fmt.Fprintf(b, "}\n    priority: %d\n    mode: %s\n", r.priority, r.mode)
	line(r.until != "", "    until: %s\n", r.until)
	line(r.formerly != "", "    formerly: %s\n", r.formerly)
	down, up := "pause_when", "resume_when"
	if r.steps != nil {
		down, up = "decrease_when", "increase_when"
		fmt.Fprintf(b, "    %s\n", r.steps)
	}
	line(!r.hasOnlyHours(), "    window: %s\n    min_data: {%s: %g}\n    %s: '%s'\n", r.window, r.leastField, r.least, down, r.pause)
	if r.hours != nil {
		line(r.hours.to < 24, "    active_hours: \"%02d:00-%02d:00\"\n", r.hours.from, r.hours.to)
		var days []string
		for _, day := range r.hours.days {
			days = append(days, strings.ToLower(day.String()[:3]))
		}
		line(len(days) > 0, "    active_days: [%s]\n", strings.Join(days, ", "))
	}
	line(r.resume != nil, "    %s: '%s'\n", up, r.resume)
	line(r.minDays > 0, "    min_days: %d\n", r.minDays)
	line(r.heldDays > 0, "    for: %d days\n", r.heldDays)
	line(r.cooldown > 0, "    cooldown: %dh\n", r.cooldown)
	line(r.minAgeHours > 0, "    min_age: %dh\n", r.minAgeHours)
	line(r.maxAgeHours > 0, "    max_report_age: %dh\n", r.maxAgeHours)
	line(r.lag > 0, "    report_lag: %dm\n", r.lag)
	if r.dueDay > 0 {
		due := time.Unix(int64(r.dueDay)*86_400, 0).UTC()
		fmt.Fprintf(b, "    schedule: \"0 %d %d %d *\"\n", r.dueHour, due.Day(), int(due.Month()))
	}
	line(r.maxCreatives > 0 || r.maxCampaigns > 0 || r.maxShare > 0 || r.maxFlips > 0 || r.maxAmount() > 0, "    limits:\n")
	line(r.maxAmount() > 0, "      max_amount: %g\n", r.maxAmount())
	line(r.maxCreatives > 0, "      max_creatives: %d\n", r.maxCreatives)
	line(r.maxCampaigns > 0, "      max_campaigns: %d\n", r.maxCampaigns)
	line(r.maxFlips > 0, "      max_flips_per_day: %d\n", r.maxFlips)
	line(r.maxShare > 0, "      max_share: %d%%\n", r.maxShare)
}

func (s span) String() string {
	switch s.kind {
	case "last":
		return fmt.Sprintf("last %d days", s.days)
	case "month":
		return "this month"
	case "week":
		return "this week"
	case "same":
		return "same day last week"
	}
	return s.kind
}

func (x *expr) String() string {
	if x == nil {
		return ""
	}
	switch x.op {
	case "number":
		return fmt.Sprint(x.number)
	case "metric":
		switch x.whose {
		case "":
			return x.metric
		case "over":
			return fmt.Sprintf("over(%q).%s", x.over, x.metric)
		case "rank":
			return "rank(" + x.metric + ")"
		case "count":
			return "count()"
		}
		return x.whose + "." + x.metric
	case "!":
		return "!(" + x.args[0].String() + ")"
	}
	return "(" + x.args[0].String() + " " + x.op + " " + x.args[1].String() + ")"
}
