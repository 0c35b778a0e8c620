// Package jobs implements usher jobs: list, show, watch and cancel jobs.
//
//	jobs.go    the group, ls, show and cancel
//	receipt.go the receipt of a device.forget
//	watch.go   watch
//	screen.go  the live screen of watch
//	wait.go    waiting for the end of a job; submit and demo use it, too
package jobs
