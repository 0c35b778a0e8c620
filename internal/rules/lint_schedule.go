package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// scheduleForm is the hint on a schedule that is none of the usual mistakes.
const scheduleForm = `write minute hour day month weekday: "*/15 * * * *" is every quarter of an hour, "0 7 * * *" is daily at 7`

// scheduleHint returns the schedule that was probably meant by a text.
func scheduleHint(text string, zone *time.Location) string {
	for _, guess := range []string{cronOfNames(text), cronOfTime(text)} {
		if _, err := parseSchedule(guess, zone); err == nil {
			return fmt.Sprintf("write %q", guess)
		}
	}
	return scheduleForm
}

// cronOfNames returns the fields of another cron with numbers for names, without
// seconds, and with * for the ? of Quartz.
func cronOfNames(text string) string {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) == 6 && fields[0] == "0" {
		fields = fields[1:]
	}
	if len(fields) != 5 {
		return map[string]string{"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}[strings.TrimSpace(text)]
	}
	for i, field := range fields {
		if field == "?" {
			fields[i] = "*"
		}
	}
	if fields[1] == "24" {
		fields[1] = "0"
	}
	for i, name := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		fields[3] = strings.ReplaceAll(fields[3], name, strconv.Itoa(i+1))
	}
	for i, name := range strings.Fields("sun mon tue wed thu fri sat") {
		fields[4] = strings.ReplaceAll(fields[4], name, strconv.Itoa(i))
	}
	fields[4] = strings.Replace(fields[4], "-0", "-7", 1) // mon-sun
	return strings.Join(fields, " ")
}

// cronOfTime returns the fields of a time of the day, such as 7:30 or daily at 7am, or
// of an interval, such as every 15 minutes.
func cronOfTime(text string) string {
	text = strings.ToLower(text)
	if found := regexp.MustCompile(`(\d+)\s*(m|h)(in|ins|inute|inutes|our|ours)?$`).FindStringSubmatch(text); found != nil {
		if found[2] == "m" {
			return "*/" + found[1] + " * * * *"
		}
		return "0 */" + found[1] + " * * *"
	}
	found := regexp.MustCompile(`(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$`).FindStringSubmatch(text)
	if found == nil {
		return map[string]string{"hourly": "0 * * * *", "every hour": "0 * * * *", "daily": "0 7 * * *", "every day": "0 7 * * *", "weekly": "0 7 * * 1"}[text]
	}
	hour, _ := strconv.Atoi(found[1]) // two digits at most
	minute, _ := strconv.Atoi(found[2])
	if found[3] == "pm" && hour < 12 {
		hour += 12
	}
	return fmt.Sprintf("%d %d * * *", minute, hour)
}

// lintSchedule finds schedules that are due at other times than a reader expects, or
// more often than there are new figures. given are the places of the rule's keys, at
// that of the schedule.
func (r *reader) lintSchedule(rule *Rule, given map[string]place, at place) {
	s := rule.Schedule
	if s == nil {
		if _, ok := given["schedule"]; !ok && (rule.Window.kind != today || rule.Scope.Level != CampaignLevel) {
			r.warnf(place{rule.Line, given["name"].column}, `write schedule: "0 7 * * *", which is daily at 7`,
				"nothing evaluates the rule by itself: it has no schedule, and events are for rules on campaigns with window: today")
		}
		return
	}
	fields := strings.Fields(s.text)
	hours := numbersIn(s.hours)
	perDay := len(numbersIn(s.minutes)) * len(hours)
	switch {
	case fields[0] == "*" && !s.everyHour:
		r.warnf(at, fmt.Sprintf("write %q for once at %d:00", "0 "+strings.Join(fields[1:], " "), hours[0]),
			"the rule is due in every minute from %d:00 to %d:59", hours[0], hours[len(hours)-1])
	case (rule.Window.kind == yesterday || rule.Window.kind == lastDays) && perDay > 24:
		r.warnf(at, `write schedule: "0 7 * * *"`, "the rule is due %d times a day, but the complete days of window: %s change once a day", perDay, rule.Window)
	}
	r.lintSteps(s, fields, at)
	r.lintDays(s, fields, at)
	if rule.MaxAge > 0 && (rule.Window.kind == yesterday || rule.Window.kind == lastDays) {
		r.lintAge(rule, given["max_report_age"])
	}
}

// lintSteps finds steps that do not divide an hour or a day, so that the last interval
// is shorter.
func (r *reader) lintSteps(s *Schedule, fields []string, at place) {
	for i, f := range []struct {
		unit string
		all  int
		set  []bool
	}{{"minute", 60, s.minutes}, {"hour", 24, s.hours}} {
		step, err := strconv.Atoi(strings.TrimPrefix(fields[i], "*/"))
		if !strings.HasPrefix(fields[i], "*/") || err != nil || f.all%step == 0 {
			continue
		}
		due := strings.Trim(strings.ReplaceAll(fmt.Sprint(numbersIn(f.set)), " ", ", "), "[]")
		r.warnf(at, fmt.Sprintf("write a step that divides %d, or the %ss themselves", f.all, f.unit),
			"%s is not every %d %ss: the rule is due in %ss %s", fields[i], step, f.unit, f.unit, due)
	}
}

// lintDays finds days that cron joins by "or", and days that few months have.
func (r *reader) lintDays(s *Schedule, fields []string, at place) {
	head := strings.Join(fields[:2], " ")
	if !s.everyDay && !s.everyWeekday {
		r.warnf(at, fmt.Sprintf("write %q or %q", fmt.Sprintf("%s %s %s *", head, fields[2], fields[3]), fmt.Sprintf("%s * %s %s", head, fields[3], fields[4])),
			"the rule is due on day %s of a month and also on every weekday %s", fields[2], fields[4])
		return
	}
	first := numbersIn(s.days)[0]
	var without int // months
	months := numbersIn(s.months)
	for _, month := range months {
		if time.Date(2001, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() < first {
			without++
		}
	}
	switch {
	case without == 0:
	case without == len(months):
		r.warnf(at, fmt.Sprintf("write %q", fmt.Sprintf("%s 28 %s *", head, fields[3])), "the rule is due in leap years only")
	default:
		r.warnf(at, fmt.Sprintf("write %q for the first day", fmt.Sprintf("%s 1 %s *", head, fields[3])), "%s no day %d", counted(without, "month has", "months have"), first)
	}
}

// lintAge finds a max_report_age that the report of yesterday exceeds when the rule is
// due. The age of a report counts from the end of its day.
func (r *reader) lintAge(rule *Rule, at place) {
	var due, exceeded int
	var least, most time.Duration
	for _, hour := range numbersIn(rule.Schedule.hours) {
		for _, minute := range numbersIn(rule.Schedule.minutes) {
			age := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
			if due == 0 {
				least = age
			}
			due++
			if age > rule.MaxAge {
				exceeded++
				most = age
			}
		}
	}
	const hint = "write max_report_age: 24h or more"
	switch exceeded {
	case 0:
	case due:
		r.errorf(at, hint, "the rule never has figures: yesterday's report is %s old when the rule is due", durationText(least))
	default:
		r.warnf(at, hint, "the rule has no figures at %d of %d times of a day: yesterday's report is up to %s old", exceeded, due, durationText(most))
	}
}

// numbersIn returns the numbers that are in a field of a schedule.
func numbersIn(set []bool) []int {
	var list []int
	for n, in := range set {
		if in {
			list = append(list, n)
		}
	}
	return list
}

// counted returns a number with the form of a word for one or for several.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
