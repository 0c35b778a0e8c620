// Package command has what all commands share. A command is a value: a List, a View, an Act or a
// Task, which says what it is called, what it works with, what it asks and what it prints. So
// --json, --yes, --dry-run, --actor, --reason, --limit, --absolute, questions and exit codes are the
// same everywhere.
//
//	build.go   what all commands say about themselves, and their runs
//	list.go    List: rows; View: one value
//	act.go     Act: a change, at once or when a person has agreed to its Plan
//	group.go   commands that only contain other commands, and the width of flags' help
//	errors.go  exit codes, errors of flags and arguments, and "did you mean"
//	values.go  values of flags: words, limits, percentages, rates, times, hash profiles, lines, delimiters
//	source.go  flags that describe an export, and messages with flags in place of a job's fields
package command
