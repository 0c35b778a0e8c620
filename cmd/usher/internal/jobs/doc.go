// Package jobs is usher jobs: list, show, watch and cancel jobs.
//
//	jobs.go   the group, ls, show and cancel
//	watch.go  watch
//	wait.go   wait for the end of a job, for submit and demo too
package jobs
