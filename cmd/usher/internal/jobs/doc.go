// Package jobs implements usher jobs: list, show, watch and cancel jobs. It prints the records of
// jobs and their parts for other commands, too.
//
//	jobs.go        the group, ls, show and cancel
//	receipt.go     the receipt of a device.forget
//	watch.go       watch
//	screen.go      the live screen of watch
//	wait.go        waiting for the end of a job; submit and demo use it, too
//	record.go      a whole record, and its parts in lists
//	understood.go  how a job's export was read
//	outcome.go     how a job ended
//	consequence.go what a job has changed
//	complete.go    names of jobs and targets, for the completion of the shell
//	tally.go       the outcome of every row, and samples of dropped ones
//	evaluation.go  a summary of a run of rules
package jobs
