// Package submit implements usher submit: it publishes a job.
//
//	submit.go    the command and its own flags, such as --wait: check, publish, wait
//	flags.go     the flags that describe a job, and the job that they describe
//	help.go      the help of each kind, and the flags that a shell offers for it
//	reversals.go  which rules would pause again what a job resumes
//	unlikely.go  the warning of inline ids that may be customer numbers
package submit
