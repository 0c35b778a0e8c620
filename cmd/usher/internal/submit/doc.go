// Package submit is usher submit: it publishes a job.
//
//	submit.go  the command: check, publish, wait
//	order.go   a job from flags
package submit
