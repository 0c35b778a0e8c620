// Package calendar has the days, the hours and the schedules of an account: dates and
// times on the clock of its zone, whatever that clock does in spring and in autumn.
//
//	day.go       Day: a date, when it begins, and how many there are
//	hours.go     Hours: the part of each day in which creatives may be ACTIVE
//	schedule.go  Schedule: when a rule is due; cron.go: its five fields
//	advice.go    Advice: what is wrong with hours or a schedule, and what to write
package calendar
