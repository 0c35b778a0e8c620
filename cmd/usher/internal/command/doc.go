// Package command has what the commands share: exit codes, usage errors, groups of
// commands, and the values of flags.
//
//	errors.go     exit codes and the errors that carry them
//	group.go      commands that only hold others
//	arguments.go  checks of the number of arguments
//	suggest.go    "did you mean"
//	choice.go     flags that take one or several of a few words
//	values.go     flags that take percentages, times and rates
//	profile.go    flags that take a hash profile
//	source.go     flags that describe an export
//	delimiter.go  the delimiter flag of an export
//	kinds.go      words for the kinds of jobs and the classes of dead letters
//	actor.go      who acts and why, for the audit
package command
