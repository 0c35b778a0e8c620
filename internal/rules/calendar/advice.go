package calendar

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"usher/internal/readable"
)

// Advice says what is wrong with hours or a schedule, and what to write instead.
type Advice struct {
	Message string
	Hint    string
	Column  int // of the field that is wrong, from 1; 0: the whole text
}

// Error returns the message.
func (a *Advice) Error() string { return a.Message }

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
		return map[string]string{"continuously": "*/15 * * * *", "continuous": "*/15 * * * *", "hourly": "0 * * * *", "every hour": "0 * * * *", "daily": "0 7 * * *", "every day": "0 7 * * *", "weekly": "0 7 * * 1"}[text]
	}
	hour, _ := strconv.Atoi(found[1]) // two digits at most
	minute, _ := strconv.Atoi(found[2])
	if found[3] == "pm" && hour < 12 {
		hour += 12
	}
	return fmt.Sprintf("%d %d * * *", minute, hour)
}

// Advice returns what is likely to be a mistake in the schedule: it is due at other times
// than a reader expects.
func (s *Schedule) Advice() []Advice {
	var list []Advice
	fields := strings.Fields(s.text)
	if hours := numbersIn(s.hours); s.IsEveryMinute() {
		list = append(list, Advice{
			Message: fmt.Sprintf("the rule is due in every minute from %d:00 to %d:59", hours[0], hours[len(hours)-1]),
			Hint:    fmt.Sprintf("write %q for once at %d:00", "0 "+strings.Join(fields[1:], " "), hours[0]),
		})
	}
	list = append(list, s.adviseSteps(fields)...)
	return append(list, s.adviseDays(fields)...)
}

// adviseSteps finds steps that do not divide an hour or a day, so that the last interval
// is shorter.
func (s *Schedule) adviseSteps(fields []string) []Advice {
	var list []Advice
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
		list = append(list, Advice{
			Message: fmt.Sprintf("%s is not every %d %ss: the rule is due in %ss %s", fields[i], step, f.unit, f.unit, due),
			Hint:    fmt.Sprintf("write a step that divides %d, or the %ss themselves", f.all, f.unit),
		})
	}
	return list
}

// adviseDays finds days that cron joins by "or", and days that few months have.
func (s *Schedule) adviseDays(fields []string) []Advice {
	head := strings.Join(fields[:2], " ")
	if !s.everyDay && !s.everyWeekday {
		return []Advice{{
			Message: fmt.Sprintf("the rule is due on day %s of a month and also on %s", fields[2], weekdays(fields[4])),
			Hint:    fmt.Sprintf("write %q or %q", fmt.Sprintf("%s %s %s *", head, fields[2], fields[3]), fmt.Sprintf("%s * %s %s", head, fields[3], fields[4])),
		}}
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
		return nil
	case without == len(months):
		return []Advice{{Message: "the rule is due in leap years only", Hint: fmt.Sprintf("write %q", fmt.Sprintf("%s 28 %s *", head, fields[3]))}}
	}
	have := "have"
	if without == 1 {
		have = "has"
	}
	return []Advice{{
		Message: fmt.Sprintf("%s %s no day %d", readable.Count(without, "month"), have, first),
		Hint:    fmt.Sprintf("write %q for the first day", fmt.Sprintf("%s 1 %s *", head, fields[3])),
	}}
}

// weekdays names the weekdays of a schedule.
func weekdays(field string) string {
	if day, err := strconv.Atoi(field); err == nil {
		return "every " + time.Weekday(day%7).String()
	}
	return "the weekdays " + field
}
