// Package command has the parts that all commands share: exit codes, usage errors, groups
// of commands, and the values of flags.
//
//	errors.go     exit codes and the errors that carry them
//	group.go      commands that only contain other commands
//	help.go       the width of flags' help
//	arguments.go  checks of the number of arguments
//	suggest.go    "did you mean"
//	flagerror.go  errors of unknown and invalid flags
//	choice.go     flags that take one or several of a few words
//	percent.go    the value of a flag: a percentage
//	ages.go       --absolute
//	times.go      values of flags: a deadline, a time in the past
//	rate.go       the value of a flag: a rate
//	profile.go    the value of a flag: a hash profile
//	source.go     flags that describe an export
//	hint.go       messages with flags in place of a job's fields
//	delimiter.go  the value of a flag: the delimiter of an export
//	skip.go       the value of a flag: the lines of an export to skip
//	kinds.go      the kinds of jobs and the classes of dead letters, as words
//	actor.go      who acts and why, for the audit
package command
