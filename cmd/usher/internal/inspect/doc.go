// Package inspect is usher inspect: a report on an export, without sending.
//
//	command.go      the command and its flags
//	print.go        the report for people
//	rejects.go      --rejects: where dropped rows are written
//	rowprogress.go  progress while rows are read
package inspect
