// Package submit implements usher submit: it publishes a job.
//
//	submit.go  the command: check, publish, wait
//	flags.go   the flags of a job, and the job that they describe
package submit
