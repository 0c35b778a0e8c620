// Package terminal prints for people and programs: tables, JSON, progress, questions.
//
//	table.go     tables on a terminal, aligned columns elsewhere
//	json.go      JSON
//	colour.go    colours, and whether a writer is a terminal
//	progress.go  the progress of a job, as lines
//	bar.go       the progress of a job, as a bar
//	counter.go   a counter on one line
//	question.go  yes or no
//	wrap.go      text in lines
package terminal
