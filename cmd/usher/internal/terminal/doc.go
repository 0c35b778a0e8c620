// Package terminal writes to people and to programs: tables, JSON and progress.
//
//	table.go     tables
//	fit.go       tables on narrow terminals
//	text.go      widths, lines, colours and times of texts, and whether a file is a terminal
//	json.go      JSON
//	progress.go  the progress of a job, as a bar or as lines of a log; a line that is updated in place
//	pace.go      how much of a job is done, and its rate; that of several jobs, in columns
//	live.go      a screen that is drawn again and again
package terminal
