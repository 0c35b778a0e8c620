// Package terminal writes to people and to programs: tables, JSON, progress and
// questions.
//
//	table.go     tables
//	fit.go       tables on narrow terminals
//	times.go     times as ages or dates
//	json.go      JSON
//	colour.go    colours, and whether a file is a terminal
//	progress.go  the progress of a job, as lines of a log
//	pace.go      how much of a job is done, and its rate
//	bar.go       the progress of a job, as a bar
//	live.go      a screen that is drawn again and again
//	share.go     the progress of several jobs, in columns
//	counter.go   a line that is updated in place
//	question.go  yes or no
//	wrap.go      text broken into lines
//	width.go     the width of terminals and texts
package terminal
